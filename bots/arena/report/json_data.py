"""A report as plain data that JSON can hold."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cext.game_info import WINS

from ..results.report import Report


def report_to_dict(report: Report) -> dict[str, Any]:
    """Return the report as plain data. It is the same for the same tournament on every machine."""
    tournament = report.tournament
    labels = {standing.index: standing.bot for standing in report.standings}
    name = _rating_name(report)
    return {
        "game": report.game.spec,
        "players": list(report.game.players),
        "seed": tournament.seed,
        "limits": [tournament.limit_of(bot).to_dict() for bot in range(len(tournament.bots))],
        "deadline_seconds": tournament.deadline_seconds,
        "policies": str(tournament.policies),
        "score": report.score,
        "games": report.games,
        "games_scheduled": tournament.num_games,
        "block_size": tournament.block_size,
        "blocks": report.blocks,
        "interrupted": report.interrupted,
        "test": None if report.test is None else report.test.to_dict(),
        "adjudication": tournament.adjudication.to_dict(),
        "endings": report.endings,
        "bots": [
            {
                "bot": s.bot,
                "spec": tournament.bots[s.index],
                name: _rounded(s.rating),
                f"{name}_error": _rounded(s.rating_error),
                f"{name}_lower": _rounded(s.rating_lower),
                f"{name}_upper": _rounded(s.rating_upper),
                "list": s.list,
                "los_next": _rounded(s.los_next),
                "mean_return": _rounded(s.mean_return),
                "mean_return_error": _rounded(s.mean_return_error),
                "mean_return_lower": _rounded(s.mean_return_lower),
                "mean_return_upper": _rounded(s.mean_return_upper),
                "games": s.games,
                **s.results._asdict(),
                "seats": [
                    {"player": seat.player, **seat.results._asdict(), "mean_return": _rounded(seat.mean_return)}
                    for seat in s.seats
                ],
                "failures": s.failures,
            }
            for s in report.standings
        ],
        "ratings": _ratings_json(report),
        "pairings": [
            {
                "first": labels[pairing.first],
                "second": labels[pairing.second],
                **pairing.results._asdict(),
                "pentanomial": None if pairing.pentanomial is None else list(pairing.pentanomial),
                "elo": None if pairing.elo is None else _all_rounded(asdict(pairing.elo)),
                **({} if pairing.points is None else {"difference": _rounded(pairing.points)}),
            }
            for pairing in report.pairings
        ],
        "repeats": None if report.repeats is None else asdict(report.repeats),
        "failures": [{"game": number, "bot": bot, **asdict(failure)} for number, bot, failure in report.failures],
        "notes": list(report.notes),
    }


def _rating_name(report: Report) -> str:
    """Return the key of ratings: Elo where wins count, else differences of mean returns in points."""
    return "elo" if report.score == WINS else "difference"


def _ratings_json(report: Report) -> dict[str, Any]:
    """Return model, seats, anchors and comparisons. Rows and columns are in the order of the standings."""
    ratings = report.ratings
    order = [standing.index for standing in report.standings]
    labels = {standing.index: standing.bot for standing in report.standings}
    covariance = ratings.covariance
    name = _rating_name(report)
    return {
        "model": ratings.model,
        "lists": [[labels[bot] for bot in bots] for bots in ratings.lists],
        "seats": None
        if ratings.seats is None
        else [
            {"player": player, name: _rounded(seat.value), f"{name}_error": _rounded(seat.error)}
            for player, seat in zip(report.game.players, ratings.seats, strict=True)
        ],
        "log_tie_strengths": {str(tied): _rounded(value) for tied, value in ratings.ties.items()},
        "anchors": {
            standing.bot: ratings.anchors[bot]
            for bot, standing in zip(order, report.standings, strict=True)
            if bot in ratings.anchors
        },
        "covariance": None if covariance is None else [[_rounded(covariance[i][j]) for j in order] for i in order],
        "difference_errors": [[_rounded(ratings.differences[i][j]) for j in order] for i in order],
        "los": [[_rounded(ratings.los[i][j]) for j in order] for i in order],
    }


def _all_rounded(values: dict[str, float | None]) -> dict[str, float | None]:
    return {key: _rounded(value) for key, value in values.items()}


def _rounded(value: float | None) -> float | None:
    """Round to four decimals, since further ones may differ between processors."""
    return None if value is None else round(value, 4)
