"""Reads the games of a tournament once, however many, and keeps what the page shows beyond the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ....game.failures import NO_SEAT
from ...results.tally import Tally
from ...store.store import StoredGame
from ...tournament.schedule import Tournament
from ..failure_groups import FAILURE_GROUPS, FailureGroup, FailureGroups
from .sampling import GameSample

SAMPLED_GAMES = 1000
"""Most games of the sample from which times are measured and shown games are taken."""
KEPT_FAILED_GAMES = 100
"""Most failed games of their sample."""


def nanoseconds(seconds: float) -> int:
    """Return a time in whole nanoseconds."""
    return round(1e9 * seconds)


@dataclass
class TimeUse:
    """Wall-clock time of the decisions of a bot."""

    games: int = 0
    """Number of seats in games with known times."""
    nanoseconds: int = 0
    """Time in these games: whole numbers, so that the sum does not depend on the order of the games."""


@dataclass(frozen=True)
class GameSurvey:
    """Counts and samples of the games of a tournament. Its size does not depend on the number of games."""

    tally: Tally
    """The counts from which the report is assembled."""
    failed_games: int
    """Number of games with a failure."""
    time_use: tuple[TimeUse, ...]
    """By index of the bot."""
    failures: tuple[FailureGroup[int], ...]
    """Failures by index of the bot, or NO_SEAT; the most frequent first."""
    sample: tuple[StoredGame, ...]
    """A uniform sample of the games that were played to their end."""
    failed_sample: tuple[StoredGame, ...]
    """A uniform sample of the failed games."""


def collect(tournament: Tournament, games: Iterable[StoredGame]) -> GameSurvey:
    """Read the games of a tournament once.

    Games that finished after the decision of a sequential test are left out.

    Args:
        tournament: the tournament.
        games: its games in any order, each once. Memory is least if games of a block are close to each other.
    """
    tally = Tally(tournament)
    failed_games = 0
    time_use = tuple(TimeUse() for _ in tournament.bots)
    failures = FailureGroups[int](FAILURE_GROUPS)
    sample = GameSample(SAMPLED_GAMES)
    failed_sample = GameSample(KEPT_FAILED_GAMES)
    for game in games:
        if tally.stopped is not None:
            continue
        record = game.record
        tally.add(record)
        for bot, seconds in zip(record.seats, record.seconds, strict=False):  # empty if times are unknown
            time_use[bot].games += 1
            time_use[bot].nanoseconds += nanoseconds(seconds)
        if record.failures:
            failed_games += 1
            failed_sample.add(game)
            for failure in record.failures:
                failures.add(record.number, failure.whose(record.seats, NO_SEAT), failure)
        else:
            sample.add(game)
    return GameSurvey(
        tally,
        failed_games,
        time_use,
        tuple(failures.sorted()),
        tuple(sample.games()),
        tuple(failed_sample.games()),
    )
