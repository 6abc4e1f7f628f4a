"""The solver of one round as an object, for other compiled modules."""
from ..game cimport Game
from .growth cimport progress_t
from .stage cimport stage_t


cdef class RoundSolver:
    cdef stage_t *stage
    cdef int users              # see in_use.pxd
    cdef progress_t progress
    cdef Game game
    cdef bint is_first          # the state is the first of its game
    cdef readonly tuple bounds
