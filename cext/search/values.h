/* The numbers in which a search counts. */
#ifndef PLAYOUT_VALUES_H
#define PLAYOUT_VALUES_H

#include <stdint.h>

/* A player's value in [0, 1] is counted in units of 2^-30: sums are whole numbers, exact and independent of the order of
 * adding. */
#define PLAYOUT_VALUE_SCALE 1073741824.0
#define PLAYOUT_VALUE_UNIT (1.0 / PLAYOUT_VALUE_SCALE)

/* Mean of an arm that is never selected again. */
#define PLAYOUT_PRUNED (-1e9f)

/* Least probability of uniform play in regret matching. */
#define PLAYOUT_LEAST_EXPLORATION 0.005

/* Regret matching with priors: the regret of all arms of a new node, and the share of the probability of uniform play. In
 * bidding_ttt with a net, these have the least loss after 30 to 400 simulations. */
#define PLAYOUT_PRIOR_REGRET 2.0
#define PLAYOUT_LED_EXPLORATION 0.4

/* Return a number that was stored just now, by a load of its own: a wider load, with its neighbours, would wait until all
 * of their stores have reached the cache. */
static inline int64_t playout_load_alone(const int64_t *at) { return *(const volatile int64_t *)at; }

#endif
