"""Elo of one bot against another from counts of results: of single games (trinomial) or of whole blocks (pentanomial).

Counts ascend by score: losses, draws, wins; or blocks of two games with 0, 1/2, 1, 3/2 and 2 points. The games of a
block share its opening and are not independent. Where there are blocks, only their counts give correct errors.

The logistic Elo of a mean score mu is -400 log10(1/mu - 1) (Elo, "The rating of chessplayers, past and present", 1978).
The normalized Elo measures the same mean in standard deviations of a game, so it determines the number of games that a
test takes (Van den Bergh, "Normalized Elo").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcts.errors import ParameterError
from mcts.primitives.confidence import CONFIDENCE_95

from .blocks import mean_score
from .confidence import half_width, least_share, probability_above_zero

ELO_PER_UNIT = 400.0 / math.log(10.0)
"""Elo of one unit of log odds, 173.718."""
NELO_PER_DEVIATION = 800.0 / math.log(10.0)
"""Normalized Elo of a mean score one standard deviation of a game above 1/2, 347.436."""
_FARTHEST = 6000.0
"""Elo beyond which scores equal 0 or 1 in floating point."""
CATEGORIES = {3: "losses, draws, wins", 5: "blocks of 0, 1/2, 1, 3/2, 2 points"}


@dataclass(frozen=True)
class EloEstimate:
    """Elo of one bot against another. Errors are half the width of 95 % intervals."""

    count: int
    """Number of games (trinomial) or blocks (pentanomial)."""
    score: float
    """Mean score, in [0, 1]."""
    elo: float
    """Elo of the mean score; at a score of 0 or 1, where that is infinite, the bias-reduced estimate (Firth 1993).
    Where returns count, the normalized Elo."""
    lower: float | None
    """Lower end of the 95 % interval of the Elo; None at a score of 0."""
    upper: float | None
    """Upper end of the 95 % interval of the Elo; None at a score of 1."""
    error: float | None
    """Half of the distance from lower to upper; None where one of them is missing."""
    nelo: float | None
    """Normalized Elo; None without spread."""
    nelo_error: float | None
    """Error of `nelo`."""
    los: float | None
    """Likelihood of superiority; None where all results were the same and neither all won nor all lost."""


def elo_of_score(score: float) -> float | None:
    """Return the logistic Elo of a mean score; None outside of (0, 1)."""
    return _logistic(score) if 0.0 < score < 1.0 else None


def score_of_elo(elo: float) -> float:
    """Return the mean score of a logistic Elo."""
    from scipy.special import expit  # 25 MB, which processes that only play do not need

    return float(expit(elo / ELO_PER_UNIT))


def games_in(categories: int) -> int:
    """Return the number of games of one count: 1 in a trinomial, 2 in a pentanomial."""
    return (categories - 1) // 2


def check_counts(counts: Sequence[float]) -> None:
    """Raise ParameterError unless counts are a trinomial or a pentanomial."""
    if len(counts) not in CATEGORIES:
        valid = "; ".join(f"{number} ({names})" for number, names in CATEGORIES.items())
        raise ParameterError(f"{list(counts)} has {len(counts)} counts; valid: {valid}")
    if not all(0 <= count < math.inf for count in counts):
        raise ParameterError(f"counts={list(counts)} contains a number that is negative or not finite; valid: 0 and up")


def estimate_elo(counts: Sequence[int]) -> EloEstimate | None:
    """Return Elo, normalized Elo and likelihood of superiority of one bot against another.

    Args:
        counts: [L, D, W] of games or [LL, LD, DD+WL, WD, WW] of blocks.

    Returns:
        The estimate; None without results. The interval comes from the spread of the results, by Student's
        distribution where they are few. Where that interval leaves the range of scores, or all games were won or lost,
        it comes from the penalised profile likelihood (Heinze and Schemper 2002), with each count as one observation.
        Where all results were the same and neither won nor lost, it is that of Clopper and Pearson for an event that
        happened every time.

    Raises:
        ParameterError: the counts are not a trinomial or a pentanomial.
    """
    check_counts(counts)
    count = sum(counts)
    if not count:
        return None
    top = len(counts) - 1
    score = sum(times * step for step, times in enumerate(counts)) / (count * top)
    variance = sum(times * (step / top - score) ** 2 for step, times in enumerate(counts)) / count
    if 0 < score < 1 and max(counts) == count:
        share = least_share(count)
        lower, upper = elo_of_score(score * share), elo_of_score(1 - (1 - score) * share)
        return EloEstimate(count, score, _logistic(score), lower, upper, _error(lower, upper), None, None, None)
    if score in (0, 1):
        games = count * games_in(len(counts))
        elo = _logistic((score * games + 0.5) / (games + 1))
        lower, upper = _penalised_interval(score, count)
        return EloEstimate(count, score, elo, lower, upper, None, None, None, _penalised_los(score, count))
    standard_error = math.sqrt(variance / count)
    width = half_width(count - 1)
    assert width is not None  # there are at least two results
    lower, upper = elo_of_score(score - width * standard_error), elo_of_score(score + width * standard_error)
    likely = probability_above_zero(score - 0.5, standard_error, count - 1)
    if lower is None or upper is None:
        lower, upper = _penalised_interval(score, count)
        likely = _penalised_los(score, count)
    deviations = (score - 0.5) / math.sqrt(games_in(len(counts)) * variance)
    return EloEstimate(
        count,
        score,
        _logistic(score),
        lower,
        upper,
        _error(lower, upper),
        NELO_PER_DEVIATION * deviations,
        NELO_PER_DEVIATION * width / math.sqrt(games_in(len(counts)) * count),
        likely,
    )


def estimate_normalized(scores: Mapping[float, int], games: int) -> EloEstimate | None:
    """Return the normalized Elo of one bot against another, for scores of blocks by returns.

    Args:
        scores: number of blocks by their score, 0 to 1.
        games: number of games of a block.

    Returns:
        The estimate, whose `elo` is the normalized one; None without a spread of the blocks, which it needs.
    """
    count = sum(scores.values())
    width = half_width(count - 1)
    if width is None:
        return None
    mean = mean_score(scores)
    variance = math.fsum(times * (score - mean) ** 2 for score, times in scores.items()) / count
    if variance < 1e-18:
        return None
    nelo = NELO_PER_DEVIATION * (mean - 0.5) / math.sqrt(games * variance)
    error = NELO_PER_DEVIATION * width / math.sqrt(games * count)
    likely = probability_above_zero(mean - 0.5, math.sqrt(variance / count), count - 1)
    return EloEstimate(count, mean, nelo, nelo - error, nelo + error, error, nelo, error, likely)


def _logistic(score: float) -> float:
    """Return the logistic Elo of a mean score within (0, 1)."""
    return 400.0 * math.log10(score / (1.0 - score))


def _penalised(score: float, count: int, probability: float) -> float:
    """Return Firth's penalised log likelihood of a winning probability, given the mean score of `count` results."""
    from scipy.special import xlogy

    return float(xlogy(count * score + 0.5, probability) + xlogy(count * (1 - score) + 0.5, 1 - probability))


def _penalised_interval(score: float, count: int) -> tuple[float | None, float | None]:
    """Return the ends of the 95 % profile interval in Elo; None where the score is at that end of its range."""
    from scipy.optimize import brentq

    best = (count * score + 0.5) / (count + 1)
    least = _penalised(score, count, best) - CONFIDENCE_95**2 / 2

    def end(outer: float) -> float:
        found = brentq(lambda elo: _penalised(score, count, score_of_elo(elo)) - least, _logistic(best), outer)
        return float(found)

    return end(-_FARTHEST) if score > 0 else None, end(_FARTHEST) if score < 1 else None


def _penalised_los(score: float, count: int) -> float:
    """Return the likelihood of superiority by the signed root of the likelihood ratio (Barndorff-Nielsen 1986)."""
    from scipy.special import ndtr

    best = (count * score + 0.5) / (count + 1)
    root = math.sqrt(2 * (_penalised(score, count, best) - _penalised(score, count, 0.5)))
    return float(ndtr(math.copysign(root, score - 0.5)))


def _error(lower: float | None, upper: float | None) -> float | None:
    return None if lower is None or upper is None else (upper - lower) / 2
