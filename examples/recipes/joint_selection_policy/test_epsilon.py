from my_policies.epsilon import JOINT_SELECTION

import playout
from cext.search.search import Search
from mcts.options import plain_options
from mcts.reference import ReferenceSearch, register_joint_selection
from mcts.reference.select_joint import JointSelection


class Epsilon(JointSelection):
    def select(self, search, node, block):
        if search.rng.unit() < search.exploration:
            return search.rng.below(len(block.actions))
        if 0 in block.visits:
            return block.visits.index(0)
        means = [value / visits for value, visits in zip(block.value, block.visits, strict=True)]
        return means.index(max(means))


def test_it_searches_as_the_reference():
    playout.register_policy(JOINT_SELECTION)
    register_joint_selection("epsilon", Epsilon())
    state = playout.load_game("bidding_ttt(coins=3)").new_initial_state()
    options = plain_options(joint_selection="epsilon", exploration=0.1)
    kernel = Search(state.game, options, memory_bytes=1 << 24)
    kernel.set_root(state, 7)
    kernel.run(1000, 1e9)
    plain = ReferenceSearch(state.game, options)
    plain.run(state, 1000, 7)
    assert plain.root_arms() == kernel.root_arms()
