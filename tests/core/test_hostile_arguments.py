"""Public functions with wrong arguments: they raise ordinary errors and never end the interpreter."""

import importlib.machinery
import math
import pickle
import pkgutil
import random
import subprocess
import sys

import numpy as np
import pytest
from python_games import TicTacToe
from support import HELPERS, VARIANTS, kernel_search, random_path
from waiting import BUILD_SECONDS

import cext
import mcts
from cext.arguments import shown
from cext.exact.backward_induction import StageSolver, pack_space
from cext.exact.random_walks import RandomWalks
from cext.exact.solved_states import SolvedStates
from cext.exact.state_space import StateSpace
from cext.game.game import NOOP, State, View
from cext.game.playouts import play_chunks
from cext.games.common.symmetry import board_symmetries

HUGE = 10**5000
COMPILED = sorted(
    found.name
    for found in pkgutil.walk_packages(cext.__path__, "cext.")
    if cext._variant.V3 not in found.name
    and getattr(found.module_finder.find_spec(found.name), "loader", None).__class__
    is importlib.machinery.ExtensionFileLoader
)
CALLABLE = [
    name
    for name in COMPILED
    if any(callable(value) for key, value in vars(importlib.import_module(name)).items() if not key.startswith("_"))
]
POLICY = {"selection": "ucb1", "joint_selection": "exp3", "playout": "uniform", "exploration": 1.4}


