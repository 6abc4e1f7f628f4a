/* The least images of two boards of up to 32 cells under one symmetry. `symmetry.pxd` describes the table of images. */
#ifndef PLAYOUT_LEAST_IMAGE_H
#define PLAYOUT_LEAST_IMAGE_H

#include <stdint.h>

#include "../../primitives/compiler.h"

#ifdef PLAYOUT_AVX2
#include <immintrin.h>
#endif

/* Of symmetry.pxd. */
#define PLAYOUT_IMAGES 8
#define PLAYOUT_SUBSETS 256

#ifdef PLAYOUT_AVX2
static inline __m256i playout_less64(__m256i a, __m256i b)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}
#endif

/* Replace two boards by their least images, compared by the second board, then by the first. Returns the symmetry, the
 * lowest of several. The images of both boards are one key, 64 bits wide. */
static inline int32_t playout_least_pair(const uint64_t *images, int32_t groups, uint64_t *first, uint64_t *second)
{
    uint64_t a = *first, b = *second, least;
    int32_t found;
#ifdef PLAYOUT_AVX2
    /* AVX2 compares signed numbers: the highest bit is flipped before and after. */
    const __m256i flip = _mm256_set1_epi64x(INT64_MIN);
    __m256i low = flip, high = flip, best, equal_low, equal_high;
    for (int32_t group = 0; group < groups; group++, a >>= 8, b >>= 8, images += PLAYOUT_SUBSETS * PLAYOUT_IMAGES) {
        const __m256i *x = (const __m256i *)(images + (a & (PLAYOUT_SUBSETS - 1)) * PLAYOUT_IMAGES);
        const __m256i *y = (const __m256i *)(images + (b & (PLAYOUT_SUBSETS - 1)) * PLAYOUT_IMAGES);
        low = _mm256_xor_si256(low, _mm256_loadu_si256(x));
        high = _mm256_xor_si256(high, _mm256_loadu_si256(x + 1));
        low = _mm256_xor_si256(low, _mm256_slli_epi64(_mm256_loadu_si256(y), 32));
        high = _mm256_xor_si256(high, _mm256_slli_epi64(_mm256_loadu_si256(y + 1), 32));
    }
    best = playout_less64(low, high);
    best = playout_less64(best, _mm256_permute4x64_epi64(best, 0x4E));
    best = playout_less64(best, _mm256_permute4x64_epi64(best, 0xB1));
    equal_low = _mm256_cmpeq_epi64(low, best);
    equal_high = _mm256_cmpeq_epi64(high, best);
    found = playout_lowest32((uint32_t)(_mm256_movemask_pd(_mm256_castsi256_pd(equal_low))
                                        | _mm256_movemask_pd(_mm256_castsi256_pd(equal_high)) << 4));
    least = (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(best)) ^ (uint64_t)INT64_MIN;
#else
    uint64_t keys[PLAYOUT_IMAGES] = {0};
    for (int32_t group = 0; group < groups; group++, a >>= 8, b >>= 8, images += PLAYOUT_SUBSETS * PLAYOUT_IMAGES) {
        const uint64_t *x = images + (a & (PLAYOUT_SUBSETS - 1)) * PLAYOUT_IMAGES;
        const uint64_t *y = images + (b & (PLAYOUT_SUBSETS - 1)) * PLAYOUT_IMAGES;
        for (int s = 0; s < PLAYOUT_IMAGES; s++)
            keys[s] |= y[s] << 32 | x[s];
    }
    least = keys[0];
    found = 0;
    for (int s = 1; s < PLAYOUT_IMAGES; s++) {
        found = keys[s] < least ? s : found;
        least = keys[s] < least ? keys[s] : least;
    }
#endif
    *first = least & 0xFFFFFFFFu;
    *second = least >> 32;
    return found;
}

#endif
