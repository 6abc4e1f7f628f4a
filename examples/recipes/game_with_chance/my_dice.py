import playout
from playout import CHANCE


class ThreeThrows(playout.PythonGame):
    """Throw a die up to three times, and stop when you like: the last number is the return."""

    name = "three_throws"
    players = ("player",)
    num_actions = 2  # stop, or throw again
    num_outcomes = 7  # outcomes are the numbers of the die, 1 to 6
    min_utility, max_utility = 0.0, 6.0

    def initial_state(self):
        return 3, 0  # throws left, and the number thrown: 0 before a throw

    def acting_players(self, state):
        throws, number = state
        if number == 0:
            return CHANCE
        return 0 if throws else ()

    def chance_outcomes(self, state):
        return dict.fromkeys(range(1, 7), 1)  # two dice: {2: 1, 3: 2, 4: 3, ..., 12: 1}

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        throws, number = state
        if number == 0:
            return throws - 1, joint[CHANCE]  # the outcome is the last entry, behind the actions of the players
        return (0, number) if joint[0] == 0 else (throws, 0)

    def returns(self, state):
        return [float(state[1])]

    def action_to_string(self, state, player, action):
        if player == CHANCE:
            return f"die({action})"
        return ("stop", "throw")[action]
