"""Compiled objects shared by threads: a call answers or raises BusyError, and the object stays sound.

Memory damage shows under the sanitizers, where `.ci/sanitize` runs this file; without them it mostly shows as a crash.
"""

import contextlib
import importlib
import inspect
import pkgutil
import random
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest
from python_games import TicTacToe
from rulesheets import ENDLESS, load, written
from solutions import table_of
from support import kernel_search, random_joint
from waiting import HANG_SECONDS

import cext
import mcts
from cext.exact.backward_induction import StageSolver, pack_space
from cext.exact.counterfactual_regret import CounterfactualRegret
from cext.exact.outcome_sampling import OutcomeSampling
from cext.exact.random_walks import RandomWalks
from cext.exact.sequence_form import SequenceForm
from cext.exact.solved_states import SolvedStates, state_bytes
from cext.exact.state_space import StateSpace
from cext.game.game import Game, State, View
from cext.game.playouts import play_chunks
from cext.game.python_game import PythonGame
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver
from cext.games.common.symmetry import BoardSymmetries
from cext.gdl.circuit import Circuit
from cext.gdl.factoring import Factoring
from cext.gdl.game import NetworkGame
from cext.gdl.images import Images
from cext.gdl.instances import Instances
from cext.gdl.joins import OPERATIONS, TARGETS, Joins
from cext.gdl.library import Library
from cext.gdl.network_arrays import NetworkArrays
from cext.gdl.network_graph import NetworkGraph
from cext.matrix_game import matrix_game
from cext.nets.net import Net
from cext.search.information_set_search import InformationSetSearch
from cext.search.policies import JOINT_SELECTIONS, PLAYOUTS, SELECTIONS
from cext.search.policies.joint_selection_table import JointSelection
from cext.search.policies.playout_table import PlayoutPolicy
from cext.search.policies.policy import Policy
from cext.search.policies.selection_table import Selection
from cext.search.root_record import RootRecord
from cext.search.search import Search
from cext.search.search_memory import SearchMemory
from mcts.gdl import libraries
from mcts.registry import native_games

THREADS = 4
ROUNDS = 25
POLICY = {"selection": "ucb1", "joint_selection": "regret_matching", "playout": "uniform", "exploration": 1.4}
REFUSED = (mcts.errors.BusyError, mcts.StateError, mcts.IllegalActionError, ValueError)
"""What a call may say that comes at a bad moment: another thread has just moved on, or is at it."""


class Uniform:
    """An evaluator that finds everything equal."""

    def __init__(self, game):
        self.shape = (game.num_actions, game.num_players)

    def evaluate(self, batch):
        actions, players = self.shape
        return np.ones((len(batch), actions), np.float32), np.full((len(batch), players), 50.0)

    def evaluate_batch(self, batch):
        priors, values = self.evaluate(batch)
        return priors, values / 100


def new_search(game, **options):
    return kernel_search(game, **{**POLICY, "memory_bytes": 1 << 20, **options})


def calls_of_search(game, evaluate=None, **options):
    start = game.new_initial_state()
    search = new_search(game, **options)
    run = (lambda: search.run_evaluated(50, 1e9, evaluate)) if evaluate else (lambda: search.run(200, 1e9))

    def advance():
        root = search.root_state()
        if root is not None and not root.is_terminal():
            search.advance(random_joint(root, random.Random(1)))

    return [
        run,
        run,
        lambda: search.set_root(start, 1),
        advance,
        lambda: search.is_rooted_at(start),
        lambda: (search.nodes, search.memory_bytes, search.visits, search.proven),
        lambda: (search.bounds(), search.value_sums(), search.root_arms(), search.principal_variation()),
        lambda: search.tree(3, 50),
        lambda: (search.stop(), search.stop(False)),
    ]


def search_of_a_compiled_game():
    return calls_of_search(mcts.load_game("tic_block"), solver=True, transpositions=True)


def search_of_simultaneous_moves():
    return calls_of_search(mcts.load_game("bidding_ttt(coins=2)"), solver=True)


def search_of_a_python_game():
    return calls_of_search(TicTacToe())


def search_with_an_evaluator():
    game = mcts.load_game("mnk")
    return calls_of_search(game, Uniform(game).evaluate_batch, selection="puct", batch_size=4)


