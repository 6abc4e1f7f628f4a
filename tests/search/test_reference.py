"""The compiled search against the same search in plain Python: equal to the last bit of every statistic."""

import random

import numpy as np
import pytest
from chance_games import Dice, Race, ThreeDice, Weather
from python_games import Walk, rounds_game
from sampling import sweep
from support import kernel_search, random_path, reference_search

import mcts
from cext.matrix_game import matrix_game
from cext.search.policies import JOINT_SELECTIONS, SELECTIONS
from mcts.reference.matrix_game import matrix_game as reference_matrix_game

MEMORY_BYTES = 1 << 26


def played(spec, plies, seed=3):
    """A state that random play reaches after so many steps."""
    return random_path(mcts.load_game(spec), seed, plies)[-1]


def block_phase():
    """The open second board of tic_block, where both decide at once."""
    return next(state for state in random_path(mcts.load_game("tic_block"), 1) if state.to_dict()["block"] == "." * 16)


STATES = {
    "mnk": played("mnk", 0),
    "mnk, 4x4": played("mnk(m=4,n=4,k=3)", 2),
    "points_ttt": played("points_ttt", 0),
    "go": played("go(size=3,komi=0)", 4),
    "three players": played("three_player_ttt", 13),
    "tic_block": played("tic_block", 4),
    "tic_block, second board": block_phase(),
    "bidding, 1 coin": played("bidding_ttt(coins=1)", 0),
    "bidding, 3 coins": played("bidding_ttt(coins=3)", 2),
    "bidding, 10 coins": played("bidding_ttt(coins=10)", 0),
    "three at once": rounds_game((3, 2, 4), rounds=2, seed=1).new_initial_state(),
    "three at once, many joint actions": rounds_game((12, 11, 10), rounds=2, seed=2).new_initial_state(),
    "two of three at once": rounds_game((3, 3, 1), rounds=3, seed=3).new_initial_state(),
    "repetitions": Walk().new_initial_state(),
    "dice": Dice().new_initial_state(),
    "three dice": ThreeDice().new_initial_state(),
    "race with throws": Race(turns=3).new_initial_state().child(1),
    "weather": Weather().new_initial_state(),
}
IN_TURNS = ["mnk", "mnk, 4x4", "points_ttt", "go", "three players", "tic_block", "bidding, 10 coins", "repetitions"]
IN_TURNS += ["dice", "three dice", "race with throws"]
WITH_CHANCE = ["dice", "three dice", "race with throws", "weather"]
AT_ONCE = [name for name in STATES if name not in IN_TURNS] + ["tic_block", "bidding, 10 coins"]


def assert_same(state, simulations, seed, exploration=1.4, **options):
    """One search by the kernel and one in plain Python; returns the second."""
    options = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", **options}
    options = {"solver": False, "transpositions": False, "exploration": exploration, **options}
    kernel = kernel_search(state.game, memory_bytes=MEMORY_BYTES, **options)
    kernel.set_root(state, seed)
    done, _ = kernel.run(simulations, 1e9)
    plain = reference_search(state.game, **options)
    assert plain.run(state, simulations, seed) == done
    assert plain.root_arms() == kernel.root_arms()
    assert plain.value_sums() == kernel.value_sums()
    assert plain.bounds() == kernel.bounds()
    assert (plain.visits, plain.nodes) == (kernel.visits, kernel.nodes)
    return plain


@pytest.mark.sample(4)
@pytest.mark.parametrize("solver", [False, True], ids=["", "solver"])
@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("name", IN_TURNS)
def test_selections(name, selection, solver):
    assert_same(STATES[name], 300, 1, selection=selection, solver=solver)


@pytest.mark.sample(4)
@pytest.mark.parametrize("solver", [False, True], ids=["", "solver"])
@pytest.mark.parametrize("joint_selection", JOINT_SELECTIONS)
@pytest.mark.parametrize("name", AT_ONCE)
def test_joint_selections(name, joint_selection, solver):
    assert_same(STATES[name], 200, 2, joint_selection=joint_selection, solver=solver)


@pytest.mark.sample(2)
@pytest.mark.parametrize("solver", [False, True], ids=["", "solver"])
@pytest.mark.parametrize("name", [name for name in STATES if name not in WITH_CHANCE])
def test_graphs(name, solver):
    options = random.Random(name)
    assert_same(
        STATES[name],
        300,
        4,
        transpositions=True,
        solver=solver,
        selection=options.choice(list(SELECTIONS)),
        joint_selection=options.choice(list(JOINT_SELECTIONS)),
    )


