"""Three players in turns on 5x5: four in a row ends the game; lines of three rank the players without a four.

A player's board is 25 bits, row by row. On the flat board lines are found by shifts of the board: a bit remains where a
run starts, and a mask removes runs that would wrap around an edge. On the torus a four is four of the five cells of one
of the 20 closed lines. Runs of three are found on a board that is repeated beyond its right and lower edges.
"""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..game.game_table cimport game_t, put_encoding, put_rules, put_symmetries
from ..primitives.bits cimport hash_combine, lowest64, popcount64, select64
from ..primitives.rng cimport rng_back, rng_below, rng_t
from .common.cells cimport NOBODY, list_cells
from .common.encoding cimport put_cells, put_choice
from .common.symmetry cimport BoardSymmetries, IMAGES, all_images, image, symmetries_t
from .lanes.three_player_ttt cimport lay_out_runs, lines_t, play_lanes, setup_t

from ..game_info import GameInfo
from ..notation import ChoiceField, Notation
from ..parameters import Flag
from .common.board_text import BoardField, board_text, draw_board, mark_texts, read_board
from .common.legality import check_turns, find_winner
from .common.symmetry import board_symmetries

INFO = GameInfo(
    name="three_player_ttt",
    summary="three players on 5x5, four in a row; lines of three rank the others",
    players=("xplayer", "oplayer", "zplayer"),
    parameters={"torus": Flag(False)},
    utility_sum=None,
    title="Three-player tic-tac-toe",
    size="5x5",
    example="x.o../.xz../o.xz./..o.z/....._xplayer",
    variants={"Flat board": {"torus": False}, "Torus: lines go on over the edges": {"torus": True}},
    score="returns",
)
SYMBOLS = "xoz"

cdef enum:
    SIDE = 5
    CELLS = 25
    PLAYERS = 3
    DIRECTIONS = 4
    FIRST_FOUR = 9              # number of marks before any player can have four
    BOARD = 0x1FFFFFF           # all cells
    FIRST_COLUMN = 0x108421
    # cells from which a run of four, or of three, stays on the flat board: right, down, down right, down left
    FOUR_RIGHT = 0x318C63
    FOUR_DOWN = 0x3FF
    FOUR_DOWN_RIGHT = 0x63
    FOUR_DOWN_LEFT = 0x318
    THREE_RIGHT = 0x739CE7
    THREE_DOWN = 0x7FFF
    THREE_DOWN_RIGHT = 0x1CE7
    THREE_DOWN_LEFT = 0x739C

# The torus unrolled: rows of 8 bits, of which 0 to 4 are the board and 5 to 7 repeat 0 to 2; rows 5 to 7 likewise.
cdef uint64_t UNROLLED = 0x1F1F1F1F1F           # the board itself
cdef uint64_t UNROLLED_LEFT = 0x0707070707      # its columns 0 to 2

cdef struct three_t:                            # the parameters and what follows from them
    uint32_t line[CELLS][DIRECTIONS]            # the closed lines of five through a cell, on the torus
    double without_four[2]                      # returns if nobody has a four: without and with a three
    double beside_four[2]                       # returns of the others if a player has a four: without and with a three
    double with_four                            # return of the player who has a four
    int32_t torus                               # 1 if lines wrap around the edges
    lines_t lines                               # the lines again, for play in lanes
    const symmetries_t *symmetries              # 8: rotations and reflections of the square

cdef struct state_t:
    uint32_t own[PLAYERS]       # cells of each player
    uint8_t plies               # marks made
    int8_t winner               # player with four in a row, or NOBODY
    uint8_t unused[2]           # keeps the size a multiple of 8; always 0


cdef inline uint32_t runs(uint32_t own, int32_t shift, int32_t more, uint32_t start) noexcept nogil:
    """Return the cells of `start` from which a run goes: of three cells if `more` is 1, of four if it is 2."""
    cdef uint32_t pairs = own & own >> shift
    return pairs & pairs >> more * shift & start


cdef inline uint32_t flat_fours(uint32_t own) noexcept nogil:
    """Return a value other than 0 if four of these cells are in a row."""
    return (runs(own, 1, 2, FOUR_RIGHT) | runs(own, 5, 2, FOUR_DOWN) | runs(own, 6, 2, FOUR_DOWN_RIGHT)
            | runs(own, 4, 2, FOUR_DOWN_LEFT))


cdef inline uint32_t flat_threes(uint32_t own) noexcept nogil:
    """Return a value other than 0 if three of these cells are in a row."""
    return (runs(own, 1, 1, THREE_RIGHT) | runs(own, 5, 1, THREE_DOWN) | runs(own, 6, 1, THREE_DOWN_RIGHT)
            | runs(own, 4, 1, THREE_DOWN_LEFT))


