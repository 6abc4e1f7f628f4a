"""The sequential test of two bots: is the difference elo0 or elo1? It stops as soon as the results decide.

The test is that of Wald, "Sequential tests of statistical hypotheses" (1945), with the generalised likelihood ratio of
the counts of results. Under each hypothesis, the distribution of results is the likeliest one that has the hypothetical
Elo: p_i = p^_i / (1 + theta phi_i). Here p^ is the observed distribution, theta solves sum p^ phi / (1 + theta phi) = 0
and phi_i is the derivative of the Elo condition by p_i. For logistic Elo, phi_i = a_i - s, where a_i is the score of
result i and s the hypothetical mean score. For normalized Elo, phi depends on p, and both are iterated. Source: Van den
Bergh, "A practical introduction to the GSPRT" and "normalized_elo_practical".

Results must be counted in the order of the schedule, without gaps. Short games finish first, and counting them first
would bias the test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mcts.errors import ParameterError

from .elo import NELO_PER_DEVIATION, check_counts, games_in, score_of_elo

Model = Literal["normalized", "logistic"]
Hypothesis = Literal["H0", "H1"]

NEVER_SEEN = 1e-3
"""Replaces a count of 0, so that no result is impossible."""
_MAX_ITERATIONS = 1000
_STEP_TOLERANCE = 1e-9
_MAX_RESIDUAL = 1e-7
"""Greatest difference from the hypothetical Elo, in standard deviations."""


@dataclass(frozen=True)
class Sprt:
    """A test of elo0 (H0) against elo1 (H1).

    Args:
        elo0: difference in Elo under H0.
        elo1: difference in Elo under H1, above elo0.
        alpha: probability of accepting H1 if H0 is true, in (0, 0.5).
        beta: probability of accepting H0 if H1 is true, in (0, 0.5).
        model: unit of elo0 and elo1: normalized or logistic Elo.

    Raises:
        ParameterError: an argument is out of range.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        if self.model not in get_args(Model):
            raise ParameterError(f"model={self.model!r} is unknown; valid: {', '.join(get_args(Model))}")
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not math.isfinite(elo) or (self.model == "logistic" and not 0 < score_of_elo(elo) < 1):
                raise ParameterError(f"{name}={elo:g} is not a testable Elo; valid: a number such as 0 or 5")
        if not self.elo0 < self.elo1:
            raise ParameterError(f"elo0={self.elo0:g} and elo1={self.elo1:g}: valid: elo0 below elo1")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise ParameterError(f"{name}={rate:g} is not an error rate; valid: above 0, below 0.5")

    @property
    def lower(self) -> float:
        """The log likelihood ratio at and below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at and above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float | None:
        """Return the log likelihood ratio of H1 to H0.

        Args:
            counts: [LL, LD, DD+WL, WD, WW] of blocks of two games, or [L, D, W] of independent games.

        Returns:
            The ratio; 0 without results; None if it cannot be computed, and the test goes on.

        Raises:
            ParameterError: the counts are not a trinomial or a pentanomial.
        """
        check_counts(counts)
        if not any(counts):
            return 0.0
        regular = [float(count) or NEVER_SEEN for count in counts]
        total = sum(regular)
        observed = [count / total for count in regular]
        all_drawn = counts[len(counts) // 2] == sum(counts)
        under0 = self._likeliest(self.elo0, observed, all_drawn)
        under1 = self._likeliest(self.elo1, observed, all_drawn)
        if under0 is None or under1 is None:
            return None
        return total * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(observed, under0, under1, strict=True))

    def decide(self, counts: Sequence[int]) -> Hypothesis | None:
        """Return the accepted hypothesis, None while the test goes on. Arguments and errors are those of `llr`."""
        return self.verdict(self.llr(counts))

    def verdict(self, llr: float | None) -> Hypothesis | None:
        """Return the hypothesis that a log likelihood ratio accepts, None if it accepts none."""
        if llr is None or self.lower < llr < self.upper:
            return None
        return "H0" if llr <= self.lower else "H1"

    def _likeliest(self, elo: float, observed: Sequence[float], all_drawn: bool) -> list[float] | None:
        """Return the likeliest distribution of results with this Elo, None if none is found."""
        top = len(observed) - 1
        scores = [step / top for step in range(top + 1)]
        if self.model == "logistic":
            mean = score_of_elo(elo)
            return _tilted(observed, [a - mean for a in scores])
        deviations = elo * math.sqrt(games_in(len(observed))) / NELO_PER_DEVIATION
        uniform = [1 / len(observed)] * len(observed)
        # The iteration begins at the observed distribution, since a uniform start fails on lopsided results. If all
        # games were drawn, the observed distribution has almost no deviation, and the uniform one is the better start.
        first, second = (uniform, observed) if all_drawn else (observed, uniform)
        found = _with_deviations(observed, scores, deviations, first)
        return found if found is not None else _with_deviations(observed, scores, deviations, second)


def _with_deviations(
    observed: Sequence[float], scores: Sequence[float], deviations: float, start: Sequence[float]
) -> list[float] | None:
    """Return the likeliest distribution whose mean is this many of its own standard deviations above 1/2."""
    found: Sequence[float] = start
    for _ in range(_MAX_ITERATIONS):
        mean, deviation = _moments(scores, found)
        if deviation <= 0:
            return None
        phi = [a - 0.5 - deviations * deviation / 2 * (1 + ((a - mean) / deviation) ** 2) for a in scores]
        better = _tilted(observed, phi)
        if better is None:
            return None
        moved = max(abs(one - other) for one, other in zip(found, better, strict=True))
        found = better
        if moved < _STEP_TOLERANCE:
            break
    mean, deviation = _moments(scores, found)
    is_solved = abs(mean - 0.5 - deviations * deviation) <= _MAX_RESIDUAL * deviation and abs(sum(found) - 1) < 1e-9
    return list(found) if is_solved else None


def _moments(scores: Sequence[float], probabilities: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation."""
    mean = sum(a * p for a, p in zip(scores, probabilities, strict=True))
    return mean, math.sqrt(sum((a - mean) ** 2 * p for a, p in zip(scores, probabilities, strict=True)))


def _tilted(observed: Sequence[float], phi: Sequence[float]) -> list[float] | None:
    """Return p^ / (1 + theta phi) with the theta at which the mean of phi is 0; None if there is no such theta."""
    if not min(phi) < 0 < max(phi):
        return None
    low, high = -1 / max(phi), -1 / min(phi)  # between them, all probabilities are above 0 and the sum decreases
    theta = 0.0
    for _ in range(200):
        value = slope = 0.0
        for p, f in zip(observed, phi, strict=True):
            ratio = f / (1 + theta * f)
            value += p * ratio
            slope -= p * ratio * ratio
        if value > 0:
            low = theta
        else:
            high = theta
        better = theta - value / slope
        if not low < better < high:
            better = (low + high) / 2
        moved, theta = abs(better - theta), better
        if moved <= 1e-15 * (high - low) or moved <= 1e-14 * abs(theta):
            break
    return [p / (1 + theta * f) for p, f in zip(observed, phi, strict=True)]
