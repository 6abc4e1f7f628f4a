"""The contents of the page of a report, and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from cext.arguments import counted
from cext.game_info import RETURNS
from mcts.game_rules import phrases_of

from ....standalone import standalone_page
from ....system.untrusted import clean_line
from ...ratings.confidence import CONFIDENCE_TEXT
from ...results.report import Report
from ...tournament.adjudication import NO_ADJUDICATION
from ...tournament.schedule import Tournament
from ..number_format import likelihood, precision_text, signed_in
from ..results_view import results_view
from .collector import GameSurvey, nanoseconds
from .payload import chosen_replays, games_to_dict
from .replays import Replay, replay
from .tables import families, mean_ranks

SHOWN_GAMES = 200
"""Most games that a page contains."""


def render(report: Report, survey: GameSurvey) -> str:
    """Return the page as HTML.

    Args:
        report: the assembled report; its single failures are not used.
        survey: counts and samples of the same games, as `collect` returns them.
    """
    title = f"{report.game.spec}: tournament of {len(report.tournament.bots)} bots"
    return standalone_page(title, "tournaments/report", page_data(report, survey))


def page_data(report: Report, survey: GameSurvey) -> dict[str, Any]:
    """Return the contents of the page as plain data. The arguments are those of `render`."""
    sampled = [replay(report.game, stored) for stored in survey.sample]
    failed = (replay(report.game, stored) for stored in survey.failed_sample)
    shown = sorted(chosen_replays(chain(failed, sampled), SHOWN_GAMES), key=lambda found: found.record.number)
    results = results_view(report, survey.tally.lengths, survey.failures)
    if survey.failed_games:
        many = counted(survey.failed_games, "game was", "games were")
        results["notes"].append(f"{many} not played to the end because a bot failed.")
    ranks, seconds = mean_ranks(survey.tally.games), _seconds_a_move(sampled)
    for bot, standing in zip(results["bots"], report.standings, strict=True):
        use = survey.time_use[standing.index]
        bot["mean_rank"] = ranks.get(standing.index)
        bot["seconds_a_move"] = seconds.get(standing.index)
        bot["seconds_a_game"] = _seconds(use.nanoseconds / use.games) if use.games else None
    label = {standing.index: standing.bot for standing in report.standings}
    rated = [bot for bot, value in enumerate(report.ratings.values) if value is not None]
    return {
        "headline": headline(report),
        "facts": _facts(report, survey),
        "results": results,
        "families": [
            {"name": family.name, "members": [[count, label[bot]] for count, bot in family.members]}
            for family in families(report.tournament, rated)
        ],
        "labels": [label[bot] for bot in sorted(label)],
        "phrases": phrases_of(report.game.info),
        "sampled": len(sampled),
        **games_to_dict(shown),
    }


def headline(report: Report) -> str:
    """Return the result in a sentence: the leader of the longest list, or that the results show no difference."""
    ratings = report.ratings
    label = {standing.index: standing.bot for standing in report.standings}
    if not ratings.lists:
        return "" if report.games else "No game has been played yet."
    first, second = ratings.lists[0][:2]
    lead = ratings.leads[first, second]
    gap = (ratings.values[first] or 0.0) - (ratings.values[second] or 0.0)
    one, other, signed, unit = label[first], label[second], signed_in(ratings), ratings.unit
    known = f"{signed(gap).removeprefix('+')} {precision_text(lead.error, lead.lower, lead.upper, signed)}".rstrip()
    if lead.lower is None or lead.lower <= 0:
        return f"The results show no difference between {one} and {other}: {known} {unit}."
    likely = ratings.los[first][second]
    text = f"{one} leads {other} by {known} {unit}"
    return f"{text}." if likely is None else f"{text}. It is better with probability {likelihood(likely)}."


def _facts(report: Report, survey: GameSurvey) -> dict[str, str]:
    of, ratings = report.tournament, report.ratings
    games = f"{report.games:,}" if report.games == of.num_games else f"{report.games:,} of {of.num_games:,}"
    found = {
        "Games": games,
        "Whole blocks": f"{report.blocks:,} \N{MULTIPLICATION SIGN} {of.block_size} games",
        "Bots": f"{len(of.bots)}",
        "Pairing": of.pairing.title,
        "Ratings": f"{ratings.model}, {ratings.unit}, {CONFIDENCE_TEXT} intervals",
        "What counts": "mean returns" if report.score == RETURNS else "wins",
        "Openings": _openings(of),
        "Failed games": f"{survey.failed_games:,}",
        "Seed": f"{of.seed}",
        "Limits": _limits(report),
        "Deadline": f"{of.deadline_seconds:g} s per decision",
    }
    if of.adjudication != NO_ADJUDICATION:
        found["Adjudication"] = str(of.adjudication)
    found |= {clean_line(name): clean_line(spec) for name, spec in zip(of.names, of.bots, strict=False) if name}
    if report.test is not None:
        found["Sequential test"] = f"{report.test.describe()}; {report.test.describe_state()}"
    return found


def _openings(of: Tournament) -> str:
    if of.openings.given:
        return f"{len(of.openings.given):,} from a file"
    return counted(of.openings.plies, "random step") if of.openings.plies else "none"


def _limits(report: Report) -> str:
    limits = {standing.bot: str(report.tournament.limit_of(standing.index)) for standing in report.standings}
    if len(set(limits.values())) == 1:
        return next(iter(limits.values())) or "only those of the bots"
    return "; ".join(f"{bot}: {limit or 'none'}" for bot, limit in limits.items())


def _seconds_a_move(games: Sequence[Replay]) -> dict[int, float]:
    """Return the mean seconds of a decision of each bot.

    Records contain the seconds of a whole game, so the games are replayed to count decisions.
    """
    spent: Counter[int] = Counter()
    decisions: Counter[int] = Counter()
    for found in games:
        for seat, seconds in enumerate(found.record.seconds):
            bot = found.record.seats[seat]
            spent[bot] += nanoseconds(seconds)
            decisions[bot] += sum(seat in deciders for deciders in found.deciders)
    return {bot: _seconds(spent[bot] / decisions[bot]) for bot in decisions if decisions[bot]}


def _seconds(found: float) -> float:
    """Return nanoseconds as seconds with four digits."""
    return float(f"{found / 1e9:.4g}")
