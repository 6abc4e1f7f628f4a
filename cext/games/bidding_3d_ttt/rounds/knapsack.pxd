"""Bids by dynamic programming, as if tiles were worth the same whatever else is bid on.

The worth of a count on a tile is what the value of a given bid gains by it, against the mean of the opponent's bids.
The best counts for the player's chips are then a knapsack problem, solved exactly. Tiles are not additive, so this is a
start for local moves and overrates itself.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from ..rules cimport BOARDS, MAX_CHIPS, TILES, bid_t
from .replies cimport reply_value
from .round cimport is_legal, round_t, target_t

cdef enum:
    MOST_LEVELS = 12            # counts of a tile that are considered


cdef inline int32_t useful_counts(const target_t *target, int32_t tile, int32_t *counts) noexcept nogil:
    """Write the counts that are just above a bid of the opponent, in rising order. Return their number."""
    cdef uint8_t seen[MAX_CHIPS + 2]
    cdef int32_t i, count, found = 0
    memset(seen, 0, sizeof(seen))
    seen[1] = 1
    for i in range(target.count):
        seen[target.bids[i].chips[tile] + 1] = 1
    for count in range(1, min(target.chips, <int32_t> MAX_CHIPS) + 1):
        if seen[count] and found < MOST_LEVELS:
            counts[found] = count
            found += 1
    return found


cdef inline double value_with_rest(round_t *round, target_t *target, const bid_t *bid,
                                   int32_t rest) noexcept nogil:
    """Return the mean value of a bid after which the player has `rest` left."""
    cdef int32_t chips = target.chips
    cdef double value
    target.chips = min(bid.total + rest, <int32_t> MAX_CHIPS)
    value = reply_value(round, target, bid, -1.0)
    target.chips = chips
    return value


cdef inline void keep_allowed(const round_t *round, const double *worth, bid_t *bid) noexcept nogil:
    """Drop tiles that the round forbids beside better ones: boards of great worth come first, then tiles."""
    cdef double boards[BOARDS]
    cdef bid_t kept, fresh
    cdef int32_t tile, best
    cdef uint8_t done[TILES]
    memset(boards, 0, sizeof(boards))
    memset(done, 0, sizeof(done))
    memset(&kept, 0, sizeof(kept))
    for tile in range(TILES):
        boards[tile // 9] += worth[tile]
    while True:
        best = -1
        for tile in range(TILES):
            if bid.chips[tile] and not done[tile] and (
                    best < 0 or boards[tile // 9] > boards[best // 9]
                    or (boards[tile // 9] == boards[best // 9] and worth[tile] > worth[best])):
                best = tile
        if best < 0:
            break
        done[best] = 1
        fresh = kept
        fresh.chips[best] = bid.chips[best]
        fresh.total += bid.chips[best]
        if is_legal(round, bid.total, &fresh):
            kept = fresh
    bid[0] = kept


cdef inline void fill_knapsack(round_t *round, target_t *target, bid_t *bid) noexcept nogil:
    """Replace a bid by the best one for values of tiles that are measured beside it."""
    cdef double best[MAX_CHIPS + 1]
    cdef double fresh[MAX_CHIPS + 1]
    cdef double worth[TILES]
    cdef uint8_t chosen[TILES][MAX_CHIPS + 1]
    cdef double gains[MOST_LEVELS]
    cdef int32_t counts[MOST_LEVELS]
    cdef bid_t probe
    cdef double without
    cdef int32_t chips = min(target.chips, <int32_t> MAX_CHIPS), rest = chips - bid.total
    cdef int32_t place, tile, level, levels, spent, count
    memset(chosen, 0, sizeof(chosen))
    memset(worth, 0, sizeof(worth))
    for spent in range(chips + 1):          # the value of what is left; `best` is by the chips spent so far
        best[spent] = 0
    for place in range(round.num_open):
        tile = round.open[place]
        probe = bid[0]
        probe.total -= probe.chips[tile]
        probe.chips[tile] = 0
        without = value_with_rest(round, target, &probe, rest)
        levels = useful_counts(target, tile, counts)
        for level in range(levels):
            gains[level] = 0
            if probe.total + counts[level] + rest <= MAX_CHIPS:
                probe.chips[tile] = <uint8_t> counts[level]
                probe.total += counts[level]
                gains[level] = value_with_rest(round, target, &probe, rest) - without
                probe.total -= counts[level]
                probe.chips[tile] = 0
        for spent in range(chips + 1):
            fresh[spent] = best[spent]
            for level in range(levels):
                count = counts[level]
                if count <= spent and best[spent - count] + gains[level] > fresh[spent] + 1e-9:
                    fresh[spent] = best[spent - count] + gains[level]
                    chosen[tile][spent] = <uint8_t> count
        for spent in range(chips + 1):
            best[spent] = fresh[spent]
    count = 0
    for spent in range(chips + 1):
        best[spent] += value_with_rest(round, target, bid, chips - spent)
        if best[spent] > best[count] + 1e-9:
            count = spent
    memset(bid, 0, sizeof(bid_t))
    for place in range(round.num_open - 1, -1, -1):
        tile = round.open[place]
        bid.chips[tile] = chosen[tile][count]
        bid.total += chosen[tile][count]
        count -= chosen[tile][count]
        worth[tile] = bid.chips[tile]
    keep_allowed(round, worth, bid)
