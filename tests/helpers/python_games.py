"""Games written in Python that several tests use: tic-tac-toe, matrix games, trees of choices, and a hidden coin."""

import functools
import itertools

import numpy as np
from board_lines import LINES_3X3

import mcts

LINES = sorted(tuple(sorted(line)) for line in LINES_3X3)


def winner(board):
    """Return the mark that has a line, or None."""
    return next((board[a] for a, b, c in LINES if board[a] != "." and board[a] == board[b] == board[c]), None)


def mover(board):
    """Return the mark whose turn it is."""
    return "xo"[board.count("x") - board.count("o")]


def place(board, cell):
    """Return the board after the mover has marked a cell."""
    return board[:cell] + mover(board) + board[cell + 1 :]


@functools.cache
def minimax(board):
    """Return the result of perfect play for x: 1, 0 or -1."""
    if winner(board):
        return 1 if winner(board) == "x" else -1
    if "." not in board:
        return 0
    values = [minimax(place(board, cell)) for cell, mark in enumerate(board) if mark == "."]
    return max(values) if mover(board) == "x" else min(values)


class TicTacToe(mcts.PythonGame):
    """Tic-tac-toe on a string of nine cells, `x` first."""

    name = "python_ttt"
    players = ("x", "o")
    num_actions = 9
    max_utility = 100.0
    utility_sum = 100.0

    def initial_state(self):
        return "." * 9

    def acting_players(self, board):
        return () if winner(board) or "." not in board else "xo".index(mover(board))

    def legal_actions(self, board, player):
        return [cell for cell, mark in enumerate(board) if mark == "."]

    def next_state(self, board, joint):
        return place(board, joint["xo".index(mover(board))])

    def returns(self, board):
        return {"x": (100, 0), "o": (0, 100), None: (50, 50)}[winner(board)]


def matrix_game(payoffs):
    """A game of one joint action.

    Args:
        payoffs: [K0, K1, ..., players]; player p has the actions 0 to Kp - 1.
    """
    payoffs = np.asarray(payoffs, dtype=float)
    *counts, num_players = payoffs.shape
    assert len(counts) == num_players
    rows = {joint: tuple(payoffs[joint].tolist()) for joint in itertools.product(*map(range, counts))}

    class Matrix(mcts.PythonGame):
        name = "matrix"
        players = tuple(f"p{player}" for player in range(num_players))
        num_actions = max(counts)
        min_utility = float(payoffs.min())
        max_utility = float(payoffs.max())

        def initial_state(self):
            return ()

        def acting_players(self, state):
            return () if state else range(num_players)

        def legal_actions(self, state, player):
            return range(counts[player])

        def next_state(self, state, joint):
            return joint

        def returns(self, state):
            return rows[state]

    return Matrix()


def zero_sum(matrix):
    """Return the payoffs [K0, K1, 2] of a zero-sum game, given the first player's."""
    matrix = np.asarray(matrix, dtype=float)
    return np.stack([matrix, -matrix], axis=-1)


def staged_game(stages, low, high):
    """Two players choose at once twice: the joint action of the first stage leads to a zero-sum matrix game.

    Args:
        stages: dict (i, j) -> matrix, lists of the first player's payoffs.
        low, high: bounds of all payoffs of both players.
    """

    class Staged(mcts.PythonGame):
        name = "staged"
        players = ("row", "column")
        num_actions = max(1 + max(map(max, stages)), *(max(len(m), len(m[0])) for m in stages.values()))
        min_utility = low
        max_utility = high
        utility_sum = 0.0

        def initial_state(self):
            return ()

        def acting_players(self, state):
            return () if len(state) == 2 else (0, 1)

        def legal_actions(self, state, player):
            if not state:
                return range(1 + max(joint[player] for joint in stages))
            return range(len(stages[state[0]]) if player == 0 else len(stages[state[0]][0]))

        def next_state(self, state, joint):
            return (*state, joint)

        def returns(self, state):
            first, (row, column) = state
            value = stages[first][row][column]
            return value, -value

    return Staged()


def tree_game(movers, width, payoffs):
    """Everybody in turn chooses one of `width` branches; `payoffs` has one row of returns for every leaf, in order.

    Args:
        movers: the player that decides at each depth.
        width: choices at each node.
        payoffs: [width ** len(movers), players], in [0, 1].
    """
    rows = [tuple(row) for row in np.asarray(payoffs, dtype=float).tolist()]

    class Tree(mcts.PythonGame):
        name = "tree"
        players = tuple(f"p{player}" for player in range(len(rows[0])))
        num_actions = width

        def initial_state(self):
            return (0, 0)

        def acting_players(self, state):
            return movers[state[0]] if state[0] < len(movers) else ()

        def legal_actions(self, state, player):
            return range(width)

        def next_state(self, state, joint):
            depth, number = state
            return depth + 1, number * width + joint[movers[depth]]

        def returns(self, state):
            return rows[state[1]]

    return Tree()


def rounds_game(counts, rounds, seed):
    """Everybody chooses at once, several times; the returns of the players are unrelated.

    Args:
        counts: actions of each player; who has one has nothing to decide.
        rounds: how often they choose.
        seed: of the returns, which are multiples of 1/8 in [0, 1].
    """

    class Rounds(mcts.PythonGame):
        name = "rounds"
        players = tuple(f"p{player}" for player in range(len(counts)))
        num_actions = max(counts)

        def initial_state(self):
            return ()

        def acting_players(self, state):
            return () if len(state) == rounds else tuple(p for p, count in enumerate(counts) if count > 1)

        def legal_actions(self, state, player):
            return range(counts[player])

        def next_state(self, state, joint):
            return (*state, joint)

        def returns(self, state):
            return (
                np.random.default_rng([seed, *(a + 1 for joint in state for a in joint)]).integers(0, 9, len(counts))
                / 8
            )

    return Rounds()


class Walk(mcts.PythonGame):
    """Two players push a token along a line in turns, in both directions; states may repeat."""

    name = "walk"
    players = ("left", "right")
    num_actions = 3
    utility_sum = 1.0

    def initial_state(self):
        return 3, 0

    def acting_players(self, state):
        return state[1] if 0 < state[0] < 7 else ()

    def legal_actions(self, state, player):
        return (0, 1, 2) if state[0] % 2 else (0, 2)

    def next_state(self, state, joint):
        place, player = state
        return place + joint[player] - 1, 1 - player

    def returns(self, state):
        return (1.0, 0.0) if state[0] == 0 else (0.0, 1.0)


class Coin(mcts.PythonGame):
    """The second player sees a coin, and the first one guesses it."""

    name, num_actions, num_outcomes, utility_sum = "coin", 2, 2, 1.0

    def initial_state(self):
        return None, None

    def acting_players(self, state):
        coin, guess = state
        return mcts.CHANCE if coin is None else 0 if guess is None else ()

    def chance_outcomes(self, state):
        return {0: 1, 1: 1}

    def legal_actions(self, state, player):
        return [0, 1]

    def next_state(self, state, joint):
        return (joint[mcts.CHANCE], None) if state[0] is None else (state[0], joint[0])

    def observation(self, state, player):
        coin, guess = state
        return state if player == 1 else (None if guess is None else coin, guess)

    def returns(self, state):
        return [float(state[0] == state[1]), float(state[0] != state[1])]


def search_from_start(game, simulations=300, **parameters):
    """Return the result of a search from the first state of a game."""
    return mcts.MCTS.plain(game, **parameters).run(game.new_initial_state(), simulations=simulations)


def after_first_action(game):
    """Return the state of a game after its action 0."""
    state = game.new_initial_state()
    state.apply_action(0)
    return state
