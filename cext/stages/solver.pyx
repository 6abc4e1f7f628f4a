"""The solver of one stage by double oracle.

The matrix game of a few bids of each side is solved; then each side gets a better bid against the other's mixed
strategy, and so on (McMahan, Gordon and Blum 2003, "Planning in the presence of cost functions controlled by an
adversary"). The payoffs are values of the position after the round. Nothing but the player's view is used.
"""
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.math cimport isfinite
from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from ..clock cimport playout_seconds
from ..game cimport Game, State, View
from ..game_table cimport game_t
from ..in_use cimport begin_change, begin_reading, end_change, end_reading
from ..nets.net cimport Net
from ..rng cimport rng_seed
from ..sealed_bids cimport MAX_POSITION, MAX_PURSE, MAX_UNITS, SEALED_BIDS, sealed_bid_t, sealed_bids_t
from .belief cimport divide_purses, weigh_purses
from .growth cimport ITERATIONS, MOST_FAILED, begin, grow
from .regrets cimport solve_matrix
from .stage cimport MAX_TYPES, stage_t, values_after

from ..arguments import seed_bits, shown

cdef enum:
    LAST_ITERATIONS = 400       # of regret matching before the strategy is played


cdef bint is_last_round(const stage_t *stage) noexcept nogil:
    """Return True if the game is over after the round even if nobody bids."""
    cdef char position[MAX_POSITION]
    cdef sealed_bid_t none
    memset(&none, 0, sizeof(none))
    memcpy(position, stage.position, stage.bids.position_size)
    stage.bids.settle(stage.game, position, &none, &none)
    return stage.bids.nearness(stage.game, position) >= 0


