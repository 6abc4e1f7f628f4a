import playout
from cext.search.search import Search
from mcts.options import plain_options
from mcts.reference import ReferenceSearch


def test_it_searches_as_the_reference():
    state = playout.load_game("mnk(m=4,n=4,k=3)").new_initial_state()
    options = plain_options(playout="winning")
    kernel = Search(state.game, options, memory_bytes=1 << 24)
    kernel.set_root(state, 7)
    kernel.run(400, 1e9)
    plain = ReferenceSearch(state.game, options)
    plain.run(state, 400, 7)
    assert plain.root_arms() == kernel.root_arms()
