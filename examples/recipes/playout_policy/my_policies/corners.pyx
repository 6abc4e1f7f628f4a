"""Corners: the first or the last of the legal actions, now and then any other."""
from libc.stdint cimport int32_t, uint32_t

from cext.primitives.rng cimport rng_below, rng_unit
from cext.search.policies.playout_table cimport new_playout_policy, turn_t


cdef int32_t choose(const turn_t *turn) noexcept nogil:
    """Return a random action with probability 0.5, else the first or the last one."""
    if rng_unit(turn.rng) < 0.5:
        return turn.legal[rng_below(turn.rng, <uint32_t> turn.count)]
    return turn.legal[0] if rng_unit(turn.rng) < 0.5 else turn.legal[turn.count - 1]


PLAYOUT_POLICY = new_playout_policy("corners", choose, NULL, NULL)
