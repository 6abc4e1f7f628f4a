"""Tic-tac-toe in Python, which all packages in Python and Playout search, and this case. It imports nothing."""

CASE = "tic-tac-toe in Python"

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777


class Board:
    """A board: the cells of the player to move and of the other one as bits, and the player to move."""

    __slots__ = ("mover", "other", "own")

    def __init__(self, own, other, mover):
        self.own, self.other, self.mover = own, other, mover

    def is_over(self):
        """Return True when the last mark made a line, or the board is full."""
        other = self.other
        for line in LINES:
            if other & line == line:
                return True
        return self.own | other == FULL

    def blanks(self):
        """Return the blank cells."""
        taken = self.own | self.other
        return [cell for cell in range(9) if not taken >> cell & 1]

    def mark(self, cell):
        """Return the board after the player to move has marked a cell."""
        return type(self)(self.other, self.own | 1 << cell, 1 - self.mover)

    def has_line(self):
        """Return True when the player who moved last has a line."""
        other = self.other
        return any(other & line == line for line in LINES)

    def reward_of_first(self):
        """Return 1 if the first player has won, -1 if the second one has, else 0."""
        if not self.has_line():
            return 0
        return 1 if self.mover == 1 else -1


def cases(remark):
    """Return the cases of an adapter whose package searches these rules. `remark` says what else is not equal."""
    same = "The same rules in Python, uniform playouts."
    return {CASE: {"ours": f"search {CASE}", "count": 5_000, "same": f"{same} {remark}".strip()}}
