"""The one rule for the action that is played: from the visits, values and proven bounds of the root's arms.

The compiled search has a twin of `undominated` with `most_visits`, `leading_arm` in cext/search/statistics.pyx, which
makes the principal variation. That begins with the action that is played.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Arm(NamedTuple):
    """Statistics of one action at the root."""

    action: int
    visits: int
    """Simulations that chose the action."""
    mean: float | None
    """Mean return of the deciding player, on the game's own scale; None if never tried, unless it is proven."""
    weight: float
    """Share in the policy, not normalised, at least 0."""
    half_width: float = math.inf
    """Half the width of a 95 % confidence interval of the mean, on the game's own scale."""
    lower: float = -math.inf
    """Proven lower bound of the player's return."""
    upper: float = math.inf
    """Proven upper bound of the player's return."""


def by_visits(arms: Sequence[Arm], temperature: float) -> dict[int, float]:
    """Return action -> probability in proportion to visits^(1 / temperature), among the undominated arms.

    The temperature is positive. 1 gives probabilities in proportion to visits, and a small one the most visited action.
    Without a visit, the safest action has probability 1.
    """
    live = undominated(arms)
    most = max(arm.visits for arm in live)
    if most == 0:
        return {arm.action: float(arm is safest(arms)) for arm in arms}
    shares = {arm.action: (arm.visits / most) ** (1.0 / temperature) for arm in live}
    total = math.fsum(shares.values())
    return {arm.action: shares.get(arm.action, 0.0) / total for arm in arms}


def mixture(arms: Sequence[Arm]) -> dict[int, float]:
    """Return action -> probability in proportion to the weights; uniform if all weights are 0."""
    total = math.fsum(arm.weight for arm in arms)
    if total <= 0.0:
        return {arm.action: 1.0 / len(arms) for arm in arms}
    return {arm.action: arm.weight / total for arm in arms}


def draw(probabilities: Mapping[int, float], seed: int) -> int:
    """Return an action drawn with its probability."""
    unit = random.Random(seed).random()
    chosen = next(iter(probabilities))
    for action, probability in probabilities.items():
        if probability > 0.0:
            chosen = action
            unit -= probability
            if unit < 0.0:
                break
    return chosen


def safest(arms: Sequence[Arm]) -> Arm:
    """Return the arm of the highest lower bound; among equals the most visited, then the lowest action."""
    return max(arms, key=lambda arm: (arm.lower, arm.visits, -arm.action))


def undominated(arms: Sequence[Arm]) -> list[Arm]:
    """Return the arms that may be best: the safest arm, and the arms that may return more.

    An arm may return more than the safest one unless its upper bound is not above, or its mean below, the lower bound
    of the safest arm.
    """
    sure = safest(arms)
    return [arm for arm in arms if arm is sure or (arm.upper > sure.lower and not _mean(arm) < sure.lower)]


def without_dominated(arms: Sequence[Arm]) -> tuple[Arm, ...]:
    """Return the arms with the weights of dominated arms moved to the safest arm.

    A solver does not visit arms any more once they cannot matter, so that visits alone would give a wrong policy. Arms
    without visits may have weights in an improved policy.
    """
    sure, kept = safest(arms), {arm.action for arm in undominated(arms)}
    kept |= {arm.action for arm in arms if arm.mean is None and arm.upper > sure.lower}
    weight = sure.weight + math.fsum(arm.weight for arm in arms if arm.action not in kept)
    if weight == 0.0 and sure.lower >= max(arm.upper for arm in arms):
        weight = 1.0  # proven without a visit
    return tuple(
        arm._replace(weight=weight) if arm is sure else arm if arm.action in kept else arm._replace(weight=0.0)
        for arm in arms
    )


def _mean(arm: Arm) -> float:
    return -math.inf if arm.mean is None else arm.mean


def most_visits(arms: Sequence[Arm]) -> int:
    """Return the most visited action; among equals that of the highest mean, then the lowest."""
    return max(arms, key=lambda arm: (arm.visits, _mean(arm), -arm.action)).action


def highest_value(arms: Sequence[Arm]) -> int:
    """Return the action of the highest mean; among equals the most visited, then the lowest."""
    return max(arms, key=lambda arm: (_mean(arm), arm.visits, -arm.action)).action


def highest_lower_bound(arms: Sequence[Arm]) -> int:
    """Return the action whose confidence interval has the highest lower end; among equals as `highest_value`."""
    return max(arms, key=lambda arm: (_mean(arm) - arm.half_width, arm.visits, -arm.action)).action


RULES: dict[str, Callable[[Sequence[Arm]], int]] = {
    "visits": most_visits,
    "value": highest_value,
    "lcb": highest_lower_bound,
}
"""Name -> the choice among undominated arms."""
FINALS = (*RULES, "mixed")
"""The values of the parameter `final`; `mixed` draws the action from the mixture."""


def best_action(arms: Sequence[Arm], final: str) -> int:
    """Return the action to play by one of `RULES`."""
    return RULES[final](undominated(arms))
