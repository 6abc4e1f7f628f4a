/* The inner loops of GRAVE over the statistics of amaf.h. Both machine codes compute every number by the same operations
 * in the same order, so that they agree to the last bit. */
#ifndef PLAYOUT_GRAVE_H
#define PLAYOUT_GRAVE_H

#include <math.h>
#include <stdint.h>

#include "../primitives/compiler.h"
#include "amaf.h"

#ifdef PLAYOUT_AVX2
#include <immintrin.h>
#endif

/* Mean of an untried arm, higher than any other. With AMAF statistics of its action it has no weight. */
#define PLAYOUT_GRAVE_UNTRIED 2.0f

/* Mean of an action that cannot be chosen. */
#define PLAYOUT_GRAVE_ILLEGAL (-1.0f)

/* In place of an action where none can be chosen. */
#define PLAYOUT_GRAVE_NONE (-1)

/* How fast a node's own mean outweighs its AMAF statistics. */
#define PLAYOUT_GRAVE_BIAS 1e-5f

/* Blocks of a table for up to 64 actions. Inner loops over so many are compiled for each number. */
#define PLAYOUT_AMAF_MOST_BLOCKS 8

/* Evaluate `call` with a constant in the place of `blocks`, so that its loops are unrolled. */
#define PLAYOUT_WITH_CONSTANT_BLOCKS(blocks, call) \
    switch (blocks) {                              \
    case 1: call(1);                               \
    case 2: call(2);                               \
    case 3: call(3);                               \
    case 4: call(4);                               \
    case 5: call(5);                               \
    case 6: call(6);                               \
    case 7: call(7);                               \
    case 8: call(8);                               \
    default: break;                                \
    }

#ifdef PLAYOUT_AVX2
/* All bits of lane i if bit 8 * block % 32 + i of each number of a vector is set. */
static inline __m256 playout_amaf_lanes(__m256i set, int32_t block)
{
    const __m256i bits = _mm256_slli_epi32(_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128), block % 4 * 8);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(set, bits), bits));
}

/* The word of a set with the bits of a block, in all lanes. */
static inline __m256i playout_amaf_word(const uint64_t *set, int32_t block)
{
    return _mm256_set1_epi32((int32_t)(set[block / 8] >> block % 8 / 4 * 32));
}

static PLAYOUT_ALWAYS_INLINE void playout_amaf_add_blocks(float *table, int32_t blocks, const uint64_t *set, float value)
{
    const __m256 values = _mm256_set1_ps(value), ones = _mm256_set1_ps(1.0f);
    for (int32_t block = 0; block < blocks; block++) {
        float *sums = table + block * PLAYOUT_AMAF_BLOCK, *visits = sums + PLAYOUT_AMAF_LANES;
        const __m256 chosen = playout_amaf_lanes(playout_amaf_word(set, block), block);
        _mm256_storeu_ps(sums, _mm256_add_ps(_mm256_loadu_ps(sums), _mm256_and_ps(chosen, values)));
        _mm256_storeu_ps(visits, _mm256_add_ps(_mm256_loadu_ps(visits), _mm256_and_ps(chosen, ones)));
    }
}
#endif

/* Add one simulation in which the player took each action of a set: bit a % 64 of word a / 64 for action a. */
static inline void playout_amaf_add_set(float *table, int32_t blocks, const uint64_t *set, float value)
{
#ifdef PLAYOUT_AVX2
#define PLAYOUT_ADD(n) playout_amaf_add_blocks(table, n, set, value); return
    PLAYOUT_WITH_CONSTANT_BLOCKS(blocks, PLAYOUT_ADD)
#undef PLAYOUT_ADD
    playout_amaf_add_blocks(table, blocks, set, value);
#else
    for (int32_t word = 0; word * 8 < blocks; word++)
        for (uint64_t rest = set[word]; rest; rest &= rest - 1)
            playout_amaf_add(table, word * 64 + playout_lowest64(rest), value, 1.0f);
#endif
}

