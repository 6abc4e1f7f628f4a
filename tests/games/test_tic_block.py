"""tic_block against plain Python: lines and bridges."""

import itertools
import random

import pytest
from board_lines import LINES_3X3, has_line
from cases.tic_block import in_block
from game_cases import rows, take_step
from sampling import sweep

import mcts

AT_ONCE = mcts.load_game("tic_block")
IN_TURNS = mcts.load_game("tic_block(block_phase=alternating)")
GAMES = sweep("game", [pytest.param(AT_ONCE, id="simultaneous"), pytest.param(IN_TURNS, id="alternating")], 1)
RESET = 9
FIRST_BLOCK = 10


def has_bridge(board):
    """Whether x has a bridge, found by trying every path."""
    steps = itertools.product(range(4), repeat=4)
    paths = (path for path in steps if all(abs(a - b) <= 1 for a, b in itertools.pairwise(path)))
    return any(all(board[row * 4 + column] == "x" for row, column in enumerate(path)) for path in paths)


@GAMES
def test_every_line_of_three_decides_the_tic_board(game):
    for line, player in itertools.product(LINES_3X3, (0, 1)):
        own = list(line)
        for others in itertools.permutations([cell for cell in range(9) if cell not in line], 3):
            board = ["."] * 9
            cells = [own, list(others)] if player == 0 else [list(others), own]
            for ply in range(5 + player):
                board[cells[ply % 2][ply // 2]] = "xo"[ply % 2]
            if not has_line(board, "ox"[player]):
                break
        state = game.new_initial_state()
        for ply in range(5 + player):
            assert state.current_player() == ply % 2
            state.apply_action(cells[ply % 2][ply // 2])
        take_step(state, "reset reset")
        assert state.to_dict()["tic_scores"] == ([0, 50] if player else [50, 0])


@pytest.mark.parametrize(
    ("block", "bridge"),
    [
        ("x... x... x... x... ", True),
        ("...x ...x ...x ...x", True),
        ("x... .x.. ..x. ...x", True),
        ("...x ..x. .x.. x...", True),
        (".x.. x... .x.. ..x.", True),
        ("..x. ...x ..x. ...x", True),
        ("x... ..x. ..x. ..x.", False),  # a step of two columns
        ("...x x... .x.. .x..", False),  # round the edge
        (".x.. .x.. x... ...x", False),
        ("x... .... x... xx..", False),  # a row left out
        ("xxxx .... .... ....", False),
        ("xxx. ..x. .xx. ....", False),  # not down to the last row
        ("..x. xx.x x... .xxx", True),
    ],
)
def test_bridges_are_recognised(block, bridge):
    block = rows(block)
    assert has_bridge(block) == bridge
    blank = [cell for cell in range(16) if block[cell] == "."]
    for cell in blank[: block.count("x")]:
        block = block[:cell] + "o" + block[cell + 1 :]
    state = AT_ONCE.state_from_dict(in_block(block))
    assert state.is_terminal() == bridge
    if bridge:
        assert state.returns() == [75, 25]


@GAMES
def test_bridges_of_random_boards_agree_with_a_path_search(game):
    """Every state of many random block phases is over exactly when a path search finds a bridge or no cell is blank."""
    rng = random.Random(9)
    start = game.state_from_dict(in_block("." * 16, control=None if game is AT_ONCE else "xcplayer"))
    for _ in range(60):
        state = start.clone()
        while not state.is_terminal():
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
            block = state.to_dict()["block"]
            assert state.is_terminal() == (has_bridge(block) or "." not in block)
        assert state.returns() == ([75, 25] if has_bridge(block) else [25, 75])
