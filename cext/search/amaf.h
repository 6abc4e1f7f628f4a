/* All-moves-as-first statistics (AMAF) of a node. grave.h has the inner loops over them.
 *
 * The table of one player has a block of 16 float32 for every eight actions: the sums of the values of the simulations in
 * which the player took each action, then the numbers of these simulations. A block is 64 bytes. */
#ifndef PLAYOUT_AMAF_H
#define PLAYOUT_AMAF_H

#include <stdint.h>

#define PLAYOUT_AMAF_LANES 8
#define PLAYOUT_AMAF_BLOCK 16   /* float32 of a block */
#define PLAYOUT_AMAF_INHERITED 10.0f    /* simulations of an action that a node with priors takes from the one above it */

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

/* Add simulations in which the player took an action. sum: of their values. */
static inline void playout_amaf_add(float *table, int32_t action, float sum, float visits)
{
    float *entry = playout_amaf_entry(table, action);
    entry[0] += sum;
    entry[PLAYOUT_AMAF_LANES] += visits;
}

/* Add those of another table, as far as they are no more than PLAYOUT_AMAF_INHERITED; else so many of their mean. */
static inline void playout_amaf_inherit(float *table, const float *above, int32_t action)
{
    const float sum = playout_amaf_sum(above, action), visits = playout_amaf_visits(above, action);
    if (visits > PLAYOUT_AMAF_INHERITED)
        playout_amaf_add(table, action, sum / visits * PLAYOUT_AMAF_INHERITED, PLAYOUT_AMAF_INHERITED);
    else
        playout_amaf_add(table, action, sum, visits);
}

#endif
