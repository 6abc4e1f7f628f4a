"""One simulation, in four phases: descend, settle the leaf, backpropagate, prove. One loop for every game."""
from libc.stdint cimport int32_t, uint32_t

from .search_state cimport search_t

ctypedef int (*simulate_t)(search_t *search) noexcept nogil

cdef int simulate(search_t *search) noexcept nogil
cdef simulate_t copy_for(uint32_t features) noexcept nogil
cdef void backpropagate(search_t *search, int32_t depth) noexcept nogil
