"""The solver of one round by double oracle.

The matrix game of a few bids of each side is solved; then each side gets a better bid against the other's mixed
strategy, and so on (McMahan, Gordon and Blum 2003, "Planning in the presence of cost functions controlled by an
adversary"). The payoffs are values of the position after the round. Nothing but the player's view is used.
"""
from libc.math cimport isfinite
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ....primitives.clock cimport playout_seconds
from ....game.game cimport Game, State, View
from ....primitives.in_use cimport begin_change, begin_reading, end_change, end_reading, read_number
from ....primitives.rng cimport rng_seed
from ..belief cimport divide_chips, weigh_chips
from ..estimate cimport estimate_t
from ..rules cimport BOARDS, LINES, MAX_CHIPS, ROUNDS, TILES, bid_t, open_tiles, read_counts, rules_t, state_t
from .batches cimport draw_batch
from .growth cimport ITERATIONS, MOST_FAILED, begin, grow
from .regrets cimport row_values, solve_matrix
from .round cimport (
    MAX_OWN, MAX_TYPES, is_legal, playout_batch_t, playout_begin_batch, playout_keep_in_batch,
    playout_try_in_batch, round_t, target_t, tile_of_line,
)
from .targets cimport aim_at_opponent

from ....arguments import seed_bits, shown
from ..game import GAME

cdef enum:
    LAST_ITERATIONS = 400       # of regret matching before the strategy is played


