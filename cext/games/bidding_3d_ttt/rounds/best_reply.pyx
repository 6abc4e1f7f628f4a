"""Best replies to known bids of the opponent, each with the chips that it has before the bid and a probability."""
from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.string cimport memset

from ....primitives.in_use cimport begin_change, end_change
from ..rules cimport bid_t
from .batches cimport draw_batch, value_in_batch
from .knapsack cimport fill_knapsack
from .replies cimport climb, reply_value, weigh_rest
from .solver cimport RoundSolver
from .round cimport MAX_OPPONENT, MAX_TYPES, playout_keep_in_batch, playout_try_in_batch, round_t, target_t

MOST_BIDS = MAX_OPPONENT
MOST_CHIPS = MAX_TYPES
PLAYER, OPPONENT = "the player", "the opponent"


cdef class BestReply:
    """Replies to a mixture of bids, by the leaves of a solver.

    Args:
        solver: of the player who replies, for the round; its matrix is not used.
        bids: (bid, chips, weight) of the opponent: at most MOST_BIDS bids, and MOST_CHIPS different numbers of chips
            before the round. The weights need not sum to 1.

    While one thread uses the solver, any other use raises BusyError.

    Raises:
        ValueError: a bid is not legal, there are no bids or too many, or a weight is negative.
    """
    cdef RoundSolver solver
    cdef target_t target        # changes while the solver is in use, its chips too
    cdef bid_t bids[MAX_OPPONENT]

    def __cinit__(self, RoundSolver solver not None, bids):
        cdef target_t *target = &self.target
        cdef int32_t i
        given = [(bid, int(chips), float(weight)) for bid, chips, weight in bids]
        types = sorted({chips for _, chips, _ in given})
        total = sum(weight for _, _, weight in given)
        if not 1 <= len(given) <= MAX_OPPONENT or len(types) > MAX_TYPES:
            raise ValueError(f"there are {len(given)} bids with {len(types)} numbers of chips; valid: 1 to "
                             f"{MAX_OPPONENT} bids with at most {MAX_TYPES}")
        if not 0 < total < float("inf") or min(weight for _, _, weight in given) < 0:
            raise ValueError("the weights of the bids are negative, all 0 or not finite; valid: 0 and up, with a sum")
        self.solver = solver
        memset(target, 0, sizeof(target_t))
        target.player = solver.round.player
        target.chips = solver.round.chips
        target.types = len(types)
        for i, chips in enumerate(types):
            if not solver.bounds[0] <= chips <= solver.bounds[1]:
                raise ValueError(f"{chips} chips; valid: {solver.bounds[0]} to {solver.bounds[1]}")
            target.type_chips[i] = chips
        target.count = len(given)
        for i, (bid, chips, weight) in enumerate(sorted(given, key=lambda bid: -bid[2])):
            solver.read_bid(bid, chips, OPPONENT, &self.bids[i])
            target.bids[i] = &self.bids[i]
            target.weights[i][types.index(chips)] = weight / total
        weigh_rest(target)

    def value(self, bid):
        """Return the mean value of a bid of the player, in [0, 1]."""
        cdef bid_t read
        cdef double value
        self.solver.read_bid(bid, self.solver.round.chips, PLAYER, &read)
        begin_change(&self.solver.users, "RoundSolver")
        with nogil:
            value = reply_value(self.solver.round, &self.target, &read, -1.0)
        end_change(&self.solver.users)
        return value

    def improve(self, bid, int patience):
        """Return a bid improved by local moves, and its mean value.

        patience: moves that fail in a row before the reply is final.
        """
        cdef bid_t read
        cdef double value
        self.solver.read_bid(bid, self.solver.round.chips, PLAYER, &read)
        begin_change(&self.solver.users, "RoundSolver")
        with nogil:
            self.solver.round.most_leaves = INT64_MAX
            self.solver.round.deadline = 0
            value = climb(self.solver.round, &self.target, &read, patience)
        end_change(&self.solver.users)
        return self.solver.game.unpack_action(<const void *> read.chips), value

    def batch_values(self, bids):
        """Return the mean value of each bid against evenly spaced quantiles of the mixture, by a batch.

        Each bid but the first is valued as a change of the one before, as local moves are. It is for the last round.

        Raises:
            ValueError: a bid is not legal, or the solver has no batch, as the round is not the last one.
        """
        cdef bid_t read
        cdef round_t *round = self.solver.round
        cdef int64_t leaves
        if round.batch == NULL:
            raise ValueError("the solver has no batch; valid: a solver of the last round")
        found = []
        begin_change(&self.solver.users, "RoundSolver")
        try:
            leaves = round.leaves
            draw_batch(round, &self.target)
            for bid in bids:
                self.solver.read_bid(bid, round.chips, PLAYER, &read)
                if found:
                    found.append(playout_try_in_batch(round.batch, read.chips, read.total, 0.0))
                    playout_keep_in_batch(round.batch)
                else:
                    found.append(value_in_batch(round, &read))
            round.leaves = leaves
        finally:
            end_change(&self.solver.users)
        return found

    def fill_knapsack(self, bid):
        """Return the bid that is best if every tile is worth what it adds to the value of a given bid."""
        cdef bid_t read
        self.solver.read_bid(bid, self.solver.round.chips, PLAYER, &read)
        begin_change(&self.solver.users, "RoundSolver")
        with nogil:
            fill_knapsack(self.solver.round, &self.target, &read)
        end_change(&self.solver.users)
        return self.solver.game.unpack_action(<const void *> read.chips)
