"""Many simulations: until the limits of a search, or until more of them cannot change its result."""
from libc.stdint cimport int64_t

from .search_state cimport search_t

cdef bint is_proven(search_t *search) noexcept nogil
cdef bint is_decided(search_t *search, int64_t left) noexcept nogil
cdef int run_until(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil
