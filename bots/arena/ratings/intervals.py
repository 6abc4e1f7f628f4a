"""Intervals of ratings and of their differences, and likelihoods of superiority.

A contrast that the results bound from both sides gets an interval from the spread of whole blocks. Where blocks are too
few to show a spread, the interval comes from the information, as if each block were one game. Any other contrast gets
an interval from the profile of the penalised likelihood (`bias_reduction`), in which each block counts as one game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.special import ndtr

from mcts.primitives.confidence import CONFIDENCE_95

from .confidence import MANY, half_width, probability_above_zero
from .fitting import Matrix
from .rankings import Rankings
from .rating_model import FittedModel

LEAST_FREEDOM = 4
"""Least degrees of freedom for an interval from the spread of blocks; below, Student's intervals are too wide."""
_NO_SPREAD = 1e-9
"""Share of the variance of independent games below which blocks have no spread."""


@dataclass(frozen=True)
class Interval:
    """A 95 % interval in Elo, or in points for a model of returns."""

    lower: float | None
    """Lower end; None where the results set none."""
    upper: float | None
    """Upper end; None where the results set none."""
    error: float | None
    """Half the width; None where the interval is not symmetric about the estimate."""


class ContrastIntervals:
    """Intervals and probabilities of contrasts of a fitted model.

    Args:
        fitted: the fitted model.
        rankings: the games to which it was fitted.
        unit: Elo or points of one unit of the parameters.
    """

    def __init__(self, fitted: FittedModel, rankings: Rankings, unit: float) -> None:
        self._fitted = fitted
        self._unit = unit
        self._rankings = rankings
        blocks = rankings.blocks_with((), fitted.determining)
        self._spare = blocks - fitted.dimension
        self._blocks_of: dict[int, int] = {}

    def freedom(self, *bots: int) -> int:
        """Return the degrees of freedom of a contrast between bots; without bots, of a contrast between seats."""
        for bot in bots:
            if bot not in self._blocks_of:
                self._blocks_of[bot] = self._rankings.blocks_with((bot,), self._fitted.determining)
        return min([self._spare, *(self._blocks_of[bot] - 1 for bot in bots)])

    def is_scarce(self, freedom: int) -> bool:
        """Return True if there are too few blocks to take an error from their spread."""
        return freedom < LEAST_FREEDOM

    def interval(self, contrast: Matrix, freedom: int) -> Interval:
        """Return the 95 % interval of a contrast.

        Args:
            contrast: [parameters].
            freedom: its degrees of freedom.
        """
        estimate = float(contrast @ self._fitted.beta)
        if self._fitted.determines(contrast):
            deviation, freedom = self._deviation(contrast, freedom)
            width = half_width(freedom)
            assert width is not None  # `_deviation` replaces few degrees of freedom
            error, unit = width * deviation, self._unit
            if not error:  # returns without a spread say nothing of their error
                return Interval(None, None, None)
            return Interval(unit * (estimate - error), unit * (estimate + error), unit * error)
        below, above = self._fitted.bounds_above(-contrast), self._fitted.bounds_above(contrast)
        ends = (below, above) if below or above else (True, True)
        likelihood = self._fitted.block_likelihood
        origin = float(contrast @ likelihood.origin)
        lower, upper = likelihood.interval(contrast, ends, CONFIDENCE_95)
        return Interval(
            None if lower is None else self._unit * min(origin + lower, estimate),
            None if upper is None else self._unit * max(origin + upper, estimate),
            None,
        )

    def probability_above_zero(self, contrast: Matrix, freedom: int) -> float | None:
        """Return the probability that a contrast is above 0; None where it has no spread."""
        if self._fitted.determines(contrast):
            deviation, freedom = self._deviation(contrast, freedom)
            return probability_above_zero(float(contrast @ self._fitted.beta), deviation, freedom)
        likelihood = self._fitted.block_likelihood
        return float(ndtr(likelihood.signed_root(contrast, -float(contrast @ likelihood.origin))))

    def _deviation(self, contrast: Matrix, freedom: int) -> tuple[float, int]:
        """Return the standard error of a contrast and its degrees of freedom."""
        variance = float(contrast @ self._fitted.covariance @ contrast)
        naive = float(contrast @ self._fitted.naive_covariance @ contrast)
        if self.is_scarce(freedom) or variance <= _NO_SPREAD * naive:
            return math.sqrt(max(naive, 0.0) / self._fitted.block_weight), MANY
        return math.sqrt(variance), freedom
