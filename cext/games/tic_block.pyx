"""Tic-tac-toe in turns for half of the points, then a 4x4 board on which xcplayer bridges and obplayer blocks.

A bridge is found row by row: the marks of a row that are connected to the first row, and their neighbours to the left
and right, are shifted down and intersected with the marks of the next row.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..game.game_table cimport game_t, put_encoding, put_rules, put_symmetries
from ..primitives.bits cimport hash_combine, popcount64, select64
from ..primitives.rng cimport rng_below, rng_next, rng_t
from .common.cells cimport list_cells, put_score, single_cell
from .common.encoding cimport put_cells, put_choice, put_number
from .common.lines cimport has_line3
from .common.symmetry cimport BoardSymmetries, image, least_pair, symmetries_t
from .lanes.tic_block cimport play_lanes, setup_t

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ChoiceField, Notation, NumbersField, ranges_text
from ..parameters import Choice
from .common.board_text import BoardField, board_text, draw_board, mark_texts, read_board, require
from .common.legality import check_turns, find_winner
from .common.symmetry import board_symmetries

SIMULTANEOUS, ALTERNATING = "simultaneous", "alternating"
INFO = GameInfo(
    name="tic_block",
    summary="tic-tac-toe, then a 4x4 board: xcplayer bridges from top to bottom, obplayer blocks",
    players=("xcplayer", "obplayer"),
    parameters={"block_phase": Choice(SIMULTANEOUS, (SIMULTANEOUS, ALTERNATING))},
    title="Tic Block",
    size="3x3, 4x4",
    example="xxx/oo./..._50,0_x.../ox../.o../...._-",
    phrases={"reset": "resets"},
)
RESET_TEXT = "reset"

cdef enum:
    TIC_SIDE = 3
    TIC_CELLS = 9
    TIC_BOARD = 0x1FF
    BLOCK_SIDE = 4
    BLOCK_CELLS = 16
    FIRST_ROW = 0xF             # of the 4x4 board
    BLOCK_BOARD = 0xFFFF
    # actions: 0 to 8 mark the tic board, then
    RESET_ACTION = 9
    FIRST_BLOCK_ACTION = 10     # + cell
    NUM_ACTIONS = 26
    # points of the first part for xcplayer; obplayer has the rest of 50
    TIC_WON = 50
    TIC_DRAWN = 25
    TIC_LOST = 0
    BRIDGE_SCORE = 50

cdef enum stage_t:
    TIC_STAGE
    RESET_STAGE                 # the tic board is decided or full
    BLOCK_STAGE
    OVER

cdef struct tic_block_t:        # the parameters and what follows from them
    int32_t simultaneous        # 1 if both mark simultaneously in the block phase
    const symmetries_t *of_tic  # 8: rotations and reflections of the 3x3 board
    const symmetries_t *of_block    # 4: reflections only, since bridges connect the first and the last row

cdef struct state_t:
    uint16_t tic[2]             # cells of xcplayer and of obplayer on the 3x3 board
    uint16_t block[2]           # and on the 4x4 board
    uint8_t stage               # a stage_t
    uint8_t tic_score           # of xcplayer after the tic stage, 0 before
    uint8_t bridged             # 1 if there is a bridge
    uint8_t unused[5]           # keeps the size a multiple of 8; always 0


cdef inline bint has_bridge(uint32_t own) noexcept nogil:
    """Return True if these cells of the 4x4 board contain a bridge from the first row to the last."""
    cdef uint32_t reached = own & 0xF
    reached = (reached << 3 | reached << 4 | reached << 5) & own & 0xF0
    reached = (reached << 3 | reached << 4 | reached << 5) & own & 0xF00
    reached = (reached << 3 | reached << 4 | reached << 5) & own & 0xF000
    return reached != 0


cdef inline int32_t tic_mover(const state_t *state) noexcept nogil:
    return popcount64(state.tic[0] | state.tic[1]) & 1


cdef inline int32_t block_mover(const state_t *state) noexcept nogil:
    """Return the next player to mark in an alternating block phase."""
    return popcount64(state.block[0] | state.block[1]) & 1


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    state.tic[0] = state.tic[1] = state.block[0] = state.block[1] = 0
    state.stage = TIC_STAGE
    state.tic_score = state.bridged = 0


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.stage == TIC_STAGE:
        return 1u << tic_mover(state)
    if state.stage == OVER:
        return 0
    if state.stage == RESET_STAGE or (<const tic_block_t *> game.rules).simultaneous:
        return 3
    return 1u << block_mover(state)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.stage == RESET_STAGE:
        out[0] = RESET_ACTION
        return 1
    if state.stage == TIC_STAGE:
        return list_cells(TIC_BOARD & ~(state.tic[0] | state.tic[1]), 0, out)
    return list_cells(BLOCK_BOARD & ~(state.block[0] | state.block[1]), FIRST_BLOCK_ACTION, out)


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *given) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t action = (<const int32_t *> given)[0]
    if state.stage == RESET_STAGE:
        return action == RESET_ACTION
    if state.stage == TIC_STAGE:
        return 0 <= action < TIC_CELLS and not (state.tic[0] | state.tic[1]) >> action & 1
    return (FIRST_BLOCK_ACTION <= action < NUM_ACTIONS
            and not (state.block[0] | state.block[1]) >> (action - FIRST_BLOCK_ACTION) & 1)


cdef void settle(state_t *state) noexcept nogil:
    """Set the stage, the tic score and the bridge of a state after new marks."""
    cdef int32_t player
    if state.stage == TIC_STAGE:
        for player in range(2):
            if has_line3(state.tic[player]):
                state.tic_score = TIC_LOST if player else TIC_WON
                state.stage = RESET_STAGE
                return
        if (state.tic[0] | state.tic[1]) == TIC_BOARD:
            state.tic_score = TIC_DRAWN
            state.stage = RESET_STAGE
    elif has_bridge(state.block[0]):
        state.bridged = 1
        state.stage = OVER
    elif (state.block[0] | state.block[1]) == BLOCK_BOARD:
        state.stage = OVER


cdef void apply(const game_t *game, void *data, const void *given) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const int32_t *joint = <const int32_t *> given
    cdef uint32_t x_cell, o_cell
    cdef int32_t player
    if state.stage == RESET_STAGE:
        state.stage = BLOCK_STAGE
        return
    if state.stage == TIC_STAGE:
        player = tic_mover(state)
        state.tic[player] |= 1u << joint[player]
    elif (<const tic_block_t *> game.rules).simultaneous:
        x_cell = 1u << (joint[0] - FIRST_BLOCK_ACTION)
        o_cell = 1u << (joint[1] - FIRST_BLOCK_ACTION)
        state.block[0] |= x_cell & ~o_cell      # the same cell goes to obplayer
        state.block[1] |= o_cell
    else:
        player = block_mover(state)
        state.block[player] |= 1u << (joint[player] - FIRST_BLOCK_ACTION)
    settle(state)


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    put_score(state.tic_score + BRIDGE_SCORE * state.bridged, out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return hash_combine(hash_combine(0, state.tic[0] | <uint64_t> state.tic[1] << 16
                                     | <uint64_t> state.block[0] << 32 | <uint64_t> state.block[1] << 48), state.stage)


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write both players' cells on the 3x3 and the 4x4 board, the stage, the deciding players, the tic score / 50."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t at = put_cells(out, 0, state.tic[0], TIC_CELLS)
    at = put_cells(out, at, state.tic[1], TIC_CELLS)
    at = put_cells(out, at, state.block[0], BLOCK_CELLS)
    at = put_cells(out, at, state.block[1], BLOCK_CELLS)
    at = put_choice(out, at, state.stage, OVER + 1)
    at = put_cells(out, at, acting(game, data), 2)
    put_number(out, at, <double> state.tic_score / TIC_WON)


cdef inline int32_t tic_part(int32_t symmetry) noexcept nogil:
    """Return the symmetry of the 3x3 board. The boards are independent: a symmetry is a pair, one for each board."""
    return symmetry >> 2


cdef inline int32_t block_part(int32_t symmetry) noexcept nogil:
    return symmetry & 3


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const tic_block_t *rules = <const tic_block_t *> game.rules
    cdef int32_t player
    for player in range(2):
        state.tic[player] = <uint16_t> image(rules.of_tic, state.tic[player], tic_part(symmetry))
        state.block[player] = <uint16_t> image(rules.of_block, state.block[player], block_part(symmetry))


cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil:
    cdef const tic_block_t *rules = <const tic_block_t *> game.rules
    if action < TIC_CELLS:
        return rules.of_tic.cell[tic_part(symmetry)][action]
    if action == RESET_ACTION:
        return action
    return FIRST_BLOCK_ACTION + rules.of_block.cell[block_part(symmetry)][action - FIRST_BLOCK_ACTION]


cdef inline int32_t least_board(const symmetries_t *symmetries, uint16_t *own) noexcept nogil:
    """Replace a board of both players by its least image and return the symmetry."""
    cdef uint64_t x = own[0], o = own[1]
    cdef int32_t symmetry = least_pair(symmetries, &x, &o)
    own[0] = <uint16_t> x
    own[1] = <uint16_t> o
    return symmetry


cdef int32_t canonical(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const tic_block_t *rules = <const tic_block_t *> game.rules
    cdef int32_t symmetry = 0
    if state.tic[0] | state.tic[1]:
        symmetry = least_board(rules.of_tic, state.tic) << 2
    if state.block[0] | state.block[1]:
        symmetry |= least_board(rules.of_block, state.block)
    return symmetry


cdef bint reduce(const game_t *game, void *data, double *offset) noexcept nogil:
    """Drop the 3x3 board after the tic stage; its score is a constant then."""
    cdef state_t *state = <state_t *> data
    offset[0] = offset[1] = 0.0
    if state.stage == TIC_STAGE:
        return False
    offset[0] = state.tic_score
    offset[1] = -offset[0]
    state.tic[0] = state.tic[1] = 0
    state.tic_score = 0
    return True


cdef inline uint32_t beside(uint32_t row) noexcept nogil:
    """Return the cells of a row that are in the same column as some of its cells or in the next one."""
    return (row << 1 | row | row >> 1) & FIRST_ROW


cdef uint32_t bridging(uint32_t own, uint32_t blank) noexcept nogil:
    """Return the blank cells of the 4x4 board that complete a bridge: one in each row continues both of its parts."""
    cdef uint32_t from_above = FIRST_ROW, found = 0
    cdef uint32_t from_below[BLOCK_SIDE]    # [row]: cells of that row from which own marks lead to the last row
    cdef int32_t row
    from_below[BLOCK_SIDE - 1] = FIRST_ROW
    for row in range(BLOCK_SIDE - 1, 0, -1):
        from_below[row - 1] = beside(from_below[row] & own >> BLOCK_SIDE * row)
    for row in range(BLOCK_SIDE):
        found |= (from_above & from_below[row]) << BLOCK_SIDE * row
        from_above = beside(from_above & own >> BLOCK_SIDE * row)
    return found & blank


cdef uint64_t ending_actions(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef bint simultaneous = (<const tic_block_t *> game.rules).simultaneous
    cdef uint32_t blank = BLOCK_BOARD & ~(<uint32_t> state.block[0] | state.block[1])
    cdef uint32_t cells, last = <uint32_t> single_cell(blank)
    if state.stage != BLOCK_STAGE:
        return 0
    if simultaneous:                    # two marks may fill the board
        last = blank if single_cell(blank & (blank - 1)) or last else 0
    cells = bridging(state.block[0], blank)
    if player == 1:                     # any mark except on the only cell of the bridge lets the bridge stand
        cells = blank & ~<uint32_t> single_cell(cells) if simultaneous and cells else 0
    return <uint64_t> (cells | last) << FIRST_BLOCK_ACTION


cdef inline void play_tic(state_t *state, rng_t *rng) noexcept nogil:
    """Set the tic score by random play to the end of the tic stage. The tic board does not change."""
    cdef int32_t player = tic_mover(state)
    cdef uint32_t mover = state.tic[player], other = state.tic[1 - player], cell, swap
    cdef uint64_t blank = TIC_BOARD & ~(mover | other)
    cdef int32_t left
    state.tic_score = TIC_DRAWN
    for left in range(popcount64(blank), 0, -1):
        cell = <uint32_t> select64(blank, rng_below(rng, left))
        mover |= cell
        if has_line3(mover):
            state.tic_score = TIC_LOST if player else TIC_WON
            break
        blank ^= cell
        swap = mover
        mover = other
        other = swap
        player = 1 - player


cdef inline bint bridge_at_once(uint32_t x, uint64_t blank, rng_t *rng) noexcept nogil:
    """Play a simultaneous block phase at random. Return True if it ends with a bridge."""
    cdef uint32_t left = popcount64(blank), x_choice, o_choice
    cdef uint64_t x_cell, o_cell
    while left:
        x_choice = rng_below(rng, left)
        o_choice = rng_below(rng, left)
        x_cell = select64(blank, x_choice)
        o_cell = select64(blank, o_choice)
        x |= <uint32_t> (x_cell & ~o_cell)
        if has_bridge(x):
            return True
        blank &= ~(x_cell | o_cell)
        left -= 1 + (x_choice != o_choice)
    return False


cdef inline bint bridge_in_turns(uint32_t x, uint64_t blank, bint x_moves, rng_t *rng) noexcept nogil:
    """Play an alternating block phase at random. Return True if it ends with a bridge."""
    cdef uint64_t cell
    cdef int32_t left
    for left in range(popcount64(blank), 0, -1):
        cell = select64(blank, rng_below(rng, left))
        blank ^= cell
        if x_moves:
            x |= <uint32_t> cell
            if has_bridge(x):
                return True
        x_moves = not x_moves
    return False


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef rng_t local = rng[0]
    cdef uint64_t blank = BLOCK_BOARD & ~(state.block[0] | state.block[1])
    if state.stage == TIC_STAGE:
        play_tic(state, &local)
    if state.stage <= RESET_STAGE:
        rng_next(&local)        # the reset: the one legal action of each player is drawn like any other
        rng_next(&local)
    if state.stage != OVER:
        if (<const tic_block_t *> game.rules).simultaneous:
            state.bridged = bridge_at_once(state.block[0], blank, &local)
        else:
            state.bridged = bridge_in_turns(state.block[0], blank, block_mover(state) == 0, &local)
    rng[0] = local
    returns(game, data, out)


cdef void playout_lanes(const game_t *game, const void *data, uint64_t seed, int64_t count,
                        int64_t *sums) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef setup_t setup
    setup.tic = state.tic
    setup.tic_blank = TIC_BOARD & ~(state.tic[0] | state.tic[1]) if state.stage == TIC_STAGE else 0
    setup.tic_mover = tic_mover(state)
    setup.tic_drawn = TIC_DRAWN
    setup.tic_score = state.tic_score
    setup.block = state.block[0]
    setup.block_blank = BLOCK_BOARD & ~(state.block[0] | state.block[1])
    setup.simultaneous = (<const tic_block_t *> game.rules).simultaneous
    setup.block_mover = block_mover(state)
    setup.bridge_score = BRIDGE_SCORE
    play_lanes(&setup, seed, count, sums)


cdef class TicBlock(Game):
    cdef tic_block_t rules
    cdef BoardSymmetries of_tic, of_block

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        self.rules.simultaneous = self.parameters["block_phase"] == SIMULTANEOUS
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = NUM_ACTIONS
        self.table.max_legal = BLOCK_CELLS
        self.of_tic = board_symmetries(TIC_SIDE, TIC_SIDE)
        self.of_block = board_symmetries(BLOCK_SIDE, BLOCK_SIDE, turns=False)
        self.rules.of_tic = &self.of_tic.table
        self.rules.of_block = &self.of_block.table
        self.table.rules = &self.rules
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        put_encoding(&self.table, 2 * TIC_CELLS + 2 * BLOCK_CELLS + OVER + 4, encode)
        self.table.playout, self.table.playout_lanes = playout, playout_lanes
        self.table.ending_actions = ending_actions
        put_symmetries(&self.table, self.of_tic.table.count * self.of_block.table.count, transform, transform_action,
                       canonical)
        self.table.reduce = reduce
        self.seal()

    cdef object control(self, const state_t *state):
        """Return the player who marks next on the current board by its marks; None if both do."""
        if state.stage <= RESET_STAGE:
            return self.players[tic_mover(state)]
        return None if self.rules.simultaneous else self.players[block_mover(state)]

    def notation(self):
        return Notation(BoardField("tic", TIC_SIDE, TIC_SIDE, "xo"), NumbersField("tic_scores", 2, optional=True),
                        BoardField("block", BLOCK_SIDE, BLOCK_SIDE, "xo", optional=True),
                        ChoiceField("control", (*self.players, None)))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef bint blocking = state.stage > RESET_STAGE
        return {"tic": board_text([state.tic[0], state.tic[1]], "xo", TIC_CELLS),
                "tic_scores": [state.tic_score, TIC_WON - state.tic_score] if blocking else None,
                "block": board_text([state.block[0], state.block[1]], "xo", BLOCK_CELLS) if blocking else None,
                "control": self.control(state)}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. The kernels rely on a blank cell wherever a player decides."""
        cdef state_t *state = <state_t *> data
        init(&self.table, data)
        masks = read_board(given, "tic", "xo", TIC_CELLS)
        state.tic[0], state.tic[1] = masks
        check_turns(masks, "xo", " on the tic board")
        find_winner([has_line3(mask) for mask in masks], self.players, "a line on the tic board")
        settle(state)
        if require(given, "block") is None:
            return 0
        if state.stage != RESET_STAGE:
            raise StateError("'block' must be null while the tic board is neither decided nor full")
        masks = read_board(given, "block", "xo", BLOCK_CELLS)
        state.block[0], state.block[1] = masks
        if not self.rules.simultaneous:
            check_turns(masks, "xo", " on the block board")
        state.stage = BLOCK_STAGE
        settle(state)
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef uint32_t deciding = acting(&self.table, data)
        cdef double scores[2]
        shown = self.state_dict(data)
        lines = ["tic-tac-toe", draw_board(shown["tic"], TIC_SIDE)]
        if shown["tic_scores"] is not None:
            lines += [f"xcplayer (x) {shown['tic_scores'][0]}, obplayer (o) {shown['tic_scores'][1]}", "",
                      "block: x bridges from top to bottom, o blocks", draw_board(shown["block"], BLOCK_SIDE)]
        if state.stage == OVER:
            returns(&self.table, data, scores)
            lines.append(f"{'a bridge' if state.bridged else 'no bridge'}; "
                         f"over: xcplayer (x) {scores[0]:g}, obplayer (o) {scores[1]:g}")
        elif state.stage == RESET_STAGE:
            lines.append("both to reset: the scores are recorded and the block board opens")
        elif deciding == 3:
            lines.append("both to mark at once; the same cell goes to obplayer (o)")
        else:
            lines.append(f"{shown['control']} ({'x' if deciding == 1 else 'o'}) to mark")
        return "\n".join(lines)

    cdef str action_text(self, const void *data, int player, const void *given):
        cdef int32_t action = (<const int32_t *> given)[0]
        return (*mark_texts(TIC_SIDE, TIC_SIDE), RESET_TEXT, *mark_texts(BLOCK_SIDE, BLOCK_SIDE))[action]

    cdef int parse_action(self, const void *data, int player, str text, void *action) except -1:
        cdef bint blocking = (<const state_t *> data).stage > RESET_STAGE
        marks = mark_texts(BLOCK_SIDE, BLOCK_SIDE) if blocking else mark_texts(TIC_SIDE, TIC_SIDE)
        if text != RESET_TEXT and text not in marks:
            self.refuse_text(text, ranges_text((*marks, RESET_TEXT)))
        (<int32_t *> action)[0] = (RESET_ACTION if text == RESET_TEXT else
                                   marks.index(text) + (FIRST_BLOCK_ACTION if blocking else 0))
        return 0


GAME = TicBlock
