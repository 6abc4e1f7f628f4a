"""Selection and learning where several players decide at once: each for itself, among its own arms."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from .nodes import UNIT, Block, JointNode
from .single import tuned_bound
from .streams import Stream

LEAST_EXPLORATION = 0.005
"""Least share of random play in regret matching."""
MOST_CELLS = 1024
"""Joint actions looked at to update one player's regrets."""


def regret_matching(node: JointNode, block: Block, stream: Stream) -> int:
    """An arm in proportion to its regret (Hart and Mas-Colell 2000), or any with probability max(.005, t^-1/2)."""
    total = 0.0
    for regret in block.regret:
        total += regret
    gamma = max(LEAST_EXPLORATION, 1.0 / math.sqrt(node.visits + 1.0))
    draw = stream.unit()
    if total <= 0.0 or draw < gamma:
        return stream.below(len(block.actions))
    draw = (draw - gamma) / (1.0 - gamma) * total
    last = 0
    for arm, regret in enumerate(block.regret):
        if regret > 0.0:
            last = arm
            draw -= regret
            if draw < 0.0:
                break
    return last


def decoupled_ucb1(node: JointNode, block: Block, stream: Stream, exploration: float, tuned: bool) -> int:
    """UCB1 or UCB1-tuned as if the other players were chance; untried arms first, at random."""
    untried = [arm for arm, visits in enumerate(block.visits) if visits == 0]
    if untried:
        return untried[stream.below(len(untried))]
    log_visits = math.log(node.visits)
    best, highest = 0, -1.0
    for arm, visits in enumerate(block.visits):
        mean = block.value[arm] * UNIT / visits
        if tuned:
            score = tuned_bound(mean, block.regret[arm], visits, log_visits, exploration)
        else:
            score = mean + exploration * math.sqrt(log_visits / visits)
        if score > highest:
            best, highest = arm, score
    return best


def exp3_strategy(block: Block, visit: float) -> tuple[list[float], float]:
    """(probabilities by exponential weights of the estimated gains, share of uniform play beside them) at a visit.

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


def exp3(node: JointNode, block: Block, stream: Stream) -> int:
    """An arm by its probability."""
    weights, share = exp3_strategy(block, node.visits + 1.0)
    draw = stream.unit()
    for arm, weight in enumerate(weights[:-1]):
        draw -= (1.0 - share) * weight + share / len(weights)
        if draw < 0.0:
            return arm
    return len(weights) - 1


def learn_exp3(node: JointNode, block: Block, chosen: int, gain: float) -> None:
    """Estimate the chosen arm's gain by importance; the strategy without its uniform share goes into the average."""
    if len(block.actions) == 1:
        block.strategy[0] += 1.0
        return
    weights, share = exp3_strategy(block, float(node.visits))
    block.regret[chosen] += gain / ((1.0 - share) * weights[chosen] + share / len(weights))
    for arm, weight in enumerate(weights):
        block.strategy[arm] += weight


@dataclass
class _Mixture:
    """What regret matching plays in one block: the arms of positive probability."""

    arms: list[int]
    weights: list[float]


def _strategy(block: Block) -> _Mixture:
    """In proportion to regrets, or uniform where there are none."""
    total = 0.0
    for regret in block.regret:
        total += regret
    if total <= 0.0:
        count = len(block.actions)
        return _Mixture(list(range(count)), [1.0 / count] * count)
    arms = [arm for arm, regret in enumerate(block.regret) if regret > 0.0]
    return _Mixture(arms, [block.regret[arm] / total for arm in arms])


def _expected(
    node: JointNode, own: int, mixtures: list[_Mixture], chosen: tuple[int, ...], solver: bool
) -> list[float]:
    """The expected value of every arm of one block over the others' mixtures, by the means of the joint actions.

    Where more than MOST_CELLS joint actions would have to be looked at, the others' arms of this very simulation stand
    for their mixtures. A joint action never visited is worth what is proven of it, else what the node is.
    """
    block = node.blocks[own]
    unknown = node.sums[block.player] * UNIT / node.visits

    def mean(arms: list[int]) -> float:
        cell = node.cells.get(tuple(arms))
        if cell is not None and cell.visits:
            return cell.sums[block.player] * UNIT / cell.visits
        if cell is not None and cell.child is not None and cell.child.proven and solver:
            return cell.child.lower[block.player] * UNIT
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


def learn_regrets(node: JointNode, chosen: tuple[int, ...], solver: bool) -> None:
    """Regret matching plus with linear averaging (Tammelin 2014): the strategy of the t-th visit counts t times.

    chosen: the arms of the simulation, which must have been added to the node and its cells.
    """
    mixtures = [_strategy(block) for block in node.blocks]
    expected = [_expected(node, own, mixtures, chosen, solver) for own in range(len(node.blocks))]
    for block, mixture, worth in zip(node.blocks, mixtures, expected, strict=True):
        mean = 0.0
        for arm, weight in zip(mixture.arms, mixture.weights, strict=True):
            mean += weight * worth[arm]
            block.strategy[arm] += node.visits * weight
        block.regret = [max(0.0, regret + worth[arm] - mean) for arm, regret in enumerate(block.regret)]