def root_records():
    search = new_search(mcts.load_game("tic_block"), solver=True)
    search.set_root(search.game.new_initial_state(), 1)
    search.run(200, 1e9)
    record = search.root_record()
    before = repr((record.root_arms(), record.value_sums(), record.bounds(), record.line(), record.nodes))

    def read():
        now = repr((record.root_arms(), record.value_sums(), record.bounds(), record.line(), record.nodes))
        assert now == before

    return [read, read, lambda: search.run(50, 1e9), lambda: search.root_record().line()]


def information_set_search():
    view = mcts.load_game("kuhn_poker").state_from_text("JK_-").view(0)
    search = InformationSetSearch(view, 1, "ucb1", 0.7, 1)
    return [lambda: search.simulate(100), lambda: (search.arms(), search.values(), search.num_nodes)]


def sequence_form():
    form = SequenceForm(mcts.load_game("leduc_poker"), 100)

    def read():
        if form.explore(100):
            form.example(form.num_sets - 1)
            form.sets_by_view()
            form.ends()

    return [lambda: form.explore(50), read, lambda: form.num_histories]


def counterfactual_regret():
    form = SequenceForm(mcts.load_game("kuhn_poker"), 100)
    assert form.explore(1000)
    regret = CounterfactualRegret(form)
    return [lambda: regret.run(20), regret.evaluate, lambda: (regret.strategy(0), regret.iterations)]


def outcome_sampling():
    view = mcts.load_game("leduc_poker").state_from_text("QJ._r").view(1)
    form = SequenceForm(view.game, 100)
    key = form.key_of(view)
    walk = SequenceForm(view.game, 100, None, [key], False)
    sampling = OutcomeSampling(view.game, 0.4, 0.9, 10)

    def aim():
        walk.explore(500)
        sampling.aim(walk)

    return [lambda: sampling.simulate(200), aim, lambda: (sampling.answer(*key), sampling.num_sets, sampling.reseed(1))]


def state_space():
    game = mcts.load_game("mnk")
    space = StateSpace(game, 1 << 28, 1 << 20)
    solvers = [StageSolver(space) for _ in range(2)]

    def solve(number):
        for begin, end in zip(space.layers, space.layers[1:], strict=False):
            solvers[number].solve(begin, end)

    return [
        lambda: space.explore(50),
        lambda: space.sort(),
        lambda: solve(0),
        lambda: solve(1),
        lambda: solvers[0].solve(0, 1),
        lambda: pack_space(space),
    ]


def solved_states():
    game = mcts.load_game("mnk")
    solution = mcts.solve(game, cache=False)
    solved, state = table_of(game), game.new_initial_state()
    return [
        lambda: solved.value(state),
        lambda: solved.payoffs(state),
        lambda: solution.policy(state, 0),
        lambda: SolvedStates(game, solved.reduces, solved.base, solved.bits, solved.keys, solved.values),
        lambda: len(solved),
    ]


def random_walks():
    games = RandomWalks(mcts.load_game("tic_block"), 500, 1)
    return [games.step]


def selection_policy():
    policy = SELECTIONS["puct"]
    return [policy.check, lambda: policy.needs_priors, lambda: policy.values_untried, lambda: repr(policy)]


def joint_selection_policy():
    policy = JOINT_SELECTIONS["exp3"]
    return [policy.check, lambda: policy.reads_exploration, lambda: repr(policy)]


def playout_policy():
    policy = PLAYOUTS["uniform"]
    return [policy.check, lambda: policy.name, lambda: repr(policy)]


def search_memory():
    search = new_search(mcts.load_game("mnk"))
    return [lambda: search.selection, lambda: search.joint_selection, lambda: search.playout, lambda: search.batch_size]


