"""How a simulation goes on behind the tree, other than at random: one function a policy.

These play step by step through the game's table, since they look at every move they make.
"""
from libc.stdint cimport int32_t

from .search_state cimport search_t

cdef bint record_action(search_t *search, int32_t player, int32_t action) noexcept nogil
cdef void play_out_by_policy(search_t *search, double *returns) noexcept nogil
