"""Calls every public name with None, wrong types and numbers out of range; run as a program by test_hostile_arguments.

usage: python hostile_calls.py MODULES SEED ROUNDS

Arguments are known to be right, and one or two of them are replaced. Whatever is raised is right, as long as it is an
ordinary exception; the process must live. The last line printed is the number of calls.
"""

import contextlib
import faulthandler
import importlib
import inspect
import io
import os
import pickle
import random
import signal
import sys
import tempfile

import numpy as np

import bots
import mcts
from cext.exact.backward_induction import StageSolver
from cext.exact.random_walks import RandomWalks
from cext.exact.solved_states import SolvedStates
from cext.exact.state_space import StateSpace
from cext.game.game import State, View
from cext.game_info import GameInfo
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver
from cext.search.search import Search
from mcts.options import plain_options

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_games import TicTacToe
from solutions import table_of

MOST_SECONDS = 0.1
"""For one call, which a signal then ends."""
NEVER = {
    "register_game",  # would stay registered
    "playout_seconds",
    "stop",  # a flag for the runs of others
    "hold",
}


class Index:
    """A number that is only an index."""

    def __index__(self):
        return 1


class Raises:
    """Everything that it is asked raises."""

    def __index__(self):
        raise RuntimeError("no")

    __bool__ = __len__ = __iter__ = __repr__ = __float__ = __hash__ = __index__

    def __eq__(self, other):
        raise RuntimeError("no")


class Liar(str):
    """A text that is equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


GAME = mcts.load_game("mnk")
BIDDING = mcts.load_game("bidding_ttt(coins=2)")
HIDDEN = mcts.load_game("bidding_3d_ttt(chips=1)")
PYTHON = TicTacToe()
START = GAME.new_initial_state()
NUMBERS = [-(2**63), -1, 0, 1, 3, 2**63, 2**64, 10**5000, 0.5, float("nan"), float("inf"), 1j, True]


def uniform(batch):
    """An evaluation that finds everything equal."""
    return np.ones((len(batch), 9), np.float32), np.full((len(batch), 2), 0.5)


def wrong_values():
    """Values that few functions expect."""
    return [
        None, *NUMBERS, np.int64(1), np.uint8(200), np.float32(1.5), np.arange(3), np.zeros((2, 0)), "", "x", "mnk",
        "9" * 5000, Liar("ucb1"), b"\x00\xff", [], [0, -1], [10**5000], (1, 2, 3), {}, {"board": 1},
        {10**5000: 10**5000}, object(), Index(), Raises(), len, int, mcts.MCTS, GAME, BIDDING, HIDDEN, PYTHON, START,
        PYTHON.new_initial_state(), HIDDEN.new_initial_state().view(1), State.__new__(State), View.__new__(View),
        type(GAME).__new__(type(GAME)), type(PYTHON).__new__(type(PYTHON)), uniform,
    ]  # fmt: skip


def new_search(game=GAME, batch_size=0, memory_bytes=1 << 16, net=None, **options):
    options = {**plain_options(joint_selection="exp3", exploration=1.4), **options}
    return Search(game, options, memory_bytes=memory_bytes, batch_size=batch_size, net=net)


def planted(**options):
    search = new_search(**options)
    search.set_root(START, 1)
    return search


def explored():
    space = StateSpace(GAME, 1 << 26, 100_000)
    space.explore(1 << 20)
    space.sort()
    return space


SOLUTION, SOLVED = mcts.solve(GAME, cache=False), table_of(GAME)
SEARCHER = mcts.MCTS.plain(GAME)  # keeps the tree of the result
RESULT = SEARCHER.run(START, simulations=20)
INSTANCES = [  # functions, so that each round begins with sound objects
    lambda: GAME,
    lambda: BIDDING,
    lambda: HIDDEN,
    lambda: PYTHON,
    lambda: mcts.Game(GameInfo("x", "", ("a", "b")), {}),
    START.clone,
    BIDDING.new_initial_state,
    HIDDEN.new_initial_state,
    PYTHON.new_initial_state,
    lambda: State.__new__(State),
    lambda: View.__new__(View),
    lambda: type(GAME).__new__(type(GAME)),
    lambda: mcts.Game.__new__(mcts.Game),
    lambda: type(PYTHON).__new__(type(PYTHON)),
    lambda: START.view(0),
    lambda: HIDDEN.new_initial_state().view(1),
    new_search,
    planted,
    lambda: planted(solver=True, transpositions=True),
    lambda: planted(selection="puct", batch_size=4),
    lambda: RoundSolver(HIDDEN.new_initial_state().view(0), 0, seed=1),
    lambda: StateSpace(GAME, 1 << 26, 1000),
    explored,
    lambda: StageSolver(explored()),
    lambda: StageSolver(StateSpace(GAME, 1 << 26, 1000)),
    lambda: SolvedStates.__new__(
        SolvedStates,
        GAME,
        SOLVED.reduces,
        SOLVED.base,
        SOLVED.bits,
        SOLVED.keys,
        SOLVED.values,
    ),
    lambda: RandomWalks(GAME, 10, 1),
    lambda: mcts.MCTS.plain(GAME, memory_mb=1),
    lambda: mcts.MCTS.plain(GAME, memory_mb=1, threads=2),
    lambda: mcts.load_searcher("double_oracle(types=2)", HIDDEN),
    lambda: SOLUTION,
    lambda: RESULT,
    lambda: bots.load_bot("mcts(simulations=20)"),
    lambda: bots.load_bot("random"),
    lambda: bots.load_bot("greedy"),
]
RIGHT = {  # arguments by the names that signatures use
    "game": GAME, "state": START, "where": START, "view": START.view(0), "seed": 1, "player": 0, "action": 0,
    "actions": [0, -1], "joint": [0, -1], "symmetry": 1, "given": START.to_dict(), "text": "mark(1,1)",
    "spec": "mnk", "name": "mnk", "simulations": 20, "seconds": 1.0, "count": 10, "first": 0, "step": 1,
    "stop": False, "steps": 100, "begin": 0, "end": 1, "exploration": 0.5, "order": [0, 1],
    "evaluate_batch": uniform, "max_depth": 2, "max_nodes": 10, "depth": 2, "number": 0, "rows": 3, "columns": 3,
    "payoff": [[1.0, 0.0], [0.0, 1.0]], "space": explored(), "max_bytes": 1 << 26, "max_states": 1000,
    "candidates": 8, "particles": 2, "replies": 2, "reduces": True, "base": SOLVED.base,
    "bits": SOLVED.bits, "keys": SOLVED.keys, "values": SOLVED.values,
    "selection": "ucb1", "joint_selection": "exp3", "playout": "uniform", "solver": False, "transpositions": False,
    "memory_bytes": 1 << 16, "memory_mb": 1, "threads": 1, "parameters": {"a": 1}, "policy": SOLUTION.policy,
    "choice": 0, "result": RESULT, "tree": RESULT.tree(), "cache": False, "function": lambda: 1,
    "limit": mcts.Limit(simulations=20), "info": GameInfo("x", "", ("a", "b")), "kind": type(GAME),
    "packed": START.to_dict(), "attributes": {}, "on_pause": len,
}  # fmt: skip


def end_call(number, frame):
    raise TimeoutError


def call(function, rng):
    """Call with right arguments, one or two of them replaced."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    positional, keywords = [], {}
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is not parameter.empty and rng.random() < 0.6:
            if parameter.kind is parameter.POSITIONAL_ONLY:
                break
            continue
        value = RIGHT.get(parameter.name, rng.choice(NUMBERS))
        if rng.random() < 0.4:
            value = rng.choice(wrong_values())
        if parameter.kind is parameter.POSITIONAL_ONLY or (not keywords and parameter.default is parameter.empty):
            if parameter.kind is parameter.KEYWORD_ONLY:
                keywords[parameter.name] = value
            else:
                positional.append(value)
        else:
            keywords[parameter.name] = value
    if not parameters:
        positional = [rng.choice(wrong_values()) for _ in range(rng.randrange(4))]
    # A generator may be what comes back; some are only wrong once they are asked.
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)  # a search may have been asked for 2**63 simulations
    with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        found = function(*positional, **keywords)
        if inspect.isgenerator(found):
            next(found, None)
    with contextlib.suppress(TimeoutError):
        signal.setitimer(signal.ITIMER_REAL, 0)


