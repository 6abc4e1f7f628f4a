"""What the solver does to a search: where it looks ahead, whither it sends simulations, and how proofs travel upwards.

Where two players have opposite interests, nothing is searched whose value is known: a proven arm is never chosen again,
and simulations that pass a node are worth no more and no less to it than its bounds allow. Where both decide at once,
every second simulation is sent to a joint action that is still open, in a row that may yet be best for the one and a
column that may yet be best for the other, since a policy that converges would leave open what it does not play. With
other interests, what others get depends on which of its equally good arms a player takes: there proven arms stay.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t

from .search_state cimport search_t
from .tree cimport node_t, tree_t


cdef bint look_ahead(search_t *search, uint32_t index) noexcept nogil
cdef bint link_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil
cdef bint link_cells(search_t *search, node_t *node, uint32_t index, const int32_t *joint) noexcept nogil
cdef bint choose_unproven(search_t *search, node_t *node, int32_t *joint, uint32_t *chosen) noexcept nogil
cdef bint mark_proven_arm(search_t *search, uint32_t index, uint32_t arm, const node_t *child) noexcept nogil
cdef void keep_exact(search_t *search, int32_t depth) noexcept nogil
cdef void prove(search_t *search, int32_t depth) noexcept nogil
cdef uint32_t leading_arm(const tree_t *tree, node_t *node) noexcept nogil
