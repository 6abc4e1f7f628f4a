"""Sets of cells as bit masks, and returns of win, draw and loss. Inline: shared by the kernels of several games."""
from libc.stdint cimport int32_t, uint64_t

from ...primitives.bits cimport lowest64

cdef enum:
    NOBODY = -1                 # winner of a game without one


cdef inline int32_t list_cells(uint64_t cells, int32_t first, int32_t *out) noexcept nogil:
    """Write the action `first + cell` for each cell, ascending, and return their number."""
    cdef int32_t count = 0
    while cells:
        out[count] = first + lowest64(cells)
        cells &= cells - 1
        count += 1
    return count


cdef inline uint64_t single_cell(uint64_t cells) noexcept nogil:
    """Return a set of one cell as it is, and no cell for a larger set."""
    return 0 if cells & (cells - 1) else cells


cdef inline void put_score(double score, double *out) noexcept nogil:
    """Write the returns of two players who share 100 points: `score` for the first."""
    out[0] = score
    out[1] = 100.0 - score


cdef inline double winner_score(int32_t winner) noexcept nogil:
    """Return the score of the first of two players: 100 for a win, 50 for a draw (NOBODY), 0 for a loss."""
    return 50.0 if winner == NOBODY else 100.0 * (1 - winner)


cdef inline double comparison_score(int32_t first, int32_t second) noexcept nogil:
    """Return the score of the first of two players: 100 if it has more than the second, 50 if as much, else 0."""
    return 50.0 + 50.0 * ((first > second) - (first < second))
