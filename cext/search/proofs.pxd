"""The solver: known successors of new nodes, joint actions that are not proven, and bounds carried upwards.

Between two players with opposite interests, proven arms are never chosen again, and the values of simulations are
clamped to the bounds of each node on the path. Where both decide at once, every second simulation takes a joint action
that is not proven, in a row that may be best for one player and a column that may be best for the other: a policy that
converges would not visit the joint actions that it does not play. With other interests, the returns of the others
depend on which of its equally good arms a player takes, so that proven arms are still chosen.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t

from .search_state cimport search_t
from .tree cimport node_t


cdef bint look_ahead(search_t *search, uint32_t index) noexcept nogil
cdef bint link_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil
cdef bint link_cells(search_t *search, node_t *node, uint32_t index, const int32_t *joint) noexcept nogil
cdef bint choose_unproven(search_t *search, node_t *node, int32_t *joint, uint32_t *chosen) noexcept nogil
cdef void make_exact(search_t *search, node_t *node, uint32_t arm, const node_t *child) noexcept nogil
cdef void keep_exact(search_t *search, int32_t depth) noexcept nogil
cdef void prove(search_t *search, int32_t depth) noexcept nogil
