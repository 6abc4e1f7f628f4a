import playout


class TakeAway(playout.PythonGame):
    """Take one, two or three sticks from a heap in turns; whoever takes the last stick wins."""

    name = "take_away"
    players = ("first", "second")
    num_actions = 3  # actions are 0, 1 and 2: take one, two or three
    min_utility, max_utility, utility_sum = 0.0, 1.0, 1.0
    PARAMETERS = {"sticks": playout.parameters.Integer(21, 1, 100)}

    def initial_state(self):
        return self.parameters["sticks"], 0

    def acting_players(self, state):
        sticks, mover = state
        return mover if sticks else ()  # a tuple of players where several decide at once; () at the end

    def legal_actions(self, state, player):
        return range(min(3, state[0]))

    def next_state(self, state, joint):
        sticks, mover = state
        return sticks - joint[mover] - 1, 1 - mover

    def returns(self, state):
        loser = state[1]  # the player who finds no sticks
        return [float(loser == 1), float(loser == 0)]

    def action_to_string(self, state, player, action):
        return f"take({action + 1})"
