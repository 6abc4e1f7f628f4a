/* The innermost loop of selection: the upper confidence bound of every arm, and the first arm that has the highest.
 *
 * Scores are float32, computed in the same order of operations by both versions, so that they agree to the last bit.
 * Eight lanes are computed at a time; lanes past the last arm read the arrays that follow in the node's record (the pool
 * keeps slack behind its last record) and take no part in the comparison. */
#ifndef PLAYOUT_UCB1_H
#define PLAYOUT_UCB1_H

#include <math.h>
#include <stdint.h>

#include "../compiler.h"

/* Most nodes of a big tree have their few arms right behind them, all within some 200 bytes: every line of it will be read
 * at once or on the way back. */
static inline void playout_prefetch_node(const void *node)
{
    for (int line = 0; line < 4; line++)
        PLAYOUT_PREFETCH((const char *)node + 64 * line);
}

/* Visits below which sqrt(ln N) is read from a table. A node reads it in order as it is visited, so that one cache line
 * serves sixteen visits. */
#define PLAYOUT_ROOTS 65536

/* roots: [PLAYOUT_ROOTS], receives float32 of sqrt(ln N). */
static inline void playout_fill_roots(float *roots)
{
    roots[0] = 0.0f;
    for (int i = 1; i < PLAYOUT_ROOTS; i++)
        roots[i] = (float)sqrt(log((double)i));
}

static inline float playout_root_log(const float *roots, uint32_t visits)
{
    return visits < PLAYOUT_ROOTS ? roots[visits] : (float)sqrt(log((double)visits));
}

/* mean, width: [count] and readable up to the next multiple of 8; mean in [0, 1], width = 1 / sqrt(visits).
 * Returns the lowest index of the arms with the highest mean + weight * width. */
#ifdef PLAYOUT_AVX2
static inline int32_t playout_ucb1(const float *mean, const float *width, int32_t count, float weight)
{
    const __m256 weights = _mm256_set1_ps(weight);
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 best = _mm256_set1_ps(-1.0f);
    __m256i best_arm = _mm256_setzero_si256();
    for (int32_t begin = 0; begin < count; begin += 8) {
        __m256i arm = _mm256_add_epi32(lane, _mm256_set1_epi32(begin));
        __m256 bonus = _mm256_mul_ps(weights, _mm256_loadu_ps(width + begin));
        __m256 score = _mm256_add_ps(_mm256_loadu_ps(mean + begin), bonus);
        __m256 real = _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(count), arm));
        __m256 better = _mm256_and_ps(real, _mm256_cmp_ps(score, best, _CMP_GT_OQ));
        best = _mm256_blendv_ps(best, score, better);
        best_arm = _mm256_blendv_epi8(best_arm, arm, _mm256_castps_si256(better));
    }
    /* The highest of the eight lanes to all of them, then the lowest arm of the lanes that have it. */
    __m256 top = _mm256_max_ps(best, _mm256_permute2f128_ps(best, best, 1));
    top = _mm256_max_ps(top, _mm256_shuffle_ps(top, top, 0x4E));
    top = _mm256_max_ps(top, _mm256_shuffle_ps(top, top, 0xB1));
    __m256 equal = _mm256_cmp_ps(best, top, _CMP_EQ_OQ);
    if (count <= 8)
        return playout_lowest32((uint32_t)_mm256_movemask_ps(equal));
    __m256i low = _mm256_blendv_epi8(_mm256_set1_epi32(INT32_MAX), best_arm, _mm256_castps_si256(equal));
    __m128i half = _mm_min_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
    half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    return _mm_cvtsi128_si32(half);
}
#else
static inline int32_t playout_ucb1(const float *mean, const float *width, int32_t count, float weight)
{
    float score[8], best = -1.0f;
    int32_t best_arm = 0;
    for (int32_t begin = 0; begin < count; begin += 8) {
        for (int32_t i = 0; i < 8; i++)
            score[i] = mean[begin + i] + weight * width[begin + i];
        for (int32_t i = 0; i < 8 && begin + i < count; i++)
            if (score[i] > best) {
                best = score[i];
                best_arm = begin + i;
            }
    }
    return best_arm;
}
#endif

#endif
