"""Replies in the last round, judged by a batch: many bids of the opponent at once.

A batch has evenly spaced quantiles of the opponent's bids and purses, so that all have one weight. It is large enough
for a reply to be good against the whole strategy, not against the bids of the batch alone.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

from ..rng cimport rng_unit
from ..sealed_bids cimport MAX_BATCH, sealed_bid_t
from .replies cimport GUIDANCE, is_out_of_time, propose_legal
from .stage cimport stage_t, target_t

cdef enum:
    BATCH_LEAVES = 4            # values of positions that a bid against a batch counts as: it takes that long


cdef inline void draw_batch(stage_t *stage, const target_t *target) noexcept nogil:
    """Fill the batch of the stage with bids of a target."""
    cdef const uint8_t *bids[MAX_BATCH]
    cdef uint8_t left[MAX_BATCH]
    cdef double step = target.rest[0] / MAX_BATCH, point = rng_unit(&stage.rng) * step
    cdef int32_t i, kind, count = 0
    for i in range(target.count):
        for kind in range(target.types):
            point -= target.weights[i][kind]
            while point < 0 and count < MAX_BATCH:
                point += step
                bids[count] = target.bids[i].counts
                left[count] = <uint8_t> (target.type_purse[kind] - target.bids[i].total)
                count += 1
    stage.bids.fill_batch(stage.game, stage.position, target.player, target.purse, bids, left, count, stage.batch)


cdef inline double value_in_batch(stage_t *stage, const sealed_bid_t *bid) noexcept nogil:
    """Return the mean score of a bid against the batch of the stage."""
    stage.leaves += BATCH_LEAVES
    return stage.bids.begin_bid(stage.batch, bid, 0.0)


cdef inline void climb_in_batch(stage_t *stage, const target_t *target, sealed_bid_t *bid,
                                int32_t patience) noexcept nogil:
    """Do as `climb`, against the batch of the stage."""
    cdef sealed_bid_t fresh
    cdef double best = stage.bids.begin_bid(stage.batch, bid, 1.0 / GUIDANCE), value
    cdef int32_t failed = 0
    while failed < patience and not is_out_of_time(stage):
        failed += 1
        if not propose_legal(stage, target, bid, &fresh):
            continue
        value = stage.bids.try_bid(stage.batch, &fresh, 1.0 / GUIDANCE)
        stage.leaves += BATCH_LEAVES
        if value >= best:
            if value > best + 1e-6:
                failed = 0
            best = value
            memcpy(bid, &fresh, sizeof(sealed_bid_t))
            stage.bids.keep_bid(stage.batch)
