"""Selection where one player decides. Each function gives the number of an arm."""

from __future__ import annotations

import math

import numpy as np

from .nodes import UNIT, Memory, Record, SingleNode
from .streams import Stream

GRAVE_BIAS = 1e-5
"""How fast a node's own mean outweighs what is known of an action elsewhere."""


def ucb1(node: SingleNode, exploration: float) -> int:
    """The arm of highest mean + exploration * sqrt(ln N / n), in float32 (Auer, Cesa-Bianchi and Fischer 2002)."""
    weight = np.float32(exploration) * np.float32(math.sqrt(math.log(node.visits)))
    scores = [arm.mean + weight * arm.width for arm in node.arms]
    best = max(range(len(scores)), key=lambda arm: scores[arm])
    return best if scores[best] > -1.0 else 0


def tuned_bound(mean: float, squares: float, visits: int, log_visits: float, exploration: float) -> float:
    """The upper bound of UCB1-tuned, which measures each arm's variance (Auer, Cesa-Bianchi and Fischer 2002).

    In a graph the mean is of other simulations than the squares, and the variance measured may be negative.
    """
    variance = squares / visits - mean * mean + math.sqrt(2.0 * log_visits / visits)
    return mean + exploration * math.sqrt(log_visits / visits * max(0.0, min(0.25, variance)))


def ucb1_tuned(node: SingleNode, exploration: float) -> int:
    """UCB1 with the variance of every arm instead of the greatest that there can be."""
    log_visits = math.log(node.visits)
    best, highest = 0, -1.0
    for number, arm in enumerate(node.arms):
        if arm.mean >= 0.0:
            score = tuned_bound(float(arm.mean), arm.square, max(arm.visits, 1), log_visits, exploration)
            if score > highest:
                best, highest = number, score
    return best


def thompson(node: SingleNode, stream: Stream) -> int:
    """The arm of the highest draw from what may be believed of its mean (Thompson 1933).

    The belief is Beta(1 + s, 1 + n - s) after n visits with sum s, by the normal deviate of the same mean and variance.
    """
    best, highest = 0, -math.inf
    for number, arm in enumerate(node.arms):
        if arm.mean >= 0.0:
            mean = (1.0 + arm.value * UNIT) / (2.0 + arm.visits)
            score = mean + math.sqrt(mean * (1.0 - mean) / (3.0 + arm.visits)) * stream.normal()
            if score > highest:
                best, highest = number, score
    return best


def puct(node: SingleNode, exploration: float) -> int:
    """The arm of the highest mean + exploration * prior * sqrt(N) / (1 + n) (Rosin 2011), untried ones among them.

    An untried arm is taken to be worth what the node is; all priors are equal here.
    """
    unknown = node.sums[node.mover] * UNIT / node.visits if node.visits else 0.5
    total = exploration * math.sqrt(1.0 + sum(arm.visits for arm in node.arms))
    best, highest = 0, -1.0
    for number, arm in enumerate(node.arms):
        if arm.mean >= 0.0:
            score = float(arm.mean) + float(arm.prior) * total / (1.0 + arm.visits)
            if score > highest:
                best, highest = number, score
    untried = len(node.arms)
    if untried < len(node.actions) and unknown + float(node.arms[0].prior) * total > highest:
        return node.take(untried)
    return best


def grave(node: SingleNode, known: Memory) -> int:
    """The arm of the highest mean, mixed with what is known of its action wherever it was played (Cazenave 2015).

    known: of the nearest node on the way that keeps it. Actions of which nothing is known come first.
    """
    best, highest = 0, -1.0
    for number, action in enumerate(node.actions):
        record = known.get((node.mover, action), Record())
        played = float(record.visits)
        score = record.value * UNIT / played if played else 2.0
        if number < len(node.arms):
            arm = node.arms[number]
            if arm.mean < 0.0:
                continue
            weight = played / (played + arm.visits + GRAVE_BIAS * played * arm.visits)
            score = (1.0 - weight) * float(arm.mean) + weight * score if played else float(arm.mean)
        if score > highest:
            best, highest = number, score
    return best if best < len(node.arms) else node.take(best)
