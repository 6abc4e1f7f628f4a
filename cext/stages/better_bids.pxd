"""Better bids against a target: the best of random bids, and local moves from there."""
from libc.stdint cimport int32_t

from ..sealed_bids cimport sealed_bid_t
from .batches cimport climb_in_batch, draw_batch, value_in_batch
from .random_bids cimport draw_bid, spread_bid
from .replies cimport climb, reply_value
from .stage cimport stage_t, target_t
from .targets cimport sample_target

cdef enum:
    PATIENCE = 20               # moves that fail in a row before a reply is final
    BATCH_PATIENCE = 30         # the same with a batch
    SAMPLES = 8                 # random bids of which the best is improved


cdef inline void best_sample(stage_t *stage, const target_t *target, int32_t samples,
                             sealed_bid_t *bid) noexcept nogil:
    """Write the best of some random bids, by the batch of the stage if there is one."""
    cdef sealed_bid_t fresh
    cdef double best = -1, value
    cdef int32_t i
    for i in range(samples):
        draw_bid(stage, target.player, target.purse, &fresh)
        if i & 1:
            spread_bid(stage, &fresh)
        if stage.batch != NULL:
            value = value_in_batch(stage, &fresh)
        else:
            value = reply_value(stage, target, &fresh, best)
        if value > best:
            best = value
            bid[0] = fresh


cdef inline double improved(stage_t *stage, const target_t *target, bint afresh, sealed_bid_t *bid) noexcept nogil:
    """Improve a bid, or the best of some random bids, and return its value.

    Moves are judged by a sample of the target. Without batches it is small: many replies to samples approach an
    equilibrium with less work than a few exact ones, and they differ more.
    """
    cdef target_t few
    if stage.batch != NULL:
        draw_batch(stage, target)
        if afresh:
            best_sample(stage, target, SAMPLES, bid)
        climb_in_batch(stage, target, bid, BATCH_PATIENCE)
        return reply_value(stage, target, bid, -1.0)
    sample_target(stage, target, &few)
    if afresh:
        best_sample(stage, &few, SAMPLES, bid)
    climb(stage, &few, bid, PATIENCE)
    return reply_value(stage, target, bid, -1.0)
