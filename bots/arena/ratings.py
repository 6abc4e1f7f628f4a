"""Elo ratings of any number of bots from comparisons: Bradley-Terry, ties as half wins, errors from whole blocks.

The model: i scores against j with probability sigma(theta_i - theta_j), and one unit of theta is 400 / ln 10 Elo. The
estimate maximises the likelihood (Bradley and Terry 1952). Games of one block share bots and seats and so are not
independent: the error comes from the spread of whole blocks, I+ B I+, where I is the information matrix, I+ its
pseudo-inverse, and B the sum over blocks of the outer product of a block's gradient (the sandwich of White 1982).

Where some bots never scored against some others, the likelihood has no maximum. Every pairing between such groups is
then given one more block, all drawn: a stated prior that keeps the numbers finite. Bots that never met, not even by way
of others, are not rated at all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ELO_PER_UNIT = 400.0 / math.log(10.0)
"""Elo of one unit of theta, 173.718."""
CONFIDENCE_95 = 1.959963984540054
"""Standard errors on either side of a 95 % interval."""
MIN_BLOCKS = 2
"""Fewer blocks of any pairing tell nothing of their spread."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Comparison:
    """One bot against another within a game."""

    first: int
    second: int
    score: float
    """Of the first: 1 if it did better, 0.5 if equally well, 0 if worse."""
    block: int
    """Comparisons of the same block are not independent."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of bots, in the order of their indices. Zero is the mean of all bots."""

    elo: tuple[float | None, ...]
    """None where the results say nothing, not even with the prior."""
    covariance: Matrix | None
    """Of `elo`, in Elo squared [bots, bots]; None where there are too few blocks, or no ratings."""
    groups: tuple[tuple[int, ...], ...]
    """Bots between which results flow both ways, best group first. More than one: the prior was needed."""
    connected: bool
    """False where some bots never met, not even by way of others."""

    def error(self, bot: int) -> float | None:
        """Half the width of the 95 % interval of a bot's Elo against the mean of all bots."""
        if self.covariance is None:
            return None
        return CONFIDENCE_95 * math.sqrt(max(0.0, float(self.covariance[bot, bot])))

    def difference_error(self, first: int, second: int) -> float | None:
        """Half the width of the 95 % interval of the difference of two bots."""
        if self.covariance is None:
            return None
        c = self.covariance
        variance = float(c[first, first] + c[second, second] - 2 * c[first, second])
        return CONFIDENCE_95 * math.sqrt(max(0.0, variance))


def rate(num_bots: int, comparisons: Sequence[Comparison]) -> Ratings:
    """Rate bots.

    Args:
        num_bots: indices are in [0, num_bots).
        comparisons: of whole blocks; those of a bot with itself are left out by the caller.

    Returns:
        The ratings; nothing is raised for want of data.
    """
    scores, counts = _tables(num_bots, comparisons)
    connected = bool(_reach(counts > 0).all())
    groups = _groups(scores)
    if num_bots < 2 or not connected:
        return Ratings((None,) * num_bots, None, groups, connected)
    every = list(comparisons)
    if len(groups) > 1:
        every += _drawn_blocks(comparisons, counts, groups)
        scores, counts = _tables(num_bots, every)
    theta = _fit(scores, counts)
    elo = tuple(float(ELO_PER_UNIT * value) for value in theta)
    blocks_met = Counter(pair for pair, _ in {((c.first, c.second), c.block) for c in comparisons})
    if min(blocks_met.values()) < MIN_BLOCKS:
        return Ratings(elo, None, groups, connected)
    return Ratings(elo, ELO_PER_UNIT**2 * _sandwich(theta, counts, every), groups, connected)


