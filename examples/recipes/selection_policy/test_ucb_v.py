import math

from my_policies.ucb_v import SELECTION

import playout
from cext.search.search import Search
from mcts.options import plain_options
from mcts.reference import ReferenceSearch, register_selection, select_single


def ucb_v(arms):
    log_total = math.log(arms.node.visits)
    scores = []
    for arm in arms.tried:
        visits, mean = max(arm.visits, 1), float(arm.mean)
        variance = max(0.0, arm.square / visits - mean * mean)
        bonus = math.sqrt(2.0 * variance * log_total / visits) + 3.0 * log_total / visits
        scores.append(mean + arms.exploration * bonus if arm.mean >= 0.0 else None)
    return select_single.best_arm(scores, -1.0)


def test_it_searches_as_the_reference():
    playout.register_policy(SELECTION)
    register_selection("ucb_v", ucb_v)
    state = playout.load_game("mnk(m=4,n=4,k=3)").new_initial_state()
    options = plain_options(selection="ucb_v", exploration=0.4)
    kernel = Search(state.game, options, memory_bytes=1 << 24)
    kernel.set_root(state, 7)
    kernel.run(400, 1e9)
    plain = ReferenceSearch(state.game, options)
    plain.run(state, 400, 7)
    assert plain.root_arms() == kernel.root_arms()
