"""Regret matching (Hart and Mas-Colell 2000) in one information set."""
from libc.stdint cimport int32_t


cdef inline void match_regrets(const double *regrets, int32_t count, double *strategy) noexcept nogil:
    """Write a strategy: in proportion to the positive regrets, even if there are none."""
    cdef double total = 0.0
    cdef int32_t i
    for i in range(count):
        total += max(0.0, regrets[i])
    for i in range(count):
        strategy[i] = max(0.0, regrets[i]) / total if total > 0.0 else 1.0 / count
