"""The statistics of a search as Python data."""
from libc.stdint cimport int32_t, int64_t

from ..game cimport State
from .search_state cimport search_t

cdef list read_bounds(search_t *search)
cdef list read_value_sums(search_t *search)
cdef dict read_root_arms(search_t *search)
cdef list read_principal_variation(search_t *search, State state, int32_t first)
cdef dict read_tree(search_t *search, int max_depth, int64_t max_nodes)
