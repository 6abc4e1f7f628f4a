"""Random bids of a round."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from ..rng cimport rng_below
from ..sealed_bids cimport MAX_POSITION, MAX_PURSE, MAX_UNITS, sealed_bid_t
from .stage cimport stage_t

cdef enum:
    MOST_SPREAD = 3             # chips put on a unit at once where a bid is spread


cdef inline void draw_bid(stage_t *stage, int32_t player, int32_t purse, sealed_bid_t *bid) noexcept nogil:
    cdef char position[MAX_POSITION]
    cdef int32_t unit
    memcpy(position, stage.position, stage.bids.position_size)
    stage.bids.set_purse(position, player, purse)
    memset(bid, 0, sizeof(sealed_bid_t))
    stage.bids.sample(stage.game, position, player, &stage.rng, bid.counts)
    for unit in range(stage.bids.units):
        bid.total += bid.counts[unit]


cdef inline void spread_bid(stage_t *stage, sealed_bid_t *bid) noexcept nogil:
    """Spread the chips of a bid over a random number of random units, as far as the round allows."""
    cdef int32_t order[MAX_UNITS]
    cdef sealed_bid_t fresh
    cdef int32_t rest = bid.total, count, i, j, unit, chosen = 0, wanted
    if rest == 0 or stage.num_open == 0:
        return
    memset(&fresh, 0, sizeof(fresh))
    memcpy(order, stage.open, sizeof(order))
    wanted = 1 + <int32_t> rng_below(&stage.rng, <uint32_t> min(rest, stage.num_open))
    for i in range(stage.num_open):
        j = i + <int32_t> rng_below(&stage.rng, <uint32_t> (stage.num_open - i))
        unit = order[j]
        order[j] = order[i]
        fresh.counts[unit] = 1
        fresh.total += 1
        if stage.bids.allowed(stage.game, stage.position, &fresh):
            order[chosen] = unit
            chosen += 1
            if chosen == wanted:
                break
        else:
            fresh.counts[unit] = 0
            fresh.total -= 1
    while chosen and fresh.total < rest:
        unit = order[rng_below(&stage.rng, <uint32_t> chosen)]
        count = min(rest - fresh.total, MAX_PURSE - fresh.counts[unit])
        count = 1 + <int32_t> rng_below(&stage.rng, <uint32_t> min(count, MOST_SPREAD)) if count > 0 else 0
        if count == 0:
            break
        fresh.counts[unit] += <uint8_t> count
        fresh.total += count
    bid[0] = fresh