cdef inline bint torus_four(const three_t *three, uint32_t own, int32_t cell) noexcept nogil:
    """Return True if four of these cells are in a row through `cell` on the torus: at most one of five is missing."""
    cdef uint32_t missing
    cdef bint found = False
    cdef int32_t d
    for d in range(DIRECTIONS):
        missing = three.line[cell][d] & ~own
        found |= missing & (missing - 1) == 0
    return found


cdef bint has_four(const three_t *three, uint32_t own) noexcept nogil:
    cdef int32_t cell
    if not three.torus:
        return flat_fours(own) != 0
    for cell in range(CELLS):
        if own >> cell & 1 and torus_four(three, own, cell):
            return True
    return False


cdef inline bint torus_three(uint32_t own) noexcept nogil:
    """Return True if three of these cells are in a row on the torus."""
    cdef uint64_t wide = own, pairs, found
    wide = (wide & 0x1F | (wide & 0x3E0) << 3 | (wide & 0x7C00) << 6 | (wide & 0xF8000) << 9
            | (wide & 0x1F00000) << 12)
    wide |= (wide & UNROLLED_LEFT) << SIDE
    wide |= wide << 8 * SIDE
    pairs = wide & wide >> 1
    found = pairs & pairs >> 1 & UNROLLED
    pairs = wide & wide >> 8
    found |= pairs & pairs >> 8 & UNROLLED
    pairs = wide & wide >> 9
    found |= pairs & pairs >> 9 & UNROLLED
    pairs = wide & wide >> 7
    return (found | pairs & pairs >> 7 & UNROLLED << 2) != 0


cdef inline void rank(const three_t *three, bint torus, const uint32_t *own, int32_t winner,
                      double *out) noexcept nogil:
    """Write the returns. `torus` is three.torus, or a constant of the same value."""
    cdef const double *scores = &three.without_four[0] if winner == NOBODY else &three.beside_four[0]
    cdef int32_t player
    for player in range(PLAYERS):
        out[player] = scores[torus_three(own[player]) if torus else flat_threes(own[player]) != 0]
    if winner != NOBODY:
        out[winner] = three.with_four


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    state.own[0] = state.own[1] = state.own[2] = 0
    state.plies = 0
    state.winner = NOBODY


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.winner != NOBODY or state.plies == CELLS:
        return 0
    return 1u << state.plies % PLAYERS


