"""Playouts whose actions are chosen by a policy or recorded.

Where a game has a loop of its own for random playouts, it notes the actions as sets. Others are played action by action
through the game's table.
"""
from libc.stdint cimport int32_t

from .search_state cimport search_t


cdef inline bint record_action(search_t *search, int32_t player, int32_t action) noexcept nogil:
    """Append an action of the running simulation to its record. False without memory: it is then left out."""
    if search.num_recorded == search.record_capacity and not lengthen_record(search):
        return False
    search.recorded[search.num_recorded].player = player
    search.recorded[search.num_recorded].action = action
    search.num_recorded += 1
    return True


cdef bint lengthen_record(search_t *search) noexcept nogil
cdef void play_out_by_policy(search_t *search, double *returns) noexcept nogil
