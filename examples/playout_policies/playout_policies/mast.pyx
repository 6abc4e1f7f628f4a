"""MAST: mostly the action of the best mean, wherever it was played (Tak, Winands and Björnsson 2012)."""
from libc.stdint cimport int32_t, int64_t, uint32_t

from cext.game.game_table cimport game_t
from cext.primitives.rng cimport rng_below, rng_unit
from cext.search.policies.playout_table cimport new_playout_policy, recorded_t, turn_t

cdef double RANDOM = 0.4        # share of the actions that are random
cdef double UNPLAYED = 1e18     # mean of an action that was never played: higher than any other

cdef struct played_t:           # statistics of one action of one player
    int64_t value               # sum of the player's values of the simulations in which it was played
    int64_t visits              # number of those simulations


cdef size_t memory_size(const game_t *game) noexcept nogil:
    return sizeof(played_t) * <size_t> game.num_players * <size_t> game.num_actions


cdef void learn(void *memory, const game_t *game, const recorded_t *actions, int32_t count,
                const int64_t *value) noexcept nogil:
    cdef played_t *played
    cdef int32_t i
    for i in range(count):
        played = <played_t *> memory + actions[i].player * game.num_actions + actions[i].action
        played.value += value[actions[i].player]
        played.visits += 1


cdef int32_t choose(const turn_t *turn) noexcept nogil:
    cdef const played_t *known = <const played_t *> turn.memory + turn.player * turn.game.num_actions
    cdef const played_t *played
    cdef int32_t i, best = 0
    cdef double mean, highest = -1.0
    if rng_unit(turn.rng) < RANDOM:
        return turn.legal[rng_below(turn.rng, <uint32_t> turn.count)]
    for i in range(turn.count):
        played = &known[turn.legal[i]]
        mean = <double> played.value / <double> played.visits if played.visits else UNPLAYED
        if mean > highest:
            highest = mean
            best = i
    return turn.legal[best]


PLAYOUT_POLICY = new_playout_policy("mast", choose, learn, memory_size)