class OnlyIndex:
    """A whole number that is no int."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def new_search(game, **options):
    return kernel_search(game, **{**POLICY, "memory_bytes": 1 << 20, **options})


def run_hostile_calls(*arguments):
    program = HELPERS.joinpath("hostile_calls.py")
    done = subprocess.run(
        [sys.executable, program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert int(done.stdout.splitlines()[-1]) > 0


@pytest.mark.sample(1)
@pytest.mark.parametrize("what", ["instances", "new"])
def test_no_method_and_no_public_function_crashes_with_wrong_arguments(what):
    run_hostile_calls(f"{what},mcts,bots", 1, 3)


@pytest.mark.long
@pytest.mark.parametrize("what", ["instances", "new", "mcts", "bots", "bots.studies.analysis.regret", *CALLABLE])
def test_no_public_name_crashes_with_many_wrong_arguments(what):
    run_hostile_calls(what, 2, 30)


@pytest.mark.parametrize(
    "call",
    [
        lambda: mcts.playouts(None, 10),
        lambda: mcts.playouts("x", 10),
        lambda: mcts.MCTS.plain(None),
        lambda: mcts.MCTS.plain(mcts.load_game("mnk")).run("x", simulations=10),
        lambda: mcts.MCTS.plain(mcts.load_game("mnk")).run(None, simulations=10),
        lambda: mcts.MCTS.plain(mcts.load_game("mnk"), seed="x"),
        lambda: mcts.MCTS.plain(mcts.load_game("mnk"), seed=1.5),
        lambda: mcts.DoubleOracle(mcts.load_game("bidding_3d_ttt")).run("x", simulations=10),
        lambda: mcts.load_game("mnk").new_initial_state().sample_action(0, "x"),
        lambda: mcts.load_game("mnk").new_initial_state().legal_actions("x"),
        lambda: mcts.load_game("mnk").new_initial_state().string_to_action(0, None),
        lambda: mcts.load_game("mnk").new_initial_state().view(None),
        lambda: mcts.MCTS.plain(mcts.load_game("mnk"), selection="puct", evaluator=1.5),
    ],
)
def test_a_wrong_type_is_refused_with_what_was_given_and_what_is_valid(call):
    with pytest.raises(TypeError, match=r"'x'|None|1\.5") as caught:
        call()
    assert "valid" in str(caught.value) or "is a str" in str(caught.value) or "see mcts.Evaluator" in str(caught.value)
    assert "incorrect type" not in str(caught.value)


def test_typed_arguments_of_the_core_do_not_take_none():
    game = mcts.load_game("mnk")
    search = new_search(game)
    for call in (
        lambda: play_chunks(None, 1, 10, 0, 1, False),
        lambda: new_search(None),
        lambda: search.set_root(None, 1),
        lambda: search.is_rooted_at(None),
        lambda: StateSpace(None, 1, 1),
        lambda: StageSolver(None),
        lambda: pack_space(None),
        lambda: RandomWalks(None, 1, 1),
        lambda: SolvedStates(None, True, None, None, None, None),
        lambda: SolvedStates(game, True, None, None, None, None),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


@pytest.mark.parametrize("kind", [State, View])
def test_objects_made_by_new_alone_refuse_every_method(kind):
    made = kind.__new__(kind)
    arguments = {"sample_action": (0, 0), "is_legal": (0, 0), "action_to_string": (0, 0), "string_to_action": (0, "x")}
    arguments["joint_action"], arguments["sample_outcome"] = ({},), (0,)
    alone = ("legal_actions", "view", "transform", "resample", "apply_action", "apply_actions", "child")
    names = [name for name in dir(kind) if not name.startswith("_") and name not in ("game", "player")]
    assert len(names) > 8
    for name in names:
        given = arguments.get(name, (0,) if name in alone else ())
        if kind is View and name != "resample":
            given = given[1:]
        with pytest.raises(TypeError, match="made by __new__ alone"):
            getattr(made, name)(*given)
    for call in (hash, str, pickle.dumps, lambda one: one == one.__class__.__new__(kind)):
        with pytest.raises(TypeError):
            call(made)
    assert "without" in repr(made)


def test_a_search_without_a_root_raises():
    search = new_search(mcts.load_game("mnk"))
    for call in (
        lambda: search.run(10, 1.0),
        search.bounds,
        search.value_sums,
        search.root_arms,
        search.principal_variation,
    ):
        with pytest.raises(mcts.StateError, match="call set_root first"):
            call()
    assert (search.visits, search.proven, search.tree(1, 1), search.root_state()) == (0, False, None, None)


def test_a_root_must_be_a_state_of_the_same_game_that_is_not_over():
    search = new_search(mcts.load_game("mnk"))
    with pytest.raises(mcts.StateError, match=r"mnk\(m=5"):
        search.set_root(mcts.load_game("mnk(m=5,n=5,k=4)").new_initial_state(), 1)
    with pytest.raises(mcts.StateError, match="is over"):
        search.set_root(random_path(mcts.load_game("mnk"), 1)[-1], 1)
    search.set_root(mcts.load_game("mnk").new_initial_state(), 1)
    with pytest.raises(mcts.IllegalActionError):
        search.advance([99, -1])


def test_a_game_that_claims_equality_does_not_share_a_search():
    class Equal(TicTacToe):
        def __eq__(self, other):
            return True

        __hash__ = TicTacToe.__hash__

    foreign = Equal().new_initial_state()
    game = mcts.load_game("mnk")
    assert (foreign == game.new_initial_state()) is False
    with pytest.raises(mcts.StateError):
        new_search(game).set_root(foreign, 1)


def test_a_game_is_set_up_once():
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    with pytest.raises(TypeError, match="already initialised"):
        game.__init__(m=8, n=8)
    assert len(state.legal_actions()) == 9
    tables = board_symmetries(3, 3)
    tables.__init__(8, 8)
    assert state.canonical()[1] == 0


def test_methods_of_a_solver_refuse_calls_out_of_order():
    game = mcts.load_game("mnk")
    space = StateSpace(game, 1 << 28, 1 << 20)
    solver = StageSolver(space)
    for call in (space.sort, lambda: solver.solve(0, 1), lambda: pack_space(space)):
        with pytest.raises(ValueError, match="explore"):
            call()
    while not space.explore(1000):
        pass
    space.sort()
    count = space.num_canonical
    for begin, end in ((0, count + 1), (2, 1)):
        with pytest.raises(ValueError, match="valid: 0 to"):
            solver.solve(begin, end)
    solver.solve(count - 1, count)  # what follows is not known yet: nonsense, and no crash
    assert np.isnan(pack_space(space)[3]).any()


@pytest.mark.parametrize("number", [np.int64(7), np.uint8(7), OnlyIndex(7), 7 + 2**64, 7 - 2**64])
def test_any_whole_number_is_a_seed(number):
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    hidden = mcts.load_game("bidding_3d_ttt").new_initial_state()
    assert list(mcts.playouts(state, 100, seed=number)) == list(mcts.playouts(state, 100, seed=7))
    assert state.sample_action(0, number) == state.sample_action(0, 7)
    assert hidden.view(0).resample(number) == hidden.view(0).resample(7)
    for make in (mcts.MCTS, mcts.MCTS.plain):
        same = [make(game, seed=seed).run(state, simulations=50).visits for seed in (number, 7)]
        assert same[0] == same[1]
    bids = [
        mcts.DoubleOracle(hidden.game, opening=False, seed=seed).run(hidden.view(0), 300).action for seed in (number, 7)
    ]
    assert bids[0] == bids[1]


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, OnlyIndex])
def test_any_whole_number_is_an_action_a_player_and_a_count(kind):
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    assert state.is_legal(kind(0), kind(4))
    assert state.action_to_string(kind(0), kind(4)) == "mark(2,2)"
    state.apply_action(kind(4))
    state.apply_actions([OnlyIndex(NOOP), kind(0)])
    assert state.view(kind(0)).player == 0
    search = mcts.MCTS.plain(game, threads=kind(1))
    result = search.run(state, simulations=kind(50), player=kind(0))
    assert result.simulations == 50
    assert type(mcts.Limit(simulations=kind(3)).simulations) is int
    assert isinstance(search.advance(kind(1)), bool)
    assert len(mcts.playouts(state, kind(10), threads=kind(1))) == 2
    assert mcts.load_game("mnk", m=kind(4)).spec == "mnk(m=4,n=3,k=3)"


def test_numbers_of_thousands_of_digits_raise_ordinary_errors():
    game = mcts.load_game("mnk")
    state = game.new_initial_state()
    for error, call in (
        (mcts.errors.LimitError, lambda: mcts.Limit(simulations=HUGE)),
        (mcts.errors.LimitError, lambda: mcts.Limit(seconds=HUGE)),
        (mcts.errors.LimitError, lambda: mcts.playouts(state, HUGE)),
        (mcts.ParameterError, lambda: mcts.load_game("mnk", m=HUGE)),
        (mcts.ParameterError, lambda: mcts.load_game(f"mnk(m={'9' * 5000})")),
        (mcts.ParameterError, lambda: mcts.MCTS.plain(game, exploration=HUGE)),
        (mcts.IllegalActionError, lambda: state.apply_action(HUGE)),
        (mcts.IllegalActionError, lambda: state.apply_actions([0, HUGE])),
        (ValueError, lambda: state.view(HUGE)),
        (mcts.StateError, lambda: game.state_from_text(f'{{"board":{"9" * 5000}}}')),
    ):
        with pytest.raises(error) as caught:
            call()
        assert len(str(caught.value)) < 1000
    assert state.sample_action(0, HUGE) in range(9)


@pytest.mark.parametrize("spec", VARIANTS)
def test_states_with_huge_numbers_and_wrong_types_in_them_are_refused(spec):
    game = mcts.load_game(spec)
    whole = random_path(game, 3)[2 if spec != "mnk(m=1,n=1,k=1)" else 0].to_dict()
    for key in whole:
        for wrong in (HUGE, -HUGE, 1j, float("nan"), object(), b"x", [HUGE] * 9, {"x": HUGE}, "?" * 9, [[HUGE]]):
            with pytest.raises(mcts.StateError):
                game.state_from_dict({**whole, key: wrong})


def test_floats_as_players_are_an_error_of_the_rules():
    class Halves(TicTacToe):
        def acting_players(self, board):
            return (0.5,)

    with pytest.raises(TypeError, match=r"0\.5"):
        Halves().new_initial_state().acting_players()


@pytest.mark.parametrize(
    "returns", [(1.0,), (1.0, 2.0, 3.0), (math.nan, 1.0), (1j, 0.0), ("x", 0.0), (HUGE, 0.0), None, 3], ids=shown
)
def test_invalid_returns_of_rules_are_an_error(returns):
    class Wrong(TicTacToe):
        def returns(self, board):
            return returns

    game = Wrong()
    with pytest.raises((ValueError, TypeError, OverflowError)):
        mcts.playouts(game.new_initial_state(), 1)


def test_inconsistent_rules_do_not_crash():
    rng = random.Random(1)

    class Fickle(TicTacToe):
        def acting_players(self, board):
            return rng.choice([(), 0, 1, (0, 1)]) if board.count(".") < 9 else (0, 1)

        def legal_actions(self, board, player):
            return sorted(rng.sample(range(9), rng.randint(1, 9)))

        def next_state(self, board, joint):
            return board[1:] + "x" if rng.random() < 0.2 else "." * rng.randrange(9)

        def returns(self, board):
            return (rng.random() * 100, 0.0)

    game = Fickle()
    for options in ({}, {"solver": True}, {"solver": True, "transpositions": True}, {"selection": "grave"}):
        for seed in range(10):
            search = mcts.MCTS.plain(game, seed=seed, memory_mb=1, **options)
            result = search.run(game.new_initial_state(), simulations=100)
            assert result.simulations > 0


@pytest.mark.parametrize(
    "wrong",
    [
        np.ones((1, 9)) * 1j, np.full((1, 9), np.nan), np.full((1, 9), -1.0), np.full((1, 9), "x"),
        np.full((1, 9), "0.5"), np.full((1, 9), None), np.ones((9, 1)), np.ones((1, 8)), [[HUGE] * 9], "x", None,
    ],
    ids=shown,
)  # fmt: skip
def test_an_evaluator_with_wrong_priors_is_an_evaluator_error(wrong):
    game = mcts.load_game("mnk")

    class Wrong:
        def evaluate(self, batch):
            return wrong, np.full((len(batch), 2), 50.0)

    with pytest.raises(mcts.errors.EvaluatorError):
        mcts.MCTS.plain(game, selection="puct", evaluator=Wrong()).run(game.new_initial_state(), simulations=5)


@pytest.mark.parametrize("value", [1j, math.nan, math.inf, -1.0, 101.0, "x", None, HUGE], ids=shown)
def test_an_evaluator_with_wrong_values_is_an_evaluator_error(value):
    game = mcts.load_game("mnk")

    class Wrong:
        def evaluate(self, batch):
            return np.ones((len(batch), 9)), [[value, 50.0]] * len(batch)

    with pytest.raises(mcts.errors.EvaluatorError):
        mcts.MCTS.plain(game, selection="puct", evaluator=Wrong()).run(game.new_initial_state(), simulations=5)


def test_the_core_checks_the_result_of_an_evaluation():
    game = mcts.load_game("mnk")
    search = new_search(game, selection="puct", batch_size=4)
    search.set_root(game.new_initial_state(), 1)
    for priors, values in (
        (None, None),
        (np.ones((1, 9), np.float32), None),
        (np.ones((1, 2), np.float32), np.full((1, 2), 0.5)),
        (np.ones((1, 9), np.float64), np.full((1, 2), 0.5)),
        (np.full((1, 9), np.nan, np.float32), np.full((1, 2), 0.5)),
        (np.ones((1, 9), np.float32), np.full((1, 2), 2.0)),
    ):
        with pytest.raises((ValueError, TypeError)):
            search.run_evaluated(5, 1e9, lambda batch, answer=(priors, values): answer)
    with pytest.raises(TypeError, match="run_evaluated"):
        search.run(5, 1.0)
    with pytest.raises(TypeError, match="run by run"):
        new_search(game).run_evaluated(5, 1.0, len)


def test_an_evaluator_cannot_change_its_batch():
    game = mcts.load_game("mnk")
    search = new_search(game, selection="puct", batch_size=4)
    search.set_root(game.new_initial_state(), 1)
    kept = []

    def evaluate(batch):
        kept.append(batch)
        base = batch
        while isinstance(base.base, np.ndarray):
            base = base.base
        with pytest.raises(ValueError, match=r"resize|own"):
            base.resize((1 << 20,), refcheck=False)
        return np.ones((len(batch), 9), np.float32), np.full((len(batch), 2), 0.5)

    assert search.run_evaluated(20, 1e9, evaluate)[0] == 20
    assert all(np.isfinite(batch).all() for batch in kept)
