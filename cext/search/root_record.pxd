"""Copies of the statistics of a root."""
from libc.stdint cimport int32_t, int64_t

from ..game.game_table cimport MAX_PLAYERS, game_t
from .search_state cimport search_t
from .statistics cimport line_t

cdef struct row_t:              # one action of one player
    int32_t action
    int32_t visits
    int64_t value               # sum of the player's values
    double weight               # share in the mixed strategy, not normalised
    int32_t lower               # proven bounds of the value to the player
    int32_t upper

cdef struct seat_t:             # one deciding player
    int32_t player
    int32_t count               # of its rows

cdef class RootRecord:
    cdef readonly int64_t visits
    cdef readonly int64_t nodes
    cdef readonly int64_t memory_bytes
    cdef readonly int32_t action
    cdef readonly int32_t num_deciding
    cdef int32_t num_players
    cdef seat_t seats[MAX_PLAYERS]  # [num_deciding]
    cdef row_t *rows            # of all seats, one behind the other, in the order of the arms; owned
    cdef int64_t sums[MAX_PLAYERS]
    cdef int32_t lower[MAX_PLAYERS]
    cdef int32_t upper[MAX_PLAYERS]
    cdef line_t principal       # its steps are owned

cdef RootRecord copy_root(search_t *search, bint with_line, bint by_visits)
cdef RootRecord sum_of(list records, const game_t *game, bint by_visits)
