"""Replies in the last round, judged by a batch: many bids of the opponent at once.

A batch has evenly spaced quantiles of the opponent's bids and chips, so that all have one weight. It is large enough
for a reply to be good against the whole strategy, not against the bids of the batch alone.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy

from ....primitives.rng cimport rng_unit
from ..rules cimport bid_t
from .replies cimport GUIDANCE, is_out_of_time, propose_legal
from .round cimport (
    PLAYOUT_BATCH, playout_begin_batch, playout_fill_batch, playout_keep_in_batch, playout_try_in_batch, round_t,
    target_t,
)

cdef enum:
    BATCH_LEAVES = 4            # values of positions that a bid against a batch counts as: it takes that long


cdef inline void draw_batch(round_t *round, const target_t *target) noexcept nogil:
    """Fill the batch of the round with bids of a target."""
    cdef const uint8_t *bids[PLAYOUT_BATCH]
    cdef uint8_t left[PLAYOUT_BATCH]
    cdef double step = target.rest[0] / PLAYOUT_BATCH, point = rng_unit(&round.rng) * step
    cdef int32_t i, kind, count = 0
    for i in range(target.count):
        for kind in range(target.types):
            point -= target.weights[i][kind]
            while point < 0 and count < PLAYOUT_BATCH:
                point += step
                bids[count] = target.bids[i].chips
                left[count] = <uint8_t> (target.type_chips[kind] - target.bids[i].total)
                count += 1
    playout_fill_batch(round.batch, round.position.own, round.position.control, target.player, target.chips, bids, left,
                       count)


cdef inline double value_in_batch(round_t *round, const bid_t *bid) noexcept nogil:
    """Return the mean score of a bid against the batch of the round."""
    round.leaves += BATCH_LEAVES
    return playout_begin_batch(round.batch, bid.chips, bid.total, 0.0)


cdef inline void climb_in_batch(round_t *round, const target_t *target, bid_t *bid,
                                int32_t patience) noexcept nogil:
    """Do as `climb`, against the batch of the round."""
    cdef bid_t fresh
    cdef double best = playout_begin_batch(round.batch, bid.chips, bid.total, 1.0 / GUIDANCE), value
    cdef int32_t failed = 0
    while failed < patience and not is_out_of_time(round):
        failed += 1
        if not propose_legal(round, target, bid, &fresh):
            continue
        value = playout_try_in_batch(round.batch, fresh.chips, fresh.total, 1.0 / GUIDANCE)
        round.leaves += BATCH_LEAVES
        if value >= best:
            if value > best + 1e-6:
                failed = 0
            best = value
            memcpy(bid, &fresh, sizeof(bid_t))
            playout_keep_in_batch(round.batch)
