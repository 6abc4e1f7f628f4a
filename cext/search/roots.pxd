"""The root of a search when the game continues: the node below it, and its actions in a graph of symmetric states."""
from libc.stdint cimport int32_t, uint32_t

from .search_state cimport search_t

cdef uint32_t child_of_root(search_t *search, const int32_t *joint) noexcept
cdef int map_root_actions(search_t *search) except -1
