"""Ultimate tic-tac-toe: a game in Python whose board is rows of pieces. Draws a position into a file.

usage: python ultimate_tic_tac_toe.py FILE.svg
"""

import sys
from pathlib import Path

import playout

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


def winner(cells):
    """Return the mark that has three in a row, or a dot."""
    for a, b, c in (map(int, line) for line in LINES):
        if cells[a] == cells[b] == cells[c] != ".":
            return cells[a]
    return "."


class UltimateTicTacToe(playout.PythonGame):
    """Win three boards of tic-tac-toe in a row."""

    name = "ultimate_tic_tac_toe"
    players = ("x", "o")
    num_actions = 81  # 9 * board + cell
    min_utility, max_utility, utility_sum = 0.0, 1.0, 1.0

    def initial_state(self):
        return ("." * 9,) * 9, -1, 0  # boards, the board to play on, the player

    def acting_players(self, state):
        return state[2] if self.legal_actions(state, 0) else ()

    def legal_actions(self, state, player):
        boards, target, _ = state
        won = [winner(cells) for cells in boards]
        is_open = [won[n] == "." and "." in boards[n] for n in range(9)]
        if winner(won) != ".":
            return []
        chosen = [target] if target >= 0 and is_open[target] else range(9)
        return [9 * n + cell for n in chosen for cell in range(9) if is_open[n] and boards[n][cell] == "."]

    def next_state(self, state, joint):
        boards, _, mover = state
        number, cell = divmod(joint[mover], 9)
        cells = boards[number][:cell] + "xo"[mover] + boards[number][cell + 1 :]
        return (*boards[:number], cells, *boards[number + 1 :]), cell, 1 - mover

    def returns(self, state):
        best = winner([winner(cells) for cells in state[0]])
        return {"x": [1.0, 0.0], "o": [0.0, 1.0], ".": [0.5, 0.5]}[best]

    def action_to_string(self, state, player, action):
        board, cell = divmod(action, 9)
        column, row = board % 3 * 3 + cell % 3, board // 3 * 3 + cell // 3
        return f"{'abcdefghi'[column]}{row + 1}"

    def board(self, state):
        rows = []
        for first in (0, 3, 6):
            left, middle, right = state[0][first : first + 3]
            for at in (0, 3, 6):
                rows.append([*left[at : at + 3], None, *middle[at : at + 3]])
                rows[-1] += [None, *right[at : at + 3]]
            rows.append([])  # the next boards are below
        return rows


def main():
    """Play some moves, and write the picture of the position into the file that is named, or `ultimate.svg`."""
    state = UltimateTicTacToe().new_initial_state()
    for move in ("e5", "d4", "b2"):
        state.apply_action(state.string_to_action(state.current_player(), move))
    file = Path(sys.argv[1] if len(sys.argv) > 1 else "ultimate.svg")
    file.write_text(state.to_svg(), encoding="utf-8")
    print(f"wrote {file}")


if __name__ == "__main__":
    main()
