"""`RoundSolver` as other compiled modules see it."""
from libc.stdint cimport int32_t

from ....game.game cimport Game
from ..rules cimport bid_t
from .growth cimport progress_t
from .round cimport round_t


cdef class RoundSolver:
    cdef round_t *round
    cdef void *memory           # of the batch of the round, or NULL
    cdef int users              # see in_use.pxd
    cdef progress_t progress
    cdef Game game

    cdef int read_bid(self, bid, int32_t chips, str whose, bid_t *out) except -1
