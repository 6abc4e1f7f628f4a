"""What is known of a tournament while it runs: counts, which are all that ratings and tables need.

However many games are played, few distinct blocks are possible; so this stays small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ..ratings.blocks import BlockCounts, GameOutcome, make_block, pentanomial
from ..records import GameRecord
from ..tournament.schedule import MOST_GAMES, Tournament

StopRule = Callable[[list[int]], str | None]
"""Given how many blocks of the contiguous prefix came to 0, 1/2, 1, 3/2 and 2 points for the first bot, the reason to
stop, or None."""

OFTEN = 1000
"""Up to so many blocks a rule is asked after every one, later after every further thousandth part."""


class Tally:
    """Counts the games of a tournament.

    Games may come in any order. In a test they are counted in the order of the schedule, for the question is asked of
    the contiguous prefix of finished blocks; once it is answered, nothing more is counted. So its result depends on
    nothing but the tournament, whatever else was finished by then.

    Args:
        tournament: whose games come.
        stop_rule: asked in a test; by default, that of the tournament.
    """

    def __init__(self, tournament: Tournament, stop_rule: StopRule | None = None) -> None:
        self._size = tournament.block_size
        self._in_order = tournament.pairing.is_test
        self._stop_rule = stop_rule or _rule_of(tournament)
        self._open: dict[int, list[GameRecord]] = {}  # blocks of which games are missing
        self._early: dict[int, list[GameRecord]] = {}  # whole blocks that are not to be counted yet
        self.games: Counter[GameOutcome] = Counter()
        """Distinct games that count for the bots in them."""
        self.blocks: BlockCounts = Counter()
        """Distinct whole blocks in which every game counts."""
        self.failures: Counter[tuple[int, str]] = Counter()
        """Bot, or -1 for nobody, and kind of failure."""
        self.endings: Counter[str] = Counter()
        """How many games adjudication ended in which way."""
        self.played = 0
        """Games that have been counted, those that count for nobody among them."""
        self.known = 0
        """Games that have come, counted or not."""
        self.prefix = 0
        """In a test, how many blocks from the first on have been counted."""
        self.stopped: str | None = None
        """Why the rule stopped the test."""

    def add(self, record: GameRecord) -> None:
        """Count a game, each once."""
        self.known += 1
        if self.stopped is not None:
            return
        if not self._in_order:
            self._count_game(record)
        block = self._open.setdefault(record.block, [])
        block.append(record)
        if len(block) < self._size:
            return
        del self._open[record.block]
        if not self._in_order:
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
        for failure in record.failures:
            self.failures[record.seats[failure.seat] if failure.seat >= 0 else -1, failure.kind] += 1

    def _count_block(self, block: Sequence[GameRecord]) -> None:
        games = [GameOutcome(record.seats, record.returns) for record in block if record.returns is not None]
        if len(games) == self._size:
            self.blocks[make_block(games)] += 1

    def _ask(self) -> None:
        if self._stop_rule is not None and self.prefix % (1 + self.prefix // OFTEN) == 0:
            self.stopped = self._stop_rule(list(pentanomial(self.blocks, 0, 1)))

    @property
    def counts_in_order(self) -> bool:
        """True where games are counted in the order of the schedule."""
        return self._in_order

    @property
    def end(self) -> int:
        """Games of smaller numbers have been counted, if they have come."""
        return self.prefix * self._size if self._in_order else MOST_GAMES


def _rule_of(tournament: Tournament) -> StopRule | None:
    """What ends a test: the decision of its sequential test."""
    sprt = tournament.sprt
    if sprt is None:
        return None

    def rule(counts: list[int]) -> str | None:
        llr = sprt.llr(counts)
        decided = sprt.verdict(llr)
        if decided is None:
            return None
        elo = sprt.elo0 if decided == "H0" else sprt.elo1
        return f"{decided} is accepted ({elo:g} {sprt.model} Elo), log likelihood ratio {llr:.2f}"

    return rule
