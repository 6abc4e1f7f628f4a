"""Zero-sum matrix games: values and strategies against linear programming and known results."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling import sweep

from cext.matrix_game import matrix_game

BIASED_ROCK_PAPER_SCISSORS = [[0, -0.25, 0.5], [0.25, 0, -0.05], [-0.5, 0.05, 0]]


def program_value(payoff):
    """The value by scipy's linear programming: maximise v where every column brings the row player at least v."""
    linprog = pytest.importorskip("scipy.optimize").linprog
    payoff = np.asarray(payoff, dtype=float)
    rows, columns = payoff.shape
    found = linprog(
        c=[*np.zeros(rows), -1.0],
        A_ub=np.hstack([-payoff.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert found.success, found.message
    return -found.fun


def check_optimal(payoff):
    """The strategies are distributions, and each secures the value whatever the other does; returns the value."""
    payoff = np.asarray(payoff, dtype=float)
    value, rows, columns = matrix_game(payoff)
    scale = max(1.0, np.abs(payoff).max())
    for strategy, count in zip((rows, columns), payoff.shape, strict=True):
        assert strategy.shape == (count,)
        assert strategy.min() >= 0.0
        assert strategy.sum() == pytest.approx(1.0, abs=1e-9)
    assert (rows @ payoff).min() >= value - 1e-9 * scale
    assert (payoff @ columns).max() <= value + 1e-9 * scale
    return value


def degenerate(rng):
    """A matrix of small whole numbers with duplicate, dominated and equal rows and columns, of any shape."""
    rows, columns = rng.integers(1, 9, size=2)
    matrix = rng.integers(-2, 3, size=(rows, columns)).astype(float)
    matrix = matrix[rng.integers(0, rows, size=rows + rng.integers(0, 3))]
    matrix = matrix[:, rng.integers(0, columns, size=columns + rng.integers(0, 3))]
    if rng.random() < 0.3:
        matrix = np.vstack([matrix, matrix[0] - 1])
    if rng.random() < 0.3:
        matrix = np.hstack([matrix, matrix[:, :1] + 1])
    return matrix


@pytest.mark.sample(30)
@pytest.mark.parametrize("seed", range(300))
def test_degenerate_matrices(seed):
    matrix = degenerate(np.random.default_rng(seed))
    assert check_optimal(matrix) == pytest.approx(program_value(matrix), abs=1e-9)


@sweep("seed", range(150), 30)
def test_random_matrices(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=rng.integers(1, 23, size=2))
    assert check_optimal(matrix) == pytest.approx(program_value(matrix), abs=1e-9)


@pytest.mark.sample(30)
@pytest.mark.parametrize("seed", range(200))
def test_payoffs_that_nearly_agree(seed):
    """As values of positions that were solved before: whole numbers but for roundings."""
    rng = np.random.default_rng(seed)
    payoff = rng.integers(0, 3, rng.integers(2, 30, size=2)).astype(float)
    payoff += 2.0**-30 * rng.integers(-1, 2, payoff.shape)
    value, rows, columns = matrix_game(payoff)
    assert rows.sum() == pytest.approx(1.0, abs=1e-12)
    assert columns.sum() == pytest.approx(1.0, abs=1e-12)
    assert (rows @ payoff).min() == pytest.approx(value, abs=1e-6)
    assert (payoff @ columns).max() == pytest.approx(value, abs=1e-6)
    assert value == pytest.approx(program_value(np.round(payoff)), abs=1e-6)


@pytest.mark.parametrize("scale", [1e-6, 2.0**30, 1e12])
def test_values_of_any_size(scale):
    for seed in range(20):
        matrix = np.random.default_rng(seed).integers(-3, 4, size=(4, 5)).astype(float)
        assert check_optimal(scale * matrix) == pytest.approx(scale * check_optimal(matrix), rel=1e-9, abs=1e-9 * scale)


@pytest.mark.parametrize(
    ("payoff", "value", "row", "column"),
    [
        ([[7]], 7, [1], [1]),
        ([[3, 1, 2]], 1, [1], [0, 1, 0]),
        ([[3], [1], [4]], 4, [0, 0, 1], [1]),
        ([[2, -1], [-1, 1]], 0.2, [0.4, 0.6], [0.4, 0.6]),
        ([[1, 0], [0, 1]], 0.5, [0.5, 0.5], [0.5, 0.5]),
        (BIASED_ROCK_PAPER_SCISSORS, 0, [1 / 16, 10 / 16, 5 / 16], [1 / 16, 10 / 16, 5 / 16]),
    ],
)
def test_known_games(payoff, value, row, column):
    found = matrix_game(payoff)
    assert found[0] == pytest.approx(value, abs=1e-12)
    assert found[1] == pytest.approx(row, abs=1e-12)
    assert found[2] == pytest.approx(column, abs=1e-12)


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (5, 5)])
@pytest.mark.parametrize("number", [0.0, -2.5, 1e15])
def test_equal_payoffs(shape, number):
    assert check_optimal(np.full(shape, number)) == number


@given(st.integers(0, 2**32))
def test_values_follow_shifts_scales_and_swapped_sides(seed):
    """Payoffs shifted and scaled shift and scale the value; with the sides changed, it changes its sign."""
    rng = np.random.default_rng(seed)
    matrix = degenerate(rng)
    value = check_optimal(matrix)
    shift, factor = rng.normal(), rng.uniform(0.1, 10)
    assert check_optimal(factor * matrix + shift) == pytest.approx(factor * value + shift, abs=1e-8)
    assert check_optimal(-matrix.T) == pytest.approx(-value, abs=1e-9)


def test_the_given_matrix_is_unchanged():
    matrix = np.asfortranarray(np.random.default_rng(1).normal(size=(3, 4)))
    before = matrix.copy()
    value = matrix_game(matrix)[0]
    np.testing.assert_array_equal(matrix, before)
    assert matrix_game(matrix.tolist())[0] == value
    assert matrix_game(np.repeat(np.repeat(matrix, 2, axis=0), 2, axis=1)[::2, ::2])[0] == value


@pytest.mark.parametrize(
    "bad", [[], [[]], [1, 2], 3, [[[1]]], [[1, float("nan")]], [[float("inf")]], [[-float("inf")]]]
)
def test_bad_matrices(bad):
    with pytest.raises(ValueError, match="matrix of finite numbers"):
        matrix_game(bad)


@pytest.mark.parametrize("bad", [None, "abc", [[1, 2], [3]], [["x"]], [[None]], [[1j]]])
def test_values_that_are_not_numbers_are_refused(bad):
    with pytest.raises((TypeError, ValueError)):
        matrix_game(bad)
