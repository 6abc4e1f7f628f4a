"""Estimates and intervals that exist even where the likelihood has no maximum.

The log likelihood gets half the logarithm of the determinant of the information matrix as a penalty, which removes the
first-order bias (Firth, "Bias reduction of maximum likelihood estimates", 1993) and keeps the maximum finite (Kosmidis
and Firth, "Jeffreys-prior penalty, finiteness and shrinkage in binomial-response generalized linear models", 2021).
Intervals come from the profile of the penalised likelihood (Heinze and Schemper, "A solution to the problem of
separation in logistic regression", 2002).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from .fitting import Choices, Matrix

_MOST_STEPS = 100
_LONGEST_STEP = 3.0
"""Log worth: the longest step of the search for a maximum."""
_ENOUGH = 1e-12
"""Squared length of a step, in standard errors, below which a maximum counts as found."""
_LEAST_GAIN = 1e-12
"""Loss of log likelihood that counts as rounding."""
_PRECISION = 1e-4
"""Log worth: tolerance of the ends of intervals."""
_NO_LIKELIHOOD = 1e6
"""Minus the log likelihood where the information matrix is numerically singular."""
_FARTHEST = 60.0
"""Log worth: greatest distance of the end of an interval from the estimate."""


class _Point(NamedTuple):
    """Value and derivatives of the penalised likelihood at some parameters."""

    value: float
    gradient: Matrix
    """[dimensions]"""
    inverse: Matrix
    """Inverse of the information matrix [dimensions, dimensions]."""


class PenalisedLikelihood:
    """Firth's penalised likelihood in a subspace of the parameters.

    Args:
        choices: those of games, without pseudo-games. Choices between the same options are merged.
        origin: parameters at coordinates 0 [parameters].
        basis: basis of the subspace [dimensions, parameters]. The choices must identify all of it.
        weight: weight of each choice, below 1 where choices depend on each other.
    """

    def __init__(self, choices: Choices, origin: Matrix, basis: Matrix, weight: float = 1.0) -> None:
        self.origin = origin
        self._basis = basis
        merged = _merge(choices)
        shape = merged.present.shape
        self._present = merged.present
        self._support, self._features = _local_features(merged.features @ csr_array(basis.T), shape)
        self._offset = (merged.features @ origin).reshape(shape)
        self._times = weight * merged.times
        self._wins = merged.shares * self._times[:, None]

    @cached_property
    def maximum(self) -> Matrix:
        """The coordinates of the maximum [dimensions]."""
        return self._climb(np.zeros(len(self._basis)), None)

    def at(self, coordinates: Matrix) -> _Point | None:
        """Return value and derivatives; None where the information matrix is numerically singular."""
        size = len(coordinates)
        local = np.append(coordinates, 0.0)[self._support]
        worths = np.where(self._present, self._offset + np.einsum("cok,ck->co", self._features, local), -np.inf)
        top = worths.max(axis=1, keepdims=True)
        weights = np.exp(worths - top)
        totals = weights.sum(axis=1, keepdims=True)
        chances = weights / totals
        logs = np.where(self._present, worths - top - np.log(totals), 0.0)
        centred = self._features - np.einsum("co,cok->ck", chances, self._features)[:, None, :]
        masses = chances * self._times[:, None]
        parts = np.swapaxes(centred * masses[:, :, None], 1, 2) @ centred
        rows, columns = self._support[:, :, None], self._support[:, None, :]
        places = (rows * (size + 1) + columns).ravel()
        information = np.bincount(places, parts.ravel(), (size + 1) ** 2).reshape(size + 1, size + 1)[:size, :size]
        sign, logarithm = np.linalg.slogdet(information)
        if sign <= 0 or not math.isfinite(logarithm):
            return None
        inverse = np.linalg.inv(information)
        padded = np.pad(inverse, (0, 1))
        leverages = ((centred @ padded[rows, columns]) * centred).sum(axis=2)
        pulls = self._wins - masses + masses * leverages / 2
        of_choices = np.einsum("co,cok->ck", pulls, centred)
        gradient: Matrix = np.bincount(self._support.ravel(), of_choices.ravel(), size + 1)[:size].astype(float)
        return _Point(float((self._wins * logs).sum() + logarithm / 2), gradient, inverse)

    def interval(self, contrast: Matrix, ends: tuple[bool, bool], deviations: float) -> tuple[float | None, ...]:
        """Return the ends of the profile interval of a contrast, relative to its value at the origin.

        Args:
            contrast: [parameters].
            ends: True for each end to compute: lower, upper. Other ends are None.
            deviations: half the width in standard errors of a normal distribution, 1.96 for 95 %.
        """
        greatest, centre, variance, profile = self._along(contrast)
        step = deviations * math.sqrt(variance)
        return tuple(
            _crossing(lambda value: greatest - deviations**2 / 2 - profile(value), centre, side * step)
            if is_wanted
            else None
            for side, is_wanted in zip((-1, 1), ends, strict=True)
        )

    def signed_root(self, contrast: Matrix, value: float) -> float:
        """Return the signed root of the likelihood ratio: how many standard errors an estimate is above a value.

        Args:
            contrast: [parameters].
            value: the value, relative to that of the contrast at the origin.
        """
        greatest, centre, _, profile = self._along(contrast)
        return -math.copysign(math.sqrt(max(2 * (greatest - profile(value)), 0.0)), value - centre)

    def _along(self, contrast: Matrix) -> tuple[float, float, float, Callable[[float], float]]:
        """Return the greatest likelihood, value and variance of a contrast there, and its profile as a function."""
        best = self.maximum
        point = self.at(best)
        assert point is not None  # the climb ended there
        direction = self._basis @ contrast
        centre, slope = float(direction @ best), point.inverse @ direction
        variance = float(direction @ slope)
        return (
            point.value,
            centre,
            variance,
            lambda value: self._profile(best + slope * (value - centre) / variance, direction),
        )

    def _profile(self, start: Matrix, direction: Matrix) -> float:
        """Return the greatest value among the points whose product with a direction is that of the start."""
        if self.at(start) is None:  # far out in other directions too
            start = direction * float(direction @ start) / float(direction @ direction)
        found = self.at(self._climb(start, direction))
        return -_NO_LIKELIHOOD if found is None else found.value

    def _climb(self, start: Matrix, direction: Matrix | None) -> Matrix:
        """Return the maximum, with a direction: among the points whose product with it is that of the start."""
        at, point = start, self.at(start)
        if point is None:
            return at
        for _ in range(_MOST_STEPS):
            step = point.inverse @ point.gradient
            if direction is not None:
                along = point.inverse @ direction
                step = step - along * float(direction @ step) / float(direction @ along)
            gain = float(step @ point.gradient)
            if gain < _ENOUGH:
                break
            size = min(1.0, _LONGEST_STEP / float(np.abs(step).max()))
            found = self.at(at + size * step)
            while size > 1e-6 and (found is None or found.value < point.value - _LEAST_GAIN):
                size /= 2
                found = self.at(at + size * step)
            if found is None or size <= 1e-6:
                break
            at, point = at + size * step, found
        return at


def _crossing(excess: Callable[[float], float], centre: float, step: float) -> float:
    """Return the point where a function crosses 0. It is below 0 at the centre; the search begins one step away."""
    from scipy.optimize import brentq  # takes longer to import than all that most tournaments need

    inner, outer = centre, centre + step
    while excess(outer) < 0:
        if abs(outer - centre) > _FARTHEST:
            return outer
        inner, outer = outer, centre + 1.5 * (outer - centre)
    return float(brentq(excess, inner, outer, xtol=_PRECISION))


def _merge(choices: Choices) -> Choices:
    """Merge choices between the same options. Many choices differ only in the option that was chosen."""
    shape = choices.present.shape
    directions = np.random.default_rng(0).standard_normal(choices.features.shape[1])
    keys = np.where(choices.present, np.round((choices.features @ directions).reshape(shape), 9), np.inf)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    times = np.bincount(inverse.ravel(), choices.times, len(first)).astype(float)
    wins = np.zeros((len(first), shape[1]))
    np.add.at(wins, inverse.ravel(), choices.shares * choices.times[:, None])
    rows = (first[:, None] * shape[1] + np.arange(shape[1])).ravel()
    return Choices(
        choices.features[rows], choices.present[first], wins / times[:, None], times, np.full(len(first), -1)
    )


def _local_features(features: csr_array, shape: tuple[int, int]) -> tuple[NDArray[np.int64], Matrix]:
    """Return the coordinates on which each choice depends, and the features of its options in these alone.

    Args:
        features: [choices * options, dimensions].
        shape: (choices, options).

    Returns:
        Coordinates [choices, local], padded with the number of dimensions, and features [choices, options, local].
    """
    entries = features.tocoo()
    count = features.shape[1]
    number, option = np.divmod(entries.row, shape[1])
    keys, inverse = np.unique(number * count + entries.col, return_inverse=True)
    owners, coordinates = np.divmod(keys, count)
    places = np.arange(len(keys)) - np.searchsorted(owners, owners)
    support = np.full((shape[0], int(places.max(initial=0)) + 1), count)
    support[owners, places] = coordinates
    local = np.zeros((*shape, support.shape[1]))
    local[number, option, places[inverse.ravel()]] = entries.data
    return support, local
