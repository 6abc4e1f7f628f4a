"""Encoding of a state as numbers for a neural network. Each function returns the position after its numbers."""
from libc.stdint cimport int32_t, uint64_t


cdef inline int32_t put_cells(float *out, int32_t at, uint64_t cells, int32_t count) noexcept nogil:
    """Write one number for each cell: 1 if its bit is set, else 0."""
    cdef int32_t cell
    for cell in range(count):
        out[at + cell] = <float> ((cells >> cell) & 1)
    return at + count


cdef inline int32_t put_choice(float *out, int32_t at, int32_t chosen, int32_t count) noexcept nogil:
    """Write one number for each choice: 1 for `chosen`, else 0. All are 0 if `chosen` is -1."""
    cdef int32_t choice
    for choice in range(count):
        out[at + choice] = <float> (choice == chosen)
    return at + count


cdef inline int32_t put_number(float *out, int32_t at, double number) noexcept nogil:
    out[at] = <float> number
    return at + 1