cdef class RoundSolver:
    """The solver of one round for one player.

    Args:
        position: a view, or a state; with a state, the rival's purse is known.
        player: who solves.
        types: quantiles of the rival's purse, 1 to 8.
        seed: root of the random stream.
        net: values positions after the round; None: the game's own estimate.
        naive: probability, in [0, 1], that the rival is naive: it answers random bids. 0: the strategies approach an
            equilibrium. The naive bids enter the matrix while it grows.

    While one thread uses `grow` or `settle`, any other use raises BusyError.

    Raises:
        TypeError: the game has no sealed bids.
        ValueError: the player does not decide, a number is out of range, or the net does not fit the game.
    """
    def __cinit__(self, position, int player, *, int types=5, seed=0, Net net=None, double naive=0):
        cdef State seen
        cdef const game_t *game
        cdef const sealed_bids_t *bids
        cdef stage_t *stage
        cdef double weights[MAX_PURSE + 1]
        cdef char first[MAX_POSITION]
        cdef int32_t low, high, unit, i
        cdef bint hidden = isinstance(position, View)
        if hidden:
            seen = (<View> position).redacted()
            player = (<View> position).player
        elif isinstance(position, State):
            seen = position.clone()
        else:
            raise TypeError(f"{type(position).__name__} is not a position; valid: a view or a state")
        game = &seen.game.table
        if not has_sealed_bids(seen.game):
            raise TypeError(f"{seen.game.spec} has no sealed bids")
        bids = <const sealed_bids_t *> PyCapsule_GetPointer((<object> seen.game).sealed_bids, SEALED_BIDS)
        if not 1 <= types <= MAX_TYPES:
            raise ValueError(f"types={types}; valid: 1 to {MAX_TYPES}")
        if not 0 <= naive <= 1:
            raise ValueError(f"naive={naive}; valid: 0 to 1")
        if player not in (0, 1) or game.acting(game, seen.data) != 3:
            raise ValueError(f"player {player} has nothing to bid; valid: 0 or 1, before the end of the game")
        if net is not None and not fits_rounds(seen.game, net):
            raise ValueError(f"a net with {net.net.num_inputs} inputs in {net.net.num_blocks} blocks and "
                             f"{net.net.num_outputs} outputs does not fit {seen.game.spec}")
        self.stage = stage = <stage_t *> calloc(1, sizeof(stage_t))
        if stage == NULL:
            raise MemoryError
        self.game = seen.game
        self.is_first = not hidden and seen == seen.game.new_initial_state()
        rng_seed(&stage.rng, seed_bits(seed))
        stage.game = game
        stage.bids = bids
        if net is None:
            stage.leaf = bids.estimate
            stage.context = <void *> game.rules
        else:
            self.net = net
            stage.leaf = bids.net_leaf
            stage.context = bids.open_leaves(game, &net.net)
            if stage.context == NULL:
                raise MemoryError
            self.close_leaves = bids.close_leaves
        stage.player = player
        stage.naive_share = naive
        bids.position(game, seen.data, stage.position)
        stage.purse = bids.purse(stage.position, player)
        if hidden:
            bids.purse_bounds(game, seen.data, player, &low, &high)
            state = seen.game.new_initial_state()
            bids.position(game, (<State> state).data, first)
            weigh_purses(bids, seen.data, player, low, high, bids.purse(first, player), weights)
            stage.types = divide_purses(weights, low, high, types, stage.type_purse, stage.type_weight)
        else:
            low = high = bids.purse(stage.position, 1 - player)
            stage.types = 1
            stage.type_purse[0] = low
            stage.type_weight[0] = 1
        self.bounds = (low, high)
        bids.open_units(game, stage.position, stage.is_open)
        for unit in range(bids.units):
            if stage.is_open[unit]:
                stage.open[stage.num_open] = unit
                stage.num_open += 1
        for i in range(bids.num_lines):
            if (stage.is_open[bids.lines[3 * i]] or stage.is_open[bids.lines[3 * i + 1]]
                    or stage.is_open[bids.lines[3 * i + 2]]):
                if stage.num_lines < MAX_UNITS:
                    stage.lines[stage.num_lines] = i
                    stage.num_lines += 1
        if bids.batch_size and is_last_round(stage):
            self.memory = calloc(bids.batch_size + 64, 1)
            if self.memory == NULL:
                raise MemoryError
            stage.batch = <void *> ((<size_t> self.memory + 63) // 64 * 64)
        with nogil:
            begin(stage)
            solve_matrix(stage, ITERATIONS)
            stage.leaves = 0

    def __dealloc__(self):
        if self.close_leaves != NULL:
            self.close_leaves(self.stage.context)
        free(self.memory)
        free(self.stage)

    cdef int read_bid(self, bid, int32_t purse, str whose, sealed_bid_t *out) except -1:
        """Read a bid. Raises ValueError for one that is not legal with this purse; `whose` names the player."""
        cdef int32_t unit
        memset(out, 0, sizeof(sealed_bid_t))
        self.game.pack_action(bid, out.counts)
        for unit in range(self.stage.bids.units):
            out.total += out.counts[unit]
        if out.total > purse or not self.stage.bids.allowed(self.stage.game, self.stage.position, out):
            raise ValueError(f"{shown(bid)} is not a legal bid of {whose}")
        return 0

    def grow(self, leaves=None, seconds=None):
        """Add replies to the matrix, without the GIL.

        Args:
            leaves: the number of values up to which it goes on; None for no limit.
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
            self.stage.most_leaves = most
            self.stage.deadline = deadline
            grow(self.stage, &self.progress)
        end_change(&self.users)

    def settle(self):
        """Solve the matrix with many iterations, for the strategy to play.

        Raises:
            BusyError: another thread uses the solver.
        """
        begin_change(&self.users, "RoundSolver")
        with nogil:
            solve_matrix(self.stage, LAST_ITERATIONS)
        end_change(&self.users)

    @property
    def leaves(self):
        """Values of positions computed so far, without those of the first matrix."""
        cdef int64_t leaves
        begin_reading(&self.users, "RoundSolver")
        leaves = self.stage.leaves
        end_reading(&self.users)
        return leaves

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
        """The purses of the rival that the solver considers, each with its probability."""
        cdef int i
        return [(self.stage.type_purse[i], self.stage.type_weight[i]) for i in range(self.stage.types)]

    @property
    def value(self):
        """Value of the player in [0, 1] by both sides' average strategies, the rival's with its naive part."""
        cdef double value
        begin_reading(&self.users, "RoundSolver")
        value = self.stage.outcome
        end_reading(&self.users)
        return min(max(value, 0.0), 1.0)     # the sum of single-precision products can be just outside

    def values_after(self, own, other):
        """Return (purse, value) for each type of the rival that can pay for its bid: the player's value after two bids.

        Args:
            own: a bid of the player.
            other: a bid of the rival.

        Raises:
            ValueError: a bid is not legal, or no type can pay for it.
            BusyError: another thread uses the solver.
        """
        cdef sealed_bid_t mine
        cdef sealed_bid_t theirs
        cdef stage_t *stage = self.stage
        cdef int32_t purses[MAX_TYPES]
        cdef double out[MAX_TYPES]
        cdef int64_t leaves
        cdef int32_t count = 0, i
        self.read_bid(own, stage.purse, "the player", &mine)
        self.read_bid(other, max([purse for purse, _ in self.types]), "the rival", &theirs)
        for i in range(stage.types):
            if theirs.total <= stage.type_purse[i]:
                purses[count] = stage.type_purse[i]
                count += 1
        begin_change(&self.users, "RoundSolver")
        leaves = stage.leaves
        values_after(stage, &mine, &theirs, stage.player, stage.purse, purses, count, out)
        stage.leaves = leaves       # these are not of the search
        end_change(&self.users)
        return [(purses[i], out[i]) for i in range(count)]

    def strategy(self, double least=0.0):
        """Return bids of the player with their probabilities.

        least: bids of a smaller probability are left out; the most probable one stays.
        """
        cdef int i
        begin_reading(&self.users, "RoundSolver")
        try:
            found = [(self.game.unpack_action(<const void *> self.stage.own[i].counts), self.stage.own_average[i])
                     for i in range(self.stage.own_count)]
        finally:
            end_reading(&self.users)
        most = max(weight for _, weight in found)
        found = [(bid, weight) for bid, weight in found if weight >= min(least, most)]
        total = sum(weight for _, weight in found)
        return [(bid, weight / total) for bid, weight in found]

    def size(self):
        """Return the numbers of bids of the player and of the rival in the matrix."""
        cdef int32_t own, rival
        begin_reading(&self.users, "RoundSolver")
        own = self.stage.own_count
        rival = self.stage.rival_count
        end_reading(&self.users)
        return own, rival


def has_sealed_bids(Game game not None):
    """Return True if a game offers what RoundSolver needs."""
    capsule = getattr(game, "sealed_bids", None)
    return (type(capsule).__name__ == "PyCapsule" and PyCapsule_IsValid(capsule, SEALED_BIDS)
            and (<const sealed_bids_t *> PyCapsule_GetPointer(capsule, SEALED_BIDS)).game == &game.table)


def fits_rounds(Game game not None, Net net not None):
    """Return True if a net can value the positions of a game with sealed bids."""
    cdef const sealed_bids_t *bids
    if not has_sealed_bids(game):
        return False
    bids = <const sealed_bids_t *> PyCapsule_GetPointer((<object> game).sealed_bids, SEALED_BIDS)
    return bids.net_leaf != NULL and bids.fits_net(&net.net)
