"""Goes over the games of a tournament once, however many, and keeps what a report of it has to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcts import load_game

from ...records import NO_SEAT, GameRecord
from ...results.report import Report, assemble_report
from ...results.tally import Tally
from ...store.repeats import Repeats
from ...store.store import StoredGame
from ...tournament.schedule import Tournament
from .sampling import GameSample

SAMPLED_GAMES = 1000
KEPT_FAILED_GAMES = 100
FAILURE_GROUPS = 200
"""Different failures that are told apart; more are counted together."""
NUMBERS_OF_GROUP = 20
OTHER_FAILURES = "(other messages)"


@dataclass
class TimeUse:
    """What the decisions of a bot took on the wall clock."""

    games: int = 0
    """Seats in games of which it is known."""
    seconds: float = 0.0


@dataclass
class FailureGroup:
    """Failures that are alike."""

    bot: int
    """NO_SEAT where it cannot be told whose fault it was."""
    kind: str
    message: str
    count: int
    numbers: list[int]
    """Games in which it happened, the first ones that came."""
    log: str
    """Of the first one."""


@dataclass(frozen=True)
class ReportData:
    """All that the page of a tournament rests on; its size does not depend on the number of games."""

    report: Report
    """Without single failures."""
    tally: Tally
    void_games: int
    """Games that count for nobody."""
    failed_games: int
    lengths: Counter[int]
    """Steps of a game that was played to its end -> how many games."""
    time_use: tuple[TimeUse, ...]
    """Of each bot."""
    failures: tuple[FailureGroup, ...]
    """The most frequent first."""
    sample: tuple[StoredGame, ...]
    """A fair sample of the games that were played to their end."""
    failed_sample: tuple[StoredGame, ...]
    """The games that failed; where they are many, a fair sample of them."""


def collect(
    tournament: Tournament,
    games: Iterable[StoredGame],
    count_repeats: Callable[[int], Repeats | None] = lambda end: None,
    notes: Sequence[str] = (),
    anchors: Mapping[int, float] | None = None,
) -> ReportData:
    """Go over the games of a tournament once.

    Args:
        tournament: what was to be played.
        games: in any order, each once. The closer the games of a block, the less memory it takes.
        count_repeats: given a number, how many games of smaller numbers are the same as others, where that is known.
        notes: what a reader has to know besides what is said of the ratings.
        anchors: Elo of bots that have one, by index.

    Returns:
        What the page has to know.

    Raises:
        ParameterError: an anchor is of no bot, or no number.
    """
    collector = _Collector(tournament)
    for game in games:
        collector.add(game)
    return collector.result(count_repeats, notes, anchors)


class _Collector:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.tally = Tally(tournament)
        self.void_games = self.failed_games = 0
        self.lengths: Counter[int] = Counter()
        self.time_use = [TimeUse() for _ in tournament.bots]
        self.failures: dict[tuple[int, str, str], FailureGroup] = {}
        self.sample = GameSample(SAMPLED_GAMES)
        self.failed_sample = GameSample(KEPT_FAILED_GAMES)

    def add(self, game: StoredGame) -> None:
        if self.tally.stopped is not None:
            return  # games that were under way when the test was decided
        record = game.record
        self.tally.add(record)
        self.void_games += record.returns is None
        for bot, seconds in zip(record.seats, record.seconds, strict=False):  # none where they are not known
            self.time_use[bot].games += 1
            self.time_use[bot].seconds += seconds
        if record.failures:
            self.failed_games += 1
            self.failed_sample.add(game)
            self.add_failures(record)
        else:
            self.lengths[record.plies] += 1
            self.sample.add(game)

    def add_failures(self, record: GameRecord) -> None:
        for failure in record.failures:
            bot = NO_SEAT if failure.seat == NO_SEAT else record.seats[failure.seat]
            key = (bot, failure.kind, failure.message)
            if key not in self.failures and len(self.failures) >= FAILURE_GROUPS:
                key = (bot, failure.kind, OTHER_FAILURES)
            group = self.failures.setdefault(key, FailureGroup(*key, 0, [], failure.log))
            group.count += 1
            if len(group.numbers) < NUMBERS_OF_GROUP and record.number not in group.numbers:
                group.numbers.append(record.number)

    def result(
        self,
        count_repeats: Callable[[int], Repeats | None],
        notes: Sequence[str],
        anchors: Mapping[int, float] | None,
    ) -> ReportData:
        tournament, tally = self.tournament, self.tally
        report = assemble_report(
            tournament,
            load_game(tournament.game),
            tally,
            (),
            tournament.labels,
            anchors=anchors,
            interrupted=tally.stopped is None and tally.known < tournament.num_games,
            repeats=count_repeats(tally.end),
            notes=notes,
        )
        return ReportData(
            report,
            tally,
            self.void_games,
            self.failed_games,
            self.lengths,
            tuple(self.time_use),
            tuple(sorted(self.failures.values(), key=lambda group: (-group.count, group.numbers))),
            tuple(self.sample.games()),
            tuple(self.failed_sample.games()),
        )
