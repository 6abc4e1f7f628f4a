"""Intervals of ratings and of their differences, and how likely which bot is the better one.

Contrasts that the results bound from both sides get an interval from the spread of whole blocks, or where blocks are
too few to tell it, from the information as if each block were one game. Other contrasts get an interval from the
profile of the penalised likelihood, in which each block counts as one game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from .confidence import CONFIDENCE_95, MANY, half_width, probability_above_zero
from .elo import ELO_PER_UNIT
from .logit import Matrix
from .rankings import Rankings
from .rating_model import Fitted

LEAST_FREEDOM = 4
"""Degrees of freedom from which on the spread of blocks is used: with fewer, Student's intervals say nothing."""
_NO_SPREAD = 1e-9
"""Parts of the variance of independent games: blocks that spread less than this do not spread at all."""


@dataclass(frozen=True)
class Interval:
    """A 95 % interval in Elo."""

    lower: float | None
    """None where the results set no lower limit."""
    upper: float | None
    error: float | None
    """Half the width where the interval is symmetric about the estimate, else None."""


class ContrastIntervals:
    """Intervals and probabilities of contrasts of a fitted model.

    Args:
        fitted: the model.
        rankings: the games that it was fitted to.
    """

    def __init__(self, fitted: Fitted, rankings: Rankings) -> None:
        self._fitted = fitted
        self._rankings = rankings
        blocks = rankings.blocks_with((), fitted.determining)
        self._spare = blocks - fitted.dimension
        self._blocks_of: dict[int, int] = {}

    def freedom(self, *bots: int) -> int:
        """Degrees of freedom of a contrast of some bots, or of seats where no bots are given."""
        for bot in bots:
            if bot not in self._blocks_of:
                self._blocks_of[bot] = self._rankings.blocks_with((bot,), self._fitted.determining)
        return min([self._spare, *(self._blocks_of[bot] - 1 for bot in bots)])

    def is_scarce(self, freedom: int) -> bool:
        """True where there are too few blocks to take an error from their spread."""
        return freedom < LEAST_FREEDOM

    def interval(self, contrast: Matrix, freedom: int) -> Interval:
        """The 95 % interval of a contrast.

        Args:
            contrast: [parameters].
            freedom: its degrees of freedom.
        """
        estimate = float(contrast @ self._fitted.beta)
        if self._fitted.determines(contrast):
            deviation, freedom = self._deviation(contrast, freedom)
            width = half_width(freedom)
            assert width is not None  # few degrees of freedom have been replaced
            error = width * deviation
            return Interval(ELO_PER_UNIT * (estimate - error), ELO_PER_UNIT * (estimate + error), ELO_PER_UNIT * error)
        below, above = self._fitted.bounds_above(-contrast), self._fitted.bounds_above(contrast)
        ends = (below, above) if below or above else (True, True)
        likelihood = self._fitted.block_likelihood
        origin = float(contrast @ likelihood.origin)
        lower, upper = likelihood.interval(contrast, ends, CONFIDENCE_95)
        return Interval(
            None if lower is None else ELO_PER_UNIT * min(origin + lower, estimate),
            None if upper is None else ELO_PER_UNIT * max(origin + upper, estimate),
            None,
        )

    def probability_above_zero(self, contrast: Matrix, freedom: int) -> float | None:
        """How likely a contrast is to be above 0; None where it has no spread."""
        if self._fitted.determines(contrast):
            deviation, freedom = self._deviation(contrast, freedom)
            return probability_above_zero(float(contrast @ self._fitted.beta), deviation, freedom)
        likelihood = self._fitted.block_likelihood
        return float(ndtr(likelihood.signed_root(contrast, -float(contrast @ likelihood.origin))))

    def _deviation(self, contrast: Matrix, freedom: int) -> tuple[float, int]:
        """Standard error of a contrast and its degrees of freedom."""
        variance = float(contrast @ self._fitted.covariance @ contrast)
        naive = float(contrast @ self._fitted.naive_covariance @ contrast)
        if self.is_scarce(freedom) or variance <= _NO_SPREAD * naive:
            return math.sqrt(max(naive, 0.0) / self._fitted.block_weight), MANY
        return math.sqrt(variance), freedom


def unit(size: int, *entries: tuple[int, float]) -> Matrix:
    """A contrast [size] from its entries that are not 0; those of the same index are added."""
    found = np.zeros(size)
    for index, value in entries:
        found[index] += value
    return found
