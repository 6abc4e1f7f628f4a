"""Random bids of a round."""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from ....primitives.rng cimport rng_below
from ..bid_policy cimport draw_bid
from ..rules cimport MAX_CHIPS, TILES, bid_t, position_t
from .round cimport is_legal, round_t

cdef enum:
    MOST_SPREAD = 3             # chips put on a tile at once where a bid is spread


cdef inline void random_bid(round_t *round, int32_t player, int32_t chips, bid_t *bid) noexcept nogil:
    """Draw a bid of a player with these chips."""
    cdef position_t now = round.position
    now.chips[player] = <uint8_t> chips
    draw_bid(&round.estimate.rules, &now, player, &round.rng, bid)


cdef inline void spread_bid(round_t *round, bid_t *bid) noexcept nogil:
    """Spread the chips of a bid over a random number of random tiles, as far as the round allows."""
    cdef int32_t order[TILES]
    cdef bid_t fresh
    cdef int32_t rest = bid.total, count, i, j, tile, chosen = 0, wanted
    if rest == 0 or round.num_open == 0:
        return
    memset(&fresh, 0, sizeof(fresh))
    memcpy(order, round.open, sizeof(order))
    wanted = 1 + <int32_t> rng_below(&round.rng, <uint32_t> min(rest, round.num_open))
    for i in range(round.num_open):
        j = i + <int32_t> rng_below(&round.rng, <uint32_t> (round.num_open - i))
        tile = order[j]
        order[j] = order[i]
        fresh.chips[tile] = 1
        fresh.total += 1
        if is_legal(round, rest, &fresh):
            order[chosen] = tile
            chosen += 1
            if chosen == wanted:
                break
        else:
            fresh.chips[tile] = 0
            fresh.total -= 1
    while chosen and fresh.total < rest:
        tile = order[rng_below(&round.rng, <uint32_t> chosen)]
        count = min(rest - fresh.total, MAX_CHIPS - fresh.chips[tile])
        count = 1 + <int32_t> rng_below(&round.rng, <uint32_t> min(count, MOST_SPREAD)) if count > 0 else 0
        if count == 0:
            break
        fresh.chips[tile] += <uint8_t> count
        fresh.total += count
    bid[0] = fresh
