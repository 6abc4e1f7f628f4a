import playout
from playout import pictures

MARKS = {"a": pictures.Mark("disc", "green"), "b": pictures.Mark("diamond", "purple")}


class Corners(playout.PythonGame):
    """Take the four corners of a square in turns; the upper left one is worth most."""

    name = "corners"
    players = ("a", "b")
    num_actions = 4
    min_utility, max_utility, utility_sum = 0.0, 10.0, 10.0

    def initial_state(self):
        return "...."

    def acting_players(self, state):
        return state.count(".") % 2 if "." in state else ()

    def legal_actions(self, state, player):
        return [corner for corner in range(4) if state[corner] == "."]

    def next_state(self, state, joint):
        player = self.acting_players(state)
        corner = joint[player]
        return state[:corner] + self.players[player] + state[corner + 1 :]

    def returns(self, state):
        return [float(sum(4 - corner for corner in range(4) if state[corner] == name)) for name in self.players]

    def action_to_string(self, state, player, action):
        return f"take({action + 1})"

    def to_dict(self, state):
        return {"corners": state}

    def from_dict(self, given):
        return given["corners"]

    def picture(self, position):
        corners = position.to_dict()["corners"]
        cells = tuple(
            pictures.Cell(f"{number + 1}", MARKS.get(owner), note=f"{4 - number}", action=f"take({number + 1})")
            for number, owner in enumerate(corners)
        )
        board = pictures.Board(2, cells, is_numbered=False)
        return pictures.Picture(boards=((board,),), seats=pictures.seats_of(position, list(MARKS.values())))
