"""Verdicts about the times of B relative to those of A, from samples of both."""

import math
from dataclasses import dataclass
from statistics import median

import numpy as np

from bots.benchmark.result_file import ResultFileError

from .intervals import LEAST_SAMPLES, Interval, ratio_of_groups, ratio_of_pairs

FASTER, SLOWER = "faster", "slower"
NO_DIFFERENCE, TOO_NOISY, TOO_FEW = "no difference shown", "too noisy", "too few passes"
OVERALL = "all together"
ERROR = 0.05
SEED = 1
"""Of the bootstrap: the same samples give the same verdict."""


@dataclass(frozen=True)
class Rule:
    """Limits that decide what counts as a difference."""

    tolerance: float = 0.01
    """A version is slower or faster if the whole interval of the ratio lies beyond this share from 1."""
    precision: float = 0.05
    """An interval that reaches further than this share from its estimate is too noisy to show that nothing differs."""
    shared_error: bool = True
    """True if all intervals together hold with 95 % confidence, False if each alone does."""

    def verdict(self, interval):
        """Return the verdict of an interval."""
        if interval.low > 1 + self.tolerance:
            return SLOWER
        if interval.high < 1 / (1 + self.tolerance):
            return FASTER
        reach = (
            max(interval.high / interval.estimate, interval.estimate / interval.low) if interval.low > 0 else math.inf
        )
        return NO_DIFFERENCE if reach <= 1 + self.precision else TOO_NOISY


@dataclass(frozen=True)
class Verdict:
    """The verdict about one benchmark."""

    name: str
    verdict: str
    ratio: float
    """Estimate of the time of B divided by the time of A."""
    interval: Interval | None
    """None for too few passes."""
    samples: int
    """Number of pairs, or of passes of the side that has fewer."""


class Samples:
    """Logarithms of the times of benchmarks.

    Args:
        pairs: name -> logarithms of ratios B / A, measured in pairs; or None.
        groups: name -> (logarithms of A, logarithms of B), measured apart; or None.
    """

    def __init__(self, pairs=None, groups=None):
        self.pairs = pairs
        self.groups = groups

    @property
    def is_paired(self):
        """True if A and B were measured in pairs."""
        return self.pairs is not None

    @property
    def names(self):
        """The names of the benchmarks."""
        return list(self.pairs if self.is_paired else self.groups)

    def size(self, name):
        """Return the number of samples of a benchmark."""
        return len(self.pairs[name]) if self.is_paired else min(map(len, self.groups[name]))

    def ratio(self, name):
        """Return the ratio of medians, or the median ratio."""
        if self.is_paired:
            return math.exp(median(self.pairs[name]))
        first, second = self.groups[name]
        return math.exp(median(second) - median(first))

    def interval(self, name, error, rng):
        """Return the interval of a benchmark."""
        if self.is_paired:
            return ratio_of_pairs(self.pairs[name], error, rng)
        first, second = self.groups[name]
        return ratio_of_groups(second, first, error, rng)

    def together(self, names):
        """Return the samples of the geometric mean over benchmarks: one for each pass that all of them have."""
        if self.is_paired:
            rows = zip(*(self.pairs[name] for name in names), strict=False)
            return Samples(pairs={OVERALL: [float(np.mean(row)) for row in rows]})
        sides = []
        for side in range(2):
            rows = zip(*(self.groups[name][side] for name in names), strict=False)
            sides.append([float(np.mean(row)) for row in rows])
        return Samples(groups={OVERALL: tuple(sides)})


def judge(samples, rule):
    """Return the verdicts about all benchmarks, and last the one about their geometric mean, if there are several."""
    enough = [name for name in samples.names if samples.size(name) >= LEAST_SAMPLES]
    many = len(enough) > 1
    error = ERROR / (len(enough) + many) if rule.shared_error and enough else ERROR
    rng = np.random.default_rng(SEED)

    def one(source, name):
        if source.size(name) < LEAST_SAMPLES:
            return Verdict(name, TOO_FEW, source.ratio(name), None, source.size(name))
        interval = source.interval(name, error, rng)
        return Verdict(name, rule.verdict(interval), interval.estimate, interval, source.size(name))

    found = [one(samples, name) for name in samples.names]
    return [*found, one(samples.together(enough), OVERALL)] if many else found


def samples_of_files(pairs):
    """Return the samples in pairs of files of results.

    The passes of two files of one alternating run are pairs. Other files are measurements apart, whose passes are the
    samples. Of several pairs of files, each pair is a sample.

    Args:
        pairs: list of (ResultFile of A, ResultFile of B).

    Raises:
        ResultFileError: no benchmark is in all files in the same size, or there are too few pairs.
    """
    names = _common_names([file for pair in pairs for file in pair])
    if len(pairs) > 1:
        if len(pairs) < LEAST_SAMPLES:
            raise ResultFileError(f"{len(pairs)} pairs of files; valid: one, or at least {LEAST_SAMPLES}")
        return Samples(pairs={name: [_log_ratio(first, second, name) for first, second in pairs] for name in names})
    ((first, second),) = pairs
    if "run" in first.machine and first.machine["run"] == second.machine.get("run"):
        return Samples(
            pairs={
                name: [b - a for a, b in zip(_logs(first, name), _logs(second, name), strict=False)] for name in names
            }
        )
    return Samples(groups={name: (_logs(first, name), _logs(second, name)) for name in names})


def _common_names(files):
    sizes = [{result.name: (result.unit, result.units) for result in file.results if result.seconds} for file in files]
    names = [name for name, size in sizes[0].items() if all(other.get(name) == size for other in sizes)]
    if not names:
        raise ResultFileError("no benchmark is in all files in the same size; valid: files of the same workloads")
    return names


def _logs(file, name):
    """Return the logarithm of the median time of each pass."""
    return [math.log(median(part)) for part in file.find(name).seconds]


def _log_ratio(first, second, name):
    return median(_logs(second, name)) - median(_logs(first, name))
