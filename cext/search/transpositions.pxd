"""Merged states: nodes found by the hash of their state make the tree a graph (Czech, Korus and Kersting 2021).

The statistics of a node are those of its children, which may have been visited on other paths: see `graph.pxd`. If the
game has symmetries, symmetric states share the node of the canonical state, with its actions. Only the root has the
actions of the actual state.
"""
from libc.stdint cimport int32_t, uint32_t

from .search_state cimport search_t
from .tree cimport cell_t, node_t


cdef bint is_full_visit(const node_t *node) noexcept nogil
cdef void refresh_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil
cdef void visit_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil
cdef void visit_cell(search_t *search, node_t *node, cell_t *cell) noexcept nogil
cdef uint32_t known_node(search_t *search, int32_t depth) noexcept nogil
cdef void open_node(search_t *search, uint32_t index, int32_t depth) noexcept nogil
