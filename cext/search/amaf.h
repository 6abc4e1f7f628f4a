/* All-moves-as-first statistics (AMAF) of a node. grave.h has the inner loops over them.
 *
 * The table of one player has a block of 16 float32 for every eight actions: the sums of the values of the simulations in
 * which the player took each action, then the numbers of these simulations. A block is 64 bytes. */
#ifndef PLAYOUT_AMAF_H
#define PLAYOUT_AMAF_H

#include <stdint.h>

#define PLAYOUT_AMAF_LANES 8
#define PLAYOUT_AMAF_BLOCK 16   /* float32 of a block */

static inline float *playout_amaf_entry(const float *table, int32_t action)
{
    return (float *)table + action + (action & ~(PLAYOUT_AMAF_LANES - 1));
}

static inline float playout_amaf_sum(const float *table, int32_t action)
{
    return playout_amaf_entry(table, action)[0];
}

static inline float playout_amaf_visits(const float *table, int32_t action)
{
    return playout_amaf_entry(table, action)[PLAYOUT_AMAF_LANES];
}

/* Add one simulation in which the player took an action. */
static inline void playout_amaf_add(float *table, int32_t action, float value)
{
    float *entry = playout_amaf_entry(table, action);
    entry[0] += value;
    entry[PLAYOUT_AMAF_LANES] += 1.0f;
}

#endif
