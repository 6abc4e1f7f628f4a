"""Games written in Python in which chance decides, that several test files play and search."""

import mcts
from mcts.parameters import Integer

DICE = ((2, 4, 9), (1, 6, 8), (3, 5, 7))
"""Each die beats the next one with probability 5/9, and the last one beats the first (Gardner 1970)."""


class Dice(mcts.PythonGame):
    """Each player takes one of three dice, no two the same; then all throw, and the highest number wins."""

    name = "dice"
    players = ("first", "second")
    num_actions = 3
    num_outcomes = 10
    utility_sum = 1.0

    def initial_state(self):
        return (), ()

    def acting_players(self, state):
        taken, thrown = state
        if len(taken) < self.num_players:
            return len(taken)
        return mcts.CHANCE if len(thrown) < self.num_players else ()

    def legal_actions(self, state, player):
        return [die for die in range(3) if die not in state[0]]

    def chance_outcomes(self, state):
        taken, thrown = state
        return dict.fromkeys(DICE[taken[len(thrown)]], 1)

    def next_state(self, state, joint):
        taken, thrown = state
        if len(taken) < self.num_players:
            return (*taken, joint[len(taken)]), thrown
        return taken, (*thrown, joint[mcts.CHANCE])

    def returns(self, state):
        return [float(number == max(state[1])) for number in state[1]]

    def action_to_string(self, state, player, action):
        return f"throw({action})" if player == mcts.CHANCE else f"take({action})"


class ThreeDice(Dice):
    """The same with three players, whose returns depend on who comes second too."""

    name = "three_dice"
    players = ("first", "second", "third")
    utility_sum = None

    def returns(self, state):
        ranked = sorted(state[1])
        return [ranked.index(number) ** 2 / 4 for number in state[1]]


class Race(mcts.PythonGame):
    """Two players in turns take two points, or throw for 0, 3 or 5; the higher sum wins. Chance gives a handicap first.

    It begins with chance, and outcomes have different weights.
    """

    name = "race"
    num_actions = 2
    num_outcomes = 6
    utility_sum = 1.0
    PARAMETERS = {"turns": Integer(2, 1, 20)}  # noqa: RUF012 (as in the documentation)
    THROW = {0: 3, 3: 2, 5: 1}  # noqa: RUF012

    def initial_state(self):
        return (0, 0), -1, False  # points, turns taken, whether a throw is due

    def acting_players(self, state):
        _, turn, throws = state
        if turn < 0 or throws:
            return mcts.CHANCE
        return () if turn == 2 * self.parameters["turns"] else turn % 2

    def legal_actions(self, state, player):
        return [0, 1]

    def chance_outcomes(self, state):
        return self.THROW if state[2] else {1: 1, 0: 1}

    def next_state(self, state, joint):
        points, turn, throws = state
        if turn < 0:
            return (0, joint[mcts.CHANCE]), 0, False
        if not throws and joint[turn % 2] == 1:
            return points, turn, True
        gain = joint[mcts.CHANCE] if throws else 2
        return tuple(p + gain * (player == turn % 2) for player, p in enumerate(points)), turn + 1, False

    def returns(self, state):
        first, second = state[0]
        return [0.5, 0.5] if first == second else [float(first > second), float(second > first)]

    def action_to_string(self, state, player, action):
        return f"points({action})" if player == mcts.CHANCE else ("safe", "throw")[action]

    def encode(self, state):
        points, turn, throws = state
        return [*points, turn, throws]

    encoding_size = 4


class Weather(mcts.PythonGame):
    """Two players choose at once, then the weather decides what the choices are worth; two rounds."""

    name = "weather"
    num_actions = 3
    num_outcomes = 2
    utility_sum = 1.0
    PAYOFF = (((8, 0, 4), (2, 6, 3), (5, 5, 1)), ((0, 7, 2), (6, 1, 5), (3, 4, 8)))

    def initial_state(self):
        return 0, 0, ()  # rounds played, points of the first player, choices of this round

    def acting_players(self, state):
        rounds, _, choices = state
        return () if rounds == 2 else mcts.CHANCE if choices else (0, 1)

    def legal_actions(self, state, player):
        return [0, 1, 2]

    def chance_outcomes(self, state):
        return {0: 2, 1: 1}

    def next_state(self, state, joint):
        rounds, points, choices = state
        if not choices:
            return rounds, points, tuple(joint)
        row, column = choices
        return rounds + 1, points + self.PAYOFF[joint[mcts.CHANCE]][row][column], ()

    def returns(self, state):
        return [state[1] / 16, 1 - state[1] / 16]
