"""Zero-sum matrix games by the simplex method, pivot for pivot as in `cext.matrix_game`."""

from __future__ import annotations

from typing import NamedTuple

from .values import sum_in_order

Matrix = list[list[float]]
Strategy = list[float]

_TINY = 1e-12
_SLACK = 1e-12
_ENOUGH = 1e-10
_LEAST_PIVOTS = (1e-9, 1e-9 * 10.0, 1e-9 * 10.0 * 10.0)


class Solution(NamedTuple):
    """Value and optimal strategies of a matrix game."""

    value: float
    """Value to the row player, who maximises."""
    rows: Strategy
    columns: Strategy
    error: float
    """Bound of the error of the value."""


def _pivot(tableau: Matrix, row: int, column: int) -> None:
    """Exchange the basic variable of a row for the other variable of a column (Jordan exchange)."""
    scale = 1.0 / tableau[row][column]
    tableau[row] = [number * scale for number in tableau[row]]
    tableau[row][column] = scale
    for i, line in enumerate(tableau):
        factor = line[column]
        if i == row or factor == 0.0:
            continue
        tableau[i] = [number - factor * pivot for number, pivot in zip(line, tableau[row], strict=True)]
        tableau[i][column] = -factor * scale


def _entering(costs: list[float], other: list[int], careful: bool) -> int | None:
    """Return the column of the lowest reduced cost, or of the lowest variable (Bland's rule); None at the optimum."""
    open_columns = [j for j, cost in enumerate(costs) if cost < -_TINY]
    return min(open_columns, key=lambda j: other[j] if careful else costs[j], default=None)


def _leaving(lines: Matrix, column: int, least_pivot: float) -> int | None:
    """Return the row of the largest pivot among those that limit a column, up to the slack."""
    able = [i for i, line in enumerate(lines) if line[column] > least_pivot]
    limit = min(((max(0.0, lines[i][-1]) + _SLACK) / lines[i][column] for i in able), default=0.0)
    tight = [i for i in able if max(0.0, lines[i][-1]) / lines[i][column] <= limit]
    return max(tight, key=lambda i: lines[i][column], default=None)


def _simplex(payoff: Matrix, low: float, high: float, least_pivot: float) -> tuple[Strategy, Strategy]:
    """Return strategies that add up to one, by pivots larger than `least_pivot`."""
    rows, columns = len(payoff), len(payoff[0])
    # The column player's program: maximise sum(y) under payoff * y <= 1, y >= 0; payoffs scaled to [1, 2].
    tableau = [[(number - low) / (high - low) + 1.0 for number in line] + [1.0] for line in payoff]
    tableau.append([-1.0] * columns + [0.0])
    basic, other = list(range(columns, columns + rows)), list(range(columns))
    patience = 10 * (rows + columns)
    for turn in range(10 * patience):
        column = _entering(tableau[rows][:columns], other, turn >= patience)
        if column is None:
            break
        row = _leaving(tableau[:rows], column, least_pivot)
        if row is None:
            break
        _pivot(tableau, row, column)
        basic[row], other[column] = other[column], basic[row]
    row_strategy, column_strategy = [0.0] * rows, [0.0] * columns
    for i in range(rows):
        if basic[i] < columns:
            column_strategy[basic[i]] = max(0.0, tableau[i][columns])
    for j in range(columns):
        if other[j] >= columns:
            row_strategy[other[j] - columns] = max(0.0, tableau[rows][j])
    return _normal(row_strategy), _normal(column_strategy)


def _normal(strategy: Strategy) -> Strategy:
    """Return a strategy scaled to add up to one; uniform if its sum is 0."""
    total = sum_in_order(strategy)
    return [share / total if total > 0.0 else 1.0 / len(strategy) for share in strategy]


def _mean(strategy: Strategy, payoffs: tuple[float, ...] | list[float]) -> float:
    return sum_in_order([share * payoff for share, payoff in zip(strategy, payoffs, strict=True)])


def matrix_game(payoff: Matrix) -> Solution:
    """Return the value and optimal strategies."""
    low, high = min(map(min, payoff)), max(map(max, payoff))
    if high <= low:
        return Solution(low, [1.0] + [0.0] * (len(payoff) - 1), [1.0] + [0.0] * (len(payoff[0]) - 1), 0.0)
    for least_pivot in _LEAST_PIVOTS:
        rows, columns = _simplex(payoff, low, high, least_pivot)
        least = min(_mean(rows, column) for column in zip(*payoff, strict=True))
        most = max(_mean(columns, row) for row in payoff)
        if most - least <= 2.0 * _ENOUGH * (high - low):
            break
    return Solution(0.5 * (least + most), rows, columns, max(0.0, 0.5 * (most - least)))
