"""Zero-sum matrix games by the simplex method on a condensed tableau.

With all payoffs positive, the column player's linear program is: maximise sum(y) under payoff * y <= 1, y >= 0. Its
optimum is 1 / value, its solution times the value the column player's strategy, and its dual the row player's
(Dantzig 1951). The origin is feasible, so that no first phase is needed; Bland's rule (1977) rules out cycling.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

import numpy as np

cdef double TINY = 1e-11


cdef size_t matrix_game_bytes(int32_t rows, int32_t columns) noexcept nogil:
    """Size of the scratch memory of solve_matrix_game."""
    return (<size_t> (rows + 1) * (columns + 1)) * sizeof(double) + <size_t> (rows + columns) * sizeof(int32_t)


cdef void pivot(double *tableau, int32_t rows, int32_t columns, int32_t row, int32_t column) noexcept nogil:
    """Exchange the basic variable of a row for the other variable of a column (Jordan exchange)."""
    cdef int32_t i, j, width = columns + 1
    cdef double scale = 1.0 / tableau[row * width + column], factor
    for j in range(width):
        tableau[row * width + j] *= scale
    tableau[row * width + column] = scale
    for i in range(rows + 1):
        if i == row:
            continue
        factor = tableau[i * width + column]
        if factor == 0.0:
            continue
        for j in range(width):
            if j != column:
                tableau[i * width + j] -= factor * tableau[row * width + j]
        tableau[i * width + column] = -factor * scale


cdef double solve_matrix_game(const double *payoff, int32_t rows, int32_t columns, double *row_strategy,
                              double *column_strategy, void *work) noexcept nogil:
    """The value to the row player, who maximises, and a pair of optimal strategies.

    payoff: [rows, columns], row by row; row_strategy: [rows]; column_strategy: [columns]; work: scratch memory of
    matrix_game_bytes(rows, columns).
    """
    cdef int32_t width = columns + 1, i, j, row, column, swap
    cdef double *tableau = <double *> work
    cdef int32_t *basic = <int32_t *> (tableau + <size_t> (rows + 1) * width)
    cdef int32_t *other = basic + rows
    cdef double low = payoff[0], high = payoff[0], ratio, least, value
    for i in range(rows * columns):
        low = min(low, payoff[i])
        high = max(high, payoff[i])
    for i in range(rows):
        row_strategy[i] = 0.0
    for j in range(columns):
        column_strategy[j] = 0.0
    if high - low <= 0.0:
        row_strategy[0] = column_strategy[0] = 1.0
        return low
    for i in range(rows):
        for j in range(columns):
            tableau[i * width + j] = (payoff[i * columns + j] - low) / (high - low) + 1.0
        tableau[i * width + columns] = 1.0
        basic[i] = columns + i
    for j in range(columns):
        tableau[rows * width + j] = -1.0
        other[j] = j
    tableau[rows * width + columns] = 0.0
    while True:
        column = -1
        for j in range(columns):
            if tableau[rows * width + j] < -TINY and (column < 0 or other[j] < other[column]):
                column = j
        if column < 0:
            break
        row = -1
        least = 0.0
        for i in range(rows):
            if tableau[i * width + column] > TINY:
                ratio = tableau[i * width + columns] / tableau[i * width + column]
                if row < 0 or ratio < least or (ratio == least and basic[i] < basic[row]):
                    row = i
                    least = ratio
        if row < 0:
            break               # cannot be: payoffs are positive, so the program is bounded
        pivot(tableau, rows, columns, row, column)
        swap = basic[row]
        basic[row] = other[column]
        other[column] = swap
    value = 1.0 / tableau[rows * width + columns]
    for i in range(rows):
        if basic[i] < columns:
            column_strategy[basic[i]] = max(0.0, tableau[i * width + columns] * value)
    for j in range(columns):
        if other[j] >= columns:
            row_strategy[other[j] - columns] = max(0.0, tableau[rows * width + j] * value)
    return (value - 1.0) * (high - low) + low


def matrix_game(payoff):
    """Value and optimal strategies of a zero-sum matrix game.

    Args:
        payoff: [rows, columns], what the row player gets; finite numbers.

    Returns:
        (value to the row player, row strategy [rows], column strategy [columns])

    Raises:
        ValueError: not a matrix of finite numbers with at least one row and one column.
    """
    cdef double[:, ::1] matrix
    table = np.ascontiguousarray(payoff, dtype=np.float64)
    if table.ndim != 2 or table.size == 0 or not np.isfinite(table).all():
        raise ValueError(f"a matrix game is a matrix of finite numbers, not an array of shape {table.shape}")
    matrix = table
    cdef int32_t rows = table.shape[0], columns = table.shape[1]
    cdef double[::1] row_strategy = np.zeros(rows)
    cdef double[::1] column_strategy = np.zeros(columns)
    cdef double value
    cdef void *work = malloc(matrix_game_bytes(rows, columns))
    if work == NULL:
        raise MemoryError
    with nogil:
        value = solve_matrix_game(&matrix[0, 0], rows, columns, &row_strategy[0], &column_strategy[0], work)
    free(work)
    return value, np.asarray(row_strategy), np.asarray(column_strategy)
