"""Playouts that choose or record their actions: one function for each policy.

They play action by action through the game's table.
"""
from libc.stdint cimport int32_t

from .search_state cimport search_t

cdef bint record_action(search_t *search, int32_t player, int32_t action) noexcept nogil
cdef void play_out_by_policy(search_t *search, double *returns) noexcept nogil
