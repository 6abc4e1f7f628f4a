"""Memory of the C heap in use before and after objects of the compiled core were made and deleted, in bytes."""

import ctypes
import gc
import itertools
import pickle

import pytest
from rulesheets import COMMON_NOOP

import mcts
from cext.exact.random_walks import RandomWalks
from cext.exact.solved_states import state_bytes
from cext.exact.state_space import StateSpace
from mcts.gdl.game import RulesheetGame


class Heap(ctypes.Structure):
    """What `mallinfo2` of glibc tells."""

    NAMES = "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"
    _fields_ = tuple((name, ctypes.c_size_t) for name in NAMES)


LEAST_CHUNK = 32
"""Bytes that glibc takes for a block of any size."""
mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)
pytestmark = pytest.mark.skipif(mallinfo is None, reason="glibc alone has mallinfo2")


def in_use():
    mallinfo.restype = Heap
    gc.collect()
    found = mallinfo()
    return found.uordblks + found.hblkhd


def first_view(game):
    state = game.new_initial_state()
    while state.is_chance():
        state.apply_action(state.chance_outcomes()[0][0])
    return state.view(state.acting_players()[0])


def played(game):
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions(state.acting_players()[0])[0])
    return [state.clone(), state.view(0).state(), state.history(), pickle.loads(pickle.dumps(state)), state.key()]


MNK, KUHN, CHIPS, FOUR = (mcts.load_game(spec) for spec in ("mnk", "kuhn_poker", "bidding_3d_ttt", "connect_four"))
NUMBERS = itertools.count()
SMALL = "mnk(m=3,n=2,k=2)"
SPACE = StateSpace(mcts.load_game(SMALL), 1 << 20, 1000)
assert SPACE.explore(1000)
MADE = {
    "a search": lambda: mcts.MCTS(MNK, seed=1).run(MNK.new_initial_state(), simulations=100).action,
    "a search of a graph": lambda: (
        mcts.MCTS.plain(MNK, seed=1, solver=True, transpositions=True).run(MNK.new_initial_state(), simulations=100).pv
    ),
    "a search of a rulesheet": lambda: mcts.MCTS(FOUR, seed=1).run(FOUR.new_initial_state(), simulations=100).policy,
    "information sets": lambda: mcts.load_searcher("ismcts", KUHN).run(first_view(KUHN), simulations=50).policy,
    "outcome sampling": lambda: mcts.load_searcher("oos", KUHN).run(first_view(KUHN), simulations=50).policy,
    "regrets": lambda: mcts.load_searcher("cfr", KUHN).run(first_view(KUHN), simulations=5).policy,
    "bids": lambda: mcts.DoubleOracle(CHIPS, seed=1).run(CHIPS.new_initial_state().view(0), simulations=2000).action,
    "solved states": lambda: mcts.solve(mcts.load_game(SMALL), cache=False).value(
        mcts.load_game(SMALL).new_initial_state()
    ),
    "random walks": lambda: RandomWalks(MNK, 50, 1).step(),
    "playouts": lambda: mcts.playouts(MNK.new_initial_state(), 100, seed=1),
    "states": lambda: played(MNK),
    "states of a rulesheet": lambda: played(FOUR),
    "a rulesheet": lambda: RulesheetGame(f"{COMMON_NOOP} ; {next(NUMBERS)}", "made").new_initial_state().canonical(),
    "a state space": lambda: [SPACE.sort() for _ in range(2)],
    "bytes of a state": lambda: state_bytes(MNK.new_initial_state()),
}


@pytest.mark.parametrize("what", MADE)
def test_what_is_deleted_is_freed(what):
    assert min(growth(MADE[what]) for _ in range(3)) < 20 * LEAST_CHUNK  # Python itself may keep something once


def growth(make):
    make()
    before = in_use()
    for _ in range(20):
        make()
    return in_use() - before
