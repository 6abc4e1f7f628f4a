/* Bit operations on boards. Everything here is branch-free where the processor allows it. playout_popcount64 and
 * playout_lowest64, the index of the lowest set bit of a word that is not 0, are in compiler.h. */
#ifndef PLAYOUT_BITS_H
#define PLAYOUT_BITS_H

#include "compiler.h"

/* The j-th set bit of mask (j counts from 0), alone in a word; j must be below the number of set bits.
 *
 * Without BMI2: the numbers of set bits in pairs, nibbles and bytes by adding sideways; which byte holds the bit, by
 * comparing all eight running sums with j at once (Vigna 2008); then the nibble, the pair and the bit by halving. No
 * branch depends on the mask, where a loop that clears j bits mispredicts its end nearly every time. */
static inline uint64_t playout_select64(uint64_t mask, unsigned j)
{
#ifdef PLAYOUT_BMI2
    return playout_deposit64((uint64_t)1 << j, mask);
#else
    const uint64_t each_byte = 0x0101010101010101u, tops = 0x8080808080808080u;
    const uint64_t pairs = mask - ((mask >> 1) & 0x5555555555555555u);
    const uint64_t nibbles = (pairs & 0x3333333333333333u) + ((pairs >> 2) & 0x3333333333333333u);
    const uint64_t sums = ((nibbles + (nibbles >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * each_byte;   /* of bytes 0 to i */
    const uint64_t before = ((((j * each_byte) | tops) - sums) & tops) >> 7;    /* 1 in each byte whose sum is <= j */
    unsigned shift = (unsigned)((before * each_byte) >> 56) * 8, lower, up;
    j -= (unsigned)(((sums << 8) >> shift) & 0xFF);
    lower = (unsigned)(nibbles >> shift) & 0xF;
    up = j >= lower;
    j -= lower & (0 - up);
    shift += 4 * up;
    lower = (unsigned)(pairs >> shift) & 3;
    up = j >= lower;
    j -= lower & (0 - up);
    shift += 2 * up;
    shift += j >= ((mask >> shift) & 1);
    return (uint64_t)1 << shift;
#endif
}

/* Exchange the rows and columns of 64 words: bit c of row r becomes bit r of row c. */
static inline void playout_transpose64(uint64_t *rows)
{
    uint64_t mask = 0xFFFFFFFFu;
    unsigned width, first, row;
    for (width = 32; width; width >>= 1, mask ^= mask << width)
        for (first = 0; first < 64; first += 2 * width)
            for (row = first; row < first + width; row++) {
                const uint64_t moved = ((rows[row] >> width) ^ rows[row + width]) & mask;
                rows[row + width] ^= moved;
                rows[row] ^= moved << width;
            }
}

#endif
