"""Batches of new states whose random games are played side by side: equal to the reference, exact, repeatable."""

import pytest
import search_cases
from chance_games import Race
from nets import random_net
from rulesheets import path_of
from support import kernel_search, reference_search
from waiting import no_hang

import mcts
from cext.search.policies import JOINT_SELECTIONS

MEMORY_BYTES = 1 << 26


STATES = {**search_cases.STATES, "chance": Race().new_initial_state()}


def assert_same(state, simulations, **options):
    options = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", **options}
    options = {"solver": False, "transpositions": False, "exploration": 0.4, **options}
    kernel = kernel_search(state.game, memory_bytes=MEMORY_BYTES, **options)
    kernel.set_root(state, 1)
    done, _ = kernel.run(simulations, 1e9)
    plain = reference_search(state.game, **options)
    assert plain.run(state, simulations, 1) == done
    assert plain.root_arms() == kernel.root_arms()
    assert plain.value_sums() == kernel.value_sums()
    assert plain.bounds() == kernel.bounds()
    assert (plain.visits, plain.nodes) == (kernel.visits, kernel.nodes)


@pytest.mark.sample(2)
@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("leaves", [1, 5])
@pytest.mark.parametrize("name", STATES)
def test_a_search_agrees_with_plain_python(name, leaves, solver):
    assert_same(STATES[name], 24, leaves=leaves, solver=solver)


@pytest.mark.sample(2)
@pytest.mark.parametrize("solver", [False, True])
@pytest.mark.parametrize("leaves", [1, 5])
@pytest.mark.parametrize("name", search_cases.STATES)
def test_late_values_of_a_graph_agree_with_plain_python(name, leaves, solver):
    assert_same(STATES[name], 24, leaves=leaves, solver=solver, transpositions=True)


def test_a_graph_with_many_leaves_agrees_with_plain_python():
    assert_same(STATES["mnk"], 400, leaves=64, solver=True, transpositions=True)


def test_a_search_with_many_leaves_agrees_with_plain_python():
    assert_same(STATES["mnk"], 400, leaves=64, solver=True)


def test_batches_near_the_end_of_a_game_agree_with_plain_python():
    """Few states wait while most simulations end at once, and some are proven meanwhile."""
    assert_same(search_cases.played("mnk", 6), 600, leaves=64)
    assert_same(search_cases.played("points_ttt", 5), 60, leaves=4, solver=True)


@pytest.mark.parametrize("selection", JOINT_SELECTIONS)
def test_every_joint_selection(selection):
    assert_same(STATES["bidding"], 20, leaves=4, joint_selection=selection)


def load(name):
    return mcts.load_game(str(path_of(name)))


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", ["tic_tac_toe", "points_ttt", "bidding_ttt", "king_and_rook", "tron", "goofspiel"])
@pytest.mark.parametrize("leaves", [1, 32, 512])
@pytest.mark.parametrize("transpositions", [False, True])
def test_searches_of_rulesheets_are_repeatable_and_count_every_visit(name, leaves, transpositions):
    state = load(name).new_initial_state()
    options = {"leaves": leaves, "transpositions": transpositions, "seed": 4}
    first, second = (mcts.MCTS.plain(state.game, **options).run(state, simulations=100) for _ in range(2))
    assert first.simulations == 100
    assert (first.visits, first.values, first.nodes) == (second.visits, second.values, second.nodes)
    if len(state.acting_players()) == 1:
        assert sum(first.visits.values()) == 100


@pytest.mark.parametrize("transpositions", [False, True])
def test_tic_tac_toe_is_solved(transpositions):
    game = load("tic_tac_toe")
    searcher = mcts.MCTS.plain(game, leaves=32, solver=True, transpositions=transpositions)
    result = searcher.run(game.new_initial_state(), 10**6)
    assert (result.proven, result.values) == (True, (50.0, 50.0))


