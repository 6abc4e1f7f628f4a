"""Copies of the statistics of a root."""
from libc.stdint cimport int32_t, int64_t

from ..game.game_table cimport MAX_PLAYERS
from .search_state cimport search_t
from .statistics cimport line_t, row_t

cdef struct seat_t:             # one deciding player
    int32_t player
    int32_t count               # of its rows

cdef class RootRecord:
    cdef readonly int64_t visits
    cdef readonly int64_t nodes
    cdef readonly int64_t memory_bytes
    cdef readonly int32_t num_deciding
    cdef int32_t num_players
    cdef seat_t seats[MAX_PLAYERS]  # [num_deciding]
    cdef row_t *rows            # of all seats, one behind the other, in the order of the arms; owned
    cdef int64_t sums[MAX_PLAYERS]
    cdef int32_t lower[MAX_PLAYERS]
    cdef int32_t upper[MAX_PLAYERS]
    cdef line_t principal       # its steps are owned

cdef RootRecord copy_root(search_t *search, bint with_line)
cdef RootRecord sum_of(list records)