cdef void find_open(round_t *round) noexcept nogil:
    """Write which tiles can be bid on, and the lines of boards with such a tile."""
    cdef int32_t tile, line
    for tile in range(TILES):
        round.is_open[tile] = (open_tiles(&round.estimate.rules, &round.position, tile // 9) >> (tile % 9)) & 1
        if round.is_open[tile]:
            round.open[round.num_open] = tile
            round.num_open += 1
    for line in range(BOARDS * LINES):
        if (round.is_open[tile_of_line(round, line, 0)] or round.is_open[tile_of_line(round, line, 1)]
                or round.is_open[tile_of_line(round, line, 2)]):
            round.lines[round.num_lines] = line
            round.num_lines += 1


cdef class RoundSolver:
    """The solver of one round for one player.

    Args:
        position: a view, or a state; with a state, the opponent's chips are known.
        player: who solves.
        types: quantiles of the opponent's chips, 1 to 8.
        seed: root of the random stream.
        naive: probability, in [0, 1], that the opponent is naive: it answers random bids. 0: the strategies approach an
            equilibrium. The naive bids enter the matrix while it grows.

    While one thread uses `grow` or `settle`, any other use raises BusyError.

    Raises:
        TypeError: the game has no sealed bids.
        ValueError: the player does not decide, or a number is out of range.
    """
    def __cinit__(self, position, int player, *, int types=5, seed=0, double naive=0):
        cdef State seen
        cdef const rules_t *rules
        cdef round_t *round
        cdef double weights[MAX_CHIPS + 1]
        cdef bint hidden = isinstance(position, View)
        if hidden:
            seen = (<View> position).redacted()
            player = (<View> position).player
        elif isinstance(position, State):
            seen = position.clone()
        else:
            raise TypeError(f"{type(position).__name__} is not a position; valid: a view or a state")
        if not has_sealed_bids(seen.game):
            raise TypeError(f"{seen.game.spec} has no sealed bids")
        if not 1 <= types <= MAX_TYPES:
            raise ValueError(f"types={types}; valid: 1 to {MAX_TYPES}")
        if not 0 <= naive <= 1:
            raise ValueError(f"naive={naive}; valid: 0 to 1")
        if player not in (0, 1) or (<const state_t *> seen.data).now.over:
            raise ValueError(f"player {player} has nothing to bid; valid: 0 or 1, before the end of the game")
        self.round = round = <round_t *> calloc(1, sizeof(round_t))
        if round == NULL:
            raise MemoryError
        self.game = seen.game
        rules = <const rules_t *> seen.game.table.rules
        rng_seed(&round.rng, seed_bits(seed))
        round.estimate = <const estimate_t *> rules
        round.player = player
        round.naive_share = naive
        round.position = (<const state_t *> seen.data).now
        round.chips = round.position.chips[player]
        find_open(round)
        if hidden:
            weigh_chips(rules, <const state_t *> seen.data, player, weights)
            round.types = divide_chips(weights, types, round.type_chips, round.type_weight)
        else:
            round.types = 1
            round.type_chips[0] = round.position.chips[1 - player]
            round.type_weight[0] = 1
        if round.position.round == ROUNDS:
            self.memory = calloc(sizeof(playout_batch_t) + 64, 1)
            if self.memory == NULL:
                raise MemoryError
            round.batch = <playout_batch_t *> ((<size_t> self.memory + 63) // 64 * 64)
        begin(round)
        with nogil:
            solve_matrix(round, ITERATIONS)
            round.leaves = 0

    def __dealloc__(self):
        free(self.memory)
        free(self.round)

    cdef int read_bid(self, bid, int32_t chips, str whose, bid_t *out) except -1:
        """Read a bid. Raises ValueError for one that is not legal with `chips` chips; `whose` names the player."""
        cdef uint8_t counts[TILES]
        self.game.pack_action(bid, counts)
        read_counts(counts, out)
        if not is_legal(self.round, chips, out):
            raise ValueError(f"{shown(bid)} is not a legal bid of {whose}")
        return 0

    def grow(self, leaves=None, seconds=None):
        """Add replies to the matrix, without the GIL.

        Args:
            leaves: the number of values up to which it continues; None for no limit.
            seconds: the time from now; None for no limit.

        Raises:
            ValueError: there is no limit, or the time is not finite.
            BusyError: another thread uses the solver.
        """
        cdef int64_t most = 0 if leaves is None else leaves
        cdef double deadline = 0 if seconds is None else seconds
        if leaves is None and seconds is None:
            raise ValueError("leaves and seconds are None; valid: a number for one of them or both")
        if not isfinite(deadline):
            raise ValueError(f"seconds={seconds}; valid: a finite number")
        if leaves is None:
            most = INT64_MAX
        if seconds is not None:
            deadline += playout_seconds()
        begin_change(&self.users, "RoundSolver")
        with nogil:
            self.round.most_leaves = most
            self.round.deadline = deadline
            grow(self.round, &self.progress)
        end_change(&self.users)

    def settle(self):
        """Solve the matrix with many iterations, for the strategy to play.

        Raises:
            BusyError: another thread uses the solver.
        """
        begin_change(&self.users, "RoundSolver")
        with nogil:
            solve_matrix(self.round, LAST_ITERATIONS)
        end_change(&self.users)

    @property
    def leaves(self):
        """Values of positions computed so far, without those of the first matrix."""
        return read_number(&self.users, "RoundSolver", &self.round.leaves)

    @property
    def finished(self):
        """True when many replies in a row have gained nothing."""
        cdef bint finished
        begin_reading(&self.users, "RoundSolver")
        finished = self.progress.failed > MOST_FAILED
        end_reading(&self.users)
        return finished

    @property
    def types(self):
        """The numbers of chips of the opponent that the solver considers, each with its probability."""
        cdef int i
        return [(self.round.type_chips[i], self.round.type_weight[i]) for i in range(self.round.types)]

    @property
    def value(self):
        """Value of the player in [0, 1] by both sides' average strategies, the opponent's with its naive part."""
        cdef double value
        begin_reading(&self.users, "RoundSolver")
        value = self.round.outcome
        end_reading(&self.users)
        return min(max(value, 0.0), 1.0)     # the sum of single-precision products can be just outside

    def strategy(self, double least=0.0):
        """Return bids of the player with their probabilities.

        least: bids of a smaller probability are left out; the most probable one stays.
        """
        cdef int i
        begin_reading(&self.users, "RoundSolver")
        try:
            found = [(self.game.unpack_action(<const void *> self.round.own[i].chips), self.round.own_average[i])
                     for i in range(self.round.own_count)]
        finally:
            end_reading(&self.users)
        most = max(weight for _, weight in found)
        found = [(bid, weight) for bid, weight in found if weight >= min(least, most)]
        total = sum(weight for _, weight in found)
        return [(bid, weight / total) for bid, weight in found]

    def own_values(self):
        """Return the bids of the player in the matrix, each with its value in [0, 1] against the opponent's."""
        cdef float rows[MAX_OWN]
        cdef int32_t kind, i
        begin_reading(&self.users, "RoundSolver")
        try:
            memset(rows, 0, sizeof(rows))
            for kind in range(self.round.types):
                row_values(self.round, self.round.opponent_average[kind], kind, rows)
            return [(self.game.unpack_action(<const void *> self.round.own[i].chips), min(max(rows[i], 0.0), 1.0))
                    for i in range(self.round.own_count)]
        finally:
            end_reading(&self.users)

    def batch_values(self, bids):
        """Return the mean value of each bid of the player in the last round, by a batch of the opponent's strategy.

        Each bid but the first is valued as a change of the one before, as local moves are.

        Raises:
            ValueError: a bid is not legal, or the round is not the last one.
            BusyError: another thread uses the solver.
        """
        cdef round_t *round = self.round
        cdef target_t target
        cdef bid_t read
        if round.batch == NULL:
            raise ValueError(f"round {round.position.round} has no batch; valid: round {ROUNDS}")
        found = []
        begin_change(&self.users, "RoundSolver")
        try:
            aim_at_opponent(round, &target)
            draw_batch(round, &target)
            for bid in bids:
                self.read_bid(bid, round.chips, "the player", &read)
                if found:
                    found.append(playout_try_in_batch(round.batch, read.chips, read.total, 0.0))
                    playout_keep_in_batch(round.batch)
                else:
                    found.append(playout_begin_batch(round.batch, read.chips, read.total, 0.0))
        finally:
            end_change(&self.users)
        return found


def has_sealed_bids(Game game not None):
    """Return True for `bidding_3d_ttt`, whose rounds are solved here."""
    return isinstance(game, GAME)
