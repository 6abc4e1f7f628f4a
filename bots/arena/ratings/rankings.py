"""The data of ratings: distinct games as orders of bots in seats, with counts, and the blocks that contain them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from .blocks import BlockCounts, GameOutcome

Matrix = NDArray[np.float64]


class RankedSeat(NamedTuple):
    """The bot and the rank of one seat in a game."""

    bot: int
    seat: int
    rank: int
    """0 for the highest return, equal for equal returns."""
    value: float = 0.0
    """The return, where models need it; 0 where the order alone counts."""


Ranking = tuple[RankedSeat, ...]
"""One game, by seats, with at least two different bots."""


@dataclass(frozen=True)
class Rankings:
    """All games of a tournament that compare bots."""

    games: tuple[Ranking, ...]
    """The distinct games."""
    contains: csr_array
    """Number of times that a distinct block contains a distinct game [blocks, games]."""
    block_times: Matrix
    """Number of times that each distinct block was played [blocks]."""

    @cached_property
    def times(self) -> Matrix:
        """Number of times that each distinct game was played [games]."""
        found: Matrix = self.contains.T @ self.block_times
        return found

    @property
    def num_blocks(self) -> int:
        """Number of blocks."""
        return int(self.block_times.sum())

    def blocks_with(self, bots: Collection[int], games: NDArray[np.bool_]) -> int:
        """Return the number of blocks with one of the marked games [games] in which all of these bots played."""
        together = games.astype(float)
        for bot in bots:
            together *= self._seated[:, bot] if bot < self._seated.shape[1] else 0
        return int(self.block_times @ (self.contains @ together > 0))

    @cached_property
    def _seated(self) -> Matrix:
        """1 for each bot that played in a game, else 0 [games, bots]."""
        bots = [seat.bot for game in self.games for seat in game]
        found = np.zeros((len(self.games), max(bots, default=0) + 1))
        found[[number for number, game in enumerate(self.games) for _ in game], bots] = 1
        return found


def rankings_of(counts: BlockCounts, bots: Collection[int], with_returns: bool = False) -> Rankings:
    """Return the games between some bots. Other bots are left out of them, as are games that compare no two bots.

    Args:
        counts: counts of whole blocks.
        bots: indices of the bots.
        with_returns: True to tell games apart that differ in returns alone.
    """
    index: dict[Ranking, int] = {}
    known: dict[GameOutcome, int | None] = {}
    distinct: Counter[tuple[int, ...]] = Counter()
    for block, times in sorted(counts.items()):  # sums must not depend on the order in which games finished
        for game in block:
            if game not in known:
                ranking = _ranking(game, bots, with_returns)
                compares = len({seat.bot for seat in ranking}) > 1
                known[game] = index.setdefault(ranking, len(index)) if compares else None
        comparing = [number for game in block if (number := known[game]) is not None]
        if comparing:
            distinct[tuple(sorted(comparing))] += times
    rows = [row for row, block in enumerate(distinct) for _ in block]
    columns = [game for block in distinct for game in block]
    contains = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(distinct), len(index)))
    return Rankings(tuple(index), contains, np.array(list(distinct.values()), dtype=float))


def _ranking(game: GameOutcome, bots: Collection[int], with_returns: bool) -> Ranking:
    seated = [(bot, seat, game.returns[seat]) for seat, bot in enumerate(game.seats) if bot in bots]
    levels = sorted({value for _, _, value in seated}, reverse=True)
    return tuple(
        RankedSeat(bot, seat, levels.index(value), value if with_returns else 0.0) for bot, seat, value in seated
    )
