"""Better bids against a target: the best of random bids, and local moves from there."""
from libc.stdint cimport int32_t

from ..rules cimport bid_t
from .batches cimport climb_in_batch, draw_batch, value_in_batch
from .random_bids cimport random_bid, spread_bid
from .replies cimport climb, reply_value
from .round cimport round_t, target_t
from .targets cimport sample_target

cdef enum:
    PATIENCE = 20               # moves that fail in a row before a reply is final
    BATCH_PATIENCE = 30         # the same with a batch
    SAMPLES = 8                 # random bids of which the best is improved


cdef inline void best_sample(round_t *round, const target_t *target, int32_t samples,
                             bid_t *bid) noexcept nogil:
    """Write the best of some random bids, by the batch of the round if there is one."""
    cdef bid_t fresh
    cdef double best = -1, value
    cdef int32_t i
    for i in range(samples):
        random_bid(round, target.player, target.chips, &fresh)
        if i & 1:
            spread_bid(round, &fresh)
        if round.batch != NULL:
            value = value_in_batch(round, &fresh)
        else:
            value = reply_value(round, target, &fresh, best)
        if value > best:
            best = value
            bid[0] = fresh


cdef inline double improved(round_t *round, const target_t *target, bint afresh, bid_t *bid) noexcept nogil:
    """Improve a bid, or the best of some random bids, and return its value.

    Moves are judged by a sample of the target. Without batches it is small: many replies to samples approach an
    equilibrium with less work than a few exact ones, and they differ more.
    """
    cdef target_t few
    if round.batch != NULL:
        draw_batch(round, target)
        if afresh:
            best_sample(round, target, SAMPLES, bid)
        climb_in_batch(round, target, bid, BATCH_PATIENCE)
        return reply_value(round, target, bid, -1.0)
    sample_target(round, target, &few)
    if afresh:
        best_sample(round, &few, SAMPLES, bid)
    climb(round, &few, bid, PATIENCE)
    return reply_value(round, target, bid, -1.0)
