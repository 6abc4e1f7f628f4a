"""Images of bids in a first round, which is symmetric.

Under the symmetries of the boards that exchange the players, a bid of one has images, the same bid for the other. Where
a round is solved for both players alike, bids of either are bids of the first player, and each meets random images.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from ....primitives.rng cimport rng_next, rng_t
from ..rules cimport BOARDS, bid_t


cdef inline void exchange_players(const bid_t *bid, rng_t *rng, bid_t *image) noexcept nogil:
    """Write the image of a bid in round 1 for the other player, under a random symmetry.

    The boards are mirrored left to right, and at random top to bottom; each board is turned and mirrored at random.
    """
    cdef uint64_t bits = rng_next(rng)
    cdef bint upside = bits & 1
    cdef int32_t board, to, cell, x, y, held, turn
    memset(image, 0, sizeof(bid_t))
    image.total = bid.total
    bits >>= 1
    for board in range(BOARDS):
        to = 3 * (2 - board // 3 if upside else board // 3) + 2 - board % 3
        turn = bits & 7
        bits >>= 3
        for cell in range(9):
            x = cell % 3
            y = cell // 3
            if turn & 1:
                x = 2 - x
            if turn & 2:
                y = 2 - y
            if turn & 4:
                held = x
                x = y
                y = held
            image.chips[9 * to + 3 * y + x] = bid.chips[9 * board + cell]