def calls_of_state(game):
    state = game.new_initial_state()
    other = game.new_initial_state()
    rng = random.Random(1)

    def move():
        if not state.is_terminal():
            with contextlib.suppress(IndexError):  # no action to choose from, if another thread has just ended the game
                state.apply_actions(random_joint(state, rng))

    def ask():
        for player in state.acting_players():
            action = state.sample_action(player, 1)
            state.is_legal(player, action)
            state.string_to_action(player, state.action_to_string(player, action))

    return [
        move,
        ask,
        lambda: (state.to_dict(), str(state), state.key(), state == other, state.canonical()),
        lambda: [state.view(player).resample(1) for player in range(game.num_players)],
        lambda: state.returns() if state.is_terminal() else play_chunks(state, 1, 200, 0, 1, False),
        lambda: state.encode() if game.encoding_size else None,
        lambda: game.is_enumerable and not state.is_terminal() and new_search(game).set_root(state, 1),
        lambda: None if isinstance(game, PythonGame) else state_bytes(state),
    ]


def views():
    view = mcts.load_game("bidding_3d_ttt").new_initial_state().view(1)
    return [
        lambda: view.sample_action(1),
        lambda: (view.to_dict(), str(view), hash(view), view.resample(1)),
        lambda: view == view.resample(2).view(1),
    ]


def games():
    game = mcts.load_game("mnk")
    return [
        game.new_initial_state,
        lambda: game.transform_action(1, 0, 2),
        lambda: hash(game),
        lambda: refuse_second_init(game),
    ]


def refuse_second_init(game):
    with pytest.raises(TypeError, match="already initialised"):
        game.__init__(m=8, n=8)


def searcher(**options):
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    search = mcts.MCTS.plain(game, memory_mb=4, **options)
    start = game.new_initial_state()
    return [
        lambda: search.run(start, simulations=300),
        lambda: search.run(start, simulations=300).tree(),
        lambda: search.advance(0),
        search.stop,
    ]


def view_searcher():
    game = mcts.load_game("bidding_3d_ttt")
    search = mcts.DoubleOracle(game, opening=False)
    view = game.new_initial_state().view(0)
    return [lambda: search.run(view, simulations=300), search.stop]


def rulesheet_game():
    with tempfile.TemporaryDirectory() as folder:
        return load(written(Path(folder), ENDLESS))


