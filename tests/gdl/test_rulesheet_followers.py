"""Searches of rulesheets, which compute what follows a state many at a time and keep it, beside plain Python."""

import pytest
from nets import random_net
from rulesheets import ENDLESS, load, path_of, written
from support import kernel_search, reference_search

import mcts

OPTIONS = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", "exploration": 0.4}


def assert_same(game, simulations, plies=0, net=None, **options):
    """Compare a search with the reference, from a state some steps into a game."""
    state = game.new_initial_state()
    for ply in range(plies):
        state.apply_actions(state.joint_action({p: state.legal_actions(p)[ply % 2] for p in state.acting_players()}))
    options = {**OPTIONS, **options}
    kernel = kernel_search(game, memory_bytes=1 << 26, net=None if net is None else net.core, **options)
    plain = reference_search(game, net=net, **options)
    for seed in (1, 2):  # the second search begins with what the first has kept
        kernel.set_root(state, seed)
        done, _ = kernel.run(simulations, 1e9)
        assert plain.run(state, simulations, seed) == done
        assert plain.root_arms() == kernel.root_arms()
        assert plain.bounds() == kernel.bounds()
        assert plain.nodes == kernel.nodes


@pytest.mark.sample(5)
@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("name", ["tic_tac_toe", "bidding_ttt", "connect_four", "tic_block", "goofspiel", "tron"])
def test_a_search_of_a_rulesheet_agrees_with_plain_python(name, transpositions, solver):
    assert_same(load(path_of(name)), 60, plies=2, transpositions=transpositions, solver=solver)


@pytest.mark.sample(4)
@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "tic_block", "goofspiel", "three_player_nim"])
def test_a_search_whose_nodes_have_their_states_agrees_with_plain_python(name, solver):
    game = load(path_of(name))
    net = random_net(game, policies=1)
    assert_same(game, 60, plies=2, net=net, selection="puct", transpositions=False, solver=solver)


def test_nodes_keep_their_states_in_a_small_pool_and_below_a_new_root():
    game = load(path_of("connect_four"))
    searcher = mcts.MCTS(game, net=random_net(game, policies=1), memory_mb=1, solver=True, seed=1)
    state = game.new_initial_state()
    for _ in range(6):
        result = searcher.run(state, simulations=4000)
        assert result.simulations == 4000
        assert result.visits.keys() == set(state.legal_actions())
        searcher.advance(result.action)
        state.apply_action(result.action)


def test_a_state_with_more_actions_than_are_computed_at_once():
    assert_same(load(path_of("king_and_rook")), 40, plies=2, transpositions=True, solver=True)
    assert_same(load(path_of("amazons")), 10, transpositions=False, solver=True)


def test_symmetric_states_that_are_kept_are_found_again():
    assert_same(load(path_of("tic_tac_toe")), 60, plies=2, transpositions=True, solver=True)


def test_threads_search_a_network_that_needs_much_memory():
    """Beside the thread that has the memory of the network, others take memory of their own."""
    game = load(path_of("minichess"))
    result = mcts.MCTS.plain(game, threads=2, seed=1).run(game.new_initial_state(), simulations=400)
    assert sum(result.visits.values()) == result.simulations == 400


def test_the_last_step_that_is_allowed(tmp_path):
    game = mcts.load_game(f"{written(tmp_path, ENDLESS)}(max_steps=3)")
    for transpositions in (False, True):
        assert_same(game, 30, transpositions=transpositions, solver=True)