/* The set of actions [begin, end) of a list, all below 64. Whole vectors behind the list are readable. */
static inline uint64_t playout_set_of_actions(const uint16_t *action, int32_t begin, int32_t end)
{
#ifdef PLAYOUT_AVX2
    const __m256i one = _mm256_set1_epi64x(1);
    __m256i left = _mm256_sub_epi64(_mm256_set1_epi64x(end - begin), _mm256_setr_epi64x(0, 1, 2, 3));
    __m256i set = _mm256_setzero_si256();
    __m128i half;
    for (; begin < end; begin += 4) {
        const __m256i shift = _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)(action + begin)));
        const __m256i real = _mm256_cmpgt_epi64(left, _mm256_setzero_si256());
        set = _mm256_or_si256(set, _mm256_sllv_epi64(_mm256_and_si256(real, one), shift));
        left = _mm256_sub_epi64(left, _mm256_set1_epi64x(4));
    }
    half = _mm_or_si128(_mm256_castsi256_si128(set), _mm256_extracti128_si256(set, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
#else
    uint64_t set = 0;
    for (; begin < end; begin++)
        set |= (uint64_t)1 << action[begin];
    return set;
#endif
}

/* The mean of an arm, mixed with the AMAF mean of its action (Cazenave 2015).
 *
 * mean, n: mean and visits of the arm; sum, p: AMAF sum and visits of its action. The weight of the AMAF mean is
 * p / (p + n + bias * p * n). */
static inline float playout_grave_mixed(float mean, float n, float sum, float p)
{
    const float total = (p + n) + (PLAYOUT_GRAVE_BIAS * p) * n;
    return mean + (sum - p * mean) / (total > 1.0f ? total : 1.0f);
}

/* The score of an arm of GRAVE. weight: of its exploration term, 0 without one; no visit counts as one there. */
static inline float playout_grave_score(float mean, float n, float sum, float p, float weight)
{
    const float mixed = playout_grave_mixed(mean, n, sum, p);
    return weight > 0.0f ? mixed + weight / sqrtf(n > 1.0f ? n : 1.0f) : mixed;
}

#ifdef PLAYOUT_AVX2
static inline __m256 playout_grave_scores(__m256 mean, __m256 n, __m256 sum, __m256 p, float weight)
{
    const __m256 one = _mm256_set1_ps(1.0f);
    const __m256 both = _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(PLAYOUT_GRAVE_BIAS), p), n);
    const __m256 total = _mm256_max_ps(_mm256_add_ps(_mm256_add_ps(p, n), both), one);
    const __m256 mixed = _mm256_add_ps(mean, _mm256_div_ps(_mm256_sub_ps(sum, _mm256_mul_ps(p, mean)), total));
    if (weight > 0.0f)
        return _mm256_add_ps(mixed, _mm256_div_ps(_mm256_set1_ps(weight), _mm256_sqrt_ps(_mm256_max_ps(n, one))));
    return mixed;
}

/* The highest of eight numbers, in all lanes. */
static inline __m256 playout_highest(__m256 x)
{
    x = _mm256_max_ps(x, _mm256_permute2f128_ps(x, x, 1));
    x = _mm256_max_ps(x, _mm256_shuffle_ps(x, x, 0x4E));
    return _mm256_max_ps(x, _mm256_shuffle_ps(x, x, 0xB1));
}

/* The lowest action of those with the highest score, which `highest` receives. */
static inline int32_t playout_grave_best(__m256 score, __m256i action, float *highest)
{
    const __m256 top = playout_highest(score);
    const __m256i low = _mm256_blendv_epi8(_mm256_set1_epi32(INT32_MAX), action,
                                           _mm256_castps_si256(_mm256_cmp_ps(score, top, _CMP_EQ_OQ)));
    __m128i half = _mm_min_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
    half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    half = _mm_min_epi32(half, _mm_shuffle_epi32(half, 0xB1));
    *highest = _mm256_cvtss_f32(top);
    return _mm_cvtsi128_si32(half);
}
#endif

#ifdef PLAYOUT_AVX2
/* Tried arms up to which it is quicker to look at one after the other. */
#define PLAYOUT_GRAVE_FEW 4

static inline int32_t playout_grave_many(const float *mean, const int32_t *visits, const uint16_t *action, int32_t count,
                                         const float *table, float weight, float *highest)
{
    __m256i arm = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), best_action = _mm256_setzero_si256();
    __m256 best = _mm256_set1_ps(-1.0f);
    for (int32_t begin = 0; begin < count; begin += 8) {
        const __m256i real = _mm256_cmpgt_epi32(_mm256_set1_epi32(count), arm);
        const __m256i actions = _mm256_and_si256(
            real, _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(action + begin))));
        const __m256i entry = _mm256_add_epi32(actions, _mm256_andnot_si256(_mm256_set1_epi32(7), actions));
        const __m256 m = _mm256_loadu_ps(mean + begin);
        const __m256 score = playout_grave_scores(
            m, _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)(visits + begin))),
            _mm256_i32gather_ps(table, entry, 4), _mm256_i32gather_ps(table + PLAYOUT_AMAF_LANES, entry, 4), weight);
        const __m256 valid = _mm256_and_ps(_mm256_castsi256_ps(real), _mm256_cmp_ps(m, _mm256_setzero_ps(), _CMP_GE_OQ));
        const __m256 lower = _mm256_castsi256_ps(_mm256_cmpgt_epi32(best_action, actions));
        const __m256 equal = _mm256_and_ps(lower, _mm256_cmp_ps(score, best, _CMP_EQ_OQ));
        const __m256 better = _mm256_and_ps(valid, _mm256_or_ps(equal, _mm256_cmp_ps(score, best, _CMP_GT_OQ)));
        best = _mm256_blendv_ps(best, score, better);
        best_action = _mm256_blendv_epi8(best_action, actions, _mm256_castps_si256(better));
        arm = _mm256_add_epi32(arm, _mm256_set1_epi32(8));
    }
    return playout_grave_best(best, best_action, highest);
}
#endif

