"""Goes over the games of a tournament once, however many, and keeps what a report of it has to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mcts import Game, load_game

from ..blocks import BlockCounts, Played, make_block
from ..match import NOBODY, Record
from ..repeats import Repeats
from ..schedule import Tournament
from .sampling import RecordSample, RepeatCounter

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
    longest_game_seconds: float = 0.0


@dataclass
class FailureGroup:
    """Failures that are alike."""

    bot: int
    """NOBODY where it cannot be told whose fault it was."""
    kind: str
    message: str
    count: int
    numbers: list[int]
    """The first games in which it happened."""
    log: str
    """Of the first one."""


@dataclass(frozen=True)
class ReportData:
    """All that a report of a tournament rests on; its size does not depend on the number of games."""

    tournament: Tournament
    game: Game
    games: int
    """Games of which there is a record."""
    void_games: int
    """Those of them that count for nobody."""
    failed_games: int
    blocks: BlockCounts
    """Whole blocks: what ratings and errors rest on."""
    results: Counter[Played]
    """Every game that counts, those of blocks that are not whole among them."""
    lengths: Counter[int]
    """Steps of a game that was played to its end -> how many games."""
    time_use: tuple[TimeUse, ...]
    """Of each bot."""
    failures: tuple[FailureGroup, ...]
    """The most frequent first."""
    repeats: Repeats
    """Of all games; where very many are different, of a share of them."""
    sample: tuple[Record, ...]
    """A fair sample of the games that were played to their end."""
    failed_sample: tuple[Record, ...]
    """The games that failed; where they are many, a fair sample of them."""

    @property
    def rated_games(self) -> int:
        """Games in whole blocks."""
        return sum(len(block) * times for block, times in self.blocks.items())


def collect(tournament: Tournament, records: Iterable[Record]) -> ReportData:
    """Go over the records of a tournament once.

    Args:
        tournament: what was to be played.
        records: in any order, each game once. The closer the games of a block, the less memory it takes.

    Returns:
        What a report has to know.
    """
    collector = _Collector(tournament)
    for record in records:
        collector.add(record)
    return collector.result()


class _Collector:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.game = load_game(tournament.game)
        self.games = self.void_games = self.failed_games = 0
        self.blocks: BlockCounts = Counter()
        self.open_blocks: dict[int, list[Played | None]] = {}
        self.results: Counter[Played] = Counter()
        self.lengths: Counter[int] = Counter()
        self.time_use = [TimeUse() for _ in tournament.bots]
        self.failures: dict[tuple[int, str, str], FailureGroup] = {}
        self.repeats = RepeatCounter()
        self.sample = RecordSample(SAMPLED_GAMES)
        self.failed_sample = RecordSample(KEPT_FAILED_GAMES)

    def add(self, record: Record) -> None:
        self.games += 1
        self.add_to_block(record)
        for seat, seconds in enumerate(record.seconds):
            use = self.time_use[record.seats[seat]]
            use.games += 1
            use.seconds += seconds
            use.longest_game_seconds = max(use.longest_game_seconds, seconds)
        if record.failures:
            self.failed_games += 1
            self.failed_sample.add(record)
            self.add_failures(record)
        else:
            self.lengths[record.plies] += 1
            self.repeats.add(record)
            self.sample.add(record)

    def add_to_block(self, record: Record) -> None:
        played = None if record.returns is None else Played(record.seats, record.returns)
        if played is None:
            self.void_games += 1
        else:
            self.results[played] += 1
        block = self.open_blocks.setdefault(record.block, [])
        block.append(played)
        if len(block) == self.tournament.block_size:
            del self.open_blocks[record.block]
            counted = [game for game in block if game is not None]
            if len(counted) == len(block):
                self.blocks[make_block(counted)] += 1

    def add_failures(self, record: Record) -> None:
        for failure in record.failures:
            bot = NOBODY if failure.seat == NOBODY else record.seats[failure.seat]
            key = (bot, failure.kind, failure.message)
            if key not in self.failures and len(self.failures) >= FAILURE_GROUPS:
                key = (bot, failure.kind, OTHER_FAILURES)
            group = self.failures.setdefault(key, FailureGroup(*key, 0, [], failure.log))
            group.count += 1
            if len(group.numbers) < NUMBERS_OF_GROUP and record.number not in group.numbers:
                group.numbers.append(record.number)

    def result(self) -> ReportData:
        return ReportData(
            self.tournament,
            self.game,
            self.games,
            self.void_games,
            self.failed_games,
            self.blocks,
            self.results,
            self.lengths,
            tuple(self.time_use),
            tuple(sorted(self.failures.values(), key=lambda group: (-group.count, group.numbers))),
            self.repeats.result(),
            tuple(self.sample.records()),
            tuple(self.failed_sample.records()),
        )
