"""Naive bids of the opponent, against which the player's strategy also has to do well.

An opponent who finds an equilibrium is the worst case, not the usual one. With a given probability the opponent is
taken for a naive player, who believes that the player bids at random and answers that: level 1 of the hierarchy of
Stahl and Wilson (1994, "Experimental evidence on players' models of other players"). The player then plays a restricted
Nash response (Johanson, Zinkevich and Bowling 2007, "Computing robust counter-strategies"), which wins more from
opponents with such habits and gives up little against the others.
"""
from libc.stdint cimport int32_t

from ..rules cimport bid_t
from .batches cimport draw_batch
from .better_bids cimport best_sample, improved
from .matrix cimport add_opponent, find_bid
from .round cimport round_t, target_t
from .targets cimport aim_at_first_bids

cdef enum:
    NAIVE_BIDS = 8              # of each type
    NAIVE_SAMPLES = 256         # random bids of which a naive opponent plays the best
    CLIMBED = 4                 # one naive bid in this number is improved by local moves
    NAIVE_PACE = 2000           # values of positions for each naive bid, which takes less than half of them


cdef inline bint is_naive_due(const round_t *round, int32_t number) noexcept nogil:
    """Return True if one more naive bid is worth its cost, after the values that have been computed."""
    return (round.naive_share > 0 and not round.is_known and number < NAIVE_BIDS * round.types
            and round.leaves >= NAIVE_PACE * (number + 1))


cdef inline void fix_bid(round_t *round, int32_t kind, const bid_t *bid, float weight) noexcept nogil:
    """Put a bid of a type into the matrix, as one that it plays with the share of naive bids."""
    add_opponent(round, bid)
    round.naive[kind][find_bid(round.opponent, round.opponent_count, bid)] += weight
    round.naive_sum[kind] += weight


cdef inline void add_naive(round_t *round, int32_t number) noexcept nogil:
    """Put a naive bid of the opponent into the matrix, of its types in turn.

    number: of the naive bids so far.
    """
    cdef int32_t kind = number % round.types
    cdef target_t target
    cdef bid_t bid
    aim_at_first_bids(round, &target, kind)
    if number // round.types % CLIMBED == CLIMBED - 1:
        improved(round, &target, True, &bid)
    else:
        if round.batch != NULL:
            draw_batch(round, &target)
        best_sample(round, &target, NAIVE_SAMPLES, &bid)
    fix_bid(round, kind, &bid, 1)
