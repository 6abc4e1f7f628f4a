"""The exploration terms of GRAVE: `grave_exploration`, and `root_exploration` at the root."""

import numpy as np
import pytest
from python_games import tree_game
from test_reference import STATES, WITH_CHANCE, assert_same

import bots
import mcts

BOARD = mcts.load_game("mnk(m=5,n=5,k=4)")
THREE = mcts.load_game("three_player_ttt")


def visits(game, simulations=500, **parameters):
    searcher = mcts.MCTS.plain(game, selection="grave", seed=2, **parameters)
    return searcher.run(game.new_initial_state(), simulations=simulations).visits


@pytest.mark.sample(3)
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}], ids=["", "solver", "graph"])
@pytest.mark.parametrize("exploration", [0.05, 3.0])
@pytest.mark.parametrize("name", ["mnk, 4x4", "three players", "tic_block", "three dice"])
def test_it_is_that_of_the_reference(name, exploration, options):
    if name in WITH_CHANCE and "transpositions" in options:
        pytest.skip("transpositions do not go with chance")
    assert_same(STATES[name], 400, 8, selection="grave", grave_exploration=exploration, **options)


@pytest.mark.sample(1)
@pytest.mark.parametrize("solver", [False, True], ids=["", "solver"])
def test_it_is_that_of_the_reference_with_many_actions(solver):
    payoffs = np.random.default_rng(1).random((70**2, 3)).round(3)
    state = tree_game((0, 1), 70, payoffs).new_initial_state()
    assert_same(state, 400, 8, selection="grave", solver=solver, grave_exploration=0.2)


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [{}, {"solver": True}, {"transpositions": True}], ids=["", "solver", "graph"])
@pytest.mark.parametrize("name", ["mnk, 4x4", "three players", "tic_block"])
def test_that_of_the_root_is_that_of_the_reference(name, options):
    plain = [
        assert_same(STATES[name], 200, 8, selection="grave", grave_exploration=0.05, root_exploration=weight, **options)
        for weight in (0.5, 0.05, None)
    ]
    spread, equal, same = (search.root_arms() for search in plain)
    assert spread != equal == same


def test_more_exploration_spreads_the_visits():
    most = [max(visits(BOARD, grave_exploration=weight).values()) for weight in (0.0, 0.2, 100.0)]
    assert most[0] > most[1] > most[2]
    assert most[2] - min(visits(BOARD, grave_exploration=100.0).values()) <= 3


def test_the_default_explores_with_more_than_two_players():
    assert mcts.MCTS.plain(BOARD, selection="grave").parameters["grave_exploration"] == 0.0
    assert mcts.MCTS.plain(THREE, selection="grave").parameters["grave_exploration"] == 0.05
    assert visits(BOARD) == visits(BOARD, grave_exploration=0.0)
    assert visits(THREE) == visits(THREE, grave_exploration=0.05) != visits(THREE, grave_exploration=0.0)


def test_the_default_explores_more_at_the_root_with_more_than_two_players():
    assert mcts.MCTS.plain(BOARD, selection="grave").parameters["root_exploration"] == 0.0
    assert mcts.MCTS.plain(BOARD, selection="grave", grave_exploration=0.1).parameters["root_exploration"] == 0.1
    assert mcts.MCTS.plain(THREE, selection="grave").parameters["root_exploration"] == 0.2
    assert mcts.MCTS.plain(THREE, selection="grave", grave_exploration=0.3).parameters["root_exploration"] == 0.3
    assert mcts.MCTS.plain(THREE, selection="grave", root_exploration=0.0).parameters["root_exploration"] == 0.0
    assert visits(THREE) == visits(THREE, root_exploration=0.2) != visits(THREE, root_exploration=0.05)


@pytest.mark.parametrize("name", ["grave_exploration", "root_exploration"])
def test_the_bot_takes_the_policy_that_reads_it(name):
    bot = bots.load_bot(f"mcts({name}=100,simulations=500)")
    bot.new_game(BOARD, 0, 1)
    bot.choose(BOARD.new_initial_state().view(0))
    assert max(bot.search_info.visits.values()) <= 23


@pytest.mark.parametrize(
    ("bad", "valid"),
    [
        ({"root_exploration": 0.1, "selection": "ucb1"}, "selection=grave"),
        ({"grave_exploration": 0.1, "selection": "puct"}, "selection=grave"),
    ],
    ids=str,
)
def test_bad_weights_are_refused(bad, valid):
    with pytest.raises(mcts.ParameterError, match=r"(grave|root)_exploration") as refusal:
        mcts.MCTS.plain(BOARD, **bad)
    assert str(next(iter(bad.values()))) in str(refusal.value)
    assert valid in str(refusal.value)


def test_a_weight_that_no_joint_selection_reads_is_refused():
    bidding = mcts.load_game("bidding_ttt(coins=3)")
    for joint_selection in ("regret_matching", "exp3"):
        with pytest.raises(mcts.ParameterError, match="exploration=1 does not go with selection=grave"):
            mcts.MCTS.plain(bidding, selection="grave", joint_selection=joint_selection, exploration=1.0)
