"""Words of 512 bits, one bit for each of 512 games, held in the widest vectors of the machine code.

A wide word is PARTS vectors in memory. The width of the vectors changes no result.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t

from ..primitives.bits cimport popcount64
from ..primitives.rng cimport rng_seed, rng_t, seed_for
from ..primitives.vectors cimport VECTOR_BYTES, add64, both, differ, get64, put64, splat8, turn64, up64, vector_t

cdef extern from *:
    """
    #define PLAYOUT_WIDE_PARTS (64 / PLAYOUT_VECTOR_BYTES)
    """
    enum:
        PARTS "PLAYOUT_WIDE_PARTS"

cdef enum:
    WIDE_LANES = 512
    MOST_PARTS = 4
    LONGS = 8                   # words of 64 bits in a wide word

cdef struct streams_t:          # xoshiro256++ as in rng.pxd, eight of them: one for each word of 64 bits
    vector_t word[4][MOST_PARTS]


cdef inline uint64_t get_long(const vector_t *wide, int32_t i) noexcept nogil:
    return get64(wide + i // (VECTOR_BYTES // 8), i % (VECTOR_BYTES // 8))


cdef inline void put_long(vector_t *wide, int32_t i, uint64_t value) noexcept nogil:
    put64(wide + i // (VECTOR_BYTES // 8), i % (VECTOR_BYTES // 8), value)


cdef inline void fill(vector_t *wide, bint value) noexcept nogil:
    cdef int32_t k
    for k in range(PARTS):
        wide[k] = splat8(-1 if value else 0)


cdef inline int32_t count_lanes(const vector_t *wide) noexcept nogil:
    cdef int32_t i, count = 0
    for i in range(LONGS):
        count += popcount64(get_long(wide, i))
    return count


cdef inline bint has_lanes(const vector_t *wide) noexcept nogil:
    cdef uint64_t found = 0
    cdef int32_t i
    for i in range(LONGS):
        found |= get_long(wide, i)
    return found != 0


cdef inline void seed_streams(streams_t *streams, uint64_t seed) noexcept nogil:
    cdef rng_t rng
    cdef int32_t i
    for i in range(LONGS):
        rng_seed(&rng, seed_for(seed, <uint64_t> i))
        put_long(streams.word[0], i, rng.s0)
        put_long(streams.word[1], i, rng.s1)
        put_long(streams.word[2], i, rng.s2)
        put_long(streams.word[3], i, rng.s3)


cdef inline void draw_part(streams_t *streams, int32_t k, vector_t *out) noexcept nogil:
    """Write one random bit for each lane of part k."""
    cdef vector_t s0 = streams.word[0][k], s1 = streams.word[1][k], s2 = streams.word[2][k], s3 = streams.word[3][k]
    out[k] = add64(turn64(add64(s0, s3), 23), s0)
    s2 = differ(s2, s0)
    s3 = differ(s3, s1)
    streams.word[1][k] = differ(s1, s2)
    streams.word[0][k] = differ(s0, s3)
    streams.word[2][k] = differ(s2, up64(s1, 17))
    streams.word[3][k] = turn64(s3, 45)
