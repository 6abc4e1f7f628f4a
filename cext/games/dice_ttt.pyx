"""Tic-tac-toe with a die: before each mark, chance names the row in which the player must mark.

One of the free cells is drawn, each with the same probability, and the player marks any free cell in the row of that
cell. So the probability of a row is its share of the free cells, and full rows are never named.
"""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..game.game_table cimport ACTING_CHANCE, draw_weighted, game_t, put_encoding, put_rules, put_symmetries
from ..primitives.bits cimport hash_combine, lowest64, popcount64, select64
from ..primitives.rng cimport rng_below, rng_t
from .common.cells cimport NOBODY, list_cells, put_score, single_cell, winner_score
from .common.encoding cimport put_cells, put_choice
from .common.lines cimport completing_line3, has_line3

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ChoiceField, Notation
from .common.board_text import BoardField, board_text, draw_board, mark_texts, read_board, read_choice
from .common.legality import check_turns, find_winner

INFO = GameInfo(
    name="dice_ttt",
    summary="tic-tac-toe; a die names the row of each mark",
    players=("x", "o"),
    title="Dice tic-tac-toe",
    size="3x3",
    example="x../xo./o.._3_x",
    phrases={"throw": "The die shows {}"},
)

cdef enum:
    CELLS = 9
    ROWS = 3
    BOARD = 0x1FF               # all cells
    ROW = 0b111                 # the cells of the first row
    LEFT = 0b001001001          # the cells of the left column
    NO_ROW = -1                 # before the throw, and when the game is over
    MIRRORS = 2                 # symmetries: the identity, and the exchange of the left and the right column

cdef struct state_t:
    uint16_t own[2]             # cells of x and of o: bit 3 * row + column
    int8_t winner               # 0, 1 or NOBODY
    uint8_t plies               # marks made
    int8_t row                  # the row that the die has named, or NO_ROW
    uint8_t unused              # keeps the size a multiple of 8; always 0


cdef inline uint32_t free_cells(const state_t *state) noexcept nogil:
    return BOARD & ~(<uint32_t> state.own[0] | state.own[1])


cdef inline uint32_t free_in_row(const state_t *state, int32_t row) noexcept nogil:
    return free_cells(state) & (<uint32_t> ROW << (3 * row))


cdef inline bint is_over(const state_t *state) noexcept nogil:
    return state.winner != NOBODY or state.plies == CELLS


cdef inline void mark(state_t *state, int32_t cell) noexcept nogil:
    cdef int32_t player = state.plies & 1
    state.own[player] |= <uint16_t> (1 << cell)
    state.plies += 1
    state.row = NO_ROW
    if has_line3(state.own[player]):
        state.winner = <int8_t> player


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    state.own[0] = state.own[1] = 0
    state.winner = NOBODY
    state.plies = 0
    state.row = NO_ROW


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if is_over(state):
        return 0
    return ACTING_CHANCE if state.row == NO_ROW else 1u << (state.plies & 1)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return list_cells(free_in_row(state, state.row), 0, out)


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef int32_t cell = (<const int32_t *> action)[0]
    return 0 <= cell < CELLS and (free_in_row(state, state.row) >> cell) & 1