def public(thing):
    """What can be called in a module or of an object, `__eq__`, `__hash__` and their like among it."""
    special = (
        "__init__",
        "__eq__",
        "__hash__",
        "__str__",
        "__repr__",
        "__len__",
        "__reduce__",
        "__copy__",
        "__deepcopy__",
    )
    for name in sorted(dir(thing)):
        if name in NEVER or (name.startswith("_") and name not in special and not name.startswith("_restore")):
            continue
        with contextlib.suppress(Exception):
            found = getattr(thing, name)
            if callable(found):
                yield name, found


def call_all(what, seed, rounds):
    """Call everything of one part, and return the number of calls."""
    rng = random.Random(f"{what} {seed}")
    calls = 0
    if what == "instances":
        for make in INSTANCES:
            for name, _ in public(make()):
                for _ in range(rounds):
                    thing = make()
                    with contextlib.suppress(Exception):
                        call(getattr(thing, name), rng)
                        calls += 1
    elif what == "new":
        for make in INSTANCES:
            kind = type(make())
            for _ in range(rounds):
                for given in ((), (rng.choice(wrong_values()),), (GAME, rng.choice(wrong_values()))):
                    with contextlib.suppress(Exception):
                        calls += 1
                        made = kind.__new__(kind, *given)
                        for _, method in public(made):
                            call(method, rng)
                        pickle.loads(pickle.dumps(made))
    else:
        module = importlib.import_module(what)
        for name, function in public(module):
            if what == "mcts" and name not in mcts.__all__:
                continue
            for _ in range(rounds):
                call(function, rng)
                calls += 1
    return calls


def main():
    """Call everything of some parts, which are separated by commas."""
    faulthandler.enable()
    signal.signal(signal.SIGALRM, end_call)
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    seed, rounds = int(sys.argv[2]), int(sys.argv[3])
    calls = [call_all(what, seed, rounds) for what in sys.argv[1].split(",")]
    print(sum(calls) if all(calls) else 0)


if __name__ == "__main__":
    main()
