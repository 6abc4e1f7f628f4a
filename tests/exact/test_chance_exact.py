"""Exact solutions of games in which chance decides, against complete play in plain Python with exact fractions."""

import functools
from fractions import Fraction

import pytest
from board_lines import has_line

import mcts
from mcts import CHANCE

DICE = "dice_ttt"


@functools.cache
def value(board):
    """Return the probability that x wins plus half that of a draw, before the throw. A board is a text of 9 cells."""
    for mark, won in (("x", Fraction(1)), ("o", Fraction(0))):
        if has_line(board, mark):
            return won
    blank = [cell for cell in range(9) if board[cell] == "."]
    if not blank:
        return Fraction(1, 2)
    return sum(row_value(board, cell // 3) for cell in blank) / len(blank)


@functools.cache
def row_value(board, row):
    """Return the same after the throw of a row."""
    mark = "xo"[board.count("x") - board.count("o")]
    after = [
        value(board[:cell] + mark + board[cell + 1 :]) for cell in range(3 * row, 3 * row + 3) if board[cell] == "."
    ]
    return max(after) if mark == "x" else min(after)


@pytest.fixture(scope="module")
def solution():
    return mcts.solve(mcts.load_game(DICE), cache=False)


def states_of_a_game(seed):
    state = mcts.load_game(DICE).new_initial_state()
    while True:
        yield state.clone()
        if state.is_terminal():
            return
        if state.is_chance():
            state.apply_action(state.sample_outcome(seed))
        else:
            state.apply_action(state.sample_action(state.current_player(), seed))
        seed += 1


def test_values_are_exact(solution):
    assert solution.value() == pytest.approx([100 * float(value("." * 9)), 100 - 100 * float(value("." * 9))], abs=1e-9)
    for seed in range(30):
        for state in states_of_a_game(100 * seed):
            shown = state.to_dict()
            exact = value(shown["board"]) if shown["row"] is None else row_value(shown["board"], shown["row"] - 1)
            assert solution.value(state)[0] == pytest.approx(100 * float(exact), abs=1e-9)


def test_policies_and_losses(solution):
    *going, _ = states_of_a_game(5)
    throws, decisions = ([state for state in going if state.is_chance() is chance] for chance in (True, False))
    assert len(throws) > 3
    assert len(decisions) > 3
    for state in throws:
        for call in (solution.policy, solution.optimal_actions):
            with pytest.raises(mcts.StateError, match="chance decides in this state"):
                call(state, 0)
    for state in decisions:
        player = state.current_player()
        best = solution.value(state)[player]
        for action in state.legal_actions():
            after = solution.value(state.child(action))[player]
            assert solution.loss(state, player, action) == pytest.approx(best - after, abs=1e-9)
        assert all(solution.loss(state, player, action) < 1e-9 for action in solution.policy(state, player))


def test_best_responses(solution):
    assert solution.exploitability(solution.policy) == pytest.approx(0.0, abs=1e-9)

    def first(view):
        return {view.legal_actions()[0]: 1.0}

    found = solution.best_responses(first)
    assert found.nash_conv > 20
    # The second player answers best to a first player who always takes the leftmost cell: by plain enumeration.
    assert 100 - found.values[1] == pytest.approx(100 * float(against_the_leftmost("." * 9)), abs=1e-9)


@functools.cache
def against_the_leftmost(board):
    """Return the value to x before the throw if x takes the leftmost cell and o answers best."""
    if "." not in board or any(has_line(board, mark) for mark in "xo"):
        return value(board)
    blank = [cell for cell in range(9) if board[cell] == "."]
    mark, total = "xo"[board.count("x") - board.count("o")], Fraction(0)
    for drawn in blank:
        row = [cell for cell in blank if cell // 3 == drawn // 3]
        after = [against_the_leftmost(board[:cell] + mark + board[cell + 1 :]) for cell in row]
        total += after[0] if mark == "x" else min(after)
    return total / len(blank)


def test_files_and_threads(tmp_path, solution):
    game = mcts.load_game(DICE)
    first = mcts.solve(game, cache_dir=tmp_path, threads=2)
    again = mcts.solve(game, cache_dir=tmp_path)
    assert again.path is not None
    assert first.value() == again.value() == solution.value()


@pytest.mark.parametrize("row", range(3))
def test_the_search_proves_the_exact_value(solution, row):
    state = mcts.load_game(DICE).new_initial_state().child(row)
    for action, outcome in ((3 * row, 1), (4 if row != 1 else 5, 2)):
        state = state.child(action).child(outcome)
    search = mcts.MCTS.plain(state.game, solver=True, seed=1)
    result = search.run(state, simulations=200_000)
    assert result.proven
    exact = solution.value(state)
    assert [low for low, _ in result.bounds] == pytest.approx(exact, abs=1e-5)
    assert solution.loss(state, result.player, result.action) < 1e-5


def test_regret_is_measured(solution):
    from bots.studies.analysis.regret import measure, sample_positions

    positions = sample_positions(solution.game, 20, 1, 200)
    assert not any(position.state.is_chance() for position in positions)
    (found,) = measure(solution, "mcts(simulations=2000)", [None], positions, samples=1)
    (random,) = measure(solution, "random", [None], positions, samples=10)
    assert found.loss.mean < random.loss.mean / 3


def test_games_in_python_are_refused():
    from chance_games import Dice

    with pytest.raises(mcts.UnsupportedGameError, match="its states are Python objects"):
        mcts.solve(Dice())
    assert CHANCE == -1