cdef int32_t chance_outcomes(const game_t *game, const void *data, int32_t *outcomes, int32_t *weights) noexcept nogil:
    """Write the rows that are not full, each with the number of its free cells as weight."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t count = 0, row
    for row in range(ROWS):
        if free_in_row(state, row):
            outcomes[count] = row
            weights[count] = popcount64(free_in_row(state, row))
            count += 1
    return count


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const int32_t *entries = <const int32_t *> joint
    if state.row == NO_ROW:
        state.row = <int8_t> entries[game.num_players]
    else:
        mark(state, entries[state.plies & 1])


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    put_score(winner_score((<const state_t *> data).winner), out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef uint64_t cells = <uint64_t> state.own[0] | <uint64_t> state.own[1] << 16
    return hash_combine(hash_combine(0, cells), <uint64_t> (state.row + 1))


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write the cells of x, the cells of o, the player to mark, the row."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t at = put_cells(out, 0, state.own[0], CELLS)
    at = put_cells(out, at, state.own[1], CELLS)
    at = put_choice(out, at, state.plies & 1, 2)
    put_choice(out, at, state.row, ROWS)


cdef inline uint16_t mirrored(uint32_t cells) noexcept nogil:
    return <uint16_t> ((cells & LEFT) << 2 | (cells & (LEFT << 1)) | (cells & (LEFT << 2)) >> 2)


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil:
    cdef state_t *state = <state_t *> data
    if symmetry:
        state.own[0] = mirrored(state.own[0])
        state.own[1] = mirrored(state.own[1])


cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil:
    return action + 2 - 2 * (action % 3) if symmetry else action


cdef int32_t canonical(const game_t *game, void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef uint32_t cells = <uint32_t> state.own[1] << 16 | state.own[0]
    if (<uint32_t> mirrored(state.own[1]) << 16 | mirrored(state.own[0])) >= cells:
        return 0
    transform(game, data, 1)
    return 1


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef rng_t local = rng[0]
    cdef int32_t outcomes[ROWS]
    cdef int32_t weights[ROWS]
    cdef uint32_t cells
    cdef int32_t count
    while not is_over(state):
        if state.row == NO_ROW:
            count = chance_outcomes(game, data, outcomes, weights)
            state.row = <int8_t> outcomes[draw_weighted(weights, count, &local)]
        cells = free_in_row(state, state.row)
        cells = <uint32_t> select64(cells, rng_below(&local, <uint32_t> popcount64(cells)))
        mark(state, lowest64(cells))
    rng[0] = local
    returns(game, data, out)


cdef uint64_t ending_actions(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.row == NO_ROW:             # throws never end the game
        return 0
    return free_in_row(state, state.row) & completing_line3(state.own[player]) | single_cell(free_cells(state))


cdef class DiceTtt(Game):
    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = CELLS
        self.table.max_legal = ROWS
        self.table.num_outcomes = ROWS
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        self.table.chance_outcomes = chance_outcomes
        put_encoding(&self.table, 2 * CELLS + 2 + ROWS, encode)
        self.table.playout = playout
        self.table.ending_actions = ending_actions
        put_symmetries(&self.table, MIRRORS, transform, transform_action, canonical)
        self.seal()

    def notation(self):
        return Notation(BoardField("board", ROWS, ROWS, "xo"), ChoiceField("row", (1, 2, 3, None)),
                        ChoiceField("to_move", (*self.players, None)))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        return {"board": board_text([state.own[0], state.own[1]], "xo", CELLS),
                "row": None if state.row == NO_ROW else state.row + 1,
                "to_move": None if is_over(state) else self.players[state.plies & 1]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. The kernels rely on a blank cell in the row that the die names."""
        cdef state_t *state = <state_t *> data
        init(&self.table, data)
        masks = read_board(given, "board", "xo", CELLS)
        state.own[0], state.own[1] = masks
        state.plies = popcount64(state.own[0] | state.own[1])
        check_turns(masks, "xo")
        state.winner = find_winner([has_line3(mask) for mask in masks], self.players, "three in a row")
        row = read_choice(given, "row", (1, 2, 3, None))
        if row is not None:
            if is_over(state):
                raise StateError(f"'row' is {row}, but the game is over; valid: null")
            if not free_in_row(state, row - 1):
                raise StateError(f"'row' is {row}, but that row is full")
            state.row = row - 1
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        mover = self.players[state.plies & 1]
        if state.winner != NOBODY:
            last = f"{self.players[state.winner]} has three in a row and wins"
        elif is_over(state):
            last = "the board is full: a draw"
        elif state.row == NO_ROW:
            last = f"the die is thrown for {mover}"
        else:
            last = f"{mover} marks a cell in row {state.row + 1}"
        return f"{draw_board(self.state_dict(data)['board'], 3)}\n{last}"

    cdef object words(self, int player):
        return mark_texts(ROWS, ROWS) if player >= 0 else ("throw(1)", "throw(2)", "throw(3)")


GAME = DiceTtt