/* The action of highest score among the tried arms; the lowest of several. highest: receives the score, -1 without one.
 *
 * mean, visits, action: [count] and readable up to the next multiple of 8; arms of negative mean are left out. */
static inline int32_t playout_grave_tried(const float *mean, const int32_t *visits, const uint16_t *action, int32_t count,
                                          const float *table, float weight, float *highest)
{
#ifdef PLAYOUT_AVX2
    if (count > PLAYOUT_GRAVE_FEW)
        return playout_grave_many(mean, visits, action, count, table, weight, highest);
#endif
    float best = -1.0f;
    int32_t best_action = 0;
    for (int32_t arm = 0; arm < count; arm++) {
        const float *entry = playout_amaf_entry(table, action[arm]);
        const float score = playout_grave_score(mean[arm], (float)visits[arm], entry[0], entry[PLAYOUT_AMAF_LANES],
                                                weight);
        if (mean[arm] >= 0.0f && (score > best || (score == best && action[arm] < best_action))) {
            best = score;
            best_action = action[arm];
        }
    }
    *highest = best;
    return best_action;
}

#ifdef PLAYOUT_AVX2
static PLAYOUT_ALWAYS_INLINE int32_t playout_grave_untried_blocks(const float *table, int32_t blocks, uint64_t set,
                                                                  float weight, float *highest)
{
    const __m256 untried = _mm256_set1_ps(PLAYOUT_GRAVE_UNTRIED), one = _mm256_set1_ps(1.0f);
    __m256i action = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), best_action = _mm256_setzero_si256();
    __m256 best = _mm256_set1_ps(-1.0f);
    for (int32_t block = 0; block < blocks; block++) {
        const float *at = table + block * PLAYOUT_AMAF_BLOCK;
        const __m256 p = _mm256_loadu_ps(at + PLAYOUT_AMAF_LANES);
        const __m256 less = _mm256_sub_ps(_mm256_loadu_ps(at), _mm256_mul_ps(p, untried));
        const __m256 mixed = _mm256_add_ps(untried, _mm256_div_ps(less, _mm256_max_ps(p, one)));
        const __m256 score = _mm256_add_ps(mixed, _mm256_set1_ps(weight));
        const __m256 better = _mm256_and_ps(playout_amaf_lanes(playout_amaf_word(&set, block), block),
                                            _mm256_cmp_ps(score, best, _CMP_GT_OQ));
        best = _mm256_blendv_ps(best, score, better);
        best_action = _mm256_blendv_epi8(best_action, action, _mm256_castps_si256(better));
        action = _mm256_add_epi32(action, _mm256_set1_epi32(PLAYOUT_AMAF_LANES));
    }
    return playout_grave_best(best, best_action, highest);
}
#endif

/* The action of highest score in a set of actions below 64 whose arms are untried; the lowest of several.
 *
 * blocks: of the table, at most 8. highest: receives the score, -1 for an empty set. */
static inline int32_t playout_grave_untried(const float *table, int32_t blocks, uint64_t set, float weight,
                                            float *highest)
{
#ifdef PLAYOUT_AVX2
#define PLAYOUT_BEST(n) return playout_grave_untried_blocks(table, n, set, weight, highest)
    PLAYOUT_WITH_CONSTANT_BLOCKS(blocks, PLAYOUT_BEST)
#undef PLAYOUT_BEST
    return 0;
#else
    float best = -1.0f;
    int32_t best_action = 0;
    (void)blocks;
    for (; set; set &= set - 1) {
        const int32_t action = playout_lowest64(set);
        const float score = playout_grave_score(PLAYOUT_GRAVE_UNTRIED, 0.0f, playout_amaf_sum(table, action),
                                                playout_amaf_visits(table, action), weight);
        if (score > best) {
            best = score;
            best_action = action;
        }
    }
    *highest = best;
    return best_action;
#endif
}

