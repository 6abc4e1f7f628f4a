from my_policies.corners import PLAYOUT_POLICY

import playout
from cext.search.search import Search
from mcts.options import plain_options
from mcts.reference import ReferenceSearch, register_playout
from mcts.reference.playouts import PlayoutPolicy


class Corners(PlayoutPolicy):
    def choose(self, state, player, rng):
        legal = state.legal_actions(player)
        if rng.unit() < 0.5:
            return legal[rng.below(len(legal))]
        return legal[0] if rng.unit() < 0.5 else legal[-1]


def test_it_searches_as_the_reference():
    playout.register_policy(PLAYOUT_POLICY)
    register_playout("corners", Corners)
    state = playout.load_game("mnk(m=4,n=4,k=3)").new_initial_state()
    options = plain_options(playout="corners")
    kernel = Search(state.game, options, memory_bytes=1 << 24)
    kernel.set_root(state, 7)
    kernel.run(400, 1e9)
    plain = ReferenceSearch(state.game, options)
    plain.run(state, 400, 7)
    assert plain.root_arms() == kernel.root_arms()
