"""mnk against plain Python: known counts and chances, and lines on boards of every shape."""

import math

import pytest
from board_lines import lines
from hypothesis import given, settings
from hypothesis import strategies as st
from support import random_path

import mcts

PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
BOARDS = [
    (3, 3, 3), (5, 5, 4), (8, 8, 5), (8, 8, 2), (4, 3, 3), (3, 4, 4), (7, 2, 2), (16, 4, 4), (64, 1, 3), (1, 64, 3),
    (8, 8, 8),
]  # fmt: skip


def board_of(cells, crosses, noughts):
    return "".join("x" if cell in crosses else "o" if cell in noughts else "." for cell in range(cells))


def after(state, action):
    twin = state.clone()
    twin.apply_action(action)
    return twin


def test_perft_positions_and_games_of_3x3():
    level = [(mcts.load_game("mnk(m=3,n=3,k=3)").new_initial_state(), 1)]
    counts, games, positions = [], 0, 0
    while level:
        counts.append(sum(ways for _, ways in level))
        positions += len(level)
        games += sum(ways for state, ways in level if state.is_terminal())
        following = {}
        for state, ways in level:
            for action in [] if state.is_terminal() else state.legal_actions():
                reached = after(state, action)
                before = following.get(reached.key(), (reached, 0))[1]
                following[reached.key()] = reached, before + ways
        level = list(following.values())
    assert counts == PERFT
    assert positions == 5_478
    assert games == 255_168


def test_uniform_play_of_3x3_has_its_known_chances():
    count = 400_000
    x_wins, o_wins, draws = 737 / 1260, 121 / 420, 8 / 63
    assert x_wins + o_wins + draws == pytest.approx(1)
    means = mcts.playouts(mcts.load_game("mnk").new_initial_state(), count, seed=11)
    expected = 100 * x_wins + 50 * draws
    variance = 100**2 * x_wins + 50**2 * draws - expected**2
    assert abs(means[0] - expected) < 4 * math.sqrt(variance / count)
    assert sum(means) == pytest.approx(100)


def test_each_result_of_3x3_has_its_known_frequency():
    count = 3_000
    results = [random_path(mcts.load_game("mnk"), seed)[-1].returns()[0] for seed in range(count)]
    for result, chance in ((100.0, 737 / 1260), (0.0, 121 / 420), (50.0, 8 / 63)):
        assert abs(results.count(result) / count - chance) < 4 * math.sqrt(chance * (1 - chance) / count)


@pytest.mark.parametrize(("columns", "rows", "k"), BOARDS)
def test_every_line_wins_and_no_wrapped_one_does(columns, rows, k):
    game = mcts.load_game("mnk", m=columns, n=rows, k=k)
    cells = columns * rows
    real = lines(columns, rows, k)
    strides = {1, columns, columns + 1, columns - 1} - {0}
    marched = {frozenset(range(c, c + s * k, s)) for s in strides for c in range(cells) if c + s * (k - 1) < cells}
    assert real <= marched
    for crosses in marched:
        noughts = [cell for cell in range(cells) if cell not in crosses][: k - 1]
        state = game.state_from_dict({"board": board_of(cells, crosses, noughts)})
        assert (not state.is_terminal() or len(crosses) + len(noughts) == cells) == (crosses not in real)
        if crosses in real:
            assert state.returns() == [100.0, 0.0]


@pytest.mark.parametrize(("columns", "rows", "k"), BOARDS)
def test_games_end_exactly_at_the_first_line(columns, rows, k):
    game = mcts.load_game("mnk", m=columns, n=rows, k=k)
    winning = lines(columns, rows, k)

    @settings(max_examples=12)
    @given(st.integers(0, 2**32))
    def check(seed):
        *before, last = random_path(game, seed)
        boards = [state.to_dict()["board"] for state in (*before, last)]
        owners = [[{i for i, mark in enumerate(board) if mark == who} for who in "xo"] for board in boards]
        won = [[any(line <= own for line in winning) for own in both] for both in owners]
        assert not any(any(both) for both in won[:-1])
        assert (
            last.returns()
            == {(True, False): [100, 0], (False, True): [0, 100], (False, False): [50, 50]}[tuple(won[-1])]
        )
        assert any(won[-1]) or "." not in boards[-1]

    check()
