"""Widths of 95 % intervals that come from the spread of few or many blocks.

Student, "The probable error of a mean" (1908).
"""

from __future__ import annotations

import math

from mcts.primitives.confidence import CONFIDENCE, CONFIDENCE_95

CONFIDENCE_TEXT = f"{100 * CONFIDENCE:g} %"
"""The same in texts: 95 %."""
MANY = 100
"""Degrees of freedom from which the normal distribution replaces Student's, which is wider by 1.2 % here."""


def half_width(freedom: int) -> float | None:
    """Return half the width of a 95 % interval in standard errors.

    Args:
        freedom: number of blocks minus number of fitted parameters.

    Returns:
        The factor for standard errors from mean squares that are not corrected for fitted parameters: below `MANY`
        degrees of freedom it includes the correction. None without degrees of freedom.
    """
    if freedom < 1:
        return None
    if freedom >= MANY:
        return CONFIDENCE_95
    from scipy.special import stdtrit  # takes longer to import than all that a process which only plays needs

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2)) * math.sqrt((freedom + 1) / freedom)


def probability_above_zero(estimate: float, standard_error: float, freedom: int) -> float | None:
    """Return the probability that a difference is above 0 (likelihood of superiority); None without a spread."""
    if freedom < 1 or standard_error <= 0:
        return None
    from scipy.special import ndtr, stdtr

    if freedom >= MANY:
        return float(ndtr(estimate / standard_error))
    return float(stdtr(freedom, estimate / standard_error * math.sqrt(freedom / (freedom + 1))))


def least_share(times: int) -> float:
    """Return the lower end of the 95 % interval of the probability of an event that happened every time.

    Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial" (1934).

    Args:
        times: number of times, 1 and up.
    """
    return float(((1 - CONFIDENCE) / 2) ** (1 / times))
