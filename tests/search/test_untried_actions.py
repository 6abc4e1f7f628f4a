"""First-play urgency: when a search takes untried actions."""

import pytest
from support import kernel_search
from test_reference import IN_TURNS, STATES, WITH_CHANCE, assert_same

import bots
import mcts

BOARD = mcts.load_game("mnk(m=8,n=8,k=5)")
OPTIONS = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", "exploration": 0.4}
OPTIONS |= {"solver": False, "transpositions": False, "memory_bytes": 1 << 20}


def tried(simulations=200, **parameters):
    """Return the number of actions that a search of the empty board has tried."""
    result = mcts.MCTS.plain(BOARD, seed=1, **parameters).run(BOARD.new_initial_state(), simulations=simulations)
    assert sum(result.visits.values()) == simulations
    return sum(visits > 0 for visits in result.visits.values())


@pytest.mark.sample(4)
@pytest.mark.parametrize("graph", [False, True], ids=["", "graph"])
@pytest.mark.parametrize("solver", [False, True], ids=["", "solver"])
@pytest.mark.parametrize("urgency", [0.0, 0.6, 1.1, 100.0])
@pytest.mark.parametrize("name", IN_TURNS)
def test_urgency_is_that_of_the_reference(name, urgency, solver, graph):
    options = {"solver": solver, "transpositions": graph and name not in WITH_CHANCE, "exploration": 0.4}
    assert_same(STATES[name], 200, 1, first_play_urgency=urgency, **options)


@pytest.mark.sample(4)
@pytest.mark.parametrize("solver", [False, True], ids=["", "solver"])
@pytest.mark.parametrize("given", [{"first_play_urgency": 0.3}, {"first_play_reduction": 0.2}], ids=str)
@pytest.mark.parametrize("name", IN_TURNS)
def test_puct_is_that_of_the_reference(name, given, solver):
    assert_same(STATES[name], 200, 2, selection="puct", solver=solver, **given)


def test_a_lower_urgency_tries_fewer_actions():
    counts = [tried(first_play_urgency=urgency) for urgency in (0.0, 0.9, 1.1, 100.0)]
    assert counts[0] < counts[1] < counts[2] < counts[3] == 64
    assert tried() == 64


def test_an_urgency_above_all_bounds_changes_nothing():
    def visits(**parameters):
        return mcts.MCTS.plain(BOARD, seed=2, **parameters).run(BOARD.new_initial_state(), simulations=500).visits

    assert visits(first_play_urgency=100.0) == visits()


def test_puct_tries_fewer_actions_the_less_it_expects_of_them():
    def count(**given):
        return tried(selection="puct", exploration=0.5, **given)

    assert count(first_play_urgency=0.0) < count() < count(first_play_urgency=2.0) == 64
    assert count(first_play_reduction=1.0) < count(first_play_reduction=0.2) < count()


def test_a_solver_proves_although_untried_actions_wait():
    state = mcts.load_game("mnk").state_from_text("xo./.../..._x")
    result = mcts.MCTS.plain(state.game, solver=True, seed=1, first_play_urgency=0.0).run(state, simulations=100_000)
    assert result.proven
    assert result.values == mcts.MCTS.plain(state.game, solver=True).run(state, simulations=100_000).values


def test_games_at_once_and_tiny_trees_are_searched():
    both = STATES["bidding, 3 coins"]
    given = {"first_play_urgency": 0.5}
    assert mcts.MCTS.plain(both.game, **given).run(both, simulations=300).simulations == 300
    start = BOARD.new_initial_state()
    assert mcts.MCTS.plain(BOARD, memory_mb=1, **given).run(start, simulations=50_000).simulations == 50_000


def test_the_bot_takes_a_policy_that_reads_the_urgency():
    bot = bots.load_bot("mcts(selection=ucb1,first_play_urgency=0.0,simulations=50)")
    bot.new_game(BOARD, 0, 1)
    bot.choose(BOARD.new_initial_state().view(0))
    assert sum(count > 0 for count in bot.search_info.visits.values()) == 1


@pytest.mark.parametrize(
    ("bad", "valid"),
    [
        ({"first_play_urgency": 0.5, "selection": "grave"}, "ucb1 or puct"),
        ({"first_play_reduction": 0.5, "selection": "ucb1"}, "selection=puct"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(bad, valid):
    (name, value), *_ = bad.items()
    with pytest.raises(mcts.ParameterError, match=name) as refusal:
        mcts.MCTS.plain(BOARD, **bad)
    assert valid in str(refusal.value)
    assert str(value) in str(refusal.value) or name == "first_play_urgency"


@pytest.mark.parametrize(
    "bad",
    [
        {"first_play_urgency": -1.0},
        {"first_play_urgency": float("nan")},
        {"first_play_reduction": 2.0},
        {"first_play_urgency": "soon"},
        {"first_play_urgency": 0.5, "selection": "grave"},
        {"first_play_reduction": 0.5},
    ],
    ids=str,
)
def test_the_compiled_search_refuses_them_too(bad):
    with pytest.raises((TypeError, ValueError)):
        kernel_search(BOARD, **(OPTIONS | bad))
