"""Solved states: a packed key and a value each, sorted by key."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from ..game.game cimport Game, State
from ..game.game_table cimport game_t
from .stage_game cimport stage_t

cdef struct solved_t:
    const game_t *game
    bint reduces                # states are reduced before a lookup
    const uint8_t *base         # [state_size]: the bits that all states share
    const uint8_t *rest         # [state_size]: mask of these bits
    const int32_t *bits         # [num_bits]: the bits of a key, as 8 * byte + bit
    int32_t num_bits
    int32_t words               # words of a key
    size_t count                # number of states
    const uint64_t *keys        # [count][words], ascending, the last word most significant
    const double *values        # [count]: values to the first player
    uint64_t *key               # [words], scratch


cdef inline void pack_bits(const int32_t *bits, int32_t count, const uint8_t *state, uint64_t *key) noexcept nogil:
    """Pack bits of a state into a key; the first bit is the lowest of the first word."""
    cdef int32_t i
    cdef uint64_t bit
    for i in range(count):
        if i & 63 == 0:
            key[i >> 6] = 0
        bit = state[bits[i] >> 3] >> (bits[i] & 7) & 1
        key[i >> 6] |= bit << (i & 63)


cdef class SolvedStates:
    cdef readonly Game game
    cdef readonly bint reduces
    cdef readonly object base, bits, keys, values
    cdef object rest, padded_bits
    cdef solved_t solved
    cdef stage_t stage
    cdef int users              # see primitives/in_use.pxd: a lookup writes to scratch memory

    cdef int check(self, State state) except -1