def _tables(num_bots: int, comparisons: Sequence[Comparison]) -> tuple[Matrix, Matrix]:
    """Score of i against j, and number of comparisons of i and j [bots, bots]."""
    scores = np.zeros((num_bots, num_bots))
    counts = np.zeros((num_bots, num_bots))
    for c in comparisons:
        scores[c.first, c.second] += c.score
        scores[c.second, c.first] += 1.0 - c.score
        counts[c.first, c.second] += 1.0
        counts[c.second, c.first] += 1.0
    return scores, counts


def _reach(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who can be reached from whom along edges; everyone from itself."""
    reach = edges | np.eye(len(edges), dtype=bool)
    for middle in range(len(edges)):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


def _groups(scores: Matrix) -> tuple[tuple[int, ...], ...]:
    """Strongly connected parts of the graph of who scored against whom; those that reach most others first."""
    reach = _reach(scores > 0)
    both = reach & reach.T
    groups = {tuple(int(i) for i in np.flatnonzero(row)) for row in both}
    return tuple(sorted(groups, key=lambda group: (-int(reach[group[0]].sum()), group)))


def _drawn_blocks(
    comparisons: Sequence[Comparison], counts: Matrix, groups: Sequence[Sequence[int]]
) -> list[Comparison]:
    """One more block, all drawn, for every pair of bots that met and are in different groups."""
    group_of = {bot: number for number, group in enumerate(groups) for bot in group}
    blocks = {(min(c.first, c.second), max(c.first, c.second), c.block) for c in comparisons}
    blocks_of = Counter((first, second) for first, second, _ in blocks)
    drawn: list[Comparison] = []
    for (first, second), met in sorted(blocks_of.items()):
        if group_of[first] != group_of[second]:
            size = round(float(counts[first, second]) / met)
            new_block = -1 - len(drawn)  # blocks of games count from 0
            drawn += [Comparison(first, second, 0.5, new_block)] * size
    return drawn


def _expected(theta: Matrix) -> Matrix:
    """Expected score of i against j [bots, bots]; theta differences beyond 700 would overflow and do not occur."""
    odds_against: Matrix = np.exp(theta[None, :] - theta[:, None])
    expected: Matrix = 1.0 / (1.0 + odds_against)
    return expected


def _information(theta: Matrix, counts: Matrix) -> Matrix:
    expected = _expected(theta)
    weights: Matrix = counts * expected * (1.0 - expected)
    information: Matrix = np.diag(weights.sum(axis=1)) - weights
    return information


def _fit(scores: Matrix, counts: Matrix) -> Matrix:
    """The maximum of the likelihood, of mean 0, by Newton steps that are halved until they gain."""
    theta = np.zeros(len(scores))

    def likelihood(at: Matrix) -> float:
        return float((scores * np.log(_expected(at))).sum())

    best = likelihood(theta)
    for _ in range(100):
        gradient = (scores - counts * _expected(theta)).sum(axis=1)
        if float(np.abs(gradient).max()) < 1e-9 * float(counts.sum()):
            break
        step = np.linalg.pinv(_information(theta, counts), hermitian=True) @ gradient
        size = min(1.0, 4.0 / float(np.abs(step).max()))  # a wild step would leave the range of exp
        while size > 1e-9 and (found := likelihood(theta + size * step)) < best:
            size /= 2
        if size <= 1e-9:
            break
        best, theta = found, theta + size * step
    centred: Matrix = theta - theta.mean()
    return centred


def _sandwich(theta: Matrix, counts: Matrix, comparisons: Sequence[Comparison]) -> Matrix:
    """Covariance of theta from the spread of whole blocks."""
    inverse = np.linalg.pinv(_information(theta, counts), hermitian=True)
    expected = _expected(theta)
    gradients: dict[int, Matrix] = {}
    for c in comparisons:
        gradient = gradients.setdefault(c.block, np.zeros(len(theta)))
        surprise = c.score - expected[c.first, c.second]
        gradient[c.first] += surprise
        gradient[c.second] -= surprise
    stacked = np.array(list(gradients.values()))
    covariance: Matrix = inverse @ (stacked.T @ stacked) @ inverse
    return covariance
