"""How wide 95 % intervals are, where they come from a spread of few or many blocks."""

from __future__ import annotations

import math

from scipy.special import ndtr, ndtri, stdtr, stdtrit

CONFIDENCE = 0.95
CONFIDENCE_95 = float(ndtri((1 + CONFIDENCE) / 2))
"""Standard errors on either side of a 95 % interval, of many blocks: 1.96."""
MANY = 100
"""From here on, the normal distribution does for Student's (which is wider by 1.2 % at this number)."""


def half_width(freedom: int) -> float | None:
    """Standard errors on either side of a 95 % interval.

    Args:
        freedom: blocks less the parameters that were fitted to them.

    Returns:
        The number for standard errors that come from mean squares without a correction for fitted parameters: the
        correction is in it where there are few. None where nothing can be told of the spread.
    """
    if freedom < 1:
        return None
    if freedom >= MANY:
        return CONFIDENCE_95
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * math.sqrt((freedom + 1) / freedom)


def probability_above_zero(estimate: float, standard_error: float, freedom: int) -> float | None:
    """How likely a difference is to be above 0 (the likelihood of superiority); None where that cannot be told."""
    if freedom < 1 or standard_error <= 0:
        return None
    if freedom >= MANY:
        return float(ndtr(estimate / standard_error))
    return float(stdtr(freedom, estimate / standard_error * math.sqrt(freedom / (freedom + 1))))


def least_share(times: int) -> float:
    """Lower end of the 95 % interval of the probability of what happened every time (Clopper and Pearson 1934).

    Args:
        times: how often, 1 and up.
    """
    return float(((1 - CONFIDENCE) / 2) ** (1 / times))
