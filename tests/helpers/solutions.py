"""Exact solutions shared by several tests, each computed once in a process."""

from functools import cache

import mcts
from mcts.exact.backward_induction import solve_states


@cache
def solution(spec):
    """Return the solution of a game, computed in this process and not read from a file."""
    return mcts.solve(mcts.load_game(spec), cache=False)


def table_of(game, threads=1):
    """Return the compiled table of all states of a game with their values."""
    return solve_states(game, 1 << 28, 10_000_000, threads)[0]


def uniform(state, player):
    """Policy that plays every legal action with the same probability."""
    actions = state.legal_actions(player)
    return dict.fromkeys(actions, 1 / len(actions))


def first(state, player):
    """Policy that plays the first legal action."""
    return {state.legal_actions(player)[0]: 1.0}
