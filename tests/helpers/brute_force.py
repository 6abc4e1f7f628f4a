"""Exact values of states by complete play in plain Python, to compare the solver with."""

import itertools
import math

import mcts
from cext.matrix_game import matrix_game


def successors(state):
    """Return a dict of joint action -> state after it."""
    found = {}
    if state.is_chance():
        noop = (mcts.NOOP,) * state.game.num_players
        return {(*noop, outcome): state.child(outcome) for outcome, _ in state.chance_weights()}
    for joint in itertools.product(*(state.legal_actions(player) for player in range(state.game.num_players))):
        found[joint] = state.clone()
        found[joint].apply_actions(joint)
    return found


class ZeroSum:
    """Values for the first player of the states of a two-player game with constant sum.

    Where both decide at once it is the value of the matrix game of what follows.
    """

    def __init__(self):
        self.known = {}  # key -> (state, value)

    def value(self, state):
        """Return the returns of the first player under optimal play."""
        key = state.key()
        if key not in self.known:
            self.known[key] = state, self._compute(state)
        return self.known[key][1]

    def matrix(self, state):
        """Return the matrix game of a state that both decide at; rows are actions of the first player."""
        rows, columns = (state.legal_actions(player) for player in range(2))
        after = successors(state)
        return [[self.value(after[row, column]) for column in columns] for row in rows]

    def _compute(self, state):
        if state.is_terminal():
            return state.returns()[0]
        acting = state.acting_players()
        if state.is_chance():
            return math.fsum(p * self.value(state.child(outcome)) for outcome, p in state.chance_outcomes())
        if len(acting) == 2:
            return matrix_game(self.matrix(state))[0]
        values = [self.value(after) for after in successors(state).values()]
        return max(values) if acting == (0,) else min(values)


class MaxN:
    """Possible returns of the states of a game in turns in which everybody maximises its own returns.

    A player who gets the same from several actions may choose any of them, each time another; so many returns may come
    of one state.
    """

    def __init__(self):
        self.known = {}  # key -> (state, value)

    def outcomes(self, state):
        """Return the set of all returns, tuples, that some way of breaking ties leads to."""
        key = state.key()
        if key not in self.known:
            self.known[key] = state, self._compute(state)
        return self.known[key][1]

    def _compute(self, state):
        if state.is_terminal():
            return frozenset([tuple(state.returns())])
        (mover,) = state.acting_players()
        children = [self.outcomes(after) for after in successors(state).values()]
        # An action is taken with one of its outcomes, if those of the others may be such that none is better.
        sure = [min(returns[mover] for returns in child) for child in children]
        return frozenset(
            returns
            for i, child in enumerate(children)
            for returns in child
            if all(returns[mover] >= other for j, other in enumerate(sure) if j != i)
        )
