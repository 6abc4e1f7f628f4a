"""Counts of the games of a tournament, from which all ratings and tables are computed.

There are few distinct blocks, however many games are played, so the counts stay small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..ratings.blocks import BlockCounts, GameOutcome, make_block
from ..records import GameRecord
from ..tournament.schedule import MOST_GAMES, Tournament
from .sequential import log_likelihood_ratio

StopRule = Callable[[BlockCounts], str | None]
"""Given the counts of whole blocks, returns the reason to stop, or None."""

OFTEN = 1000
"""Number of blocks up to which the stop rule is asked after every block; later, after every further 0.1 % of blocks."""
NO_BOT = -1
"""Index that replaces a bot where it is unknown which bot failed."""


@dataclass
class Counts:
    """The counts of a tournament, which all statistics are functions of."""

    games: Counter[GameOutcome] = field(default_factory=Counter)
    """Distinct games that count for the bots in them."""
    blocks: BlockCounts = field(default_factory=Counter)
    """Distinct whole blocks in which every game counts."""
    failures: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Number of failures by bot (or NO_BOT) and kind."""
    endings: Counter[str] = field(default_factory=Counter)
    """Number of adjudicated games by kind of ending."""
    played: int = 0
    """Number of counted games, including games that count for nobody."""
    stopped: str | None = None
    """Reason why the stop rule ended a sequential test; None while it continues."""


class Tally(Counts):
    """Counts the games of a tournament.

    Games may come in any order. In a sequential test, blocks are counted in the order of the schedule: the stop rule
    sees the finished blocks up to the first unfinished one, and nothing is counted after its decision. The result
    therefore depends only on the tournament, not on the games that happen to be finished.

    Args:
        tournament: the tournament of the games.
        stop_rule: the stop rule of a sequential test; by default, that of the tournament.
    """

    def __init__(self, tournament: Tournament, stop_rule: StopRule | None = None) -> None:
        super().__init__()
        self._size = tournament.block_size
        self.counts_in_order = tournament.pairing.is_test
        """True if games are counted in the order of the schedule."""
        self._stop_rule = stop_rule or _rule_of(tournament)
        self._open: dict[int, list[GameRecord]] = {}  # blocks with missing games
        self._early: dict[int, list[GameRecord]] = {}  # whole blocks that cannot be counted yet
        self.lengths: Counter[int] = Counter()
        """Number of games without failures, by number of steps."""
        self.known = 0
        """Number of games added, counted or not."""
        self.prefix = 0
        """In a sequential test, the number of counted blocks."""

    def add(self, record: GameRecord) -> None:
        """Add a game, each only once."""
        self.known += 1
        if self.stopped is not None:
            return
        if not self.counts_in_order:
            self._count_game(record)
        block = self._open.setdefault(record.block, [])
        block.append(record)
        if len(block) < self._size:
            return
        del self._open[record.block]
        if not self.counts_in_order:
            self._count_block(block)
            return
        self._early[record.block] = block
        while self.stopped is None and (following := self._early.pop(self.prefix, None)) is not None:
            for game in following:
                self._count_game(game)
            self._count_block(following)
            self.prefix += 1
            self._ask()
        if self.stopped is not None:
            self._open.clear()
            self._early.clear()

    def _count_game(self, record: GameRecord) -> None:
        self.played += 1
        if record.ending:
            self.endings[record.ending] += 1
        if record.returns is not None:
            self.games[GameOutcome(record.seats, record.returns)] += 1
        if not record.failures:
            self.lengths[record.plies] += 1
        for failure in record.failures:
            self.failures[failure.whose(record.seats, NO_BOT), failure.kind] += 1

    def _count_block(self, block: Sequence[GameRecord]) -> None:
        games = [GameOutcome(record.seats, record.returns) for record in block if record.returns is not None]
        if len(games) == self._size:
            self.blocks[make_block(games)] += 1

    def _ask(self) -> None:
        if self._stop_rule is not None and self.prefix % (1 + self.prefix // OFTEN) == 0:
            self.stopped = self._stop_rule(self.blocks)

    @property
    def end(self) -> int:
        """Number below which all added games have been counted."""
        return self.prefix * self._size if self.counts_in_order else MOST_GAMES


def _rule_of(tournament: Tournament) -> StopRule | None:
    """Return the stop rule of the sequential test of a tournament; None if it has none."""
    sprt = tournament.sprt
    if sprt is None:
        return None

    def rule(blocks: BlockCounts) -> str | None:
        llr = log_likelihood_ratio(tournament, blocks)
        decided = sprt.verdict(llr)
        if decided is None:
            return None
        elo = sprt.elo0 if decided == "H0" else sprt.elo1
        return f"{decided} is accepted ({elo:g} {sprt.model} Elo), log likelihood ratio {llr:.2f}"

    return rule
