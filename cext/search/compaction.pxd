"""Room in the pool of a tree: it is compacted in place.

What is not below the root goes; at the memory cap, so do the least visited nodes. The statistics of their simulations
stay in the arms, joint actions and outcomes that led to them, and in the nodes above. A node that is visited again is
made anew. Proven values stay as well.
"""
from libc.stdint cimport uint32_t

from .tree cimport tree_t


cdef inline bint needs_room(const tree_t *tree) noexcept nogil:
    """Return True if a record could not be had, and enough could since the last time to make another try worth it."""
    return tree.full and tree.used >= tree.next_pass


cdef int keep_below(tree_t *tree, uint32_t *root) noexcept nogil
cdef void make_room(tree_t *tree, uint32_t *root) noexcept nogil
