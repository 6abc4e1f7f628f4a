"""Naive bids of the rival, against which the player's strategy also has to do well.

A rival who finds an equilibrium is the worst case, not the usual one. With a given probability the rival is taken for
a naive player, who believes that the player bids at random and answers that: level 1 of the hierarchy of Stahl and
Wilson (1994, "Experimental evidence on players' models of other players"). The player then plays a restricted Nash
response (Johanson, Zinkevich and Bowling 2007, "Computing robust counter-strategies"), which wins more from rivals
with such habits and gives up little against the others.
"""
from libc.stdint cimport int32_t

from ..sealed_bids cimport sealed_bid_t
from .batches cimport draw_batch
from .better_bids cimport best_sample, improved
from .matrix cimport add_rival, find_bid
from .stage cimport stage_t, target_t
from .targets cimport aim_at_first_bids

cdef enum:
    NAIVE_BIDS = 8              # of each type
    NAIVE_SAMPLES = 256         # random bids of which a naive rival plays the best
    CLIMBED = 4                 # of so many naive bids one is improved by local moves
    NAIVE_PACE = 2000           # values of positions for each naive bid, which takes less than half of them


cdef inline bint is_naive_due(const stage_t *stage, int32_t number) noexcept nogil:
    """Return True if so many values have been computed that one more naive bid is worth its own."""
    return stage.naive_share > 0 and number < NAIVE_BIDS * stage.types and stage.leaves >= NAIVE_PACE * (number + 1)


cdef inline void add_naive(stage_t *stage, int32_t number) noexcept nogil:
    """Put a naive bid of the rival into the matrix, of its types in turn.

    number: of the naive bids so far.
    """
    cdef int32_t kind = number % stage.types, place
    cdef target_t target
    cdef sealed_bid_t bid
    aim_at_first_bids(stage, &target, kind)
    if stage.naive_count[kind] % CLIMBED == CLIMBED - 1:
        improved(stage, &target, True, &bid)
    else:
        if stage.batch != NULL:
            draw_batch(stage, &target)
        best_sample(stage, &target, NAIVE_SAMPLES, &bid)
    add_rival(stage, &bid)
    place = find_bid(stage.rival, stage.rival_count, &bid)
    stage.naive[kind][place] += 1
    stage.naive_count[kind] += 1
