"""Lines of three on a 3x3 board, and runs of k on larger ones. Inline: shared by the kernels of several games."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include "primitives/compiler.h"

    /* Bit `cells` of the table is 1 if that set of cells contains a line: 512 bits, one cache line. */
    static PLAYOUT_ALIGNED(64) const uint64_t playout_line3_table[8] = {
        UINT64_C(0xFF80808080808080), UINT64_C(0xFFF0AA80FAF0AA80),
        UINT64_C(0xFFCC8080CCCC8080), UINT64_C(0xFFFCAA80FEFCAA80),
        UINT64_C(0xFFFAF0F0AAAA8080), UINT64_C(0xFFFAFAF0FAFAAA80),
        UINT64_C(0xFFFEF0F0EEEE8080), UINT64_C(0xFFFFFFFFFFFFFFFF)
    };
    """
    const unsigned long long playout_line3_table[8]


cdef inline bint has_line3(uint32_t cells) noexcept nogil:
    """Return True if these cells (bit 3 * row + column, below 512) contain a row, column or diagonal."""
    return (playout_line3_table[cells >> 6] >> (cells & 63)) & 1


cdef inline uint32_t completing_line3(uint32_t cells) noexcept nogil:
    """Return the cells that are the only missing ones of a row, column or diagonal."""
    cdef uint32_t found = 0, missing
    cdef int32_t line
    for line in range(8):
        missing = line3(line) & ~cells
        found |= 0 if missing & (missing - 1) else missing
    return found


cdef inline uint32_t line3(int32_t line) noexcept nogil:
    """Return the cells of one of the eight lines: rows 0 to 2, columns 3 to 5, diagonals 6 and 7."""
    if line < 3:
        return 0b111 << (3 * line)
    if line < 6:
        return 0b001001001 << (line - 3)
    return 0b100010001 if line == 6 else 0b001010100


cdef enum:
    DIRECTIONS = 4
    MAX_STEPS = 6               # doublings up to a run of 64

cdef struct runs_of_k_t:        # runs of k cells on a board of up to 64, in each direction
    uint64_t start[DIRECTIONS]  # cells from which a run stays on the board
    int32_t stride[DIRECTIONS]  # from a cell to the next one of a run
    int32_t shift[DIRECTIONS][MAX_STEPS]    # shift in each step; 0 if no run of this direction fits
    int32_t steps               # number of steps


cdef inline void lay_out_runs(runs_of_k_t *runs, int32_t columns, int32_t rows, int32_t k) noexcept nogil:
    """Fill the struct for k up to the longer side of a board."""
    cdef int32_t down[DIRECTIONS]
    cdef int32_t right[DIRECTIONS]
    cdef int32_t d, cell, row, column, step, length = 1
    down[0], down[1], down[2], down[3] = 0, 1, 1, 1
    right[0], right[1], right[2], right[3] = 1, 0, 1, -1
    for d in range(DIRECTIONS):
        runs.start[d] = 0
        runs.stride[d] = down[d] * columns + right[d]
        for cell in range(columns * rows):
            row, column = cell // columns + down[d] * (k - 1), cell % columns + right[d] * (k - 1)
            if 0 <= row < rows and 0 <= column < columns:
                runs.start[d] |= <uint64_t> 1 << cell
    runs.steps = 0
    while length < k:
        step = min(length, k - length)
        for d in range(DIRECTIONS):
            runs.shift[d][runs.steps] = step * runs.stride[d] if runs.start[d] else 0
        runs.steps += 1
        length += step


cdef inline bint has_run(const runs_of_k_t *runs, uint64_t own, int32_t steps) noexcept nogil:
    """Return True if k of these cells are in a row. `steps` is runs.steps, or a constant of the same value.

    After the shifts a bit is set where a run of k starts; the mask removes those that wrap around an edge.
    """
    cdef uint64_t found = 0, run
    cdef int32_t d, i
    for d in range(DIRECTIONS):
        run = own
        for i in range(steps):
            run &= run >> runs.shift[d][i]
        found |= run & runs.start[d]
    return found != 0
