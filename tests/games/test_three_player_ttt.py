"""three_player_ttt against plain Python: lines on both boards, and the returns at the end."""

import itertools
import random

import pytest
from board_lines import has_line, lines
from cases.three_player_ttt import BLANK, FLAT, TORUS, described
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import sweep

import mcts

GAMES = sweep(
    "game", [pytest.param(mcts.load_game(FLAT), id="flat"), pytest.param(mcts.load_game(TORUS), id="torus")], 1
)
LINES = {(length, torus): lines(5, 5, length, torus) for length in (3, 4) for torus in (False, True)}


def expected_returns(board, torus):
    """The returns of a finished board by the written rules."""
    four = [has_line(board, symbol, LINES[4, torus]) for symbol in "xoz"]
    return [
        100 if four[i] else 66 if has_line(board, symbol, LINES[3, torus]) else 0 if any(four) else 33
        for i, symbol in enumerate("xoz")
    ]


def play(game, cells):
    """The state after these marks in turns, from the first state."""
    state = game.new_initial_state()
    for cell in cells:
        state.apply_action(cell)
    return state


def test_lines_have_the_known_counts():
    assert {key: len(found) for key, found in LINES.items()} == {
        (3, False): 48,
        (3, True): 100,
        (4, False): 28,
        (4, True): 100,
    }


@GAMES
def test_every_four_ends_the_game_whichever_cell_comes_last(game):
    torus = game.parameters["torus"]
    for player, line in itertools.product(range(3), LINES[4, torus]):
        others = [cell for cell in range(25) if cell not in line]
        marks = [others[i::2] for i in range(2)]
        for last in line:
            mine = [cell for cell in line if cell != last] + [last]
            order = iter(marks)
            by_player = [mine if i == player else next(order) for i in range(3)]
            cells = [by_player[ply % 3][ply // 3] for ply in range(10 + player)]
            before, after = play(game, cells[:-1]), play(game, cells)
            board = after.to_dict()["board"]
            opponents = [s for s in "xoz" if s != "xoz"[player]]
            if any(has_line(before.to_dict()["board"], symbol, LINES[4, torus]) for symbol in opponents):
                continue
            assert not before.is_terminal()
            assert after.is_terminal()
            assert after.returns() == expected_returns(board, torus)
            assert after.returns()[player] == 100
            assert game.state_from_dict(after.to_dict()) == after


@GAMES
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_random_games_follow_the_written_rules(game, seed):
    torus = game.parameters["torus"]
    rng = random.Random(seed)
    state = game.new_initial_state()
    board = list(BLANK)
    for ply, cell in enumerate(rng.sample(range(25), 25)):
        assert not state.is_terminal()
        assert state.to_dict() == described("".join(board))
        assert state.legal_actions(ply % 3) == [i for i in range(25) if board[i] == "."]
        state.apply_action(cell)
        board[cell] = "xoz"[ply % 3]
        if has_line(board, "xoz"[ply % 3], LINES[4, torus]):
            break
    assert state.is_terminal()
    assert state.returns() == expected_returns(board, torus)
