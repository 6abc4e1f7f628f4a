"""The sufficient statistic of a tournament: how often each distinct whole block was played.

A block is one opening (or seed) in every seat assignment. Its games share luck, so everything statistical counts blocks
and never single games. Few distinct blocks are possible, however many are played: all that is worked out from a million
games is worked out from their counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

WIN, DRAW, LOSS = 1.0, 0.5, 0.0
"""Scores of a comparison."""


class GameOutcome(NamedTuple):
    """What the statistics know of one game."""

    seats: tuple[int, ...]
    """For each player, the index of the bot that played it."""
    returns: tuple[float, ...]
    """What each player got, on the game's own scale."""


Block = tuple[GameOutcome, ...]
"""One opening in all its seat assignments, as `make_block` orders them."""
Pentanomial = tuple[int, int, int, int, int]
"""Blocks of two games by points: 0, 1/2, 1, 3/2, 2."""
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


def make_block(games: Iterable[GameOutcome]) -> Block:
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


@dataclass(frozen=True)
class Pairing:
    """Two bots that met."""

    first: int
    second: int
    """A greater index than the first's."""
    games: WinDrawLoss
    """Of the first; with three and more players, every two seats of a game in which they sat count."""
    pentanomial: Pentanomial | None
    """Blocks by what the first scored in them; None where blocks are not of two games for two players."""


def pairings(counts: BlockCounts) -> list[Pairing]:
    """Every two different bots that met in whole blocks, ascending."""
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
            WinDrawLoss(scores[pair][WIN], scores[pair][DRAW], scores[pair][LOSS]),
            None if pair in uneven else _by_points(points[pair]),
        )
        for pair in sorted(scores)
    ]


def win_draw_loss(counts: BlockCounts, first: int, second: int) -> WinDrawLoss:
    """Games of `first` against `second`, over all blocks and every two seats in which they met."""
    found = _pairing(counts, first, second)
    if found is None:
        return WinDrawLoss(0, 0, 0)
    return found.games if first < second else WinDrawLoss(*found.games[::-1])


def pentanomial(counts: BlockCounts, first: int, second: int) -> Pentanomial:
    """Blocks of a game for two players by what `first` scored in them against `second`.

    Args:
        counts: whole blocks; those between other bots are left out.
        first: index of a bot.
        second: index of another bot.

    Returns:
        How many blocks came to 0, 1/2, 1, 3/2 and 2 points: [LL, LD, DD+WL, WD, WW].

    Raises:
        ValueError: a block of these two is not of two games for two players.
    """
    found = _pairing(counts, first, second)
    if found is None:
        return (0, 0, 0, 0, 0)
    if found.pentanomial is None:
        raise ValueError(f"bots {first} and {second}: a pentanomial is of blocks of two games for two players")
    return found.pentanomial if first < second else _reversed(found.pentanomial)


def game_counts(counts: BlockCounts) -> Counter[GameOutcome]:
    """How often each distinct game was played."""
    found: Counter[GameOutcome] = Counter()
    for block, times in counts.items():
        for game in block:
            found[game] += times
    return found


def _pairing(counts: BlockCounts, first: int, second: int) -> Pairing | None:
    pair = (min(first, second), max(first, second))
    return next((found for found in pairings(counts) if (found.first, found.second) == pair), None)


def _by_points(points: Counter[float]) -> Pentanomial:
    return (points[0.0], points[0.5], points[1.0], points[1.5], points[2.0])


def _reversed(counts: Pentanomial) -> Pentanomial:
    return (counts[4], counts[3], counts[2], counts[1], counts[0])
