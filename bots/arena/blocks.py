"""The sufficient statistic of a tournament: how often each distinct whole block was played.

A block is one opening (or seed) in every seat assignment. Its games share luck, so everything statistical counts blocks
and never single games. Few distinct blocks are possible, however many are played: all that is worked out from a million
games is worked out from their counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
"""Scores of a comparison."""


class Played(NamedTuple):
    """What the statistics know of one game."""

    seats: tuple[int, ...]
    """For each player, the index of the bot that played it."""
    returns: tuple[float, ...]
    """What each player got, on the game's own scale."""


Block = tuple[Played, ...]
"""One opening in all its seat assignments, as `make_block` orders them."""
BlockCounts = Counter[Block]
"""How often each distinct block was played."""


class WinDrawLoss(NamedTuple):
    """Games of one bot, or of one against another."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How many in all."""
        return sum(self)


def make_block(games: Iterable[Played]) -> Block:
    """A block of games given in any order; blocks of the same results are equal."""
    return tuple(sorted(games))


def score_of(mine: float, theirs: float) -> float:
    """WIN, DRAW or LOSS of who got `mine` against who got `theirs`."""
    return DRAW if mine == theirs else (WIN if mine > theirs else LOSS)


def result_of(returns: tuple[float, ...], player: int) -> float:
    """WIN for the highest return alone, DRAW for the highest with others, LOSS else."""
    best = max(returns)
    if returns[player] < best:
        return LOSS
    return WIN if returns.count(best) == 1 else DRAW


def win_draw_loss(counts: BlockCounts, first: int, second: int) -> WinDrawLoss:
    """Games of `first` against `second`, over all blocks and every two seats in which they met."""
    found: Counter[float] = Counter()
    for block, times in counts.items():
        for game in block:
            for score in _scores(game, first, second):
                found[score] += times
    return WinDrawLoss(found[WIN], found[DRAW], found[LOSS])


def pentanomial(counts: BlockCounts, first: int, second: int) -> tuple[int, int, int, int, int]:
    """Blocks of a game for two players by what `first` scored in them against `second`.

    Args:
        counts: whole blocks; those between other bots are left out.
        first: index of a bot.
        second: index of another bot.

    Returns:
        How many blocks came to 0, 1/2, 1, 3/2 and 2 points: [LL, LD, DD+WL, WD, WW].

    Raises:
        ValueError: a block of these two is not of two games.
    """
    found = [0] * 5
    for block, times in counts.items():
        scores = [score for game in block for score in _scores(game, first, second)]
        if not scores:
            continue
        if len(block) != 2 or len(scores) != 2:
            raise ValueError(f"a pentanomial is of blocks of two games for two players, not of {block}")
        found[round(2 * sum(scores))] += times
    return (found[0], found[1], found[2], found[3], found[4])


def pairings(counts: BlockCounts) -> list[tuple[int, int]]:
    """Every two bots that met, smaller index first, ascending."""
    met = {
        (min(one, other), max(one, other))
        for seats in {game.seats for block in counts for game in block}
        for one in seats
        for other in seats
        if one != other
    }
    return sorted(met)


def _scores(game: Played, first: int, second: int) -> list[float]:
    """Scores of `first` against `second`, one for every two seats in which they sat."""
    return [
        score_of(game.returns[p], game.returns[q])
        for p, one in enumerate(game.seats)
        if one == first
        for q, other in enumerate(game.seats)
        if other == second
    ]
