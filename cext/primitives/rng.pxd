"""The random number generator of searches and playouts: xoshiro256++ (Blackman and Vigna 2021), seeded by splitmix64.

A kernel copies the generator to a local variable, so that its four words stay in registers, and writes it back.
"""
from libc.math cimport cos, log, pow, sqrt
from libc.stdint cimport uint32_t, uint64_t

from .bits cimport mix64


ctypedef struct rng_t:
    uint64_t s0             # four words of state, never all zero
    uint64_t s1
    uint64_t s2
    uint64_t s3


cdef inline uint64_t seed_for(uint64_t root, uint64_t number) noexcept nogil:
    """Return the seed of stream `number` of a root seed. It depends on both alone, however work is divided."""
    return mix64(mix64(root + <uint64_t> 0x9E3779B97F4A7C15) + (number + 1) * <uint64_t> 0x9E3779B97F4A7C15)


cdef inline void rng_seed(rng_t *rng, uint64_t seed) noexcept nogil:
    cdef uint64_t golden = <uint64_t> 0x9E3779B97F4A7C15
    rng.s0 = mix64(seed + golden)
    rng.s1 = mix64(seed + 2 * golden)
    rng.s2 = mix64(seed + 3 * golden)
    rng.s3 = mix64(seed + 4 * golden)


cdef inline uint64_t rng_next(rng_t *rng) noexcept nogil:
    cdef uint64_t sum = rng.s0 + rng.s3
    cdef uint64_t result = ((sum << 23) | (sum >> 41)) + rng.s0
    cdef uint64_t t = rng.s1 << 17
    rng.s2 ^= rng.s0
    rng.s3 ^= rng.s1
    rng.s1 ^= rng.s2
    rng.s0 ^= rng.s3
    rng.s2 ^= t
    rng.s3 = (rng.s3 << 45) | (rng.s3 >> 19)
    return result


cdef inline void rng_back(rng_t *rng) noexcept nogil:
    """Undo one rng_next, for a loop that drew more numbers than it needed."""
    cdef uint64_t after_xor = (rng.s3 >> 45) | (rng.s3 << 19)       # s3 as it was before its rotation
    cdef uint64_t s1 = rng.s1 ^ rng.s2                              # s1 ^ (s1 << 17) of the step before
    rng.s0 ^= after_xor
    s1 ^= s1 << 17
    s1 ^= s1 << 34
    rng.s2 = rng.s1 ^ s1 ^ rng.s0
    rng.s1 = s1
    rng.s3 = after_xor ^ s1


cdef inline uint32_t rng_below(rng_t *rng, uint32_t n) noexcept nogil:
    """Return a number in [0, n) from one draw, by multiply and shift: the bias is at most n / 2^32."""
    return <uint32_t> (((rng_next(rng) >> 32) * n) >> 32)


cdef inline uint64_t rng_exactly_below(rng_t *rng, uint64_t n) noexcept nogil:
    """Return a number in [0, n) without bias, from one draw or, rarely, more."""
    cdef uint64_t drawn = rng_next(rng), least = (0 - n) % n
    while drawn < least:
        drawn = rng_next(rng)
    return drawn % n


cdef inline double rng_unit(rng_t *rng) noexcept nogil:
    """Return a number in [0, 1) with 53 random bits."""
    return <double> (rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)


cdef inline double rng_normal(rng_t *rng) noexcept nogil:
    """Return a standard normal deviate from two draws (Box and Muller 1958)."""
    cdef double radius = sqrt(-2.0 * log(1.0 - rng_unit(rng)))
    return radius * cos(6.283185307179586 * rng_unit(rng))


cdef inline double rng_gamma(rng_t *rng, double shape) noexcept nogil:
    """Return a deviate of the gamma distribution of scale 1, shape > 0 (Marsaglia and Tsang 2000)."""
    cdef double boost = 1.0, d, c, x, v
    if shape < 1.0:
        boost = pow(1.0 - rng_unit(rng), 1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    while True:
        x = rng_normal(rng)
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        if log(1.0 - rng_unit(rng)) < 0.5 * x * x + d - d * v + d * log(v):
            return boost * d * v
