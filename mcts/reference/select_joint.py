"""Selection where several players decide at once, each among its own arms, and the update of their strategies."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from .rng import Rng
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


def select_regret_matching(node: JointNode, block: Block, rng: Rng, share: float) -> int:
    """Return an arm in proportion to its regret (Hart and Mas-Colell 2000).

    With probability max(.005, share * t^-1/2) at the t-th visit it is any arm.
    """
    total = 0.0
    for regret in block.regret:
        total += regret
    gamma = max(LEAST_EXPLORATION, share / math.sqrt(node.visits + 1.0))
    draw = rng.unit()
    if total <= 0.0 or draw < gamma:
        return rng.below(len(block.actions))
    draw = (draw - gamma) / (1.0 - gamma) * total
    last = 0
    for arm, regret in enumerate(block.regret):
        if regret > 0.0:
            last = arm
            draw -= regret
            if draw < 0.0:
                break
    return last


def select_decoupled(node: JointNode, block: Block, rng: Rng, exploration: float) -> int:
    """Return the arm of UCB1, as if the other players were chance; untried arms first, at random."""
    untried = [arm for arm, visits in enumerate(block.visits) if visits == 0]
    if untried:
        return untried[rng.below(len(untried))]
    log_visits = math.log(node.visits)
    best, highest = 0, -1.0
    for arm, visits in enumerate(block.visits):
        mean = block.value[arm] * VALUE_UNIT / visits
        score = mean + exploration * math.sqrt(log_visits / visits)
        if score > highest:
            best, highest = arm, score
    return best


def exp3_strategy(block: Block, visit: float) -> tuple[list[float], float]:
    """Return (probabilities by exponential weights of the estimated gains, share of uniform play) at a visit.

    Exp3 (Auer, Cesa-Bianchi, Freund and Schapire 2002) with the share falling as if the visit were the horizon.
    """
    count = float(len(block.actions))
    share = min(1.0, math.sqrt(count * math.log(count) / (1.718281828459045 * visit)))
    highest = max(block.regret)
    weights = [math.exp(share / count * (gain - highest)) for gain in block.regret]
    total = 0.0
    for weight in weights:
        total += weight
    return [weight / total for weight in weights], share


def select_exp3(node: JointNode, block: Block, rng: Rng) -> int:
    """Return an arm, drawn by its probability."""
    weights, share = exp3_strategy(block, node.visits + 1.0)
    draw = rng.unit()
    for arm, weight in enumerate(weights[:-1]):
        draw -= (1.0 - share) * weight + share / len(weights)
        if draw < 0.0:
            return arm
    return len(weights) - 1


def update_exp3(node: JointNode, block: Block, chosen: int, gain: float) -> None:
    """Estimate the chosen arm's gain by importance. Add the strategy without its uniform share to the average."""
    if len(block.actions) == 1:
        block.strategy[0] += 1.0
        return
    weights, share = exp3_strategy(block, float(node.visits))
    block.regret[chosen] += gain / ((1.0 - share) * weights[chosen] + share / len(weights))
    for arm, weight in enumerate(weights):
        block.strategy[arm] += weight


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


def update_regret_matching(search: SearchState, node: JointNode, chosen: tuple[int, ...]) -> None:
    """Regret matching plus with linear averaging (Tammelin 2014): the strategy of the t-th visit counts t times.

    chosen: the arms of the simulation, whose value must have been added to the node and its cells.
    """
    mixtures = [_strategy(block) for block in node.blocks]
    expected = [_expected(search, node, own, mixtures, chosen) for own in range(len(node.blocks))]
    for block, mixture, worth in zip(node.blocks, mixtures, expected, strict=True):
        mean = 0.0
        for arm, weight in zip(mixture.arms, mixture.weights, strict=True):
            mean += weight * worth[arm]
            block.strategy[arm] += node.visits * weight
        block.regret = [max(0.0, regret + worth[arm] - mean) for arm, regret in enumerate(block.regret)]


def select(search: SearchState, node: JointNode, block: Block) -> int:
    """Return the arm of one deciding player by the policy of the search."""
    policy, rng = search.joint_selection, search.rng
    if len(block.actions) == 1:
        return 0
    if policy == "regret_matching":
        return select_regret_matching(node, block, rng, LED_EXPLORATION if search.has_policies else 1.0)
    if policy == "exp3":
        return select_exp3(node, block, rng)
    return select_decoupled(node, block, rng, search.exploration)
