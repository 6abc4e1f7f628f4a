/* The innermost loop of selection: the upper confidence bound of every arm, and the first arm that has the highest.
 *
 * Scores are float32 and never negative, so their bit patterns order as integers do, and a compiler may find the
 * highest with integer vectors. Eight lanes are computed at a time; lanes past the last arm read the arrays that follow
 * in the node's record (the pool keeps slack behind its last record) and are then blotted out. */
#ifndef PLAYOUT_ARMS_H
#define PLAYOUT_ARMS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* One value of a player is in [0, 1]; sums count units of 2^-30: exact, and independent of the order of adding. */
#define PLAYOUT_VALUE_SCALE 1073741824.0
#define PLAYOUT_VALUE_UNIT (1.0 / PLAYOUT_VALUE_SCALE)
#define PLAYOUT_LEAST_EXPLORATION 0.005

#define PLAYOUT_LANES 8
#define PLAYOUT_BLOCK 64

#if defined(__GNUC__) || defined(__clang__)
#define PLAYOUT_PREFETCH(address) __builtin_prefetch(address)
#else
#define PLAYOUT_PREFETCH(address) ((void)(address))
#endif

/* mean, visits: [count] and readable up to the next multiple of 8; visits > 0; mean in [0, 1].
 * Returns the lowest index of the arms with the highest mean + exploration * sqrt(log_visits / visits). */
static inline int32_t playout_ucb1(const float *mean, const int32_t *visits, int32_t count, float log_visits,
                                   float exploration)
{
    float score[PLAYOUT_BLOCK];
    int32_t bits[PLAYOUT_BLOCK];
    int32_t best = -1, best_arm = 0;
    for (int32_t begin = 0; begin < count; begin += PLAYOUT_BLOCK) {
        int32_t here = count - begin < PLAYOUT_BLOCK ? count - begin : PLAYOUT_BLOCK;
        int32_t padded = (here + PLAYOUT_LANES - 1) / PLAYOUT_LANES * PLAYOUT_LANES;
        int32_t highest = -1;
        for (int32_t i = 0; i < padded; i++)
            score[i] = mean[begin + i] + exploration * sqrtf(log_visits / (float)visits[begin + i]);
        memcpy(bits, score, sizeof(bits[0]) * (size_t)padded);
        for (int32_t i = here; i < padded; i++)
            bits[i] = -1;
        for (int32_t i = 0; i < padded; i++)
            highest = bits[i] > highest ? bits[i] : highest;
        if (highest > best) {
            best = highest;
            for (best_arm = begin; bits[best_arm - begin] != highest;)
                best_arm++;
        }
    }
    return best_arm;
}

#endif
