"""Selection where one player decides: a table of policies, each one function of the arms of a node.

The kernel has the same table in `cext/search/policies/selection_table.pxd`, with the same rules: when a policy is
asked, what it reads, and what it returns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .rng import Rng
from .tree import AmafTable, Arm, SingleNode
from .values import VALUE_UNIT

GRAVE_BIAS = np.float32(1e-5)
"""How fast a node's own mean outweighs its AMAF statistics."""
GRAVE_UNTRIED = np.float32(2.0)
"""Mean of an untried arm, higher than any other. With AMAF statistics of its action it has no weight."""


@dataclass
class Arms:
    """The input of a policy: a node and its arms."""

    node: SingleNode
    num_choices: int
    """Arms that may be returned: the tried ones, and all others if the policy chooses untried arms."""
    exploration: float
    rng: Rng
    amaf: AmafTable | None
    """Of the nearest node on the path that keeps them, with `needs_amaf`."""
    urgency: float | None = None
    """Value that untried arms are taken to have; None: the policy has its own."""
    reduction: float = 0.0
    """Taken from the policy's own value of untried arms."""
    grave_exploration: float = 0.0
    """Weight of the exploration term of GRAVE."""

    @property
    def tried(self) -> list[Arm]:
        """The arms with statistics, which come first."""
        return self.node.arms


@dataclass(frozen=True)
class Policy:
    """A selection policy."""

    select: Callable[[Arms], int]
    """Returns the number of an arm."""
    needs_amaf: bool = False
    """All-moves-as-first statistics."""
    needs_priors: bool = False
    """Priors of the actions."""
    chooses_untried: bool = False
    """The policy decides when to take an untried arm; else these come first."""


SELECTIONS: dict[str, Policy] = {}


def register_selection(
    name: str,
    select: Callable[[Arms], int],
    *,
    needs_amaf: bool = False,
    needs_priors: bool = False,
    chooses_untried: bool = False,
) -> None:
    """Make a policy known to `ReferenceSearch` under a name. A policy of the same name is replaced."""
    SELECTIONS[name] = Policy(select, needs_amaf, needs_priors, chooses_untried)


def best_arm(scores: list[float | None], lowest: float) -> int:
    """Return the first arm of the highest score above `lowest`, 0 if there is none. None: must not be chosen."""
    best, highest = 0, lowest
    for number, score in enumerate(scores):
        if score is not None and score > highest:
            best, highest = number, score
    return best


def ucb1(arms: Arms) -> int:
    """UCB1: highest mean + exploration * sqrt(ln N / n), in float32 (Auer, Cesa-Bianchi and Fischer 2002)."""
    return best_arm([float(bound) for bound in ucb1_bounds(arms.node, arms.exploration)], -1.0)


def exploration_weight(node: SingleNode, exploration: float) -> np.float32:
    """Return exploration * sqrt(ln N) in float32."""
    return np.float32(exploration) * np.float32(math.sqrt(math.log(max(node.visits, 1))))


def ucb1_bounds(node: SingleNode, exploration: float) -> list[np.float32]:
    """Return the upper bound of each tried arm."""
    weight = exploration_weight(node, exploration)
    return [arm.mean + weight * arm.width for arm in node.arms]


def puct(arms: Arms) -> int:
    """PUCT: highest mean + exploration * prior * sqrt(N) / (1 + n) (Rosin 2011).

    Untried arms have the node's mean less `reduction` * sqrt(P), where P is the sum of the priors of the arms with
    visits; or the value `urgency`. Only the first untried arm matters: they are in falling order of their priors.
    """
    node, tried = arms.node, arms.tried
    unknown = node.sums[node.mover] * VALUE_UNIT / node.visits if node.visits else 0.5
    if arms.urgency is not None:
        unknown = arms.urgency
    elif arms.reduction > 0.0:
        known = 0.0
        for arm in tried:
            known += float(arm.prior) if arm.visits else 0.0
        unknown -= arms.reduction * math.sqrt(known)
    total = arms.exploration * math.sqrt(1.0 + sum(arm.visits for arm in tried))
    scores: list[float | None] = [
        float(arm.mean) + float(arm.prior) * total / (1.0 + arm.visits) if arm.mean >= 0.0 else None for arm in tried
    ]
    if arms.num_choices > len(tried):
        scores.append(unknown + float(node.prior_of(node.actions[len(tried)])) * total)
    return best_arm(scores, -math.inf)


def grave(arms: Arms) -> int:
    """GRAVE: highest mean, mixed with the mean of the arm's action wherever it was played (Cazenave 2015).

    In float32. The weight of the AMAF mean is p / (p + n + bias * p * n) after n visits of an arm and p of its action.
    Untried arms without AMAF statistics come first; of arms with equal scores, that of the lowest action. With a weight
    of exploration c, each score has c * sqrt(ln N / n) more, for at least one visit n.
    """
    assert arms.amaf is not None
    node, best, highest = arms.node, 0, -1.0
    weight = exploration_weight(node, arms.grave_exploration)
    for number, action in enumerate(node.actions[: arms.num_choices]):
        known = arms.amaf.of(node.mover, action)
        tried = number < len(arms.tried)
        mean = arms.tried[number].mean if tried else GRAVE_UNTRIED
        visits = np.float32(arms.tried[number].visits if tried else 0)
        total = max((known.visits + visits) + (GRAVE_BIAS * known.visits) * visits, np.float32(1.0))
        mixed = mean + (known.value - known.visits * mean) / total
        score = float(mixed + weight / np.sqrt(max(visits, np.float32(1.0))))
        if mean >= 0.0 and (score > highest or (score == highest and action < node.actions[best])):
            best, highest = number, score
    return best


register_selection("ucb1", ucb1)
register_selection("puct", puct, needs_priors=True, chooses_untried=True)
register_selection("grave", grave, needs_amaf=True, chooses_untried=True)
