"""What ratings are made of: games as orders of bots in seats, counted, and the blocks that contain them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from .blocks import BlockCounts, Played

Matrix = NDArray[np.float64]


class Place(NamedTuple):
    """One seat of a game that was played."""

    bot: int
    seat: int
    rank: int
    """0 for the highest return, equal for equal returns."""


Ranking = tuple[Place, ...]
"""One game, by seats. Two players at least, two different bots at least."""


@dataclass(frozen=True)
class Rankings:
    """All games of a tournament that compare bots."""

    games: tuple[Ranking, ...]
    """The distinct ones."""
    contains: csr_array
    """How often a distinct block contains a distinct game [blocks, games]."""
    block_times: Matrix
    """How often each distinct block was played [blocks]."""

    @cached_property
    def times(self) -> Matrix:
        """How often each distinct game was played [games]."""
        found: Matrix = self.contains.T @ self.block_times
        return found

    @property
    def num_blocks(self) -> int:
        """All blocks."""
        return int(self.block_times.sum())

    def blocks_of(self, bots: Collection[int]) -> int:
        """Blocks in which all of some bots played."""
        has = [{place.bot for place in game}.issuperset(bots) for game in self.games]
        return int(self.block_times @ (self.contains @ np.array(has, dtype=float) > 0)) if self.games else 0


def rankings_of(counts: BlockCounts, bots: Collection[int]) -> Rankings:
    """The games between some bots; who else was in them is left out, as are games that then compare nobody.

    Args:
        counts: whole blocks.
        bots: their indices.
    """
    index: dict[Ranking, int] = {}
    distinct: Counter[tuple[int, ...]] = Counter()
    for block, times in counts.items():
        rankings = [
            ranking for ranking in (_ranking(game, bots) for game in block) if len({p.bot for p in ranking}) > 1
        ]
        if rankings:
            distinct[tuple(sorted(index.setdefault(ranking, len(index)) for ranking in rankings))] += times
    rows = [row for row, block in enumerate(distinct) for _ in block]
    columns = [game for block in distinct for game in block]
    contains = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(distinct), len(index)))
    return Rankings(tuple(index), contains, np.array(list(distinct.values()), dtype=float))


def _ranking(game: Played, bots: Collection[int]) -> Ranking:
    seated = [(bot, seat, game.returns[seat]) for seat, bot in enumerate(game.seats) if bot in bots]
    levels = sorted({value for _, _, value in seated}, reverse=True)
    return tuple(Place(bot, seat, levels.index(value)) for bot, seat, value in seated)
