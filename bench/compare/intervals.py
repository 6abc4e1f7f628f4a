"""Confidence intervals of the ratio of two times, by a bootstrap.

Times have long tails: now and then a round takes twice as long because something else ran. Logarithms of times or of
ratios are therefore summarised by their trimmed mean, without the lowest and the highest fifth. Its interval comes from
the symmetric bootstrap of the studentised trimmed mean, with the winsorised variance (Wilcox, "Introduction to Robust
Estimation and Hypothesis Testing", chapters 4 and 5).
"""

import math
from typing import NamedTuple

import numpy as np

TRIM = 0.2
"""Share that is cut off at either end."""
RESAMPLES = 10_000
LEAST_SAMPLES = 8
"""Fewest samples of an interval. With fewer, many resamples have no spread, and no interval is finite."""


class Interval(NamedTuple):
    """A ratio of times with its confidence interval."""

    estimate: float
    low: float
    high: float


def trimmed_mean(samples):
    """Return the trimmed mean and its squared standard error, along the last axis.

    Args:
        samples: array [..., n].
    """
    size = samples.shape[-1]
    cut = int(TRIM * size)
    ordered = np.sort(samples, axis=-1)
    kept = ordered[..., cut : size - cut]
    winsorised = np.clip(ordered, kept[..., :1], kept[..., -1:])
    share = 1 - 2 * cut / size
    return kept.mean(axis=-1), winsorised.var(axis=-1, ddof=1) / (share**2 * size)


def ratio_of_pairs(log_ratios, error, rng):
    """Return the interval of a ratio from paired measurements.

    Args:
        log_ratios: logarithm of the ratio of each pair, at least LEAST_SAMPLES.
        error: probability that the interval misses the ratio.
        rng: numpy.random.Generator.
    """
    return _interval([np.asarray(log_ratios, dtype=float)], error, rng)


def ratio_of_groups(logs, base_logs, error, rng):
    """Return the interval of the ratio of two groups of independent measurements, like `ratio_of_pairs`.

    Args:
        logs: logarithms of the times of one group.
        base_logs: those of the group that it is divided by.
    """
    return _interval([np.asarray(logs, dtype=float), np.asarray(base_logs, dtype=float)], error, rng)


def _interval(groups, error, rng):
    """Return the interval of the exponential of the first trimmed mean minus the second, which may be missing."""
    for group in groups:
        if len(group) < LEAST_SAMPLES:
            raise ValueError(f"{len(group)} samples; valid: at least {LEAST_SAMPLES}")
    centre, variance = _difference(groups)
    resampled = [rng.choice(group, size=(RESAMPLES, len(group))) for group in groups]
    centres, variances = _difference(resampled)
    shifts = np.abs(centres - centre)
    # A resample of equal values has no spread. Its shift is then infinitely unlikely, which widens the interval.
    scaled = np.divide(shifts, np.sqrt(variances), out=np.full(RESAMPLES, np.inf), where=variances > 0)
    scaled[shifts == 0] = 0
    reach = np.quantile(scaled, 1 - error, method="higher") * math.sqrt(variance) if variance > 0 else 0.0
    return Interval(math.exp(centre), _exp(centre - reach), _exp(centre + reach))


def _difference(groups):
    means, variances = zip(*(trimmed_mean(group) for group in groups), strict=True)
    return (means[0] - means[1] if len(means) > 1 else means[0]), sum(variances)


def _exp(number):
    """Return the exponential; infinity where it is too large for a float."""
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf
