"""The least divergence from observed scores to a distribution that a hypothesis on their mean allows.

The likeliest distribution p under a hypothesis minimises the Kullback-Leibler divergence sum p^ ln(p^/p) from the
observed distribution p^. One linear condition sum p phi = 0 is met by p = p^ / (1 + theta phi), with the theta at which
sum p^ phi / (1 + theta phi) = 0 (Owen, "Empirical likelihood", 2001).

The condition mean - 1/2 = t deviation, with t > 0, is not linear. The tangents of t deviation are linear in p: those
of a distribution with mean m = 1/2 + x and deviation x / t have phi = b - x/2 - t^2 (b - x)^2 / (2 x), where b is the
score minus 1/2. The divergence V(x) under one tangent has its stationary points where the mean of p is m, and there p
meets the condition. If the observed mean is above the hypothesis, the allowed distributions are a convex set, and the
divergence is the only maximum of V. If it is below, every tangent is a stronger condition, and the divergence is the
least minimum of V, which a grid separates from others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

_Numbers = TypeVar("_Numbers", float, NDArray[np.float64])

_LEAST = 1e-12
"""Deviations below which the mean is taken as 1/2."""
_GRID = 16
"""Points of the grid for each reach of a score."""
_EDGE = 1e-9
"""Relative distance of the grid from the ends of a reach, where the divergence is infinite."""
_GRID_STEPS = 60
_GRID_PRECISION = 1e-9
_STEPS = 200
_PRECISION = 1e-10
"""Relative precision of the mean. The divergence is stationary there, so its own error is far smaller."""


def divergence_at_mean(observed: Sequence[float], scores: Sequence[float], mean: float) -> float:
    """Return the divergence to the nearest distribution with a mean.

    Args:
        observed: probabilities above 0, with the sum 1.
        scores: score of each result, in [0, 1], ascending.
        mean: between the least and the greatest score.
    """
    return _tilted(observed, [score - mean for score in scores]).divergence


def divergence_at_deviations(observed: Sequence[float], scores: Sequence[float], deviations: float) -> float:
    """Return the divergence to the nearest distribution whose mean is some of its own standard deviations above 1/2.

    Args:
        observed: probabilities above 0, with the sum 1.
        scores: score of each result, in [0, 1], ascending, from below 1/2 to above 1/2.
        deviations: number of standard deviations; below 0 for a mean below 1/2.
    """
    if deviations < 0:
        return divergence_at_deviations(observed[::-1], [1 - score for score in reversed(scores)], -deviations)
    if deviations < _LEAST:
        return divergence_at_mean(observed, scores, 0.5)
    above = [score - 0.5 for score in scores]
    mean = sum(p * b for p, b in zip(observed, above, strict=True))
    variance = sum(p * (b - mean) ** 2 for p, b in zip(observed, above, strict=True))
    if mean > deviations * math.sqrt(variance):
        # Between these ends, the observed distribution does not meet the condition of the tangent.
        reach = math.sqrt((mean * mean - deviations * deviations * variance) / (1 + deviations * deviations))
        return _stationary(observed, above, deviations, mean - reach, mean + reach)
    grid = _grid(above, deviations)
    return min(_stationary(observed, above, deviations, *ends) for ends in _brackets(observed, above, deviations, grid))


def _phi(b: _Numbers, x: _Numbers, deviations: float) -> _Numbers:
    return b - x / 2 - deviations * deviations * (b - x) ** 2 / (2 * x)


def _stationary(observed: Sequence[float], above: Sequence[float], deviations: float, low: float, high: float) -> float:
    """Return V at its stationary point between two x, where the mean of p falls from above 1/2 + x to below."""
    low_excess = high_excess = 0.0  # mean of p minus 1/2 + x at the ends; 0 where it is unknown
    divergence = 0.0
    for step in range(_STEPS):
        x = (low + high) / 2
        if low_excess and high_excess and step % 3:
            x = (low * high_excess - high * low_excess) / (high_excess - low_excess)
        likeliest, divergence = _tilted(observed, [_phi(b, x, deviations) for b in above])
        excess = sum(p * b for p, b in zip(likeliest, above, strict=True)) - x
        if excess > 0:
            low, low_excess = x, excess
        else:
            high, high_excess = x, excess
        if abs(excess) <= _PRECISION * x or high - low <= _PRECISION * high:
            break
    return divergence


def _grid(above: Sequence[float], deviations: float) -> list[NDArray[np.float64]]:
    """Return ascending x, for each interval in which some tangent can be met.

    A score b meets the tangent of x if x is in its reach: between b / (1 + high) and b / (1 + low).
    """
    root = math.sqrt(1 + deviations * deviations)
    low, high = -1 / (1 + root), (1 + root) / deviations**2
    intervals: list[list[float]] = []
    for b in above:
        if b > 0:
            begin, end = b / (1 + high), b / (1 + low)
            if intervals and begin < intervals[-1][1]:
                intervals[-1][1] = end
            else:
                intervals.append([begin, end])
    ratio = math.log((1 + high) / (1 + low))
    return [
        np.geomspace(begin * (1 + _EDGE), end * (1 - _EDGE), _GRID * math.ceil(math.log(end / begin) / ratio))
        for begin, end in intervals
    ]


def _brackets(
    observed: Sequence[float], above: Sequence[float], deviations: float, grid: Sequence[NDArray[np.float64]]
) -> list[tuple[float, float]]:
    """Return neighbours of the grid between which the mean of p falls from above 1/2 + x to below."""
    b, p = np.array(above)[:, None], np.array(observed)
    x = np.concatenate(grid)
    phi = _phi(b, x, deviations)
    farthest = phi.argmax(axis=0)  # the observed mean of phi is below 0; see `_tilted`
    slopes = phi / phi.max(axis=0)
    near, other = np.maximum(slopes, 0), np.maximum(-slopes, 0)
    low, high, rest = p[farthest], np.ones(len(x)), np.ones(len(x))
    for _ in range(_GRID_STEPS):
        ratio = slopes / (1 - near + rest * near + (1 - rest) * other)
        value = p @ ratio
        is_above = value > 0
        low, high = np.where(is_above, rest, low), np.where(is_above, high, rest)
        better = rest + value / (p @ (ratio * ratio))
        better = np.where((better > low) & (better < high), better, np.sqrt(low * high))
        rest, before = better, rest
        if (np.abs(rest - before) <= _GRID_PRECISION * rest).all():
            break
    is_above = p @ (b / (1 - near + rest * near + (1 - rest) * other)) > x
    ends = np.cumsum([0, *map(len, grid)])
    return [
        (float(x[k]), float(x[k + 1]))
        for begin, end in pairwise(ends)
        for k in np.flatnonzero(is_above[begin : end - 1] & ~is_above[begin + 1 : end]) + begin
    ]


class _Tilted(NamedTuple):
    probabilities: list[float]
    divergence: float


def _tilted(observed: Sequence[float], phi: Sequence[float]) -> _Tilted:
    """Return the nearest distribution with mean phi 0.

    theta is (1 - rest) times its end, at which the farthest phi has the probability infinity. Then 1 + theta phi is a
    sum of terms that are not negative, which has no rounding error near that end.
    """
    farthest = (min if sum(p * f for p, f in zip(observed, phi, strict=True)) > 0 else max)(phi)
    near = [max(f / farthest, 0.0) for f in phi]
    other = [max(-f / farthest, 0.0) for f in phi]
    low, high, rest = observed[phi.index(farthest)], 1.0, 1.0
    for _ in range(_STEPS):
        value = steepness = 0.0
        for p, n, o in zip(observed, near, other, strict=True):
            ratio = (n - o) / (1 - n + rest * n + (1 - rest) * o)
            value += p * ratio
            steepness += p * ratio * ratio
        if value > 0:
            low = rest
        else:
            high = rest
        better = rest + value / steepness
        if not low < better < high:
            better = math.sqrt(low * high)
        moved, rest = abs(better - rest), better
        if moved <= 1e-15 * rest:
            break
    part = 1 - rest
    ratios = [1 - n + rest * n + part * o for n, o in zip(near, other, strict=True)]
    return _Tilted(
        [p / ratio for p, ratio in zip(observed, ratios, strict=True)],
        sum(
            p * (math.log(ratio) if rest < 0.5 else math.log1p(part * (o - n)))
            for p, ratio, n, o in zip(observed, ratios, near, other, strict=True)
        ),
    )
