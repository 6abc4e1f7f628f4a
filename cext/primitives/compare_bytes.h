/* Comparison of vectors of bytes. */
#ifndef PLAYOUT_COMPARE_BYTES_H
#define PLAYOUT_COMPARE_BYTES_H

#include <string.h>

#include "vectors.h"

/* Compare 96 bytes: bit i of `more` is set where a[i] > b[i], of `less` where a[i] < b[i]. Both have two words. */
static inline void playout_compare_bytes(const uint8_t *a, const uint8_t *b, uint64_t *more, uint64_t *less)
{
    more[0] = more[1] = less[0] = less[1] = 0;
    for (int i = 0; i < 96; i += PLAYOUT_VECTOR_BYTES) {
        const uint64_t all = ((uint64_t)1 << PLAYOUT_VECTOR_BYTES) - 1;
        playout_vector_t x, y, greatest;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        greatest = playout_max8(x, y);
        more[i / 64] |= (playout_bits8(playout_same8(greatest, y)) ^ all) << (i % 64);
        less[i / 64] |= (playout_bits8(playout_same8(greatest, x)) ^ all) << (i % 64);
    }
}

#endif
