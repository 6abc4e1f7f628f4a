"""Guided playouts: each action is drawn by what the game knows of good play. The game has the distribution."""
from libc.stdint cimport int32_t

from ...primitives.rng cimport rng_next, rng_seed, rng_t
from ..policies.playout_table cimport new_playout_policy, turn_t


cdef int32_t choose(const turn_t *turn) noexcept nogil:
    cdef int32_t action
    cdef rng_t draw
    rng_seed(&draw, rng_next(turn.rng))
    turn.game.guided_action(turn.game, turn.state, turn.player, &draw, &action)
    return action


PLAYOUT_POLICY = new_playout_policy("guided", choose, NULL, NULL)
