"""Games that tests name by the path of their class; some are invalid."""

import mcts
from mcts.parameters import Choice, Flag, Integer, Text


class CountDown(mcts.PythonGame):
    """Two players take one or two from a heap in turns; who takes the last wins."""

    name = "count_down"
    players = ("first", "second")
    utility_sum = 1.0
    PARAMETERS = {  # noqa: RUF012
        "heap": Integer(5, 1, 50),
        "label": Text(None),
        "mood": Choice("calm", ("calm", "odd, (one)")),
        "loud": Flag(False),
    }

    @property
    def num_actions(self):
        return min(2, self.parameters["heap"])

    def initial_state(self):
        return self.parameters["heap"], 0

    def acting_players(self, state):
        return state[1] if state[0] else ()

    def legal_actions(self, state, player):
        return range(min(2, state[0]))

    def next_state(self, state, joint):
        left, mover = state
        return left - joint[mover] - 1, 1 - mover

    def returns(self, state):
        return [float(state[1] == 1), float(state[1] == 0)]

    def action_to_string(self, state, player, action):
        return f"take({action + 1})"

    def to_dict(self, state):
        return {"left": state[0], "to_move": state[1]}

    def from_dict(self, given):
        return given["left"], given["to_move"]


class OwnArguments(CountDown):
    """Has its own constructor, with a required parameter."""

    made = 0

    def __init__(self, *, heap):
        type(self).made += 1
        super().__init__(heap=heap)


class Failing(CountDown):
    """Fails in its constructor."""

    def __init__(self, **given):
        raise ZeroDivisionError("no heap")


class NotAGame:
    """Is not derived from Game."""
