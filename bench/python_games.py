"""Speed of one game written in Python in four ways, beside the compiled one, in random playouts and in a search.

usage: python -m bench.python_games [--seconds S]

The game is tic-tac-toe. All versions have the same rules and number their cells alike. The ways:

- cells: a tuple of cells, and every line is looked at
- last: a tuple of cells, and only the lines through the last mark are looked at
- bits: one integer for each player, and masks of the lines
- cached: bits, with the actions and the winner of a position remembered by `functools.cache`
"""

import argparse
import time
from functools import cache

import mcts

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THROUGH = tuple(tuple(line for line in LINES if cell in line) for cell in range(9))
MASKS = tuple(sum(1 << cell for cell in line) for line in LINES)
MASKS_THROUGH = tuple(tuple(mask for mask in MASKS if mask >> cell & 1) for cell in range(9))
FULL = 0b111_111_111
NOBODY = 2
"""In place of a winner."""


class Cells(mcts.PythonGame):
    """Tic-tac-toe: a state is (cells, mover, winner or None before the end)."""

    name = "cells"
    players = ("x", "o")
    num_actions = 9
    max_utility = utility_sum = 100.0

    def initial_state(self):
        return (NOBODY,) * 9, 0, None

    def acting_players(self, state):
        return state[1] if state[2] is None else ()

    def legal_actions(self, state, player):
        return [cell for cell, mark in enumerate(state[0]) if mark == NOBODY]

    def next_state(self, state, joint):
        cells, mover, _ = state
        cell = joint[mover]
        cells = (*cells[:cell], mover, *cells[cell + 1 :])
        return cells, 1 - mover, self.winner(cells, cell)

    def winner(self, cells, last):
        """Return the winner, NOBODY for a draw, None before the end."""
        for a, b, c in LINES:
            if cells[a] == cells[b] == cells[c] != NOBODY:
                return cells[a]
        return None if NOBODY in cells else NOBODY

    def returns(self, state):
        return ((100.0, 0.0), (0.0, 100.0), (50.0, 50.0))[state[2]]


class Last(Cells):
    """Only lines through the last mark can be new."""

    name = "last"

    def winner(self, cells, last):
        mark = cells[last]
        for a, b, c in THROUGH[last]:
            if cells[a] == cells[b] == cells[c]:
                return mark
        return None if NOBODY in cells else NOBODY


class Bits(Cells):
    """A state is (marks of the mover, marks of the other, mover, winner or None)."""

    name = "bits"

    def initial_state(self):
        return 0, 0, 0, None

    def acting_players(self, state):
        return state[2] if state[3] is None else ()

    def legal_actions(self, state, player):
        taken = state[0] | state[1]
        return [cell for cell in range(9) if not taken >> cell & 1]

    def next_state(self, state, joint):
        own, other, mover, _ = state
        cell = joint[mover]
        own |= 1 << cell
        for mask in MASKS_THROUGH[cell]:
            if own & mask == mask:
                return other, own, 1 - mover, mover
        return other, own, 1 - mover, NOBODY if own | other == FULL else None

    def returns(self, state):
        return ((100.0, 0.0), (0.0, 100.0), (50.0, 50.0))[state[3]]


@cache
def free_cells(taken):
    """Return the free cells, in a list that nobody changes."""
    return [cell for cell in range(9) if not taken >> cell & 1]


@cache
def after(own, other, cell):
    """Return (marks of the next mover, marks of the other, True for a line, True if nothing is free)."""
    own |= 1 << cell
    return other, own, any(own & mask == mask for mask in MASKS_THROUGH[cell]), own | other == FULL


class Cached(Bits):
    """Bits, with remembered results."""

    name = "cached"

    def legal_actions(self, state, player):
        return free_cells(state[0] | state[1])

    def next_state(self, state, joint):
        mover = state[2]
        own, other, has_line, is_full = after(state[0], state[1], joint[mover])
        return own, other, 1 - mover, mover if has_line else NOBODY if is_full else None


WAYS = (Cells, Last, Bits, Cached)


def rate(run, seconds):
    """Return the units a second of a function that returns the number of its units: the best of several repeats."""
    best, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        best = max(best, run() / (time.perf_counter() - begin))
    return best


def playout_rate(game, count, seconds):
    """Return the random playouts a second."""
    state = game.new_initial_state()

    def run():
        mcts.playouts(state, count, seed=1)
        return count

    return rate(run, seconds)


def search_rate(game, count, seconds):
    """Return the simulations a second of a plain search."""
    searcher = mcts.MCTS.plain(game, seed=1)
    state = game.new_initial_state()
    return rate(lambda: searcher.run(state, simulations=count).simulations, seconds)


def main():
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.python_games", description="Speed of a game in Python.")
    parser.add_argument("--seconds", type=float, default=2.0, help="time of each measurement")
    seconds = parser.parse_args().seconds
    games = [*(way() for way in WAYS), mcts.load_game("mnk")]
    found = [
        (playout_rate(game, 2_000_000 if game.name == "mnk" else 500, seconds), search_rate(game, 2000, seconds))
        for game in games
    ]
    print("| Version | Playouts/s | Ratio | Simulations/s | Ratio |\n| --- | ---: | ---: | ---: | ---: |")
    for game, (playouts, simulations) in zip(games, found, strict=True):
        first = found[0]
        name = "compiled" if game.name == "mnk" else game.name
        print(
            f"| {name} | {playouts:,.0f} | {playouts / first[0]:.1f} | {simulations:,.0f} "
            f"| {simulations / first[1]:.1f} |"
        )


if __name__ == "__main__":
    main()
