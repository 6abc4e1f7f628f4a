"""Zero-sum matrix games by the simplex method, pivot for pivot as in `cext.matrix_game`."""

from __future__ import annotations

_TINY = 1e-11


def _pivot(tableau: list[list[float]], row: int, column: int) -> None:
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


def matrix_game(payoff: list[list[float]]) -> tuple[float, list[float], list[float]]:
    """The value to the row player, who maximises, its optimal strategy, and the column player's."""
    rows, columns = len(payoff), len(payoff[0])
    low, high = min(map(min, payoff)), max(map(max, payoff))
    row_strategy, column_strategy = [0.0] * rows, [0.0] * columns
    if high <= low:
        row_strategy[0] = column_strategy[0] = 1.0
        return low, row_strategy, column_strategy
    # The column player's program: maximise sum(y) under payoff * y <= 1, y >= 0; payoffs scaled to [1, 2].
    tableau = [[(number - low) / (high - low) + 1.0 for number in line] + [1.0] for line in payoff]
    tableau.append([-1.0] * columns + [0.0])
    basic = [columns + i for i in range(rows)]
    other = list(range(columns))
    while entering := [(other[j], j) for j in range(columns) if tableau[rows][j] < -_TINY]:
        column = min(entering)[1]  # the lowest variable of all that qualify: Bland's rule
        row = min(
            (tableau[i][columns] / tableau[i][column], basic[i], i) for i in range(rows) if tableau[i][column] > _TINY
        )[2]
        _pivot(tableau, row, column)
        basic[row], other[column] = other[column], basic[row]
    value = 1.0 / tableau[rows][columns]
    for i in range(rows):
        if basic[i] < columns:
            column_strategy[basic[i]] = max(0.0, tableau[i][columns] * value)
    for j in range(columns):
        if other[j] >= columns:
            row_strategy[other[j] - columns] = max(0.0, tableau[rows][j] * value)
    return (value - 1.0) * (high - low) + low, row_strategy, column_strategy
