"""The works of Playout that other packages are compared with."""

import gc
import time

import mcts

from .ttt_rules import CASE, FULL, LINES

SEED = 1
EXPLORATION = 0.7
"""Weight of the exploration term in all searches, of Playout and of the others, for values from 0 to 1."""
LEAST_SECONDS = 0.1


class TicTacToe(mcts.PythonGame):
    """Tic-tac-toe as in ttt_rules.py. A state has the cells of the player to move, of the other one, and the player."""

    name = "python_ttt"
    players = ("x", "o")
    num_actions = 9
    utility_sum = 1.0

    def initial_state(self):
        """Return the empty board."""
        return 0, 0, 0

    def acting_players(self, state):
        """Return the player to move, or () when the last mark made a line or the board is full."""
        own, other, mover = state
        for line in LINES:
            if other & line == line:
                return ()
        return mover if own | other != FULL else ()

    def legal_actions(self, state, player):
        """Return the blank cells."""
        taken = state[0] | state[1]
        return [cell for cell in range(9) if not taken >> cell & 1]

    def next_state(self, state, joint):
        """Return the board after the player to move has marked a cell."""
        own, other, mover = state
        return other, own | 1 << joint[mover], 1 - mover

    def returns(self, state):
        """Return 1 for a line, 1/2 for a draw."""
        _, other, mover = state
        if not any(other & line == line for line in LINES):
            return 0.5, 0.5
        return (1.0, 0.0) if mover == 1 else (0.0, 1.0)


def playouts(spec):
    """Prepare random playouts from the initial state: a function of their number."""
    state = mcts.load_game(spec).new_initial_state()
    return lambda count: lambda: mcts.playouts(state, count, seed=SEED)


def search(game):
    """Prepare searches from the initial state by UCB1 with uniform playouts: a function of the simulations."""
    state = game.new_initial_state()

    def begin(count):
        searcher = mcts.MCTS.plain(game, exploration=EXPLORATION, seed=SEED)
        return lambda: searcher.run(state, simulations=count)

    return begin


WORKS = {
    **{f"playouts {spec}": playouts(spec) for spec in ("mnk(m=3,n=3,k=3)", "mnk(m=5,n=5,k=4)")},
    **{f"search {spec}": search(mcts.load_game(spec)) for spec in ("mnk(m=3,n=3,k=3)", "mnk(m=5,n=5,k=4)")},
    f"search {CASE}": search(TicTacToe()),
}


def seconds(work, count, times):
    """Return the time of a work, done several times with a new search each, in seconds. Only the work itself counts."""
    total = 0.0
    gc.collect()
    for _ in range(times):
        run = WORKS[work](count)
        begin = time.perf_counter()
        run()
        total += time.perf_counter() - begin
    return total


def times_for(work, count):
    """Return how often a work has to be done to take long enough for a measurement."""
    return max(1, round(LEAST_SECONDS / seconds(work, count, 1)))
