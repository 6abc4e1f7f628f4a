"""The sufficient statistic of a tournament: the number of times that each distinct whole block was played.

A block is one opening (or seed) in every seat assignment. Its games share their luck and are not independent, so all
statistics count blocks, never single games. There are few distinct blocks, however many games are played: the results
of a million games are a small table of counts.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from statistics import fmean
from typing import NamedTuple

from cext.game_info import RETURNS

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
"""Scores of a comparison between two bots."""


class GameOutcome(NamedTuple):
    """The result of one game."""

    seats: tuple[int, ...]
    """Index of the bot in each seat."""
    returns: tuple[float, ...]
    """Return of each seat, on the scale of the game."""


Block = tuple[GameOutcome, ...]
"""One opening in all its seat assignments, as `make_block` orders them."""
Pentanomial = tuple[int, int, int, int, int]
"""Blocks of two games by points: 0, 1/2, 1, 3/2, 2."""
BlockCounts = Counter[Block]
"""Number of times that each distinct block was played."""


class WinDrawLoss(NamedTuple):
    """Results of a bot, or of one bot against another."""

    wins: int
    draws: int
    losses: int

    @classmethod
    def of_scores(cls, times: Mapping[float, int]) -> WinDrawLoss:
        """Return the results from the number of times of each score: WIN, DRAW, LOSS."""
        return cls(times.get(WIN, 0), times.get(DRAW, 0), times.get(LOSS, 0))

    @property
    def games(self) -> int:
        """Number of games."""
        return sum(self)

    @property
    def score(self) -> float | None:
        """Mean score in [0, 1], draws half; None without games."""
        return (self.wins * WIN + self.draws * DRAW) / self.games if self.games else None

    @property
    def reverse(self) -> WinDrawLoss:
        """The same results from the other side."""
        return WinDrawLoss(self.losses, self.draws, self.wins)


def make_block(games: Iterable[GameOutcome]) -> Block:
    """Return the block of some games. Blocks with the same games in another order are equal."""
    return tuple(sorted(games))


def score_of(mine: float, theirs: float) -> float:
    """Return WIN, DRAW or LOSS for a return against another player's return."""
    return DRAW if mine == theirs else (WIN if mine > theirs else LOSS)


def result_of(returns: tuple[float, ...], player: int) -> float:
    """Return WIN if a player alone has the highest return, DRAW if others have it too, else LOSS."""
    best = max(returns)
    if returns[player] < best:
        return LOSS
    return WIN if returns.count(best) == 1 else DRAW


@dataclass(frozen=True)
class Pairing:
    """Results of two bots against each other."""

    first: int
    """Index of a bot."""
    second: int
    """Index of the other bot, greater than `first`."""
    results: WinDrawLoss
    """Results of the first bot. With three and more players, every two seats of these bots in a game count once."""
    pentanomial: Pentanomial | None
    """Blocks by the points of the first bot: 0, 1/2, 1, 3/2, 2. None unless all are of two games for two players."""


def pairings(counts: BlockCounts) -> list[Pairing]:
    """Return the results of every two different bots that met in whole blocks, ascending by their indices."""
    scores: defaultdict[tuple[int, int], Counter[float]] = defaultdict(Counter)
    points: defaultdict[tuple[int, int], Counter[float]] = defaultdict(Counter)
    uneven = set()
    for block, times in counts.items():
        of_block: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
        for seats, returns in block:
            for p, q in permutations(range(len(seats)), 2):
                if seats[p] < seats[q]:
                    of_block[seats[p], seats[q]].append(score_of(returns[p], returns[q]))
        for pair, found in of_block.items():
            for score in found:
                scores[pair][score] += times
            points[pair][sum(found)] += times
            if len(found) != 2 or any(len(game.seats) != 2 for game in block):
                uneven.add(pair)
    return [
        Pairing(
            *pair,
            WinDrawLoss.of_scores(scores[pair]),
            None if pair in uneven else _by_points(points[pair]),
        )
        for pair in sorted(scores)
    ]


def win_draw_loss(counts: BlockCounts, first: int, second: int) -> WinDrawLoss:
    """Return the results of `first` against `second`, over all blocks and every two seats in which they met."""
    found = _pairing(counts, first, second)
    if found is None:
        return WinDrawLoss(0, 0, 0)
    return found.results if first < second else found.results.reverse


def pentanomial(counts: BlockCounts, first: int, second: int) -> Pentanomial:
    """Return the blocks of a game for two players by the score of `first` against `second`.

    Args:
        counts: counts of whole blocks; blocks of other bots do not count.
        first: index of a bot.
        second: index of another bot.

    Returns:
        Numbers of blocks with 0, 1/2, 1, 3/2 and 2 points: [LL, LD, DD+WL, WD, WW].

    Raises:
        ValueError: a block of these two bots is not of two games for two players.
    """
    found = _pairing(counts, first, second)
    if found is None:
        return (0, 0, 0, 0, 0)
    if found.pentanomial is None:
        raise ValueError(f"bots {first} and {second}: a pentanomial needs blocks of two games for two players")
    return found.pentanomial if first < second else found.pentanomial[::-1]


def mean_return(block: Block, bot: int = 0) -> float:
    """Return the mean return of a bot over all its seats in the games of a block."""
    return fmean(value for game in block for index, value in zip(*game, strict=True) if index == bot)


@lru_cache(maxsize=1 << 14)  # a sequential test asks after every block for all of them
def return_difference(block: Block, bot: int = 0, other: int = 1) -> float:
    """Return the mean return of a bot minus that of another one in the games of a block."""
    return mean_return(block, bot) - mean_return(block, other)


@dataclass(frozen=True)
class Scoring:
    """The score of a bot against another in a block, from 0 to 1.

    Where wins count, it is the mean over every two seats in which both met: 1 for the higher return, 1/2 for equal
    ones. Where returns count, it is 1/2 + d/2, where d is the difference of the mean returns of both bots over all
    their seats, as a share of the range of returns. Any number of players is possible.
    """

    score: str
    """`wins` or `returns`."""
    span: float
    """Greatest return minus least return."""

    def of(self, block: Block, first: int = 0, second: int = 1) -> float:
        """Return the score of a bot against another one in a block in which both played."""
        if self.score == RETURNS:
            share = return_difference(block, first, second) / self.span
            return round(0.5 + share / 2, 12)  # equal scores are equal numbers
        score = win_draw_loss(Counter({block: 1}), first, second).score
        assert score is not None
        return score

    def counts(self, counts: BlockCounts, first: int = 0, second: int = 1) -> Counter[float]:
        """Return the number of blocks by the score of a bot against another one, of the blocks in which both played."""
        found: Counter[float] = Counter()
        for block, times in counts.items():
            if {first, second} <= {bot for game in block for bot in game.seats}:
                found[self.of(block, first, second)] += times
        return found


def mean_score(scores: Mapping[float, int]) -> float:
    """Return the mean score of blocks, given the number of blocks by score, at least one."""
    return math.fsum(times * score for score, times in scores.items()) / sum(scores.values())


def _pairing(counts: BlockCounts, first: int, second: int) -> Pairing | None:
    pair = (min(first, second), max(first, second))
    return next((found for found in pairings(counts) if (found.first, found.second) == pair), None)


def _by_points(points: Counter[float]) -> Pentanomial:
    return (points[0.0], points[0.5], points[1.0], points[1.5], points[2.0])
