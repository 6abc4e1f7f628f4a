"""Threads that share a tree: no simulation is lost, answers are as good, and the rest is refused."""

import pytest

import mcts


def search(spec, simulations=3000, threads=3, state=None, **parameters):
    game = mcts.load_game(spec)
    searcher = mcts.MCTS(game, threads=threads, parallel="tree", **parameters)
    start = game.new_initial_state() if state is None else state
    return searcher, searcher.run(start, simulations=simulations)


@pytest.mark.parametrize("selection", ["ucb1", "puct"])
@pytest.mark.parametrize("playout", ["uniform", "decisive"])
@pytest.mark.parametrize("spec", ["mnk(m=4,n=4,k=3)", "three_player_ttt", "bidding_ttt", "tic_block"])
def test_threads_lose_no_simulation(spec, playout, selection):
    _, found = search(spec, playout=playout, selection=selection, memory_mb=32)
    assert found.simulations == 3000
    for player in found.arms:
        assert sum(found.for_player(player).visits.values()) == 3000
    low, high = found.state.game.min_utility, found.state.game.max_utility
    assert all(low <= value <= high for value in found.values)


def test_threads_share_their_proofs():
    _, found = search("points_ttt", simulations=200_000, solver=True)
    assert found.proven
    assert found.values == (0.0, 100.0)


def test_threads_find_the_move_that_wins():
    game = mcts.load_game("mnk")
    state = game.state_from_dict({"board": "xx.oo....", "to_move": "x"})
    for _ in range(20):
        assert search("mnk", state=state)[1].action == 2


def test_threads_keep_the_subtree_after_an_advance():
    searcher, found = search("mnk(m=5,n=5,k=4)", simulations=20_000)
    joint = found.pv[0]
    state = found.state.clone()
    state.apply_actions(joint)
    before = found.visits[joint[0]]
    assert searcher.advance(joint)
    again = searcher.run(state, simulations=1000)
    # The first visit of an arm belongs to the arm alone; the node below begins with the second.
    assert sum(again.visits.values()) == before - 1 + 1000


def test_threads_stop_at_the_memory_cap_and_go_on_simulating():
    _, found = search("mnk(m=8,n=8,k=5)", simulations=60_000, memory_mb=1)
    assert found.simulations == 60_000
    assert found.memory_bytes <= 1 << 20


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"selection": "thompson"}, "selection=thompson"),
        ({"playout": "mast"}, "playout=mast"),
        ({"transpositions": True}, "transpositions=true"),
    ],
)
def test_options_that_threads_cannot_share_are_refused(parameters, says):
    with pytest.raises(mcts.ParameterError, match=says):
        search("mnk", **parameters)


def test_one_thread_needs_no_sharing():
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    alone = mcts.MCTS(game, parallel="tree").run(state, simulations=500)
    assert alone.arms == mcts.MCTS(game).run(state, simulations=500).arms
