"""Selection where several players decide at once, each among its own arms: a table of policies.

The kernel has the same table in `cext/search/policies/joint_selection_table.pxd`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from .search_state import SearchState
from .transpositions import refresh_cell
from .tree import Block, JointNode
from .values import VALUE_UNIT

LEAST_EXPLORATION = 0.005
"""Least probability of uniform play in regret matching."""
PRIOR_REGRET = 2.0
"""Regret of all arms together in a new node with priors."""
LED_EXPLORATION = 0.4
"""Share of the probability of uniform play with priors."""
MOST_CELLS = 1024
"""Most joint actions read to update one player's regrets."""


def lean_to_priors(block: Block, priors: list[float]) -> None:
    """Begin the regrets of a player in proportion to the priors of its actions."""
    block.regret = [PRIOR_REGRET * prior for prior in priors]


class JointSelection:
    """A selection policy where several players decide. A player with one action is not asked.

    Attributes:
        HAS_STRATEGY: `block.strategy` has the weights of the mixed strategy; without, they are numbers of visits.
        LEARNS_FROM_ANY: it learns from joint actions that it did not select too.
        TAKES_PRIORS: `block.regret` begins with the policies of a net.
    """

    HAS_STRATEGY = LEARNS_FROM_ANY = TAKES_PRIORS = False

    def select(self, search: SearchState, node: JointNode, block: Block) -> int:
        """Return the arm of a player."""
        raise NotImplementedError

    def update(self, search: SearchState, node: JointNode, chosen: tuple[int, ...]) -> None:
        """Learn from the value of a simulation, which has been added to the node and its cells.

        chosen: the arm of each player who decides.
        """


def exp3_strategy(block: Block, visit: float) -> tuple[list[float], float]:
    """Return (probabilities by exponential weights of the estimated gains, share of uniform play) at a visit.

    The share falls as if the visit were the horizon.
    """
    count = float(len(block.actions))
    share = min(1.0, math.sqrt(count * math.log(count) / (1.718281828459045 * visit)))
    highest = max(block.regret)
    weights = [math.exp(share / count * (gain - highest)) for gain in block.regret]
    total = 0.0
    for weight in weights:
        total += weight
    return [weight / total for weight in weights], share


class Exp3(JointSelection):
    """Exponential weights of estimated gains (Auer, Cesa-Bianchi, Freund and Schapire 2002)."""

    HAS_STRATEGY = True

    def select(self, search: SearchState, node: JointNode, block: Block) -> int:
        """Return an arm, drawn by its probability."""
        weights, share = exp3_strategy(block, node.visits + 1.0)
        draw = search.rng.unit()
        for arm, weight in enumerate(weights[:-1]):
            draw -= (1.0 - share) * weight + share / len(weights)
            if draw < 0.0:
                return arm
        return len(weights) - 1

    def update(self, search: SearchState, node: JointNode, chosen: tuple[int, ...]) -> None:
        """Estimate the gains of the chosen arms by importance. Add the strategies without their uniform share."""
        for block, arm in zip(node.blocks, chosen, strict=True):
            if len(block.actions) == 1:
                block.strategy[0] += 1.0
                continue
            weights, share = exp3_strategy(block, float(node.visits))
            gain = search.value[block.player] * VALUE_UNIT
            block.regret[arm] += gain / ((1.0 - share) * weights[arm] + share / len(weights))
            for number, weight in enumerate(weights):
                block.strategy[number] += weight


@dataclass
class _Mixture:
    """The strategy of regret matching in one block: the arms of positive probability."""

    arms: list[int]
    weights: list[float]


def _strategy(block: Block) -> _Mixture:
    """Return the strategy in proportion to regrets, uniform if there are none."""
    total = 0.0
    for regret in block.regret:
        total += regret
    if total <= 0.0:
        count = len(block.actions)
        return _Mixture(list(range(count)), [1.0 / count] * count)
    arms = [arm for arm, regret in enumerate(block.regret) if regret > 0.0]
    return _Mixture(arms, [block.regret[arm] / total for arm in arms])


