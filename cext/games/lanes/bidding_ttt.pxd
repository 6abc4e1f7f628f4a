"""Play of `bidding_ttt` in lanes: an auction before each mark, and the ranks of a random permutation order the marks.

Lines do not end the game here. The first line decides, also if the game continues after it.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ...primitives.lanes cimport MAX_ITEMS, draw_below, join_lanes, lanes_t, permute, play_rounds
from ...primitives.vectors cimport (
    add16, both, differ, down16, either, more16, more8, same16, same8, splat16, splat8, sub16, vector_t, without,
)
from ..common.cells cimport list_cells
from ..common.lane_runs cimport NEVER, add_scores, first_line3, put_marks

cdef enum:
    CELLS = 9
    BOARD = 0x1FF
    YES = 0xFFFF                # mask of a word

cdef struct setup_t:
    uint32_t own[2]             # cells of x and of o
    int32_t coins[2]
    int32_t holder              # of the tiebreaker
    int32_t control             # player who marks first without an auction, -1 if nobody does
    int32_t blank[CELLS]        # cells without a mark
    int32_t left                # their number

cdef struct holdings_t:            # of the even lanes or the odd lanes, one word each
    vector_t coins[2]
    vector_t holder             # mask: o holds the tiebreaker


cdef inline vector_t count_bids(vector_t coins, vector_t holds) noexcept nogil:
    """Return the numbers of legal bids: twice as many for the holder of the tiebreaker."""
    cdef vector_t bids = add16(coins, splat16(1))
    return add16(bids, both(bids, holds))


cdef inline vector_t coins_of(vector_t bid, vector_t holds) noexcept nogil:
    """Return the coins of a bid. The lowest bit of the holder's bid is the tiebreaker."""
    return either(without(bid, holds), both(down16(bid, 1), holds))


cdef inline vector_t settle(holdings_t *holdings, vector_t x_bid, vector_t o_bid) noexcept nogil:
    """Settle auctions and return a mask: o has won."""
    cdef vector_t o_holds = holdings.holder, x_holds = without(splat16(YES), o_holds)
    cdef vector_t one = splat16(1)
    cdef vector_t offered = same16(both(either(both(o_bid, o_holds), both(x_bid, x_holds)), one), one)
    cdef vector_t x_coins = coins_of(x_bid, x_holds), o_coins = coins_of(o_bid, o_holds)
    # a tie goes to the holder if it offered the tiebreaker, else to the other player
    cdef vector_t o_wins = either(more16(o_coins, x_coins), without(same16(o_coins, x_coins), differ(o_holds, offered)))
    cdef vector_t paid = sub16(both(o_coins, o_wins), without(x_coins, o_wins))     # by o to x
    holdings.coins[0] = add16(holdings.coins[0], paid)
    holdings.coins[1] = sub16(holdings.coins[1], paid)
    holdings.holder = differ(o_holds, without(offered, differ(o_holds, o_wins)))
    return o_wins


cdef inline vector_t hold_auction(lanes_t *lanes, holdings_t *even, holdings_t *odd) noexcept nogil:
    """Draw both bids and settle. Return a mask of all lanes: o has won."""
    cdef vector_t yes = splat16(YES)
    cdef vector_t even_x = count_bids(even.coins[0], without(yes, even.holder))
    cdef vector_t odd_x = count_bids(odd.coins[0], without(yes, odd.holder))
    cdef vector_t even_o = count_bids(even.coins[1], even.holder), odd_o = count_bids(odd.coins[1], odd.holder)
    draw_below(lanes, &even_x, &odd_x)
    draw_below(lanes, &even_o, &odd_o)
    return join_lanes(both(settle(even, even_x, even_o), splat16(0xFF)), settle(odd, odd_x, odd_o))


cdef inline void play_round(const void *given, lanes_t *lanes, vector_t counted, int64_t *sums) noexcept nogil:
    cdef const setup_t *setup = <const setup_t *> given
    cdef vector_t ranks[MAX_ITEMS]
    cdef vector_t of_o[CELLS]           # masks: the blank cells that o marks
    cdef vector_t x[CELLS]
    cdef vector_t o[CELLS]
    cdef holdings_t even, odd
    cdef vector_t o_marks, x_time, o_time, never = splat8(NEVER)
    cdef int32_t player, mark, i
    permute(lanes, setup.left, ranks)
    for i in range(setup.left):
        of_o[i] = splat8(0)
    for player in range(2):
        even.coins[player] = odd.coins[player] = splat16(setup.coins[player])
    even.holder = odd.holder = splat16(YES * setup.holder)
    for mark in range(setup.left):
        if mark == 0 and setup.control >= 0:
            o_marks = splat8(0xFF * setup.control)
        else:
            o_marks = hold_auction(lanes, &even, &odd)
        for i in range(setup.left):
            of_o[i] = either(of_o[i], both(o_marks, same8(ranks[i], splat8(mark))))
    put_marks(x, setup.own[0], 0)
    put_marks(x, setup.own[1], NEVER)
    put_marks(o, setup.own[0], NEVER)
    put_marks(o, setup.own[1], 0)
    for i in range(setup.left):
        x[setup.blank[i]] = either(ranks[i], of_o[i])
        o[setup.blank[i]] = either(ranks[i], without(never, of_o[i]))
    x_time = first_line3(x)
    o_time = first_line3(o)
    add_scores(more8(o_time, x_time), more8(x_time, o_time), counted, sums)


cdef inline void play_lanes(setup_t *setup, uint64_t seed, int64_t count, int64_t *sums) noexcept nogil:
    """Play `count` games and add the returns to `sums`. The caller sets all of `setup` but the blank cells."""
    setup.left = list_cells(BOARD & ~(setup.own[0] | setup.own[1]), 0, setup.blank)
    play_rounds(play_round, setup, seed, count, sums)
