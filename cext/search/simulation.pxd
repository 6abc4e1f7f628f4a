"""One simulation, in four phases: descend, settle the leaf, backpropagate, prove. One loop for every game."""
from libc.stdint cimport int32_t, int64_t, uint32_t

from .search_state cimport search_t

cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil
cdef void evaluate(search_t *search, bint over) noexcept nogil
cdef void backpropagate(search_t *search, int32_t depth) noexcept nogil
cdef int simulate(search_t *search) noexcept nogil
cdef bint is_proven(search_t *search) noexcept nogil
cdef bint is_decided(search_t *search, int64_t left) noexcept nogil
cdef int run_until(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil
cdef void count_ahead(search_t *search, int32_t depth, int32_t change) noexcept nogil
