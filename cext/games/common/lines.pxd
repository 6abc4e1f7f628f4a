"""Lines of three on a 3x3 board. Inline: shared by the kernels of several games."""
from libc.stdint cimport int32_t, uint32_t

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
