"""Value and optimal mixed strategies of small zero-sum matrix games, without the GIL."""
from libc.stdint cimport int32_t

cdef size_t matrix_game_bytes(int32_t rows, int32_t columns) noexcept nogil
cdef double solve_matrix_game(const double *payoff, int32_t rows, int32_t columns, double *row_strategy,
                              double *column_strategy, void *work, double *error) noexcept nogil