def test_games_that_end_at_once_are_proofs():
    game = load("tic_tac_toe")
    state = game.new_initial_state()
    for text in ("mark(1,1)", "mark(3,3)", "mark(1,2)", "mark(3,2)"):
        player = state.acting_players()[0]
        state.apply_action(state.string_to_action(player, text))
    result = mcts.MCTS.plain(game, leaves=8, solver=True, seed=2).run(state, simulations=1000)
    assert (result.proven, result.values) == (True, (100.0, 0.0))
    assert state.action_to_string(0, result.action) == "mark(1,3)"


BLOCKED = {"xplayer": "21 33 41 42 43 52 25", "oplayer": "13 14 32 34 35 51 55", "zplayer": "12 15 23 44 45 53 54"}
"""A state in which most simulations reach the end of the game at once."""


def test_a_batch_ends_although_simulations_reach_proven_states():
    game = load("three_player_ttt")
    marks = {cell: player for player, cells in BLOCKED.items() for cell in cells.split()}
    cells = [f"cell({x},{y},{marks.get(f'{x}{y}', 'blank')})" for x in range(1, 6) for y in range(1, 6)]
    state = game.state_from_dict({"step": 21, "facts": [*cells, "control(xplayer)"]})
    with no_hang():
        result = mcts.MCTS.plain(game, leaves=32, solver=True).run(state, seconds=0.05)
    assert result.simulations > 0


@pytest.mark.parametrize("transpositions", [False, True])
@pytest.mark.parametrize("seconds", [1e-9, 0.001, 0.004, 0.016])
def test_a_batch_ends_when_the_time_is_over(seconds, transpositions):
    """A batch that is late is dropped as if it had not begun, except for one game of the first one."""
    state = load("othello").new_initial_state()
    searcher = mcts.MCTS.plain(state.game, leaves=64, solver=True, transpositions=transpositions, seed=1)
    result = searcher.run(state, seconds=seconds)
    assert result.simulations >= 1
    if seconds == 1e-9:
        assert result.simulations == 1
    assert sum(result.visits.values()) == result.simulations
    assert all(0 <= value <= 100 for value in result.values)
    assert searcher.advance(result.action)
    state.apply_action(result.action)
    assert sum(searcher.run(state, simulations=300).visits.values()) >= 300


@pytest.mark.parametrize("transpositions", [False, True])
def test_memory_is_reused(transpositions):
    game = load("connect_four")
    searcher = mcts.MCTS.plain(game, leaves=32, memory_mb=1, solver=True, transpositions=transpositions)
    result = searcher.run(game.new_initial_state(), simulations=20_000)
    assert result.simulations == 20_000
    assert sum(result.visits.values()) == 20_000


def test_trees_are_kept_and_threads_added():
    game = load("connect_four")
    state = game.new_initial_state()
    searcher = mcts.MCTS.plain(game, leaves=16, threads=2, seed=3)
    assert sum(searcher.run(state, simulations=500).visits.values()) == 500
    assert searcher.advance(3)
    state.apply_action(3)
    assert sum(searcher.run(state, simulations=500).visits.values()) > 500


@pytest.mark.parametrize(
    "options",
    [
        {"selection": "grave"},
        {"first_play_urgency": 0.5},
        {"net": random_net(mcts.load_game("mnk"))},
    ],
    ids=str,
)
def test_options_that_do_not_go_with_leaves_are_refused(options):
    with pytest.raises(
        mcts.ParameterError, match=r"leaves=8 does not go with (a net|[a-z_]+=[a-z0-9.]+); .*, or leaves=0$"
    ):
        mcts.MCTS.plain(mcts.load_game("mnk"), leaves=8, **options)


def test_the_core_checks_leaves():
    game = mcts.load_game("mnk")
    options = {"joint_selection": "regret_matching", "exploration": 0.4, "solver": False}
    options |= {"transpositions": False, "memory_bytes": MEMORY_BYTES}
    with pytest.raises(ValueError, match="leaves=513; valid: 0 to 512"):
        kernel_search(game, selection="ucb1", playout="uniform", leaves=513, **options)
    with pytest.raises(TypeError, match="leaves need selection ucb1"):
        kernel_search(game, selection="grave", playout="uniform", leaves=8, **options)
