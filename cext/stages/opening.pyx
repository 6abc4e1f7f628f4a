"""Values and best replies against random images of bids, for the symmetric solution of a first round.

Under the symmetries of a game that exchange the players, a bid of one player has images, the same bid for the other. A
mixed strategy of bids that are turned at random is played against the images of such a strategy.
"""
from libc.stdint cimport INT64_MAX, int32_t

from ..in_use cimport begin_change, end_change
from ..rng cimport rng_unit
from ..sealed_bids cimport sealed_bid_t
from .replies cimport climb, weigh_rest
from .solver cimport RoundSolver
from .stage cimport MAX_RIVAL, stage_t, target_t, values_after

FIRST = "the first player"


cdef int begin_images(RoundSolver solver) except -1:
    """Begin a use of the solver. Raises ValueError if it is not of a first round, solved for the first player."""
    cdef stage_t *stage = solver.stage
    if not solver.is_first or stage.player != 0 or stage.bids.exchange == NULL:
        raise ValueError("the solver is not of the first player in the first state of a game")
    return begin_change(&solver.users, "RoundSolver")


def image_of(RoundSolver solver not None, bid):
    """Return the image of a bid of the first player under a random symmetry, as a bid of the second."""
    cdef sealed_bid_t read
    cdef sealed_bid_t image
    solver.read_bid(bid, solver.stage.purse, FIRST, &read)
    begin_images(solver)
    solver.stage.bids.exchange(solver.stage.game, &read, &solver.stage.rng, &image)
    end_change(&solver.users)
    return solver.game.unpack_action(<const void *> image.counts)


def image_value(RoundSolver solver not None, bid, other, int count):
    """Return the mean value, in [0, 1], of a bid against random images of another.

    Args:
        solver: of the first player, in the first round.
        bid, other: bids of the first player.
        count: number of images.
    """
    cdef sealed_bid_t first
    cdef sealed_bid_t second
    cdef sealed_bid_t image
    cdef stage_t *stage = solver.stage
    cdef double out, sum = 0
    cdef int32_t _
    if count < 1:
        raise ValueError(f"count={count}; valid: 1 and up")
    solver.read_bid(bid, stage.purse, FIRST, &first)
    solver.read_bid(other, stage.purse, FIRST, &second)
    begin_images(solver)
    with nogil:
        for _ in range(count):
            stage.bids.exchange(stage.game, &second, &stage.rng, &image)
            values_after(stage, &first, &image, 0, stage.purse, &stage.purse, 1, &out)
            sum += out
    end_change(&solver.users)
    return sum / count


def reply_to_images(RoundSolver solver not None, start, bids, weights, int patience):
    """Return a bid improved by local moves against images of a mixed strategy, and its value against these images.

    Args:
        solver: of the first player, in the first round.
        start: the bid that is improved.
        bids: the bids of the strategy, as bids of the first player.
        weights: their probabilities.
        patience: number of moves that fail in a row before the reply is final.

    Raises:
        ValueError: a bid is not legal, or there is not one weight for each of at least one bid.
        BusyError: another thread uses the solver.
    """
    cdef sealed_bid_t drawn[MAX_RIVAL]
    cdef sealed_bid_t read
    cdef target_t target
    cdef stage_t *stage = solver.stage
    cdef int32_t i
    cdef double value, point, before = 0
    bids = list(bids)
    weights = [float(weight) for weight in weights]
    if not bids or len(bids) != len(weights):
        raise ValueError(f"there are {len(bids)} bids and {len(weights)} weights; valid: as many, and at least one")
    target.player = 0
    target.purse = stage.purse
    target.types = 1
    target.type_purse[0] = stage.purse
    target.count = MAX_RIVAL
    begin_images(solver)
    try:
        point = rng_unit(&stage.rng)
        number = -1
        for i in range(MAX_RIVAL):      # evenly spaced quantiles of the strategy, each with a random image
            while before <= (i + point) / MAX_RIVAL and number + 1 < len(bids):
                number += 1
                before += weights[number]
            solver.read_bid(bids[number], stage.purse, FIRST, &read)
            stage.bids.exchange(stage.game, &read, &stage.rng, &drawn[i])
            target.bids[i] = &drawn[i]
            target.weights[i][0] = 1.0 / MAX_RIVAL
        solver.read_bid(start, stage.purse, FIRST, &read)
        with nogil:
            stage.most_leaves = INT64_MAX
            stage.deadline = 0
            weigh_rest(&target)
            value = climb(stage, &target, &read, patience)
    finally:
        end_change(&solver.users)
    return solver.game.unpack_action(<const void *> read.counts), value
