"""Estimates and intervals that exist where the likelihood has no maximum.

Firth, "Bias reduction of maximum likelihood estimates" (1993): the log likelihood gets half the logarithm of the
determinant of the information matrix as a penalty, which removes the first-order bias and keeps the maximum finite
(Kosmidis and Firth 2021). Intervals come from the profile of the penalised likelihood (Heinze and Schemper 2002).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.sparse import csr_array

from .logit import Choices, Matrix

_MOST_STEPS = 100
_LONGEST_STEP = 3.0
_ENOUGH = 1e-12
"""Squared length of a step, in standard errors, after which a maximum counts as found."""
_LEAST_GAIN = 1e-12
_PRECISION = 1e-4
"""Log worth: how exactly the ends of intervals are found."""
_NO_LIKELIHOOD = 1e6
"""Log likelihood, negated, where the information vanishes numerically."""
_FARTHEST = 60.0
"""Log worth from the estimate: no end of an interval is looked for beyond it."""


class _Point(NamedTuple):
    """The penalised likelihood at some parameters."""

    value: float
    gradient: Matrix
    """[dimensions]"""
    inverse: Matrix
    """Of the information matrix [dimensions, dimensions]."""


class PenalisedLikelihood:
    """Firth's penalised likelihood in a subspace of the parameters.

    Args:
        choices: those of games; choices between the same options are put together.
        origin: parameters at coordinates 0 [parameters].
        basis: of the subspace [dimensions, parameters]; the choices identify all of it.
        weight: what a choice counts for; less than 1 where choices depend on each other.
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

    def maximum(self) -> Matrix:
        """Coordinates of the maximum [dimensions]."""
        return self._climb(np.zeros(len(self._basis)), None)

    def at(self, coordinates: Matrix) -> _Point | None:
        """Value, gradient and inverse information; None where the information vanishes numerically."""
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
        """Ends of the profile interval of a contrast, relative to its value at the origin.

        Args:
            contrast: [parameters].
            ends: whether the lower end is wanted, and the upper one.
            deviations: standard errors of a normal distribution on either side, 1.96 for 95 %.
        """
        best = self._best
        point = self.at(best)
        assert point is not None  # maximum() ended there
        direction = self._basis @ contrast
        centre = float(direction @ best)
        slope = point.inverse @ direction
        variance = float(direction @ slope)
        wanted = point.value - deviations**2 / 2

        def excess(value: float) -> float:
            return wanted - self._profile(best + slope * (value - centre) / variance, direction)

        step = deviations * math.sqrt(variance)
        return tuple(
            _crossing(excess, centre, side * step) if is_wanted else None
            for side, is_wanted in zip((-1, 1), ends, strict=True)
        )

    def signed_root(self, contrast: Matrix, value: float) -> float:
        """How far a contrast's estimate is above a value, in standard errors, by the likelihood ratio.

        Args:
            contrast: [parameters].
            value: relative to the contrast at the origin.
        """
        best = self._best
        point = self.at(best)
        assert point is not None  # maximum() ended there
        direction = self._basis @ contrast
        gap = value - float(direction @ best)
        slope = point.inverse @ direction
        there = self._profile(best + slope * gap / float(direction @ slope), direction)
        return -math.copysign(math.sqrt(max(2 * (point.value - there), 0.0)), gap)

    @cached_property
    def _best(self) -> Matrix:
        return self.maximum()

    def _profile(self, start: Matrix, direction: Matrix) -> float:
        """The greatest value among points at which the product with a direction is that of the start."""
        if self.at(start) is None:  # far out in other directions, too
            start = direction * float(direction @ start) / float(direction @ direction)
        found = self.at(self._climb(start, direction))
        return -_NO_LIKELIHOOD if found is None else found.value

    def _climb(self, start: Matrix, direction: Matrix | None) -> Matrix:
        """The maximum, or that among points at which the product with a direction is that of the start."""
        place, point = start, self.at(start)
        if point is None:
            return place
        for _ in range(_MOST_STEPS):
            step = point.inverse @ point.gradient
            if direction is not None:
                along = point.inverse @ direction
                step = step - along * float(direction @ step) / float(direction @ along)
            gain = float(step @ point.gradient)
            if gain < _ENOUGH:
                break
            size = min(1.0, _LONGEST_STEP / float(np.abs(step).max()))
            found = self.at(place + size * step)
            while size > 1e-6 and (found is None or found.value < point.value - _LEAST_GAIN):
                size /= 2
                found = self.at(place + size * step)
            if found is None or size <= 1e-6:
                break
            place, point = place + size * step, found
        return place


def _crossing(excess: Callable[[float], float], centre: float, step: float) -> float:
    """Where a function that is below 0 at the centre crosses 0, first looked for one step away."""
    inner, outer = centre, centre + step
    while excess(outer) < 0:
        if abs(outer - centre) > _FARTHEST:
            return outer
        inner, outer = outer, centre + 1.5 * (outer - centre)
    return float(brentq(excess, inner, outer, xtol=_PRECISION))


def _merge(choices: Choices) -> Choices:
    """Choices between the same options as one: many differ only in what was chosen."""
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
    """The coordinates on which each choice depends, and the features of its options in these alone: few of all.

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