/* Means and visits of the arms of a node by action, in blocks as the AMAF tables: set those of one action.
 *
 * A block is stored as a whole: the next simulation loads it as a whole, and would wait for the store of a part. */
static inline void playout_grave_set(float *arms, int32_t action, float mean, float visits)
{
    float *block = arms + action / PLAYOUT_AMAF_LANES * PLAYOUT_AMAF_BLOCK;
#ifdef PLAYOUT_AVX2
    const __m256 lane = playout_amaf_lanes(_mm256_set1_epi32(1 << action % PLAYOUT_AMAF_LANES), 0);
    float *counts = block + PLAYOUT_AMAF_LANES;
    _mm256_storeu_ps(block, _mm256_blendv_ps(_mm256_loadu_ps(block), _mm256_set1_ps(mean), lane));
    _mm256_storeu_ps(counts, _mm256_blendv_ps(_mm256_loadu_ps(counts), _mm256_set1_ps(visits), lane));
#else
    block[action % PLAYOUT_AMAF_LANES] = mean;
    block[action % PLAYOUT_AMAF_LANES + PLAYOUT_AMAF_LANES] = visits;
#endif
}

#ifdef PLAYOUT_AVX2
static PLAYOUT_ALWAYS_INLINE int32_t playout_grave_own_blocks(const float *table, const float *arms, int32_t blocks,
                                                              float weight)
{
    __m256 score[PLAYOUT_AMAF_MOST_BLOCKS], top = _mm256_set1_ps(0.5f * PLAYOUT_GRAVE_ILLEGAL);
    uint64_t found = 0;
    for (int32_t block = 0; block < blocks; block++) {
        const float *at = table + block * PLAYOUT_AMAF_BLOCK, *own = arms + block * PLAYOUT_AMAF_BLOCK;
        const __m256 mean = _mm256_loadu_ps(own);
        const __m256 mixed = playout_grave_scores(mean, _mm256_loadu_ps(own + PLAYOUT_AMAF_LANES), _mm256_loadu_ps(at),
                                                  _mm256_loadu_ps(at + PLAYOUT_AMAF_LANES), weight);
        score[block] = _mm256_blendv_ps(mixed, mean, mean);     /* by the sign: what cannot be chosen keeps its mean */
        top = _mm256_max_ps(top, score[block]);
    }
    top = playout_highest(top);
    for (int32_t block = 0; block < blocks; block++) {
        const int equal = _mm256_movemask_ps(_mm256_cmp_ps(score[block], top, _CMP_EQ_OQ));
        found |= (uint64_t)(uint32_t)equal << block * 8;
    }
    return found ? playout_lowest64(found) : PLAYOUT_GRAVE_NONE;
}
#endif

/* The action of highest score at a node with such arms and at most 8 blocks; the lowest of several. */
static inline int32_t playout_grave_own(const float *table, const float *arms, int32_t blocks, float weight)
{
#ifdef PLAYOUT_AVX2
    if (weight > 0.0f)
        return playout_grave_own_blocks(table, arms, blocks, weight);
#define PLAYOUT_BEST(n) return playout_grave_own_blocks(table, arms, n, 0.0f)
    PLAYOUT_WITH_CONSTANT_BLOCKS(blocks, PLAYOUT_BEST)
#undef PLAYOUT_BEST
    return PLAYOUT_GRAVE_NONE;
#else
    float best = -1.0f;
    int32_t best_action = PLAYOUT_GRAVE_NONE;
    for (int32_t action = 0; action < blocks * PLAYOUT_AMAF_LANES; action++) {
        const float *own = playout_amaf_entry(arms, action), *at = playout_amaf_entry(table, action);
        const float score = playout_grave_score(own[0], own[PLAYOUT_AMAF_LANES], at[0], at[PLAYOUT_AMAF_LANES], weight);
        if (own[0] >= 0.0f && score > best) {
            best = score;
            best_action = action;
        }
    }
    return best_action;
#endif
}

/* The first arm from `arm` on that has an action; there must be one. Whole vectors behind the actions are readable. */
static inline int32_t playout_find_action(const uint16_t *action, int32_t arm, int32_t wanted)
{
#ifdef PLAYOUT_AVX2
    for (;; arm += 16) {
        const __m256i actions = _mm256_loadu_si256((const __m256i *)(action + arm));
        const __m256i equal = _mm256_cmpeq_epi16(actions, _mm256_set1_epi16((int16_t)wanted));
        const uint32_t found = (uint32_t)_mm256_movemask_epi8(equal);
        if (found)
            return arm + playout_lowest32(found) / 2;
    }
#else
    while (action[arm] != wanted)
        arm++;
    return arm;
#endif
}

#endif
