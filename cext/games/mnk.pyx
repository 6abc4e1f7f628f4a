"""m,n,k games: m columns, n rows, k in a row wins, two players in turns."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..game.game_table cimport game_t, put_encoding, put_rules, put_symmetries
from ..primitives.bits cimport hash_combine, popcount64, select64
from ..primitives.rng cimport rng_below, rng_t
from .common.cells cimport NOBODY, list_cells, put_score, single_cell, winner_score
from .common.encoding cimport put_cells, put_choice
from .common.lane_runs cimport run_t
from .common.lines cimport DIRECTIONS, has_run, lay_out_runs, runs_of_k_t
from .common.symmetry cimport BoardSymmetries, image, least_large_pair, least_pair, symmetries_t
from .lanes.mnk cimport lines_t, play_lanes

from ..errors import ParameterError
from ..game_info import GameInfo
from ..notation import ChoiceField, Notation
from ..parameters import Integer
from .common.board_text import BoardField, board_text, draw_board, mark_texts, read_board
from .common.legality import check_length, check_turns, find_winner
from .common.symmetry import board_symmetries

INFO = GameInfo(
    name="mnk",
    summary="m columns, n rows, k in a row wins",
    players=("x", "o"),
    parameters={"m": Integer(3, 1, 64), "n": Integer(3, 1, 64), "k": Integer(3, 1, 64)},
    title="m,n,k: k in a row",
    size="3x3",
    example="xxo/.x./o.o_x",
    variants={
        "Tic-tac-toe": {"m": 3, "n": 3, "k": 3},
        "5 × 5, four in a row": {"m": 5, "n": 5, "k": 4},
        "7 × 7, five in a row": {"m": 7, "n": 7, "k": 5},
        "8 × 8, five in a row": {"m": 8, "n": 8, "k": 5},
    },
)

cdef enum:
    MAX_CELLS = 64

cdef struct mnk_t:              # the parameters and what follows from them
    uint64_t board              # all cells
    runs_of_k_t runs
    int32_t cells               # m * n
    int32_t k
    lines_t lines               # the same runs of k, for play in lanes
    const symmetries_t *symmetries

cdef struct state_t:
    uint64_t own[2]             # cells of x and of o
    int8_t winner               # 0, 1 or NOBODY
    uint8_t plies               # marks made
    uint8_t unused[6]           # keeps the size a multiple of 8; always 0


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    state.own[0] = state.own[1] = 0
    state.winner = NOBODY
    state.plies = 0


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.winner != NOBODY or state.plies == (<const mnk_t *> game.rules).cells:
        return 0
    return 1u << (state.plies & 1)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return list_cells((<const mnk_t *> game.rules).board & ~(state.own[0] | state.own[1]), 0, out)


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef const mnk_t *mnk = <const mnk_t *> game.rules
    cdef int32_t cell = (<const int32_t *> action)[0]
    return 0 <= cell < mnk.cells and not ((state.own[0] | state.own[1]) >> cell) & 1


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const mnk_t *mnk = <const mnk_t *> game.rules
    cdef int32_t player = state.plies & 1
    state.own[player] |= <uint64_t> 1 << (<const int32_t *> joint)[player]
    state.plies += 1
    if has_run(&mnk.runs, state.own[player], mnk.runs.steps):
        state.winner = player


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    put_score(winner_score((<const state_t *> data).winner), out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return hash_combine(hash_combine(0, state.own[0]), state.own[1])


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write the cells of x, the cells of o, the player to move."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t cells = (<const mnk_t *> game.rules).cells
    cdef int32_t at = put_cells(out, 0, state.own[0], cells)
    at = put_cells(out, at, state.own[1], cells)
    put_choice(out, at, state.plies & 1, 2)


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const symmetries_t *symmetries = (<const mnk_t *> game.rules).symmetries
    state.own[0] = image(symmetries, state.own[0], symmetry)
    state.own[1] = image(symmetries, state.own[1], symmetry)


cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil:
    return (<const mnk_t *> game.rules).symmetries.cell[symmetry][action]


cdef int32_t canonical(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const mnk_t *mnk = <const mnk_t *> game.rules
    if mnk.cells <= 32:
        return least_pair(mnk.symmetries, &state.own[0], &state.own[1])
    return least_large_pair(mnk.symmetries, &state.own[0], &state.own[1])


cdef inline int32_t play_out(const mnk_t *mnk, state_t *state, rng_t *rng, int32_t steps) noexcept nogil:
    """Fill the boards by random play and return the winner. A constant `steps` lets the compiler unroll `has_run`."""
    cdef rng_t local = rng[0]
    cdef uint64_t mover = state.own[state.plies & 1], other = state.own[1 - (state.plies & 1)]
    cdef uint64_t blank = mnk.board & ~(mover | other), cell, swap
    cdef int32_t player = state.plies & 1
    cdef uint32_t left
    cdef int32_t winner = NOBODY
    for left in range(popcount64(blank), 0, -1):
        cell = select64(blank, rng_below(&local, left))
        mover |= cell
        if has_run(&mnk.runs, mover, steps):
            winner = player
            break
        blank ^= cell
        swap = mover
        mover = other
        other = swap
        player = 1 - player
    rng[0] = local
    state.own[player] = mover
    state.own[1 - player] = other
    return winner


cdef void playout_lanes(const game_t *game, const void *data, uint64_t seed, int64_t count,
                        int64_t *sums) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef const mnk_t *mnk = <const mnk_t *> game.rules
    play_lanes(&mnk.lines, mnk.board, state.own, state.plies & 1, seed, count, sums)


cdef inline uint64_t completing(const mnk_t *mnk, uint64_t own, int32_t k) noexcept nogil:
    """Return the cells that are the only missing ones of k in a row. `k` is mnk.k, or a constant of the same value."""
    cdef uint64_t found = 0, before, missing
    cdef uint64_t after[MAX_CELLS]     # after[i]: starts of runs whose cells behind the i-th are marked
    cdef int32_t d, i, shift
    for d in range(DIRECTIONS):
        shift = mnk.runs.shift[d][0]
        if shift == 0 and k > 1:
            continue
        after[k - 1] = before = mnk.runs.start[d]
        for i in range(k - 1, 0, -1):
            after[i - 1] = after[i] & own >> i * shift
        for i in range(k):
            missing = before & after[i]
            found |= missing << i * shift
            before &= own >> i * shift
    return found & ~own


cdef uint64_t ending_actions(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef const mnk_t *mnk = <const mnk_t *> game.rules
    cdef uint64_t own = state.own[player], blank = mnk.board & ~(own | state.own[1 - player])
    if state.plies >> 1 < mnk.k - 1:    # too few own marks for a line
        return single_cell(blank)
    if mnk.k == 3:
        return completing(mnk, own, 3) & blank | single_cell(blank)
    if mnk.k == 4:
        return completing(mnk, own, 4) & blank | single_cell(blank)
    if mnk.k == 5:
        return completing(mnk, own, 5) & blank | single_cell(blank)
    return completing(mnk, own, mnk.k) & blank | single_cell(blank)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const mnk_t *mnk = <const mnk_t *> game.rules
    cdef uint64_t x = state.own[0], o = state.own[1]
    if state.winner == NOBODY:
        if mnk.runs.steps == 2:
            state.winner = play_out(mnk, state, rng, 2)
        elif mnk.runs.steps == 3:
            state.winner = play_out(mnk, state, rng, 3)
        else:
            state.winner = play_out(mnk, state, rng, mnk.runs.steps)
    returns(game, data, out)
    if played != NULL:
        played[0] |= state.own[0] & ~x
        played[1] |= state.own[1] & ~o


cdef class Mnk(Game):
    cdef mnk_t mnk
    cdef BoardSymmetries symmetries

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        cdef int32_t columns = self.parameters["m"], rows = self.parameters["n"], k = self.parameters["k"]
        if columns * rows > 64:
            raise ParameterError(f"{self.spec} has {columns * rows} cells; valid: m * n up to 64")
        check_length(self.spec, columns, rows, k)
        self.lay_out_lines(columns, rows, k)
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = columns * rows
        self.symmetries = board_symmetries(rows, columns)
        self.mnk.symmetries = &self.symmetries.table
        self.table.rules = &self.mnk
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        put_encoding(&self.table, 2 * self.mnk.cells + 2, encode)
        self.table.playout, self.table.playout_lanes, self.table.playout_records = playout, playout_lanes, True
        self.table.ending_actions = ending_actions
        put_symmetries(&self.table, self.symmetries.table.count, transform, transform_action, canonical)
        self.seal()

    cdef int lay_out_lines(self, int columns, int rows, int k) except -1:
        cdef int cell, d
        self.mnk.k = self.mnk.lines.length = k
        self.mnk.cells = columns * rows
        self.mnk.board = <uint64_t> -1 >> (64 - columns * rows)
        lay_out_runs(&self.mnk.runs, columns, rows, k)
        for d in range(DIRECTIONS):
            for cell in range(columns * rows):
                if self.mnk.runs.start[d] >> cell & 1:
                    self.mnk.lines.runs[self.mnk.lines.count] = run_t(cell, self.mnk.runs.stride[d])
                    self.mnk.lines.count += 1
        return 0

    def notation(self):
        return Notation(BoardField("board", self.parameters["n"], self.parameters["m"], "xo"),
                        ChoiceField("to_move", (*self.players, None)))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        return {"board": board_text([state.own[0], state.own[1]], "xo", self.mnk.cells),
                "to_move": None if acting(&self.table, data) == 0 else self.players[state.plies & 1]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. The kernels rely on marks of different cells, and take plies and winner as given."""
        cdef state_t *state = <state_t *> data
        cdef const runs_of_k_t *runs = &self.mnk.runs
        init(&self.table, data)
        masks = read_board(given, "board", "xo", self.mnk.cells)
        state.own[0], state.own[1] = masks
        state.plies = popcount64(state.own[0] | state.own[1])
        check_turns(masks, "xo")
        state.winner = find_winner([has_run(runs, mask, runs.steps) for mask in masks], self.players,
                                   f"{self.mnk.k} in a row")
        return 0

    cdef str draw_state(self, const void *data):
        return draw_board(self.state_dict(data)["board"], self.parameters["m"])

    cdef object words(self, int player):
        return mark_texts(self.parameters["n"], self.parameters["m"])


GAME = Mnk
