"""How an answer is read off the statistics of the root's arms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Arm:
    """One action at the root."""

    action: int
    visits: int
    """Simulations that chose it."""
    mean: float | None
    """Mean return of the player who chooses, on the game's scale; None if never tried, unless it is proven."""
    weight: float
    """Its share in the mixed strategy, not normalised, at least 0."""
    half_width: float = math.inf
    """Half the width of a confidence interval round the mean, on the game's scale."""
    lower: float = -math.inf
    """Proven lower bound of the player's return."""
    upper: float = math.inf
    """Proven upper bound of the player's return."""


def mixture(arms: Sequence[Arm]) -> dict[int, float]:
    """Action -> probability in proportion to the weights; uniform while nothing is known."""
    total = math.fsum(arm.weight for arm in arms)
    if total <= 0.0:
        return {arm.action: 1.0 / len(arms) for arm in arms}
    return {arm.action: arm.weight / total for arm in arms}


def draw(arms: Sequence[Arm], unit: float) -> int:
    """The action that a number in [0, 1) picks from the mixture."""
    chosen = arms[0].action
    for action, probability in mixture(arms).items():
        if probability > 0.0:
            chosen = action
            unit -= probability
            if unit < 0.0:
                break
    return chosen


def undominated(arms: Sequence[Arm]) -> list[Arm]:
    """The arms that may still be best: without those that are proven, or seem, to bring less than another surely does.

    An arm that is proven to bring no more than the surest is left out too, since it is searched no further.
    """
    surest = max(arms, key=lambda arm: (arm.lower, arm.visits, -arm.action))
    return [arm for arm in arms if arm is surest or (arm.upper > surest.lower and not _mean(arm) < surest.lower)]


def _mean(arm: Arm) -> float:
    return -math.inf if arm.mean is None else arm.mean


def most_visits(arms: Sequence[Arm]) -> int:
    """The most visited action; of equals the one of higher mean, then the lower action."""
    return max(arms, key=lambda arm: (arm.visits, _mean(arm), -arm.action)).action


def highest_value(arms: Sequence[Arm]) -> int:
    """The action of the highest mean; of equals the more visited, then the lower action."""
    return max(arms, key=lambda arm: (_mean(arm), arm.visits, -arm.action)).action


def highest_lower_bound(arms: Sequence[Arm]) -> int:
    """The action with the highest lower end of its confidence interval; of equals the more visited, then the lower."""
    return max(arms, key=lambda arm: (_mean(arm) - arm.half_width, arm.visits, -arm.action)).action


SINGLE_FINALS: dict[str, Callable[[Sequence[Arm]], int]] = {
    "visits": most_visits,
    "value": highest_value,
    "lcb": highest_lower_bound,
}
FINALS = (*SINGLE_FINALS, "mixed")
"""How the action to play may be chosen; `mixed` draws it from the mixture."""
