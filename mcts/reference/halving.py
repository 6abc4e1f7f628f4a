"""Sequential halving with Gumbel noise at the root (Danihelka et al. 2022), as in `cext/search/halving.pyx`."""

from __future__ import annotations

import math
from collections.abc import Callable

from .rng import Rng
from .tree import SingleNode
from .values import VALUE_UNIT

VALUE_SCALE = 0.1
"""Scale of the weight of values."""
FIRST_VISITS = 50.0
"""Added to the visits of the most visited action in it."""


def visit_levels(considered: int, simulations: int) -> list[int]:
    """Return for each simulation how often the actions among which it chooses have been visited.

    Each round divides its share of the simulations evenly among the actions of the round before, or the better half.
    """
    rounds = max(1, math.ceil(math.log2(considered)))
    least, level, found = min(2, considered), 0, list[int]()
    while len(found) < simulations:
        for _ in range(max(1, simulations // (rounds * considered))):
            found += [level] * considered
            level += 1
        considered = max(least, considered // 2)
    return found[:simulations]


class Halving:
    """The choice at a root where one player decides.

    Args:
        root: the root, with its priors.
        value: of the root by the net, to the player who decides, in [0, 1].
        most: actions that are considered at first, at most.
        noise: scale of the Gumbel noise.
        simulations: of the run.
        rng: of the search.
    """

    def __init__(self, root: SingleNode, value: float, most: int, noise: float, simulations: int, rng: Rng) -> None:
        self._root = root
        self._value = value
        self._levels = visit_levels(min(most, len(root.actions)), simulations)
        self._chosen = dict.fromkeys(root.actions, 0)
        self._base = {
            action: self._logit(action) - noise * math.log(-math.log(1.0 - rng.unit())) for action in root.actions
        }

    def select(self, room: bool) -> int:
        """Return the number of the arm that the schedule takes next. room: untried arms may be taken."""
        level = self._levels[sum(self._chosen.values())]
        return max(self._find(room, lambda action: int(self._chosen[action] == level)), 0)

    def count(self, arm: int) -> None:
        """Count a simulation that has ended."""
        self._chosen[self._root.actions[arm]] += 1

    def best(self) -> int:
        """Return the action to play, where nothing is proven: of those of most visits the one of the greatest score."""
        return self._root.actions[self._find(False, self._chosen.__getitem__)]

    def policy(self) -> list[float]:
        """Return the weights of the actions in the improved policy, in the order of the root. The greatest is 1."""
        logits = [
            self._logit(action) + self._weight() * self._completed(number)
            for number, action in enumerate(self._root.actions)
        ]
        return [math.exp(logit - max(logits)) for logit in logits]

    def _find(self, room: bool, rank: Callable[[int], int]) -> int:
        """Return the arm of the greatest (rank of its action, score) that may be chosen, else -1."""
        root, best, top = self._root, -1, (-1, 0.0)
        for number, action in enumerate(root.actions if room else root.actions[: len(root.arms)]):
            if number < len(root.arms) and root.arms[number].mean < 0.0:
                continue
            score = (rank(action), self._base[action] + self._weight() * self._completed(number))
            if score > top:
                best, top = number, score
        return best

    def _logit(self, action: int) -> float:
        return math.log(float(self._root.prior_of(action)))

    def _weight(self) -> float:
        return VALUE_SCALE * (FIRST_VISITS + max(self._chosen.values()))

    def _completed(self, number: int) -> float:
        """Return the value of an action: what is proven, else the mean of its visits, else that of untried ones."""
        arms = self._root.arms
        if number < len(arms) and (child := arms[number].child) is not None and child.proven:
            return child.lower[self._root.mover] * VALUE_UNIT
        if number < len(arms) and arms[number].visits:
            return arms[number].value * VALUE_UNIT / arms[number].visits
        return self._untried()

    def _untried(self) -> float:
        """Return the value of the actions without visits."""
        visits, priors, values = 0, 0.0, 0.0
        for arm in self._root.arms:
            if arm.visits:
                visits += arm.visits
                priors += float(arm.prior)
                values += float(arm.prior) * (arm.value * VALUE_UNIT / arm.visits)
        return (self._value + visits * (values / priors)) / (1.0 + visits) if visits else self._value
