"""Bids by dynamic programming, as if units were worth the same whatever else is bid on.

The worth of a count on a unit is what the value of a given bid gains by it, against the mean of the opponent's bids.
The best counts for a purse are then a knapsack problem, solved exactly. Units are not additive, so the result is a
start for local moves and overrates itself.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from ..sealed_bids cimport MAX_PURSE, MAX_UNITS, sealed_bid_t
from .replies cimport reply_value
from .stage cimport stage_t, target_t

cdef enum:
    MOST_LEVELS = 12            # counts of a unit that are considered


cdef inline int32_t useful_counts(const target_t *target, int32_t unit, int32_t *counts) noexcept nogil:
    """Write the counts that are just above a bid of the opponent, in rising order. Return their number."""
    cdef uint8_t seen[MAX_PURSE + 2]
    cdef int32_t i, count, found = 0
    memset(seen, 0, sizeof(seen))
    seen[1] = 1
    for i in range(target.count):
        seen[target.bids[i].counts[unit] + 1] = 1
    for count in range(1, min(target.purse, <int32_t> MAX_PURSE) + 1):
        if seen[count] and found < MOST_LEVELS:
            counts[found] = count
            found += 1
    return found


cdef inline double value_with_rest(stage_t *stage, target_t *target, const sealed_bid_t *bid,
                                   int32_t rest) noexcept nogil:
    """Return the mean value of a bid after which the player has `rest` left."""
    cdef int32_t purse = target.purse
    cdef double value
    target.purse = min(bid.total + rest, <int32_t> MAX_PURSE)
    value = reply_value(stage, target, bid, -1.0)
    target.purse = purse
    return value


cdef inline void keep_allowed(const stage_t *stage, const double *worth, sealed_bid_t *bid) noexcept nogil:
    """Drop units that the round forbids beside better ones: groups of great worth come first, then units."""
    cdef double groups[MAX_UNITS]
    cdef sealed_bid_t kept, fresh
    cdef int32_t unit, best, size = stage.bids.group_size
    cdef uint8_t done[MAX_UNITS]
    memset(groups, 0, sizeof(groups))
    memset(done, 0, sizeof(done))
    memset(&kept, 0, sizeof(kept))
    for unit in range(stage.bids.units):
        groups[unit // size] += worth[unit]
    while True:
        best = -1
        for unit in range(stage.bids.units):
            if bid.counts[unit] and not done[unit] and (
                    best < 0 or groups[unit // size] > groups[best // size]
                    or (groups[unit // size] == groups[best // size] and worth[unit] > worth[best])):
                best = unit
        if best < 0:
            break
        done[best] = 1
        fresh = kept
        fresh.counts[best] = bid.counts[best]
        fresh.total += bid.counts[best]
        if stage.bids.allowed(stage.game, stage.position, &fresh):
            kept = fresh
    bid[0] = kept


cdef inline void fill_knapsack(stage_t *stage, target_t *target, sealed_bid_t *bid) noexcept nogil:
    """Replace a bid by the best one for values of units that are measured beside it."""
    cdef double best[MAX_PURSE + 1]
    cdef double fresh[MAX_PURSE + 1]
    cdef double worth[MAX_UNITS]
    cdef uint8_t chosen[MAX_UNITS][MAX_PURSE + 1]
    cdef double gains[MOST_LEVELS]
    cdef int32_t counts[MOST_LEVELS]
    cdef sealed_bid_t probe
    cdef double without
    cdef int32_t purse = min(target.purse, <int32_t> MAX_PURSE), rest = purse - bid.total
    cdef int32_t place, unit, level, levels, spent, count
    memset(chosen, 0, sizeof(chosen))
    memset(worth, 0, sizeof(worth))
    for spent in range(purse + 1):          # the value of what is left; `best` is by the chips spent so far
        best[spent] = 0
    for place in range(stage.num_open):
        unit = stage.open[place]
        probe = bid[0]
        probe.total -= probe.counts[unit]
        probe.counts[unit] = 0
        without = value_with_rest(stage, target, &probe, rest)
        levels = useful_counts(target, unit, counts)
        for level in range(levels):
            gains[level] = 0
            if probe.total + counts[level] + rest <= MAX_PURSE:
                probe.counts[unit] = <uint8_t> counts[level]
                probe.total += counts[level]
                gains[level] = value_with_rest(stage, target, &probe, rest) - without
                probe.total -= counts[level]
                probe.counts[unit] = 0
        for spent in range(purse + 1):
            fresh[spent] = best[spent]
            for level in range(levels):
                count = counts[level]
                if count <= spent and best[spent - count] + gains[level] > fresh[spent] + 1e-9:
                    fresh[spent] = best[spent - count] + gains[level]
                    chosen[unit][spent] = <uint8_t> count
        for spent in range(purse + 1):
            best[spent] = fresh[spent]
    count = 0
    for spent in range(purse + 1):
        best[spent] += value_with_rest(stage, target, bid, purse - spent)
        if best[spent] > best[count] + 1e-9:
            count = spent
    memset(bid, 0, sizeof(sealed_bid_t))
    for place in range(stage.num_open - 1, -1, -1):
        unit = stage.open[place]
        bid.counts[unit] = chosen[unit][count]
        bid.total += chosen[unit][count]
        count -= chosen[unit][count]
        worth[unit] = bid.counts[unit]
    keep_allowed(stage, worth, bid)
