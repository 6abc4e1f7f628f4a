"""The sequential test of two bots: is the difference elo0 or elo1? It stops as soon as the results decide.

The test is that of Wald, "Sequential tests of statistical hypotheses" (1945), with the generalised likelihood ratio of
the counts of results: under each hypothesis, the distribution of results is the likeliest one that has the hypothetical
Elo (`divergence.py`). Source: Van den Bergh, "A practical introduction to the GSPRT" and "normalized_elo_practical".

Results must be counted in the order of the schedule, without gaps. Short games finish first, and counting them first
would bias the test.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from mcts.errors import ParameterError

from .divergence import divergence_at_deviations, divergence_at_mean
from .elo import NELO_PER_DEVIATION, check_counts, games_in, score_of_elo

Model = Literal["normalized", "logistic"]
Hypothesis = Literal["H0", "H1"]

NEVER_SEEN = 1e-3
"""Replaces a count of 0, so that no result is impossible."""
_FARTHEST = 10_000.0
"""Greatest normalized Elo of a hypothesis, either way."""


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
            if not abs(elo) <= _FARTHEST or (self.model == "logistic" and not 0 < score_of_elo(elo) < 1):
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

    def llr(self, counts: Sequence[int]) -> float:
        """Return the log likelihood ratio of H1 to H0; 0 without results.

        Args:
            counts: [LL, LD, DD+WL, WD, WW] of blocks of two games, or [L, D, W] of independent games.

        Raises:
            ParameterError: the counts are not a trinomial or a pentanomial.
        """
        check_counts(counts)
        top = len(counts) - 1
        return self._ratio({step / top: count for step, count in enumerate(counts)}, games_in(len(counts)))

    def llr_of_scores(self, counts: Mapping[float, int], games: int) -> float:
        """Return the log likelihood ratio of H1 to H0 from blocks of any scores; 0 without results.

        The score farthest from 1/2 is possible on the other side too, even if it is missing there. For normalized Elo,
        the ratio therefore does not depend on the unit of the scores.

        Args:
            counts: number of blocks by their score in [0, 1].
            games: number of games of a block, 1 and up.
        """
        far = max((abs(score - 0.5) for score, times in counts.items() if times), default=0.0)
        if not far or self.model == "logistic":  # whose hypotheses may be beyond all scores seen
            far = 0.5
        return self._ratio({round(0.5 - far, 12): 0, round(0.5 + far, 12): 0, **counts}, games)

    def decide(self, counts: Sequence[int]) -> Hypothesis | None:
        """Return the accepted hypothesis, None while the test continues. Arguments and errors are those of `llr`."""
        return self.verdict(self.llr(counts))

    def verdict(self, llr: float) -> Hypothesis | None:
        """Return the hypothesis that a log likelihood ratio accepts, None if it accepts none."""
        if self.lower < llr < self.upper:
            return None
        return "H0" if llr <= self.lower else "H1"

    def _ratio(self, counts: Mapping[float, int], games: int) -> float:
        if not any(counts.values()):
            return 0.0
        scores = sorted(counts)
        seen = [float(counts[score]) or NEVER_SEEN for score in scores]
        total = math.fsum(seen)
        observed = [count / total for count in seen]
        return total * (
            self._divergence(self.elo0, observed, scores, games) - self._divergence(self.elo1, observed, scores, games)
        )

    def _divergence(self, elo: float, observed: Sequence[float], scores: Sequence[float], games: int) -> float:
        if self.model == "logistic":
            return divergence_at_mean(observed, scores, score_of_elo(elo))
        return divergence_at_deviations(observed, scores, elo * math.sqrt(games) / NELO_PER_DEVIATION)
