"""Bit operations on 64-bit boards, and a mixing function for hashes. Inline: used by all kernels."""
from libc.stdint cimport uint64_t

cdef extern from "primitives/bits.h" nogil:
    int popcount64 "playout_popcount64"(uint64_t x) noexcept
    int lowest64 "playout_lowest64"(uint64_t x) noexcept            # x must not be 0
    uint64_t select64 "playout_select64"(uint64_t mask, unsigned j) noexcept   # j-th set bit of mask, alone
    void transpose64 "playout_transpose64"(uint64_t *rows) noexcept    # bit c of row r becomes bit r of row c
    bint likely "PLAYOUT_LIKELY"(bint x) noexcept
    bint unlikely "PLAYOUT_UNLIKELY"(bint x) noexcept


cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    """Return the image of a word under a bijection in which each input bit affects all output bits.

    It is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
    """
    x ^= x >> 30
    x *= <uint64_t> 0xBF58476D1CE4E5B9
    x ^= x >> 27
    x *= <uint64_t> 0x94D049BB133111EB
    x ^= x >> 31
    return x


cdef inline uint64_t hash_combine(uint64_t seed, uint64_t word) noexcept nogil:
    """Return the hash of a sequence from the hash of its beginning and its next word."""
    return mix64(seed + <uint64_t> 0x9E3779B97F4A7C15 + word)
