"""Simulations that wait for an evaluation: a batch is collected, evaluated outside, and delivered."""
from libc.stdint cimport int32_t, int64_t

from .search_state cimport search_t
from .tree cimport node_t

cdef enum:
    LOOK_SIMULATIONS = 256      # that need no evaluation, until a batch ends


cdef int collect(search_t *search, int32_t batch_size, int64_t target, int64_t *done) noexcept nogil
cdef void add_root_noise(search_t *search, node_t *root, double share, double alpha) noexcept nogil
cdef int take_answer(search_t *search, answer, int32_t count, bint for_root) except -1
cdef void forget_passed(search_t *search) noexcept nogil
cdef void abandon(search_t *search, int32_t kept) noexcept nogil