cdef inline uint32_t blank_cells(const state_t *state) noexcept nogil:
    return BOARD & ~(state.own[0] | state.own[1] | state.own[2])


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    return list_cells(blank_cells(<const state_t *> data), 0, out)


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef int32_t cell = (<const int32_t *> action)[0]
    return 0 <= cell < CELLS and blank_cells(<const state_t *> data) >> cell & 1


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const three_t *three = <const three_t *> game.rules
    cdef int32_t player = state.plies % PLAYERS
    cdef int32_t cell = (<const int32_t *> joint)[player]
    cdef uint32_t own = state.own[player] | 1u << cell
    state.own[player] = own
    state.plies += 1
    if torus_four(three, own, cell) if three.torus else flat_fours(own) != 0:
        state.winner = player


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef const three_t *three = <const three_t *> game.rules
    rank(three, three.torus, state.own, state.winner, out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return hash_combine(hash_combine(0, state.own[0] | <uint64_t> state.own[1] << 32), state.own[2])


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write the cells of every player and the player to move."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t at = 0, player
    for player in range(PLAYERS):
        at = put_cells(out, at, state.own[player], CELLS)
    put_choice(out, at, state.plies % PLAYERS, PLAYERS)


cdef inline uint32_t shifted(uint32_t board, int32_t shift) noexcept nogil:
    """Return a board of the torus, shifted down by shift // 5 and to the right by shift % 5 cells."""
    cdef int32_t down = shift // SIDE, right = shift % SIDE
    cdef uint32_t left_part = FIRST_COLUMN * ((1u << (SIDE - right)) - 1)   # the columns that do not wrap
    if shift == 0:
        return board
    board = (board << SIDE * down | board >> SIDE * (SIDE - down)) & BOARD
    return (board & left_part) << right | (board & ~left_part) >> (SIDE - right)


cdef inline uint32_t moved(const three_t *three, uint32_t board, int32_t symmetry) noexcept nogil:
    """Return a board, rotated or reflected by the lowest three bits of a symmetry, then shifted by the other bits."""
    return shifted(<uint32_t> image(three.symmetries, board, symmetry % IMAGES), symmetry // IMAGES)


cdef void transform(const game_t *game, void *data, int32_t symmetry) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t player
    for player in range(PLAYERS):
        state.own[player] = moved(<const three_t *> game.rules, state.own[player], symmetry)


cdef int32_t transform_action(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil:
    return lowest64(moved(<const three_t *> game.rules, 1u << action, symmetry))


cdef int32_t canonical(const game_t *game, void *data) noexcept nogil:
    """Select the least image. On the torus xplayer has the first cell, and its cells are compared first, else last."""
    cdef state_t *state = <state_t *> data
    cdef const three_t *three = <const three_t *> game.rules
    cdef uint64_t images[PLAYERS][IMAGES]
    cdef uint64_t rest, least_rest = <uint64_t> -1
    cdef uint32_t first, lead_cells, least = <uint32_t> -1
    cdef int32_t player, s, cell, shift, found = 0, lead = 0 if three.torus else 2
    if state.own[0] == 0:
        return 0
    for player in range(PLAYERS):
        all_images(three.symmetries, state.own[player], images[player])
    for s in range(IMAGES):
        first = <uint32_t> images[0][s] if three.torus else 1   # the cells that a shift may bring to the first one
        while first:
            cell = lowest64(first)
            first &= first - 1
            shift = (SIDE - cell // SIDE) % SIDE * SIDE + (SIDE - cell % SIDE) % SIDE
            lead_cells = shifted(<uint32_t> images[lead][s], shift)
            if lead_cells > least:
                continue
            rest = <uint64_t> shifted(<uint32_t> images[1][s], shift) << 32
            rest |= shifted(<uint32_t> images[2 - lead][s], shift)
            if lead_cells < least or rest < least_rest:
                least = lead_cells
                least_rest = rest
                found = shift * IMAGES + s
    state.own[lead] = least
    state.own[1] = <uint32_t> (least_rest >> 32)
    state.own[2 - lead] = <uint32_t> least_rest
    return found


cdef inline uint64_t pick(uint64_t *blank, rng_t *rng, uint32_t left) noexcept nogil:
    """Remove one of the `left` blank cells at random and return it."""
    cdef uint64_t cell = select64(blank[0], rng_below(rng, left))
    blank[0] ^= cell
    return cell


cdef inline void put_boards(state_t *state, int32_t ply, uint32_t first, uint32_t second,
                            uint32_t third) noexcept nogil:
    """Write the cells of the player who moves after `ply` plies, of the next one, and of the third."""
    state.own[ply % PLAYERS] = first
    state.own[(ply + 1) % PLAYERS] = second
    state.own[(ply + 2) % PLAYERS] = third


cdef void end_early(const three_t *three, const uint32_t *after, state_t *state, rng_t *rng,
                    double *out) noexcept nogil:
    """Write boards and returns of flat play that continued after a four, and undo the draws after it.

    after: the array of play_flat.
    """
    cdef uint32_t fours = 0
    cdef int32_t ply, _
    for ply in range(CELLS - FIRST_FOUR):       # no early exit: the compiler tests eight boards at once
        fours |= <uint32_t> (flat_fours(after[PLAYERS + FIRST_FOUR + ply]) != 0) << ply
    ply = FIRST_FOUR + lowest64(fours)
    for _ in range(CELLS - 1 - ply):
        rng_back(rng)
    put_boards(state, ply + 1, after[ply + 1], after[ply + 2], after[ply + 3])
    rank(three, False, state.own, ply % PLAYERS, out)


cdef inline void play_flat(const three_t *three, state_t *state, rng_t *rng, double *out) noexcept nogil:
    """Fill the boards by random play. Play until the flat board is full, then test if a player had a four before.

    More than half of all games fill the board, and the others end late. So the additional plies cost less than a test
    after each ply. The loop only chooses cells.
    """
    cdef uint32_t after[CELLS + PLAYERS]        # [3 + ply]: cells of the mover after that ply; 0 before this state
    cdef uint32_t *newest = after + state.plies
    cdef rng_t local = rng[0]
    cdef uint32_t first = state.own[state.plies % PLAYERS], second = state.own[(state.plies + 1) % PLAYERS]
    cdef uint32_t third = state.own[(state.plies + 2) % PLAYERS], mover
    cdef uint32_t left = CELLS - state.plies
    cdef uint64_t blank = blank_cells(state)
    cdef int32_t ply
    for ply in range(state.plies):
        after[ply] = 0
    newest[0] = first
    newest[1] = second
    newest[2] = third
    while left >= PLAYERS:
        first |= <uint32_t> pick(&blank, &local, left)
        second |= <uint32_t> pick(&blank, &local, left - 1)
        third |= <uint32_t> pick(&blank, &local, left - 2)
        newest += PLAYERS
        newest[0] = first
        newest[1] = second
        newest[2] = third
        left -= PLAYERS
    newest += PLAYERS
    while left:
        mover = first | <uint32_t> pick(&blank, &local, left)
        newest[0] = mover
        newest += 1
        first = second
        second = third
        third = mover
        left -= 1
    rng[0] = local
    if flat_fours(first) | flat_fours(second) | flat_fours(third):
        end_early(three, after, state, rng, out)
        return
    put_boards(state, CELLS, first, second, third)
    rank(three, False, state.own, NOBODY, out)


cdef void play_torus(const three_t *three, state_t *state, rng_t *rng, double *out) noexcept nogil:
    """Play at random. Test for a four after each ply that can make one."""
    cdef rng_t local = rng[0]
    cdef int32_t ply = state.plies, winner = NOBODY, cell
    cdef uint32_t first = state.own[ply % PLAYERS], second = state.own[(ply + 1) % PLAYERS]
    cdef uint32_t third = state.own[(ply + 2) % PLAYERS], newest
    cdef uint64_t blank = blank_cells(state)
    while ply < CELLS:
        cell = lowest64(pick(&blank, &local, CELLS - ply))
        newest = first | 1u << cell
        first = second
        second = third
        third = newest
        ply += 1
        if ply > FIRST_FOUR and torus_four(three, newest, cell):
            winner = (ply - 1) % PLAYERS
            break
    rng[0] = local
    put_boards(state, ply, first, second, third)
    rank(three, True, state.own, winner, out)


cdef void playout_lanes(const game_t *game, const void *data, uint64_t seed, int64_t count,
                        int64_t *sums) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef const three_t *three = <const three_t *> game.rules
    cdef setup_t setup
    setup.lines = &three.lines
    setup.without_four = three.without_four
    setup.beside_four = three.beside_four
    setup.with_four = three.with_four
    setup.own = state.own
    setup.mover = state.plies % PLAYERS
    play_lanes(&setup, blank_cells(state), seed, count, sums)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef const three_t *three = <const three_t *> game.rules
    cdef state_t before = state[0]
    cdef int32_t player
    if acting(game, data) == 0:
        returns(game, data, out)
    elif three.torus:
        play_torus(three, state, rng, out)
    else:
        play_flat(three, state, rng, out)
    if played != NULL:
        for player in range(PLAYERS):
            played[player] |= state.own[player] & ~before.own[player]


cdef class ThreePlayerTtt(Game):
    cdef three_t three
    cdef BoardSymmetries symmetries

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        cdef int cell, row, column, i
        self.three.torus = self.parameters["torus"]
        self.three.without_four = [33.0, 66.0]
        self.three.beside_four = [0.0, 66.0]
        self.three.with_four = 100.0
        for cell in range(CELLS):
            row, column = divmod(cell, SIDE)
            for i in range(SIDE):
                self.three.line[cell][0] |= 1u << (row * SIDE + i)
                self.three.line[cell][1] |= 1u << (i * SIDE + column)
                self.three.line[cell][2] |= 1u << ((row + i) % SIDE * SIDE + (column + i) % SIDE)
                self.three.line[cell][3] |= 1u << ((row + i) % SIDE * SIDE + (column + SIDE - i) % SIDE)
        lay_out_runs(&self.three.lines, self.three.torus)
        self.symmetries = board_symmetries(SIDE, SIDE)
        self.three.symmetries = &self.symmetries.table
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = CELLS
        self.table.rules = &self.three
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        put_encoding(&self.table, PLAYERS * CELLS + PLAYERS, encode)
        self.table.playout, self.table.playout_lanes, self.table.playout_records = playout, playout_lanes, True
        put_symmetries(&self.table, IMAGES * (CELLS if self.three.torus else 1), transform, transform_action, canonical)
        self.seal()

    def notation(self):
        return Notation(BoardField("board", SIDE, SIDE, SYMBOLS), ChoiceField("control", self.players))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        return {"board": board_text([state.own[0], state.own[1], state.own[2]], SYMBOLS, CELLS),
                "control": self.players[state.plies % PLAYERS]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. The kernels rely on marks in turns: nobody has a four before FIRST_FOUR of them."""
        cdef state_t *state = <state_t *> data
        init(&self.table, data)
        masks = read_board(given, "board", SYMBOLS, CELLS)
        check_turns(masks, SYMBOLS)
        state.own[0], state.own[1], state.own[2] = masks
        state.plies = CELLS - popcount64(blank_cells(state))
        state.winner = find_winner([has_four(&self.three, mask) for mask in masks], self.players, "four in a row")
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef double scores[PLAYERS]
        shown = self.state_dict(data)
        if acting(&self.table, data):
            below = f"{shown['control']} ({SYMBOLS[state.plies % PLAYERS]}) to mark"
        else:
            returns(&self.table, data, scores)
            below = "over: " + ", ".join(f"{name} ({symbol}) {score:g}"
                                         for name, symbol, score in zip(self.players, SYMBOLS, scores, strict=True))
        if self.three.torus:
            below += "\nlines wrap round the edges"
        return f"{draw_board(shown['board'], SIDE)}\n{below}"

    cdef object words(self, int player):
        return mark_texts(SIDE, SIDE)


GAME = ThreePlayerTtt
