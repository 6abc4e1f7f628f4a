"""Tic-tac-toe written in Python for the packages `mcts` and `multimcts`: the other side of bench/python_games.py.

A script of its own, run by an interpreter that has those packages and not this project: one of both is called `mcts`.
For every line `package simulations` that it reads, it answers with the seconds that so many simulations took.
"""

import sys
import time

import multimcts

import mcts

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777


class Board:
    """Cells of the player to move and of the other as bits, and who is to move."""

    __slots__ = ("mover", "other", "own")

    def __init__(self, own, other, mover):
        self.own, self.other, self.mover = own, other, mover

    def is_over(self):
        """True when the other has just made a line, or the board is full."""
        other = self.other
        for line in LINES:
            if other & line == line:
                return True
        return self.own | other == FULL

    def blanks(self):
        """Cells that can be marked."""
        taken = self.own | self.other
        return [cell for cell in range(9) if not taken >> cell & 1]

    def mark(self, cell):
        """The board after the player to move has marked a cell."""
        return type(self)(self.other, self.own | 1 << cell, 1 - self.mover)

    def has_line(self):
        """True when the other, who moved last, has a line."""
        other = self.other
        return any(other & line == line for line in LINES)


class MctsBoard(Board):
    """As the package mcts wants it."""

    __slots__ = ()
    isTerminal = Board.is_over
    getPossibleActions = Board.blanks
    takeAction = Board.mark

    def getReward(self):
        """What the first player has got."""
        if not self.has_line():
            return 0
        return 1 if self.mover == 1 else -1


class MultimctsBoard(Board):
    """As the package multimcts wants it; the base class that it offers has nothing in it but refusals."""

    __slots__ = ()
    is_terminal = Board.is_over
    get_legal_moves = Board.blanks
    make_move = Board.mark

    def get_current_team(self):
        """Who is to move."""
        return self.mover

    def get_reward(self):
        """What the player who moved last has got."""
        return 1 if self.has_line() else 0


def run_mcts(simulations):
    """The package mcts, from the empty board."""
    mcts.mcts(iterationLimit=simulations).search(MctsBoard(0, 0, 0))


def run_multimcts(simulations):
    """The package multimcts, from the empty board."""
    multimcts.MCTS().search(MultimctsBoard(0, 0, 0), max_iterations=simulations)


PACKAGES = {"mcts": run_mcts, "multimcts": run_multimcts}

for request in sys.stdin:
    package, simulations = request.split()
    begin = time.perf_counter()
    PACKAGES[package](int(simulations))
    print(time.perf_counter() - begin, flush=True)
