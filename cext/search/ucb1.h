/* The innermost loop of selection: the upper confidence bound of every arm, and the first arm that has the highest.
 *
 * Scores are float32, computed in the same order of operations by all versions, so that they agree to the last bit.
 *
 * A processor passes the data of a recent store on to a load of the same bytes only if the store contains all of them.
 * Otherwise the load waits until the store has reached the cache. A search loads at its next simulation what it stored at
 * the last one. So the means and the widths of the arms are arrays of groups of four, 16 bytes each: whatever stores one
 * number in the inner loop stores the whole group, and nothing loads more than one group at a time. */
#ifndef PLAYOUT_UCB1_H
#define PLAYOUT_UCB1_H

#include <math.h>
#include <stdint.h>

#include "../primitives/compiler.h"

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

/* Visits below which 1 / sqrt(n) is read from a table. */
#define PLAYOUT_WIDTHS 1024

/* widths: [PLAYOUT_WIDTHS], receives float32 of 1 / sqrt(n). */
static inline void playout_fill_widths(float *widths)
{
    widths[0] = 0.0f;
    for (int i = 1; i < PLAYOUT_WIDTHS; i++)
        widths[i] = 1.0f / sqrtf((float)i);
}

static inline float playout_width(const float *widths, uint32_t visits)
{
    return visits < PLAYOUT_WIDTHS ? widths[visits] : 1.0f / sqrtf((float)visits);
}

/* Arms to a group of means or of widths. */
#define PLAYOUT_GROUP 4

#ifdef PLAYOUT_SSE2
static inline __m128i playout_blend(__m128i mask, __m128i yes, __m128i no)
{
#ifdef PLAYOUT_AVX2
    return _mm_blendv_epi8(no, yes, mask);
#else
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
#endif
}

static inline __m128i playout_greater(__m128i a, __m128i b)
{
#ifdef PLAYOUT_AVX2
    return _mm_max_epi32(a, b);
#else
    return playout_blend(_mm_cmpgt_epi32(a, b), a, b);
#endif
}

/* Store one number of an array of groups, with the rest of its group. */
static inline void playout_store_in_group(float *array, uint32_t at, float x)
{
    static const int32_t window[2 * PLAYOUT_GROUP - 1] = {0, 0, 0, -1, 0, 0, 0};
    __m128i *group = (__m128i *)(array + (at & ~(uint32_t)(PLAYOUT_GROUP - 1)));
    __m128i mask = _mm_loadu_si128((const __m128i *)(window + PLAYOUT_GROUP - 1 - (at & (PLAYOUT_GROUP - 1))));
    _mm_storeu_si128(group, playout_blend(mask, _mm_castps_si128(_mm_set1_ps(x)), _mm_loadu_si128(group)));
}
#else
static inline void playout_store_in_group(float *array, uint32_t at, float x) { array[at] = x; }
#endif

/* mean, width: [count] and readable up to the next multiple of 4; mean in [0, 1] or far below 0 for arms that are never
 * taken, width = 1 / sqrt(visits). Returns the lowest index of the arms with the highest mean + weight * width; 0 if all
 * are below 0.
 *
 * Scores that are not negative have the order of their bits read as integers, and those comparisons are faster. */
#ifdef PLAYOUT_SSE2
static inline int32_t playout_ucb1(const float *mean, const float *width, int32_t count, float weight)
{
    static const int32_t window[8] = {0, 0, 0, 0, -1, -1, -1, -1};
    const __m128 weights = _mm_set1_ps(weight);
    __m128i best = _mm_set1_epi32(-1), best_arm = _mm_setzero_si128(), arm = _mm_setr_epi32(0, 1, 2, 3);
    for (int32_t begin = 0; begin < count; begin += 4) {
        int32_t left = count - begin < 4 ? count - begin : 4;
        __m128 bonus = _mm_mul_ps(weights, _mm_loadu_ps(width + begin));
        __m128i score = _mm_castps_si128(_mm_add_ps(_mm_loadu_ps(mean + begin), bonus));
        /* Lanes past the last arm become -1. */
        score = _mm_or_si128(score, _mm_loadu_si128((const __m128i *)(window + 4 - left)));
        best_arm = playout_blend(_mm_cmpgt_epi32(score, best), arm, best_arm);
        best = playout_greater(best, score);
        arm = _mm_add_epi32(arm, _mm_set1_epi32(4));
    }
    /* The highest of the four lanes to all of them, then the lowest arm of the lanes that have it. */
    __m128i top = playout_greater(best, _mm_shuffle_epi32(best, 0x4E));
    top = playout_greater(top, _mm_shuffle_epi32(top, 0xB1));
    __m128i equal = _mm_cmpeq_epi32(best, top);
    if (count <= 4)
        return playout_lowest32((uint32_t)_mm_movemask_ps(_mm_castsi128_ps(equal)));
    /* The negative numbers of arms: the highest is the lowest arm. */
    __m128i low = playout_blend(equal, _mm_sub_epi32(_mm_setzero_si128(), best_arm), _mm_set1_epi32(INT32_MIN));
    low = playout_greater(low, _mm_shuffle_epi32(low, 0x4E));
    low = playout_greater(low, _mm_shuffle_epi32(low, 0xB1));
    return -_mm_cvtsi128_si32(low);
}
#else
static inline int32_t playout_ucb1(const float *mean, const float *width, int32_t count, float weight)
{
    float best = -1.0f;
    int32_t best_arm = 0;
    for (int32_t i = 0; i < count; i++) {
        float score = mean[i] + weight * width[i];
        if (score > best) {
            best = score;
            best_arm = i;
        }
    }
    return best_arm;
}
#endif

#endif
