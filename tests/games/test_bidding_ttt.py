"""bidding_ttt against plain Python: which boards are over."""

import itertools

from board_lines import LINES_3X3
from cases.bidding_ttt import BASE, GAME

import mcts


def test_every_set_of_cells_with_a_line_is_over_and_no_other():
    game = mcts.load_game(GAME)
    for marks in itertools.product(".x", repeat=9):
        cells = {cell for cell in range(9) if marks[cell] == "x"}
        whole = [line for line in LINES_3X3 if line <= cells]
        described = {**BASE, "board": "".join(marks), "coins": [0, 6], "tiebreaker": "o"}
        assert game.state_from_dict(described).is_terminal() == bool(whole)
