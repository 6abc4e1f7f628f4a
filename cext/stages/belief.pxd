"""A player's belief about the rival's purse.

Every purse that is consistent with what the player has seen has a weight above 0; no other has one. The model: the
rival has spent about as many chips as the player. The weight falls by a factor of e for every tenth of the first purse
between both numbers; a share of the weight is even.
"""
from libc.math cimport exp, fabs
from libc.stdint cimport int32_t
from libc.string cimport memset

from ..sealed_bids cimport MAX_PURSE

cdef enum:
    EVEN_PERCENT = 15           # of the weight


cdef inline void weigh_purses(int32_t low, int32_t high, int32_t first, int32_t mine, double *weights) noexcept nogil:
    """Write the probability of each purse of the rival: [MAX_PURSE + 1].

    low, high: bounds of the purse; first: purse of both at the start; mine: of the player now.
    """
    cdef double scale = 0.1 * first + 0.5, sum = 0
    cdef int32_t purse
    memset(weights, 0, (MAX_PURSE + 1) * sizeof(double))
    for purse in range(low, high + 1):
        weights[purse] = exp(-fabs(<double> (purse - mine)) / scale)
        sum += weights[purse]
    for purse in range(low, high + 1):
        weights[purse] = weights[purse] / sum if sum > 0 else 1.0 / (high - low + 1)
        weights[purse] = ((100 - EVEN_PERCENT) * weights[purse] + <double> EVEN_PERCENT / (high - low + 1)) / 100.0


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
