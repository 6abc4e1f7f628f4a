"""bidding_ttt against plain Python: which boards are over, and which dicts are states."""

import itertools

import pytest
from board_lines import LINES_3X3
from cases.bidding_ttt import BASE, GAME
from support import by_key

import mcts


def test_every_set_of_cells_with_a_line_is_over_and_no_other():
    game = mcts.load_game(GAME)
    for marks in itertools.product(".x", repeat=9):
        cells = {cell for cell in range(9) if marks[cell] == "x"}
        whole = [line for line in LINES_3X3 if line <= cells]
        described = {**BASE, "board": "".join(marks), "coins": [0, 6], "tiebreaker": "o"}
        if not cells or (whole and not frozenset.intersection(*whole)):
            with pytest.raises(mcts.StateError):
                game.state_from_dict(described)
        else:
            assert game.state_from_dict(described).is_terminal() == bool(whole)


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "given",
    ["coins=0", "coins=1", "coins=2", "coins=4"]
    + [f"coins={x},o_coins={o},tiebreaker={holder}" for x, o in [(0, 1), (1, 0), (2, 3), (4, 1)] for holder in "xo"],
)
def test_exactly_the_reachable_dicts_are_accepted(given):
    """All play on four cells with one line among them, against every dict with marks on these cells alone."""
    game = mcts.load_game(f"bidding_ttt({given})")
    total = sum(game.new_initial_state().to_dict()["coins"])
    cells = (0, 1, 2, 4)
    level = [game.new_initial_state()]
    reached = by_key(level)
    while level:
        following = {}
        for state in level:
            choices = [[a for a in state.legal_actions(p) if a >= 9 or a < 0 or a in cells] for p in (0, 1)]
            for joint in [] if state.is_terminal() else itertools.product(*choices):
                after = state.clone()
                after.apply_actions(joint)
                following[after.key()] = after
        level = [following[key] for key in following.keys() - reached]
        reached |= following
    accepted = {}
    stages = [("bidding", None), ("marking", "x"), ("marking", "o")]
    for marks, own, tiebreaker, (stage, control) in itertools.product(
        itertools.product(".xo", repeat=len(cells)), range(total + 1), "xo", stages
    ):
        board = ["."] * 9
        for cell, mark in zip(cells, marks, strict=True):
            board[cell] = mark
        described = {
            "board": "".join(board),
            "coins": [own, total - own],
            "tiebreaker": tiebreaker,
            "stage": stage,
            "control": control,
        }
        try:
            state = game.state_from_dict(described)
        except mcts.StateError:
            continue
        accepted[state.key()] = state
    assert [str((accepted | reached)[key].to_dict()) for key in accepted.keys() ^ reached] == []
