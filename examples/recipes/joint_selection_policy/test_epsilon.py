import playout
from cext.search.search import Search
from mcts.options import plain_options
from mcts.reference import ReferenceSearch


def test_it_searches_as_the_reference():
    state = playout.load_game("bidding_ttt(coins=3)").new_initial_state()
    options = plain_options(joint_selection="epsilon")
    kernel = Search(state.game, options, memory_bytes=1 << 24)
    kernel.set_root(state, 7)
    kernel.run(1000, 1e9)
    plain = ReferenceSearch(state.game, options)
    plain.run(state, 1000, 7)
    assert plain.root_arms() == kernel.root_arms()
