/* Comparison of vectors of bytes, in plain C that compilers turn into vector code. */
#ifndef PLAYOUT_COMPARE_BYTES_H
#define PLAYOUT_COMPARE_BYTES_H

#include <stdint.h>
#include <string.h>

/* Bit i of the result is byte i of eight bytes that are 0 or 1, in the order of memory. */
static inline uint64_t playout_gather_bits(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return (word * UINT64_C(0x0102040810204080)) >> 56;
}

/* Compare 96 bytes: bit i of `more` is set where a[i] > b[i], of `less` where a[i] < b[i]. Both have two words. */
static inline void playout_compare_bytes(const uint8_t *a, const uint8_t *b, uint64_t *more, uint64_t *less)
{
    uint8_t above[96], below[96];
    for (int i = 0; i < 96; i++) {
        above[i] = a[i] > b[i];
        below[i] = a[i] < b[i];
    }
    more[0] = more[1] = less[0] = less[1] = 0;
    for (int i = 0; i < 12; i++) {
        more[i / 8] |= playout_gather_bits(above + 8 * i) << (8 * (i % 8));
        less[i / 8] |= playout_gather_bits(below + 8 * i) << (8 * (i % 8));
    }
}

#endif
