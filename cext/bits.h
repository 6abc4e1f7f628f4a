/* Bit tricks that need the compiler's own names. Everything here is branch-free where the processor allows it. */
#ifndef PLAYOUT_BITS_H
#define PLAYOUT_BITS_H

#include <stdint.h>
#include <string.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PLAYOUT_LIKELY(x) __builtin_expect(!!(x), 1)
#define PLAYOUT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define PLAYOUT_LIKELY(x) (x)
#define PLAYOUT_UNLIKELY(x) (x)
#endif

static inline int playout_popcount64(uint64_t x) { return __builtin_popcountll(x); }

/* Index of the lowest set bit; x must not be 0. */
static inline int playout_lowest64(uint64_t x) { return __builtin_ctzll(x); }

/* The j-th set bit of mask (j counts from 0), alone in a word; j must be below the number of set bits. */
static inline uint64_t playout_select64(uint64_t mask, unsigned j)
{
#ifdef __BMI2__
    return _pdep_u64((uint64_t)1 << j, mask);
#else
    while (j--)
        mask &= mask - 1;
    return mask & (0 - mask);
#endif
}

#endif
