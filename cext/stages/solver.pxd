"""The solver of one round as an object, for other compiled modules."""
from libc.stdint cimport int32_t

from ..game cimport Game
from ..nets.net cimport Net
from ..sealed_bids cimport sealed_bid_t
from .growth cimport progress_t
from .stage cimport stage_t


cdef class RoundSolver:
    cdef stage_t *stage
    cdef void *memory           # of the batch of the stage, or NULL
    cdef int users              # see in_use.pxd
    cdef progress_t progress
    cdef Game game
    cdef Net net                # of the leaves, or None
    cdef void (*close_leaves)(void *) noexcept nogil    # for the context of the stage, where there is a net
    cdef bint is_first          # the state is the first of its game
    cdef readonly tuple bounds
    cdef int read_bid(self, bid, int32_t purse, str whose, sealed_bid_t *out) except -1
