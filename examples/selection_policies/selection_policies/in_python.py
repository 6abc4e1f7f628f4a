"""The same policies in plain Python, for comparison with `playout.reference.ReferenceSearch`."""

import math

from mcts.reference.select_joint import JointSelection
from mcts.reference.select_single import best_arm
from mcts.reference.values import VALUE_UNIT


def ucb1_tuned(arms):
    """Return the arm of the highest bound of UCB1-tuned."""
    log_visits = math.log(arms.node.visits)

    def bound(arm):
        mean, visits = float(arm.mean), max(arm.visits, 1)
        variance = arm.square / visits - mean * mean + math.sqrt(2.0 * log_visits / visits)
        return mean + arms.exploration * math.sqrt(log_visits / visits * max(0.0, min(0.25, variance)))

    return best_arm([bound(arm) if arm.mean >= 0.0 else None for arm in arms.tried], -1.0)


def thompson(arms):
    """Return the arm of the highest draw from the distribution of its mean."""

    def draw(arm):
        mean = (1.0 + arm.value * VALUE_UNIT) / (2.0 + arm.visits)
        return mean + math.sqrt(mean * (1.0 - mean) / (3.0 + arm.visits)) * arms.rng.normal()

    return best_arm([draw(arm) if arm.mean >= 0.0 else None for arm in arms.tried], -math.inf)


class Ducb1(JointSelection):
    """Decoupled UCB1."""

    def select(self, search, node, block):
        """Return the arm of the highest bound; untried arms first, at random."""
        untried = [arm for arm, visits in enumerate(block.visits) if visits == 0]
        if untried:
            return untried[search.rng.below(len(untried))]
        log_visits = math.log(node.visits)

        def bound(arm):
            mean = block.value[arm] * VALUE_UNIT / block.visits[arm]
            return mean + search.exploration * math.sqrt(log_visits / block.visits[arm])

        return best_arm([bound(arm) for arm in range(len(block.actions))], -1.0)
