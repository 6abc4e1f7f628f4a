"""Best replies to bids of the rival that are known, each with the purse behind it and a probability."""
from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.string cimport memset

from ..in_use cimport begin_change, end_change
from ..sealed_bids cimport sealed_bid_t
from .batches cimport draw_batch, value_in_batch
from .knapsack cimport fill_knapsack
from .replies cimport climb, reply_value, weigh_rest
from .solver cimport RoundSolver
from .stage cimport MAX_RIVAL, MAX_TYPES, stage_t, target_t

MOST_BIDS = MAX_RIVAL
MOST_PURSES = MAX_TYPES
PLAYER, RIVAL = "the player", "the rival"


cdef class BestReply:
    """Replies to a mixture of bids, by the leaves of a solver.

    Args:
        solver: of the player who replies, for the round; its matrix is not used.
        rivals: (bid, purse, weight) of the rival: at most MOST_BIDS bids, and MOST_PURSES different purses before the
            round. The weights need not sum to 1.

    While one thread uses the solver, any other use raises BusyError.

    Raises:
        ValueError: a bid is not legal, there are no bids or too many, or a weight is negative.
    """
    cdef RoundSolver solver
    cdef target_t target        # changes while the solver is in use, its purse too
    cdef sealed_bid_t bids[MAX_RIVAL]

    def __cinit__(self, RoundSolver solver not None, rivals):
        cdef target_t *target = &self.target
        cdef int32_t i
        rivals = [(bid, int(purse), float(weight)) for bid, purse, weight in rivals]
        purses = sorted({purse for _, purse, _ in rivals})
        total = sum(weight for _, _, weight in rivals)
        if not 1 <= len(rivals) <= MAX_RIVAL or len(purses) > MAX_TYPES:
            raise ValueError(f"there are {len(rivals)} bids with {len(purses)} purses; valid: 1 to {MAX_RIVAL} bids "
                             f"with at most {MAX_TYPES} purses")
        if not 0 < total < float("inf") or min(weight for _, _, weight in rivals) < 0:
            raise ValueError("the weights of the bids are negative, all 0 or not finite; valid: 0 and up, with a sum")
        self.solver = solver
        memset(target, 0, sizeof(target_t))
        target.player = solver.stage.player
        target.purse = solver.stage.purse
        target.types = len(purses)
        for i, purse in enumerate(purses):
            if not solver.bounds[0] <= purse <= solver.bounds[1]:
                raise ValueError(f"purse {purse}; valid: {solver.bounds[0]} to {solver.bounds[1]}")
            target.type_purse[i] = purse
        target.count = len(rivals)
        for i, (bid, purse, weight) in enumerate(sorted(rivals, key=lambda rival: -rival[2])):
            solver.read_bid(bid, purse, RIVAL, &self.bids[i])
            target.bids[i] = &self.bids[i]
            target.weights[i][purses.index(purse)] = weight / total
        weigh_rest(target)

    def value(self, bid):
        """Return the mean value of a bid of the player, in [0, 1]."""
        cdef sealed_bid_t read
        cdef double value
        self.solver.read_bid(bid, self.solver.stage.purse, PLAYER, &read)
        begin_change(&self.solver.users, "RoundSolver")
        with nogil:
            value = reply_value(self.solver.stage, &self.target, &read, -1.0)
        end_change(&self.solver.users)
        return value

    def improve(self, bid, int patience):
        """Return a bid improved by local moves, and its mean value.

        patience: moves that fail in a row before the reply is final.
        """
        cdef sealed_bid_t read
        cdef double value
        self.solver.read_bid(bid, self.solver.stage.purse, PLAYER, &read)
        begin_change(&self.solver.users, "RoundSolver")
        with nogil:
            self.solver.stage.most_leaves = INT64_MAX
            self.solver.stage.deadline = 0
            value = climb(self.solver.stage, &self.target, &read, patience)
        end_change(&self.solver.users)
        return self.solver.game.unpack_action(<const void *> read.counts), value

    def batch_values(self, bids):
        """Return the mean value of each bid against evenly spaced quantiles of the mixture, by a batch.

        Each bid but the first is valued as a change of the one before, as local moves are. It is for the last round.

        Raises:
            ValueError: a bid is not legal, or the solver has no batch, as the round is not the last one.
        """
        cdef sealed_bid_t read
        cdef stage_t *stage = self.solver.stage
        cdef int64_t leaves
        if stage.batch == NULL:
            raise ValueError("the solver has no batch; valid: a solver of the last round")
        found = []
        begin_change(&self.solver.users, "RoundSolver")
        try:
            leaves = stage.leaves
            draw_batch(stage, &self.target)
            for bid in bids:
                self.solver.read_bid(bid, stage.purse, PLAYER, &read)
                if found:
                    found.append(stage.bids.try_bid(stage.batch, &read, 0.0))
                    stage.bids.keep_bid(stage.batch)
                else:
                    found.append(value_in_batch(stage, &read))
            stage.leaves = leaves
        finally:
            end_change(&self.solver.users)
        return found

    def fill_knapsack(self, bid):
        """Return the bid that is best if every unit is worth what it adds to the value of a given bid."""
        cdef sealed_bid_t read
        self.solver.read_bid(bid, self.solver.stage.purse, PLAYER, &read)
        begin_change(&self.solver.users, "RoundSolver")
        with nogil:
            fill_knapsack(self.solver.stage, &self.target, &read)
        end_change(&self.solver.users)
        return self.solver.game.unpack_action(<const void *> read.counts)
