"""Checks of a board from a dict: can players in turns have made these marks, and a last mark this line?"""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from ...game.game_table cimport game_t
from .lines cimport has_line3

ctypedef bint (*line_test_t)(const game_t *game, uint64_t own) noexcept nogil


cdef inline uint64_t possible_last_marks(const game_t *game, uint64_t own, line_test_t has_line) noexcept nogil:
    """Return the cells of `own` without which it has no line: one of them was marked last if `own` has a line."""
    cdef uint64_t cells = own, cell, found = 0
    while cells:
        cell = cells & (~cells + 1)
        cells ^= cell
        if not has_line(game, own & ~cell):
            found |= cell
    return found


cdef inline bint has_line_of_three(const game_t *game, uint64_t own) noexcept nogil:
    """The test of a 3x3 board, for `possible_last_marks` and `find_winner`."""
    return has_line3(<uint32_t> own)


cdef int check_length(str spec, int columns, int rows, int k) except -1
cdef int check_turns(list counts, str symbols, str where=*) except -1
cdef int32_t find_winner(const game_t *game, list masks, line_test_t has_line, int32_t last, tuple players, str line,
                         str where=*) except -2