def library():
    """A game plays while a library is loaded for it. Without a C compiler there is no file, which is refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYOUT_COMPILE", "always")
        rulesheet_game()
    path = next(libraries.folder().glob("*.so"), Path("none.so"))
    game = rulesheet_game()
    state = game.new_initial_state()

    def load_library():
        with contextlib.suppress(OSError):  # after the first time
            game.use_library(path)

    def refuse_a_library():
        with pytest.raises(OSError, match="is not a library of a network"):
            Library(__file__)

    return [load_library, lambda: mcts.playouts(state, 5), refuse_a_library]


def network_arrays():
    network = rulesheet_game().network
    return [lambda steps=steps: NetworkArrays(network, steps) for steps in (1, 10)]


def network_graph():
    starts, edges, links = (np.array(numbers, np.int32) for numbers in ([0, 2, 4], [2, 4, 3, 6], [0, 8, 6]))
    graph = NetworkGraph(starts, edges, links, np.array([1, 2, 2, 0, 0], np.uint64))
    return [
        lambda: graph.refine(np.ones(3, np.uint64)),
        lambda: graph.extend(np.arange(5, dtype=np.int32)),
        lambda: graph.work,
    ]


def rule_tables():
    joins = Joins(8, 1000, 1000, 1 << 20, 60)
    word, pair = joins.functor("a", 0), joins.functor("pair", 2)
    atom = joins.term(word, ())
    relation = joins.relation(2, -1, -1, False, True)

    def start_and_run():
        chain = joins.chain(-1)
        joins.compile(chain, [OPERATIONS["end"], TARGETS["row"], relation, 0, 1, 0, 0], [atom, atom], [], 0)
        assert joins.start(chain) == "done"
        joins.run()

    return [
        start_and_run,
        lambda: joins.parts(joins.term(pair, (atom, joins.term(word, ())))),
        lambda: (joins.num_atoms(), joins.num_rows(relation), joins.atoms_of(relation)),
        lambda: joins.index(relation, [1]),
        joins.start_recording,
        joins.take_instances,
    ]


def circuits():
    circuit, other = Circuit(60, 1000), Circuit(60, 1000)
    first, second = [circuit.input() for _ in range(2)]
    inputs = {first >> 1: other.input(), second >> 1: other.input()}
    factoring, back = Factoring(other, [[inputs[first >> 1]]]), Factoring(circuit, [[first]])
    instances = Instances(np.array([2, 2, 0, 1, 0], np.int32).tobytes(), 3)
    return [
        lambda: circuit.any_of([first, circuit.all_of([first, second])]),
        lambda: instances.build(circuit, [first, second, -1], None),
        lambda: factoring.rebuild(circuit, inputs, [circuit.all_of([first, second])]),
        lambda: back.rebuild(other, {inputs[first >> 1] >> 1: first}, [inputs[first >> 1] ^ 1]),
        lambda: circuit.constants([first >> 1], [True], [first]),
        lambda: (circuit.num_nodes, circuit.gate(1), circuit.cone([first])),
        lambda: circuit.arrays([[circuit.any_of([first, second])]], 3),
        lambda: instances.bodies(2),
    ]


def value_net():
    state = mcts.load_game("mnk").new_initial_state()
    ones = [np.ones(shape, np.float32) for shape in (4, (20, 4), 1, (4, 1), 9, (4, 9))]
    net = Net([(ones[0], ones[1]), (ones[2], ones[3])], (ones[4], ones[5]))
    rows = np.ones((2, 20), np.float32)
    return [
        lambda: net.evaluate(rows, np.zeros((2, 1), np.float32)),
        lambda: net.priors(state, [0, 8]),
        lambda: (net.num_inputs, net.num_outputs),
    ]


def solver_of_a_round():
    state = mcts.load_game("bidding_3d_ttt").new_initial_state()
    solver = RoundSolver(state.view(0), 0, seed=1)
    return [
        lambda: solver.grow(solver.leaves + 2000),
        solver.settle,
        solver.strategy,
        lambda: (solver.value, solver.types, solver.finished),
        lambda: RoundSolver(state, 1),
    ]


def tables():
    return [lambda: BoardSymmetries(3, 3), lambda: matrix_game([[1.0, 0.0], [0.0, 1.0]])]


STATES = [*native_games()]
BUILDERS = {
    "search": (Search, search_of_a_compiled_game),
    "search, simultaneous": (Search, search_of_simultaneous_moves),
    "search, python": (Search, search_of_a_python_game),
    "search, evaluated": (Search, search_with_an_evaluator),
    "records": (RootRecord, root_records),
    "information sets": (InformationSetSearch, information_set_search),
    "sequence form": (SequenceForm, sequence_form),
    "regrets": (CounterfactualRegret, counterfactual_regret),
    "outcome sampling": (OutcomeSampling, outcome_sampling),
    "space": (StateSpace, state_space),
    "solvers": (StageSolver, state_space),
    "solved": (SolvedStates, solved_states),
    "random walks": (RandomWalks, random_walks),
    "selection": (Selection, selection_policy),
    "joint selection": (JointSelection, joint_selection_policy),
    "playout policy": (PlayoutPolicy, playout_policy),
    "policy": (Policy, playout_policy),
    "memory of a search": (SearchMemory, search_memory),
    **{f"state, {name}": (State, lambda name=name: calls_of_state(mcts.load_game(name))) for name in STATES},
    "state, python": (PythonGame, lambda: calls_of_state(TicTacToe())),
    "state, rulesheet": (NetworkGame, lambda: calls_of_state(rulesheet_game())),
    "view": (View, views),
    "game": (Game, games),
    "symmetries": (BoardSymmetries, tables),
    "rules": (Joins, rule_tables),
    "networks": (NetworkArrays, network_arrays),
    "networks as graphs": (NetworkGraph, network_graph),
    "symmetries of networks": (Images, lambda: [Images]),
    "library of a network": (Library, library),
    "circuits": (Circuit, circuits),
    "circuits, factoring": (Factoring, circuits),
    "circuits, instances": (Instances, circuits),
    "value net": (Net, value_net),
    "round": (RoundSolver, solver_of_a_round),
    "MCTS": (mcts.MCTS, searcher),
    "MCTS, threads": (mcts.MCTS, lambda: searcher(threads=2)),
    "DoubleOracle": (mcts.DoubleOracle, view_searcher),
}


@pytest.fixture(autouse=True)
def _switch_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def hammer(calls, threads=THREADS, rounds=ROUNDS):
    """Call at random from several threads at once; what was raised but REFUSED, and how often somebody was refused."""
    wrong, busy = [], []
    together = threading.Barrier(threads)

    def work(number):
        rng = random.Random(number)
        together.wait()
        for _ in range(rounds):
            try:
                rng.choice(calls)()
            except REFUSED as error:
                if isinstance(error, mcts.errors.BusyError):
                    busy.append(error)
            except BaseException as error:
                wrong.append(error)

    workers = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(HANG_SECONDS)
        assert not worker.is_alive(), "a call hangs"
    return wrong, len(busy)


@pytest.mark.parametrize("name", BUILDERS)
def test_calls_on_a_shared_object_succeed_or_raise_busy_error(name):
    wrong, _ = hammer(BUILDERS[name][1]())
    assert wrong == []


def test_every_compiled_class_is_tested_with_threads():
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(cext.__path__, "cext.")
        if ".x86_64_v" not in found.name
        and (not found.name.startswith("cext.games.") or {"common", "rounds"} & set(found.name.split(".")))
    ]
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if inspect.isclass(kind) and kind.__module__ == module.__name__ and not kind.__flags__ & (1 << 9)
    }
    assert kinds == {kind for kind, _ in BUILDERS.values() if kind.__module__.startswith("cext.")}


def test_four_threads_that_run_one_searcher_get_results_or_busy_errors():
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    search = mcts.MCTS.plain(game, solver=True)
    start = game.new_initial_state()
    results = []
    wrong, busy = hammer([lambda: results.append(search.run(start, simulations=20_000))], rounds=4)
    assert wrong == []
    assert busy > 0
    assert results
    assert all(sum(result.visits.values()) == 20_000 for result in results)
    assert search.run(start, simulations=100).simulations == 100


def test_one_bot_in_two_threads_answers_or_raises_busy_error():
    from bots import load_bot

    game = mcts.load_game("tic_block")
    bot = load_bot("mcts(simulations=5000)")
    bot.new_game(game, 0, 1)
    view = game.new_initial_state().view(0)
    answers = []
    wrong, busy = hammer([lambda: answers.append(bot.choose(view))], threads=2, rounds=6)
    assert wrong == []
    assert answers
    assert all(view.is_legal(answer) for answer in answers)
    assert busy + len(answers) == 12


def test_a_state_changed_by_one_thread_is_never_half_read_by_another():
    game = mcts.load_game("mnk(m=8,n=8,k=5)")
    state = game.new_initial_state()
    seen = []

    def move():
        if not state.is_terminal():
            state.apply_action(state.legal_actions()[0])

    def read():
        seen.append(state.clone())
        play_chunks(state, 1, 100, 0, 1, False)

    assert hammer([move, read, read])[0] == []
    for one in seen:
        assert game.state_from_dict(one.to_dict()) == one


def test_an_action_whose_index_changes_the_state_is_refused():
    state = mcts.load_game("mnk").new_initial_state()

    class Sneaky:
        def __index__(self):
            state.apply_action(4)
            return 4

    with pytest.raises(mcts.errors.BusyError):
        state.apply_action(Sneaky())
    assert state == mcts.load_game("mnk").new_initial_state()


@pytest.mark.parametrize("method", ["run", "advance", "tree"])
def test_an_evaluator_that_uses_its_own_searcher_is_refused(method):
    game = mcts.load_game("mnk")
    start = game.new_initial_state()

    class Reentrant(Uniform):
        is_sly = False

        def evaluate(self, batch):
            if not self.is_sly:
                pass
            elif method == "run":
                search.run(start, simulations=10)
            elif method == "advance":
                search.advance(0)
            else:
                found.tree()
            return super().evaluate(batch)

    evaluator = Reentrant(game)
    search = mcts.MCTS.plain(game, selection="puct", evaluator=evaluator)
    found = search.run(start, simulations=10)
    evaluator.is_sly = True
    with pytest.raises((mcts.errors.BusyError, mcts.StateError)):
        search.run(start, simulations=10)
    evaluator.is_sly = False
    assert search.run(start, simulations=10).simulations == 10


def test_the_core_refuses_an_evaluation_that_runs_or_moves_its_search():
    game = mcts.load_game("mnk")
    search = new_search(game, selection="puct", batch_size=4)
    start = game.new_initial_state()
    uniform = Uniform(game).evaluate_batch
    for call in (
        lambda: search.run_evaluated(10, 1.0, uniform),
        lambda: search.advance([0, -1]),
        lambda: search.set_root(start, 1),
        lambda: search.root_arms(),
        lambda: search.nodes,
    ):
        search.set_root(start, 1)

        def evaluate(batch, call=call):
            call()
            return uniform(batch)

        with pytest.raises(mcts.errors.BusyError):
            search.run_evaluated(100, 1e9, evaluate)
        assert search.run_evaluated(20, 1e9, uniform) == (20, False)


def test_rules_in_python_that_use_the_searcher_are_refused():
    class Meddling(TicTacToe):
        def legal_actions(self, board, player):
            if board.count(".") < 7:
                search.run(self.new_initial_state(), simulations=10)
            return super().legal_actions(board, player)

    game = Meddling()
    search = mcts.MCTS.plain(game)
    with pytest.raises(mcts.errors.BusyError):
        search.run(game.new_initial_state(), simulations=50)


def test_a_paused_run_can_be_read_and_not_changed():
    game = mcts.load_game("mnk(m=5,n=5,k=4)")
    start = game.new_initial_state()
    search = new_search(game, memory_bytes=1 << 26)
    search.set_root(start, 1)
    seen = []

    def on_pause(done):
        seen.append((search.visits, sum(row[1] for row in search.root_arms()[0])))
        for call in (lambda: search.run(10, 1.0), lambda: search.set_root(start, 1), lambda: search.advance([0, -1])):
            with pytest.raises(mcts.errors.BusyError):
                call()
        if len(seen) == 3:
            search.stop()

    search.run(2**31, 20.0, on_pause)
    assert len(seen) >= 3
    assert all(visits == total for visits, total in seen)
    assert search.visits >= seen[-1][0]


def test_copies_of_one_state_keep_their_own_histories_in_several_threads():
    start = mcts.load_game("mnk(m=8,n=8,k=5)").new_initial_state()
    for action in (0, 9, 1):
        start.apply_action(action)

    def play_a_copy():
        rng = random.Random()
        state, played = start.clone(), start.history()
        for _ in range(rng.randrange(30)):
            if state.is_terminal():
                break
            if rng.random() < 0.3:
                state = state.clone()
            joint = random_joint(state, rng)
            state.apply_actions(joint)
            played.append(tuple(joint))
        assert state.history() == played

    wrong, busy = hammer([play_a_copy], rounds=4 * ROUNDS)
    assert (wrong, busy) == ([], 0)
    assert start.history() == [(0, -1), (-1, 9), (1, -1)]


def test_a_game_is_set_up_by_one_thread_only():
    kind = type(mcts.load_game("mnk"))
    for _ in range(ROUNDS):
        game, made = kind.__new__(kind), []

        def set_up(size, game=game, made=made):
            with contextlib.suppress(TypeError):
                game.__init__(m=size, n=size, k=3)
                made.append(size)

        assert hammer([lambda: set_up(3), lambda: set_up(8)], threads=2, rounds=2)[0] == []
        assert game.num_actions == game.parameters["m"] ** 2 == made[0] ** 2
        assert len(made) == 1


def test_a_game_is_named_once():
    game = mcts.load_game("mnk")
    game.name_by("package.module.Game")
    assert game.spec == "package.module.Game(m=3,n=3,k=3)"
    with pytest.raises(TypeError, match="named before"):
        game.name_by("package.module.Other")
    assert game.spec == "package.module.Game(m=3,n=3,k=3)"


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter always has a GIL")
def test_no_compiled_module_turns_the_gil_on():
    code = """
import importlib, pkgutil, sys
import cext, mcts
for found in pkgutil.walk_packages(cext.__path__, "cext."):
    if cext._variant.V3 not in found.name:
        importlib.import_module(found.name)
assert not sys._is_gil_enabled()
"""
    subprocess.run([sys.executable, "-P", "-W", "error", "-c", code], check=True, timeout=HANG_SECONDS)
