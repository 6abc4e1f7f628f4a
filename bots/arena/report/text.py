"""A tournament's report as JSON data and as text for the terminal."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..results.standings import Report
from .number_format import elo_text, plain_minus
from .standings_table import standings_tables

SHOWN_FAILURES = 5
"""How many different failures the printed report spells out; the JSON has all of them."""


def to_json(report: Report) -> dict[str, Any]:
    """The report as plain data; the same for the same tournament, whatever it ran on."""
    tournament = report.tournament
    labels = {standing.index: standing.bot for standing in report.standings}
    return {
        "game": report.game.spec,
        "players": list(report.game.players),
        "seed": tournament.seed,
        "limits": [tournament.limit_of(bot).to_dict() for bot in range(len(tournament.bots))],
        "deadline_seconds": tournament.deadline_seconds,
        "policies": str(tournament.policies),
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
                "elo": _rounded(s.elo),
                "elo_error": _rounded(s.elo_error),
                "elo_lower": _rounded(s.elo_lower),
                "elo_upper": _rounded(s.elo_upper),
                "list": s.list,
                "los_next": _rounded(s.los_next),
                "mean_return": _rounded(s.mean_return),
                "mean_return_error": _rounded(s.mean_return_error),
                "games": s.games,
                "wins": s.total[0],
                "draws": s.total[1],
                "losses": s.total[2],
                "seats": [{**asdict(seat), "mean_return": _rounded(seat.mean_return)} for seat in s.seats],
                "failures": s.failures,
            }
            for s in report.standings
        ],
        "ratings": _ratings_json(report),
        "pairings": [
            {
                **asdict(pairing),
                "first": labels[pairing.first],
                "second": labels[pairing.second],
                "pentanomial": None if pairing.pentanomial is None else list(pairing.pentanomial),
                "elo": None if pairing.elo is None else _all_rounded(asdict(pairing.elo)),
            }
            for pairing in report.pairings
        ],
        "repeats": None if report.repeats is None else asdict(report.repeats),
        "failures": [{"game": number, "bot": bot, **asdict(failure)} for number, bot, failure in report.failures],
        "notes": list(report.notes),
    }


def _ratings_json(report: Report) -> dict[str, Any]:
    """Model, seats, anchors and comparisons. Rows and columns are in the order of the standings."""
    ratings = report.ratings
    order = [standing.index for standing in report.standings]
    labels = {standing.index: standing.bot for standing in report.standings}
    covariance = ratings.covariance
    return {
        "model": ratings.model,
        "lists": [[labels[bot] for bot in bots] for bots in ratings.lists],
        "seats": None
        if ratings.seats is None
        else [
            {"player": player, "elo": _rounded(seat.elo), "elo_error": _rounded(seat.error)}
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
    """Four decimals: beyond them, the last bits may differ between processors."""
    return None if value is None else round(value, 4)


def print_report(report: Report, console: Console) -> None:
    """Print the standings, the failures and the notes."""
    parts: list[RenderableType] = list(standings_tables(report, console))
    of = report.tournament
    parts += [Text(f"{name}: {spec}", "dim") for name, spec in zip(of.names, of.bots, strict=False) if name]
    if report.test is not None:
        parts += [Text(report.test.describe()), Text(report.test.describe_state())]
    if report.ratings.seats is not None:
        parts.append(_seat_line(report))
    parts += _failure_lines(report)
    parts += [Text(note, style="yellow") for note in report.notes]
    console.print(Group(*parts))


def _failure_lines(report: Report) -> list[Text]:
    """A line for each kind of failure, with its number of games and the first of them."""
    alike: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for number, bot, failure in report.failures:
        alike[bot, failure.kind, failure.message].append(number)
    lines = []
    for (bot, kind, message), numbers in sorted(alike.items(), key=lambda item: (-len(item[1]), item[1][0])):
        often = (
            f"in game {numbers[0]}" if len(numbers) == 1 else f"in {len(numbers):,} games, first in game {numbers[0]}"
        )
        lines.append(Text.assemble((f"{bot}: {kind}", "red"), f" {often}: {message}"))
    if len(lines) > SHOWN_FAILURES:
        lines[SHOWN_FAILURES:] = [Text(f"... and {len(lines) - SHOWN_FAILURES:,} more; --json has all of them")]
    return lines


def _seat_line(report: Report) -> Text:
    """The seat effects."""
    seats = [
        f"{player} {plain_minus(elo_text(seat.elo, seat.error, None, None))}"
        for player, seat in zip(report.game.players, report.ratings.seats or (), strict=True)
    ]
    return Text(f"Seat effects in Elo: {', '.join(seats)}")
