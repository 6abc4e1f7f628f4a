"""Zero-sum matrix games by the simplex method on a condensed tableau.

With all payoffs positive, the column player's linear program is: maximise sum(y) under payoff * y <= 1, y >= 0. Its
optimum is 1 / value. Its solution times the value is the column player's strategy, and its dual the row player's
(Dantzig 1951). The origin is feasible, so no first phase is needed.

Payoffs that are nearly equal are common among solved positions. In their tableaus rounding errors are as large as
differences of payoffs. Therefore the row with the largest pivot leaves among those that may (Harris 1973), and small
pivots are excluded. The strategies are then checked against the payoffs. If the error that they prove is too large, the
game is solved again with larger pivots.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc


cdef double TINY = 1e-12        # least reduced cost of a column that may enter
cdef double SLACK = 1e-12       # a basic variable may fall this far below zero to allow a larger pivot
cdef double ENOUGH = 1e-10      # accepted error, as a share of the range of the payoffs
cdef double LEAST_PIVOT = 1e-9  # in the first attempt; ten times as large in each further one
cdef enum:
    TRIES = 3


cdef size_t matrix_game_bytes(int32_t rows, int32_t columns) noexcept nogil:
    """Return the size of the scratch memory of solve_matrix_game."""
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


cdef int32_t entering(const double *cost, const int32_t *other, int32_t columns, bint careful) noexcept nogil:
    """Return the column that enters, -1 at the optimum: that of the lowest reduced cost.

    careful: use Bland's rule (1977) instead, which prevents cycling.
    """
    cdef int32_t column = -1, j
    for j in range(columns):
        if cost[j] < -TINY and (column < 0 or (other[j] < other[column] if careful else cost[j] < cost[column])):
            column = j
    return column


cdef int32_t leaving(const double *tableau, int32_t rows, int32_t width, int32_t column,
                     double least_pivot) noexcept nogil:
    """Return the row with the largest pivot among those that limit a column, up to SLACK; -1 if there is none."""
    cdef int32_t row = -1, i
    cdef double limit = 1e300, element
    for i in range(rows):
        element = tableau[i * width + column]
        if element > least_pivot:
            limit = min(limit, (max(0.0, tableau[i * width + width - 1]) + SLACK) / element)
    for i in range(rows):
        element = tableau[i * width + column]
        if (element > least_pivot and max(0.0, tableau[i * width + width - 1]) / element <= limit
                and (row < 0 or element > tableau[row * width + column])):
            row = i
    return row


cdef void simplex(const double *payoff, int32_t rows, int32_t columns, double low, double high, double least_pivot,
                  double *row_strategy, double *column_strategy, void *work) noexcept nogil:
    """Compute strategies, up to a factor, with pivots larger than `least_pivot`. Payoffs are in [low, high]."""
    cdef int32_t width = columns + 1, i, j, row, column, turn, patience = 10 * (rows + columns)
    cdef double *tableau = <double *> work
    cdef int32_t *basic = <int32_t *> (tableau + <size_t> (rows + 1) * width)
    cdef int32_t *other = basic + rows
    for i in range(rows):
        for j in range(columns):
            tableau[i * width + j] = (payoff[i * columns + j] - low) / (high - low) + 1.0
        tableau[i * width + columns] = 1.0
        basic[i] = columns + i
    for j in range(columns):
        tableau[rows * width + j] = -1.0
        other[j] = j
    tableau[rows * width + columns] = 0.0
    for turn in range(10 * patience):
        column = entering(tableau + rows * width, other, columns, turn >= patience)
        if column < 0:
            break
        row = leaving(tableau, rows, width, column, least_pivot)
        if row < 0:
            break
        pivot(tableau, rows, columns, row, column)
        i = basic[row]
        basic[row] = other[column]
        other[column] = i
    for i in range(rows):
        row_strategy[i] = 0.0
    for j in range(columns):
        column_strategy[j] = 0.0
    for i in range(rows):
        if basic[i] < columns:
            column_strategy[basic[i]] = max(0.0, tableau[i * width + columns])
    for j in range(columns):
        if other[j] >= columns:
            row_strategy[other[j] - columns] = max(0.0, tableau[rows * width + j])


cdef void normalise(double *strategy, int32_t count) noexcept nogil:
    """Scale a strategy to the sum 1. A strategy of zeros becomes uniform."""
    cdef double total = 0.0
    cdef int32_t i
    for i in range(count):
        total += strategy[i]
    for i in range(count):
        strategy[i] = strategy[i] / total if total > 0.0 else 1.0 / count


cdef double secured(const double *payoff, int32_t actions, int32_t step, int32_t answers, int32_t answer_step,
                    const double *strategy, double sign) noexcept nogil:
    """Return the least payoff of a strategy against any answer of the other player.

    The payoff of action i against answer j is payoff[i * step + j * answer_step] * sign.
    """
    cdef double least = 1e300, total
    cdef int32_t i, j
    for j in range(answers):
        total = 0.0
        for i in range(actions):
            total += strategy[i] * payoff[i * step + j * answer_step]
        least = min(least, sign * total)
    return least


cdef double solve_matrix_game(const double *payoff, int32_t rows, int32_t columns, double *row_strategy,
                              double *column_strategy, void *work, double *error) noexcept nogil:
    """Return the value to the row player, who maximises, and write a pair of optimal strategies.

    payoff: [rows, columns], row by row; row_strategy: [rows]; column_strategy: [columns]; work: scratch memory of
    matrix_game_bytes(rows, columns); error: receives an upper bound of the error of the value.
    """
    cdef int32_t i, _
    cdef double low = payoff[0], high = payoff[0], least = payoff[0], most = payoff[0], least_pivot = LEAST_PIVOT
    for i in range(rows * columns):
        low = min(low, payoff[i])
        high = max(high, payoff[i])
    if high - low <= 0.0:
        for i in range(rows):
            row_strategy[i] = 0.0
        for i in range(columns):
            column_strategy[i] = 0.0
        row_strategy[0] = column_strategy[0] = 1.0
        error[0] = 0.0
        return low
    for _ in range(TRIES):
        simplex(payoff, rows, columns, low, high, least_pivot, row_strategy, column_strategy, work)
        normalise(row_strategy, rows)
        normalise(column_strategy, columns)
        least = secured(payoff, rows, columns, columns, 1, row_strategy, 1.0)
        most = -secured(payoff, columns, 1, rows, columns, column_strategy, -1.0)
        if most - least <= 2.0 * ENOUGH * (high - low):
            break
        least_pivot *= 10.0
    error[0] = max(0.0, 0.5 * (most - least))
    return 0.5 * (least + most)


def matrix_game(payoff):
    """Return value and optimal strategies of a zero-sum matrix game.

    Args:
        payoff: [rows, columns], payoffs to the row player; finite numbers.

    Returns:
        (value to the row player, row strategy [rows], column strategy [columns])

    Raises:
        ValueError: `payoff` is not a matrix of finite numbers with at least one row and one column.
    """
    import numpy as np

    cdef double[:, ::1] matrix
    table = np.ascontiguousarray(payoff, dtype=np.float64)
    if table.ndim != 2 or table.size == 0 or not np.isfinite(table).all():
        raise ValueError(f"a matrix game is a matrix of finite numbers, not an array of shape {table.shape}")
    matrix = table
    cdef int32_t rows = table.shape[0], columns = table.shape[1]
    cdef double[::1] row_strategy = np.zeros(rows)
    cdef double[::1] column_strategy = np.zeros(columns)
    cdef double value, error
    cdef void *work = malloc(matrix_game_bytes(rows, columns))
    if work == NULL:
        raise MemoryError
    with nogil:
        value = solve_matrix_game(&matrix[0, 0], rows, columns, &row_strategy[0], &column_strategy[0], work,
                                  &error)
    free(work)
    return value, np.asarray(row_strategy), np.asarray(column_strategy)
