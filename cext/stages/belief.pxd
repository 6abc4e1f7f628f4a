"""A player's belief about the rival's purse.

Every purse that is consistent with what the player has seen has a weight above 0; no other has one. The model: in each
round the rival has spent about as many chips as the player; the weight falls by a factor of e for every tenth of the
first purse between both numbers, and a share of it is even. This weight is multiplied by the likelihood of what the
player has seen on each unit, if the rival spent that many. For the likelihood, a rival bids on a unit with a
probability, and on a unit that it bids on it adds a chip to the first one with another probability, and so on. Both are
unknown and can have any value of a grid. So a rival that bids on many units and wins few of those that the player bids
on has probably kept its chips.
"""
from libc.math cimport exp, fabs
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy, memset

from ..sealed_bids cimport MAX_PURSE, MAX_UNITS, sealed_bids_t

cdef extern from *:
    """
    /* probabilities of a bid on a unit, and of one more chip there */
    static const double playout_densities[6] = {0.04, 0.12, 0.25, 0.45, 0.65, 0.85};
    static const double playout_more_chips[7] = {0.03, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95};
    """
    const double densities "playout_densities"[6]
    const double more_chips "playout_more_chips"[7]

cdef enum:
    DENSITIES = 6
    MORE_CHIPS = 7
    EVEN_PERCENT = 15           # of the weight of a round
    LEAST_PERCENT = 3           # of the weight of all purses, even


cdef inline void add_unit(double *chances, int32_t first, double density, double more, int32_t low,
                          int32_t high) noexcept nogil:
    """Change the probabilities of the total of some units, [first + 1], to those with one more unit.

    low, high: bounds of the count on that unit; only the part of the probability within them is kept.
    """
    cdef double before[MAX_PURSE + 1]
    cdef double none = 1.0 - density if low == 0 else 0.0, sum = 0.0, entering = density * (1.0 - more), leaving
    cdef int32_t total, _
    if high == 0:
        for total in range(first + 1):
            chances[total] *= none
        return
    low = max(low, 1)
    for _ in range(1, low):
        entering *= more
    leaving = entering
    for _ in range(low, high + 1):
        leaving *= more
    memcpy(before, chances, (first + 1) * sizeof(double))
    for total in range(first + 1):      # sum: of the products for low to high chips on the unit
        sum *= more
        if total >= low:
            sum += entering * before[total - low]
        if total > high:
            sum -= leaving * before[total - high - 1]
        chances[total] = none * before[total] + (sum if sum > 0.0 else 0.0)


cdef inline void weigh_totals(int32_t units, const uint8_t *low, const uint8_t *high, int32_t first, int32_t mine,
                              double *weights) noexcept nogil:
    """Write the weight of each total of the rival's bid in a round: [first + 1].

    low, high: bounds of the count on each unit, low > high for those that could not be bid on; mine: total of the
    player's bid.
    """
    cdef double seen[MAX_PURSE + 1]
    cdef double all[MAX_PURSE + 1]
    cdef double likely[MAX_PURSE + 1]
    cdef double usual[MAX_PURSE + 1]
    cdef double scale = 0.1 * first + 0.5, sum = 0
    cdef int32_t i, j, unit, total
    memset(seen, 0, sizeof(seen))
    memset(all, 0, sizeof(all))
    for i in range(DENSITIES):
        for j in range(MORE_CHIPS):
            memset(likely, 0, sizeof(likely))
            memset(usual, 0, sizeof(usual))
            likely[0] = usual[0] = 1.0
            for unit in range(units):
                if low[unit] <= high[unit]:
                    add_unit(likely, first, densities[i], more_chips[j], low[unit], high[unit])
                    add_unit(usual, first, densities[i], more_chips[j], 0, MAX_PURSE)
            for total in range(first + 1):
                seen[total] += likely[total]
                all[total] += usual[total]
    for total in range(first + 1):
        weights[total] = exp(-fabs(<double> (total - mine)) / scale)
        sum += weights[total]
    for total in range(first + 1):
        weights[total] = ((100 - EVEN_PERCENT) * weights[total] / sum + EVEN_PERCENT / (first + 1.0)) / 100.0
        weights[total] *= seen[total] / all[total] if all[total] > 0.0 else 0.0


cdef inline void weigh_purses(const sealed_bids_t *bids, const void *state, int32_t player, int32_t low, int32_t high,
                              int32_t first, double *weights) noexcept nogil:
    """Write the probability of each purse of the rival: [MAX_PURSE + 1].

    state: as `player` sees it; low, high: bounds of the purse; first: purse of both at the start.
    """
    cdef uint8_t least[MAX_UNITS]
    cdef uint8_t greatest[MAX_UNITS]
    cdef double spent[MAX_PURSE + 1]
    cdef double before[MAX_PURSE + 1]
    cdef double sum = 0
    cdef int32_t finished = 0, purse, total, mine = bids.known_bid(bids.game, state, 0, player, least, greatest)
    memset(weights, 0, (MAX_PURSE + 1) * sizeof(double))
    weights[first] = 1.0
    while mine >= 0:
        weigh_totals(bids.units, least, greatest, first, mine, spent)
        memcpy(before, weights, sizeof(before))
        memset(weights, 0, (MAX_PURSE + 1) * sizeof(double))
        sum = 0
        for purse in range(first + 1):
            for total in range(purse + 1):
                weights[purse - total] += before[purse] * spent[total]
        for purse in range(first + 1):
            sum += weights[purse]
        for purse in range(first + 1):      # products of many small numbers
            weights[purse] = weights[purse] / sum if sum > 0.0 else 0.0
        finished += 1
        mine = bids.known_bid(bids.game, state, finished, player, least, greatest)
    sum = 0
    for purse in range(MAX_PURSE + 1):
        if low <= purse <= high:
            sum += weights[purse]
        else:
            weights[purse] = 0.0
    for purse in range(low, high + 1):
        weights[purse] = weights[purse] / sum if sum > 0.0 else 1.0 / (high - low + 1)
        weights[purse] = ((100 - LEAST_PERCENT) * weights[purse] + LEAST_PERCENT / (high - low + 1.0)) / 100.0


cdef inline int32_t divide_purses(const double *weights, int32_t low, int32_t high, int32_t types, int32_t *purses,
                                  float *shares) noexcept nogil:
    """Divide the purses into at most `types` quantiles of about equal weight. Return their number.

    purses: receives the rounded mean of each quantile; shares: its probability.
    """
    cdef double share = 0, moment = 0, done = 0
    cdef int32_t purse, count = 0
    for purse in range(low, high + 1):
        share += weights[purse]
        moment += weights[purse] * purse
        if share > 0 and (purse == high or done + share >= (count + 1.0) / types - 1e-9):
            purses[count] = <int32_t> (moment / share + 0.5)
            shares[count] = <float> share
            done += share
            count += 1
            share = moment = 0
            if count == types:
                shares[count - 1] += <float> (1.0 - done)
                break
    return count