def _expected(
    search: SearchState, node: JointNode, own: int, mixtures: list[_Mixture], chosen: tuple[int, ...]
) -> list[float]:
    """Return the expected value of every arm of one block over the others' mixtures, by the means of joint actions.

    If more than MOST_CELLS joint actions would have to be read, the others' arms of this simulation replace their
    mixtures. A joint action that was never visited has its proven value, else the mean of the node.
    """
    block = node.blocks[own]
    unknown = node.sums[block.player] * VALUE_UNIT / node.visits

    def mean(arms: list[int]) -> float:
        cell = node.cells.get(tuple(arms))
        if cell is not None and cell.visits:
            if search.transpositions:
                refresh_cell(search, node, cell)
            return cell.sums[block.player] * VALUE_UNIT / cell.visits
        if cell is not None and cell.child is not None and cell.child.proven and search.solver:
            return cell.child.lower[block.player] * VALUE_UNIT
        return unknown

    others = [other for other in range(len(node.blocks)) if other != own]
    looks = math.prod((len(mixtures[other].arms) for other in others), start=len(block.actions))
    if looks > MOST_CELLS:
        return [mean([*chosen[:own], arm, *chosen[own + 1 :]]) for arm in range(len(block.actions))]
    expected = [0.0] * len(block.actions)
    # The first of the others changes fastest: the order of adding is the kernel's.
    for backwards in itertools.product(*(range(len(mixtures[other].arms)) for other in reversed(others))):
        weight = 1.0
        arms = list(chosen)
        for other, at in zip(others, reversed(backwards), strict=True):
            weight *= mixtures[other].weights[at]
            arms[other] = mixtures[other].arms[at]
        for arm in range(len(block.actions)):
            arms[own] = arm
            expected[arm] += weight * mean(arms)
    return expected


class RegretMatching(JointSelection):
    """Regret matching plus, with linear averaging (Tammelin 2014)."""

    HAS_STRATEGY = LEARNS_FROM_ANY = TAKES_PRIORS = True

    def select(self, search: SearchState, node: JointNode, block: Block) -> int:
        """Return an arm in proportion to its regret (Hart and Mas-Colell 2000).

        With probability max(.005, share * t^-1/2) at the t-th visit it is any arm.
        """
        total = 0.0
        for regret in block.regret:
            total += regret
        share = LED_EXPLORATION if search.has_policies else 1.0
        gamma = max(LEAST_EXPLORATION, share / math.sqrt(node.visits + 1.0))
        draw = search.rng.unit()
        if total <= 0.0 or draw < gamma:
            return search.rng.below(len(block.actions))
        draw = (draw - gamma) / (1.0 - gamma) * total
        last = 0
        for arm, regret in enumerate(block.regret):
            if regret > 0.0:
                last = arm
                draw -= regret
                if draw < 0.0:
                    break
        return last

    def update(self, search: SearchState, node: JointNode, chosen: tuple[int, ...]) -> None:
        """Update regrets and strategies: the strategy of the t-th visit counts t times."""
        mixtures = [_strategy(block) for block in node.blocks]
        expected = [_expected(search, node, own, mixtures, chosen) for own in range(len(node.blocks))]
        for block, mixture, worth in zip(node.blocks, mixtures, expected, strict=True):
            mean = 0.0
            for arm, weight in zip(mixture.arms, mixture.weights, strict=True):
                mean += weight * worth[arm]
                block.strategy[arm] += node.visits * weight
            block.regret = [max(0.0, regret + worth[arm] - mean) for arm, regret in enumerate(block.regret)]


JOINT_SELECTIONS: dict[str, JointSelection] = {"regret_matching": RegretMatching(), "exp3": Exp3()}


def register_joint_selection(name: str, policy: JointSelection) -> None:
    """Make a policy known to `ReferenceSearch` under a name. A policy of the same name is replaced."""
    JOINT_SELECTIONS[name] = policy


def policy_of(search: SearchState) -> JointSelection:
    """Return the policy of a search where several players decide."""
    return JOINT_SELECTIONS[search.joint_selection]