def test_large_matrices_in_a_graph():
    """The matrices of bounds of many joint actions are not solved at every visit."""
    path = random_path(mcts.load_game("bidding_ttt(coins=20)"), 7)
    state = [state for state in path if np.prod([len(state.legal_actions(player)) for player in range(2)]) > 256][-1]
    assert_same(state, 100, 6, transpositions=True)
    plain = assert_same(state, 400, 6, transpositions=True, solver=True)
    assert plain.bounds() == [(1.0, 1.0), (0.0, 0.0)]


def test_a_simulation_of_a_last_stage_with_many_joint_actions_is_short():
    """Every joint action ends the game: a simulation learns of some ends, not of all, until the stage is proven."""
    state = mcts.load_game("colonel_blotto").new_initial_state()
    plain = assert_same(state, 3, 1, solver=True, transpositions=True)
    assert plain.bounds() == [(0.0, 1.0)] * 2
    result = mcts.MCTS(state.game, seed=1).run(state, simulations=5000)
    assert result.proven
    assert result.values == pytest.approx((50, 50))


@pytest.mark.parametrize("selection", ["ucb1", "grave"])
def test_guided_playouts(selection):
    state = played("go(size=5)", 7)
    for solver in (False, True):
        plain = assert_same(state, 200, 3, selection=selection, solver=solver, playout="guided")
    assert plain.root_arms() != assert_same(state, 200, 3, selection=selection, solver=True).root_arms()


@pytest.mark.parametrize("exploration", [0.0, 0.1, 100.0])
@pytest.mark.parametrize("selection", ["ucb1", "puct"])
def test_weights_of_exploration(selection, exploration):
    assert_same(STATES["points_ttt"], 200, 6, selection=selection, exploration=exploration)


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_extreme_seeds(seed):
    assert_same(STATES["tic_block"], 200, seed)


def test_every_option_changes_the_search():
    """Each option leads to another search, and the solver proves something: the comparisons above are not idle."""
    plain = [
        assert_same(STATES["mnk"], 300, 1, **options).root_arms()
        for options in (
            *({"selection": selection} for selection in SELECTIONS),
            {"transpositions": True},
        )
    ]
    assert all(one != other for i, one in enumerate(plain) for other in plain[:i])
    mixed = [
        assert_same(STATES["bidding, 3 coins"], 300, 1, joint_selection=name).root_arms() for name in JOINT_SELECTIONS
    ]
    assert all(one != other for i, one in enumerate(mixed) for other in mixed[:i])
    late = played("bidding_ttt(coins=1)", 8)
    proven = assert_same(late, 2_000, 1, solver=True)
    assert proven.visits < 2_000
    assert all(low == high for low, high in proven.bounds())


@sweep("seed", range(50), 12)
def test_matrix_games(seed):
    rng = np.random.default_rng(seed)
    payoff = rng.integers(-2, 3, rng.integers(1, 12, size=2)).astype(float)
    if seed % 2:  # values that nearly agree
        payoff += 2.0**-30 * rng.integers(-1, 2, payoff.shape)
    value, rows, columns = matrix_game(payoff)
    plain = reference_matrix_game(payoff.tolist())
    assert (plain.value, plain.rows, plain.columns) == (value, rows.tolist(), columns.tolist())


class Push(Walk):
    """Both push the token at once: a simulation passes states again, whose joint actions then lead to no node."""

    def acting_players(self, state):
        return (0, 1) if 0 < state[0] < 7 else ()

    def legal_actions(self, state, player):
        return 0, 1, 2

    def next_state(self, state, joint):
        return state[0] + joint[0] - joint[1], 0


@pytest.mark.parametrize("joint_selection", JOINT_SELECTIONS)
def test_repetitions_in_a_graph(joint_selection):
    for game in (Walk(), Push()):
        assert_same(game.new_initial_state(), 150, 0, joint_selection=joint_selection, transpositions=True)


@pytest.mark.parametrize("joint_selection", JOINT_SELECTIONS)
def test_proven_joint_actions_of_a_graph(joint_selection):
    near = played("bidding_ttt(coins=3)", 10)
    assert_same(near, 150, 0, joint_selection=joint_selection, solver=True, transpositions=True)


@pytest.mark.sample(4)
@pytest.mark.parametrize("simulations", [600, pytest.param(2_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", STATES)
def test_long_searches(name, seed, simulations):
    options = random.Random(f"{name} {seed}")
    assert_same(
        STATES[name],
        simulations,
        seed,
        selection=list(SELECTIONS)[seed % 3],
        joint_selection=list(JOINT_SELECTIONS)[seed % 2],
        exploration=options.choice([0.5, 1.4]),
        solver=options.random() < 0.5,
        transpositions=options.random() < 0.5 and name not in WITH_CHANCE,
    )
