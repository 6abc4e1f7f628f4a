"""Tic-tac-toe in Python for the packages `mcts` and `multimcts`, started by bench/python_games.py.

Runs in an interpreter that has these packages and not this project, which has a package `mcts` as well. For each line
`package simulations` on standard input, it writes the time of the simulations in seconds.
"""

import sys
import time

import multimcts

import mcts

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


class MctsBoard(Board):
    """The interface that the package mcts expects."""

    __slots__ = ()
    isTerminal = Board.is_over
    getPossibleActions = Board.blanks
    takeAction = Board.mark

    def getReward(self):
        """Return the reward of the first player."""
        if not self.has_line():
            return 0
        return 1 if self.mover == 1 else -1


class MultimctsBoard(Board):
    """The interface that the package multimcts expects. Its base class has abstract methods only."""

    __slots__ = ()
    is_terminal = Board.is_over
    get_legal_moves = Board.blanks
    make_move = Board.mark

    def get_current_team(self):
        """Return the player to move."""
        return self.mover

    def get_reward(self):
        """Return the reward of the player who moved last."""
        return 1 if self.has_line() else 0


def run_mcts(simulations):
    """Search from the empty board with the package mcts."""
    mcts.mcts(iterationLimit=simulations).search(MctsBoard(0, 0, 0))


def run_multimcts(simulations):
    """Search from the empty board with the package multimcts."""
    multimcts.MCTS().search(MultimctsBoard(0, 0, 0), max_iterations=simulations)


PACKAGES = {"mcts": run_mcts, "multimcts": run_multimcts}

for request in sys.stdin:
    package, simulations = request.split()
    begin = time.perf_counter()
    PACKAGES[package](int(simulations))
    print(time.perf_counter() - begin, flush=True)
