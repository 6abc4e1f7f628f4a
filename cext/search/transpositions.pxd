"""What makes a search tree a graph: nodes that are found by the hash of their state (Czech, Korus and Kersting 2021).

A node's statistics are computed again from its children's at every visit, since these may have been visited by other
ways. Where the game knows which states are images of each other, all of them share a node, which speaks of the one that
stands for all; only the root speaks of the very state that is searched.
"""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from .search_state cimport search_t
from .tree cimport node_t


cdef double mean_for_mover(search_t *search, const node_t *node, uint32_t child) noexcept nogil
cdef void refresh_single(search_t *search, node_t *node) noexcept nogil
cdef void refresh_joint(search_t *search, node_t *node) noexcept nogil
cdef uint32_t known_node(search_t *search, int32_t depth) noexcept nogil
cdef void open_node(search_t *search, uint32_t index, uint64_t hash) noexcept nogil
