"""Making a node for the state of a simulation."""
from libc.stdint cimport uint32_t

from .search_state cimport search_t

cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil
