"""Dark m,n,k: k in a row by players who see their own marks, and those of the other on which they tried to mark.

What a player knows is the sequence of its own tries, and which of them were refused. Together with whose turn it is,
it tells how many turns both had, but not how often the other was refused.
"""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t
from libc.string cimport memset

from ..game.game cimport Game
from ..game.game_table cimport game_t, hash_state, put_encoding, put_rules
from ..primitives.bits cimport popcount64
from ..primitives.rng cimport rng_below, rng_seed, rng_t
from .common.cells cimport NOBODY, list_cells, put_score, winner_score
from .common.encoding cimport put_cells, put_choice
from .common.lines cimport has_run, lay_out_runs, runs_of_k_t

from ..errors import StateError
from ..game_info import GameInfo
from ..notation import ChoiceField, ListField, Notation
from ..parameters import Flag, Integer
from .common.board_text import BoardField, board_text, draw_board, mark_texts, read_board, read_choice
from .common.card_text import read_calls
from .common.legality import check_length

INFO = GameInfo(
    name="dark_mnk",
    summary="k in a row without seeing the marks of the other",
    players=("x", "o"),
    parameters={"m": Integer(3, 1, 5), "n": Integer(3, 1, 5), "k": Integer(3, 1, 5), "retry": Flag(True)},
    title="Dark m,n,k",
    size="3x3",
    example=".../.x./..._22_22_o",
    variants={
        "Dark tic-tac-toe": {"m": 3, "n": 3, "k": 3, "retry": True},
        "Dark tic-tac-toe, a refused try ends the turn": {"m": 3, "n": 3, "k": 3, "retry": False},
        "4 × 4, four in a row": {"m": 4, "n": 4, "k": 4, "retry": True},
        "5 × 5, four in a row": {"m": 5, "n": 5, "k": 4, "retry": True},
    },
)
KEYS = ("x_tries", "o_tries")

cdef enum:
    PLAYERS = 2
    MOST = 25                   # cells
    PENDING = 255               # a mark that is not chosen yet

cdef struct dark_t:             # the parameters and what follows from them
    uint32_t board              # all cells
    int32_t cells               # m * n
    int32_t retry
    runs_of_k_t runs

cdef struct state_t:
    uint32_t own[PLAYERS]       # cells of x and of o; in a view, of the other those that the player knows
    uint32_t tried[PLAYERS]     # cells that a player knows: it has marked them, or was refused there
    uint8_t tries[PLAYERS][MOST]  # the same cells in the order of the tries
    uint8_t count[PLAYERS]      # tries
    uint8_t turns               # turns that are over
    int8_t winner               # 0, 1 or NOBODY
    uint8_t hidden              # in a view, bit of the player whose tries it does not show
    uint8_t unused              # keeps the size a multiple of 4; always 0

cdef struct known_t:            # what the tries of a player tell of the other
    uint8_t marks[MOST]         # its own marks, in order
    uint8_t mark_turn[MOST]     # turn of the player, from 0, in which it made each
    uint8_t refused[MOST]       # marks of the other, in the order in which the player met them
    uint8_t deadline[MOST]      # number of first turns of the other in which each was made
    int32_t num_marks
    int32_t num_refused
    int32_t turns               # turns of the other that are over
    int32_t begun               # with retry one more where the other decides now


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    state.winner = NOBODY


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    if state.winner != NOBODY or (state.own[0] | state.own[1]) == (<const dark_t *> game.rules).board:
        return 0
    return 1u << (state.turns & 1)


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    return list_cells((<const dark_t *> game.rules).board & ~(<const state_t *> data).tried[player], 0, out)


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef int32_t cell = (<const int32_t *> action)[0]
    return (0 <= cell < (<const dark_t *> game.rules).cells
            and not ((<const state_t *> data).tried[player] >> cell) & 1)


cdef inline void add_try(state_t *state, int32_t player, int32_t cell) noexcept nogil:
    state.tried[player] |= 1u << cell
    state.tries[player][state.count[player]] = <uint8_t> cell
    state.count[player] += 1


cdef void play_cell(const dark_t *dark, state_t *state, int32_t cell) noexcept nogil:
    cdef int32_t player = state.turns & 1
    add_try(state, player, cell)
    if (state.own[1 - player] >> cell) & 1:
        state.turns += not dark.retry
        return
    state.own[player] |= 1u << cell
    state.turns += 1
    if has_run(&dark.runs, state.own[player], dark.runs.steps):
        state.winner = <int8_t> player


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    play_cell(<const dark_t *> game.rules, state, (<const int32_t *> joint)[state.turns & 1])


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    put_score(winner_score((<const state_t *> data).winner), out)


cdef void redact(const game_t *game, void *data, int32_t player) noexcept nogil:
    """Hide the tries of the other and its marks, except those that the player has met, until the end."""
    cdef state_t *state = <state_t *> data
    cdef int32_t other = 1 - player
    if acting(game, data):
        state.own[other] &= state.tried[player]
        state.tried[other] = state.count[other] = 0
        memset(state.tries[other], 0, MOST)
        state.hidden = 1u << other


cdef void learn(const dark_t *dark, const state_t *state, int32_t player, known_t *known) noexcept nogil:
    """Write what the tries of a player tell of the other."""
    cdef int32_t i, cell, turn = 0
    known.num_marks = known.num_refused = 0
    known.turns = (state.turns + player) // 2
    known.begun = known.turns + (1 if dark.retry and (state.turns & 1) != player else 0)
    for i in range(state.count[player]):
        cell = state.tries[player][i]
        if (state.own[player] >> cell) & 1:
            known.marks[known.num_marks], known.mark_turn[known.num_marks] = <uint8_t> cell, <uint8_t> turn
            known.num_marks += 1
            turn += 1
        else:
            known.refused[known.num_refused] = <uint8_t> cell
            known.deadline[known.num_refused] = <uint8_t> (turn + player)
            known.num_refused += 1
            turn += not dark.retry


cdef bint may_lose_turn(const known_t *known, int32_t turn, int32_t marks) noexcept nogil:
    """Return True if the other can be refused in a turn and still make the marks that the player met, in time.

    marks: those that the other made before.
    """
    cdef int32_t i
    for i in range(known.num_refused):
        if known.deadline[i] > turn and marks + known.deadline[i] - turn - 1 < i + 1:
            return False
    return True


cdef int32_t draw_tries(const dark_t *dark, state_t *state, int32_t player, const known_t *known, bint often,
                        uint8_t *marks_after, rng_t *rng) noexcept nogil:
    """Draw the tries of the other, with PENDING for its marks. Return how many, or -1 if nothing fits the view.

    often: True to be refused as often and as early as possible.
    marks_after: receives its marks after each number of turns.
    """
    cdef uint8_t hidden[MOST]   # marks of the player that the other does not know
    cdef int32_t other = 1 - player, turn, made = 0, num_hidden = 0, marks = 0, blank, chosen
    cdef bint is_refused
    state.tried[other] = state.count[other] = 0
    marks_after[0] = 0
    for turn in range(known.begun):
        while made < known.num_marks and known.mark_turn[made] <= turn - player:
            hidden[num_hidden] = known.marks[made]
            num_hidden += 1
            made += 1
        is_refused = True
        while is_refused:
            blank = dark.cells - made - marks
            if blank <= 0 or state.count[other] == dark.cells:
                return -1
            is_refused = (num_hidden > 0 and (dark.retry or may_lose_turn(known, turn, marks))
                          and (often or <int32_t> rng_below(rng, <uint32_t> (num_hidden + blank)) < num_hidden))
            if is_refused:
                chosen = <int32_t> rng_below(rng, <uint32_t> num_hidden)
                add_try(state, other, hidden[chosen])
                num_hidden -= 1
                hidden[chosen] = hidden[num_hidden]
                if not dark.retry:
                    break
            elif turn < known.turns:
                state.tries[other][state.count[other]] = PENDING
                state.count[other] += 1
                marks += 1
        if turn < known.turns:
            marks_after[turn + 1] = <uint8_t> marks
    return marks


cdef bint add_marks(const dark_t *dark, const uint8_t *cells, int32_t count, int32_t need,
                    uint32_t *marks) noexcept nogil:
    """Add `need` of `count` cells without k in a row, the first ones that fit. Return False if there are none."""
    cdef uint32_t before = marks[0]
    if need <= 0:
        return need == 0
    if count < need:
        return False
    marks[0] = before | 1u << cells[0]
    if not has_run(&dark.runs, marks[0], dark.runs.steps) and add_marks(dark, cells + 1, count - 1, need - 1, marks):
        return True
    marks[0] = before
    return add_marks(dark, cells + 1, count - 1, need, marks)


cdef void shuffle(uint8_t *cells, int32_t count, rng_t *rng) noexcept nogil:
    cdef int32_t i, j
    for i in range(count - 1, 0, -1):
        j = <int32_t> rng_below(rng, <uint32_t> (i + 1))
        cells[i], cells[j] = cells[j], cells[i]


cdef int32_t list_bytes(uint32_t cells, uint8_t *out) noexcept nogil:
    """Write cells in ascending order and return their number."""
    cdef int32_t numbers[MOST]
    cdef int32_t i, count = list_cells(cells, 0, numbers)
    for i in range(count):
        out[i] = <uint8_t> numbers[i]
    return count


cdef bint order_marks(const known_t *known, const uint8_t *marks_after, uint8_t *rest, int32_t marks, uint8_t *order,
                      rng_t *rng) noexcept nogil:
    """Put the marks of the other in an order in which the player met those that it knows. Return False if none fits.

    rest: the other marks, in any order.
    order: receives all.
    """
    cdef int32_t i, place, free
    memset(order, PENDING, MOST)
    for i in range(known.num_refused):
        if known.deadline[i] > known.turns:
            return False
        free = marks_after[known.deadline[i]] - i   # deadlines ascend
        if free <= 0:
            return False
        free = <int32_t> rng_below(rng, <uint32_t> free)
        place = 0
        while free or order[place] != PENDING:
            free -= order[place] == PENDING
            place += 1
        order[place] = known.refused[i]
    shuffle(rest, marks - known.num_refused, rng)
    i = 0
    for place in range(marks):
        if order[place] == PENDING:
            order[place] = rest[i]
            i += 1
    return True


cdef bint draw_other(const dark_t *dark, state_t *state, int32_t player, rng_t *rng) noexcept nogil:
    """Complete a view to a random state that looks the same to the player. Return False if no play leads to the view.

    First the refusals of the other are drawn, as if it tried unknown cells at random; then the cells that it marked,
    without k in a row; then their order. The draw is not uniform over the histories that look the same: the cells are
    the first ones of a random order that fit, and without retry the refusals are drawn before the cells.

    `add_marks` finds a set of cells if there is one, among 50,388 on the largest board. With retry there is one for
    any refusals, because they do not change the number of marks. Without retry there is one at least where the other
    is refused as often as possible.
    """
    cdef known_t known
    cdef uint8_t marks_after[MOST + 2]
    cdef uint8_t cells[MOST]
    cdef uint8_t order[MOST]
    cdef uint32_t met = 0, chosen, free
    cdef int32_t other = 1 - player, often, i, marks, count, need, next_mark = 0
    cdef bint found = False
    learn(dark, state, player, &known)
    for i in range(known.num_refused):
        met |= 1u << known.refused[i]
    free = dark.board & ~(state.own[player] | met)
    for often in range(1 if dark.retry else 2):
        marks = draw_tries(dark, state, player, &known, often, marks_after, rng)
        count = list_bytes(free, cells)
        shuffle(cells, count, rng)
        need, chosen = marks - known.num_refused, met
        found = need < count and add_marks(dark, cells, count, need, &chosen)
        if found:
            break
    if not found:
        return False
    list_bytes(chosen & ~met, cells)
    if not order_marks(&known, marks_after, cells, marks, order, rng):
        return False
    for i in range(state.count[other]):
        if state.tries[other][i] == PENDING:
            state.tries[other][i] = order[next_mark]
            next_mark += 1
    state.own[other] = chosen
    state.tried[other] |= chosen
    state.hidden = 0
    return True


cdef void resample(const game_t *game, void *data, int32_t player, rng_t *rng) noexcept nogil:
    if acting(game, data):
        draw_other(<const dark_t *> game.rules, <state_t *> data, player, rng)


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    """Write for each player its cells and those where it was refused, then the player to move."""
    cdef const state_t *state = <const state_t *> data
    cdef int32_t cells = (<const dark_t *> game.rules).cells, player, at = 0
    for player in range(PLAYERS):
        at = put_cells(out, at, state.own[player], cells)
        at = put_cells(out, at, state.tried[player] & ~state.own[player], cells)
    put_choice(out, at, state.turns & 1, PLAYERS)


cdef class DarkMnk(Game):
    cdef dark_t dark
    cdef tuple cells            # of the cells: row and column

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        cdef int32_t columns = self.parameters["m"], rows = self.parameters["n"], k = self.parameters["k"]
        check_length(self.spec, columns, rows, k)
        self.cells = tuple([f"{row + 1}{column + 1}" for row in range(rows) for column in range(columns)])
        self.dark.cells = columns * rows
        self.dark.board = (1u << self.dark.cells) - 1
        self.dark.retry = self.parameters["retry"]
        lay_out_runs(&self.dark.runs, columns, rows, k)
        self.table.rules = &self.dark
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = self.dark.cells
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash_state)
        self.table.redact, self.table.resample = redact, resample
        put_encoding(&self.table, 4 * self.dark.cells + PLAYERS, encode)
        self.seal()

    def notation(self):
        return Notation(BoardField("board", self.parameters["n"], self.parameters["m"], "xo"),
                        *[ListField(key) for key in KEYS],
                        ChoiceField("to_move", (*self.players, None)))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t player, i
        shown = {"board": board_text([state.own[0], state.own[1]], "xo", self.dark.cells)}
        for player in range(PLAYERS):
            shown[KEYS[player]] = (None if (state.hidden >> player) & 1 else
                                   [self.cells[state.tries[player][i]] for i in range(state.count[player])])
        shown["to_move"] = None if acting(&self.table, data) == 0 else self.players[state.turns & 1]
        return shown

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state by its tries. `resample` relies on views that tries lead to."""
        cdef state_t *state = <state_t *> data
        cdef int32_t player, cell
        init(&self.table, data)
        tries = [read_calls(given, key, self.cells) for key in KEYS]
        while acting(&self.table, data):
            player = state.turns & 1
            if state.count[player] == len(tries[player]):
                break
            cell = tries[player][state.count[player]]
            if not is_legal(&self.table, data, player, &cell):
                raise StateError(f"{KEYS[player]!r} has {self.cells[cell]} twice")
            play_cell(&self.dark, state, cell)
        for player in range(PLAYERS):
            if state.count[player] < len(tries[player]):
                raise StateError(f"{KEYS[player]!r} has {len(tries[player])} tries, but after {state.count[player]} "
                                 f"{self.players[player]} does not decide")
        return 0

    def explain_view(self, int player, given):
        cdef state_t state
        cdef rng_t rng
        cdef int32_t cell, other = 1 - player
        if given.get(KEYS[player]) is None:
            raise StateError(f"this is not a view of player {player + 1}, whose {KEYS[player]!r} it must have")
        if given.get(KEYS[other]) is not None:  # the game is over
            return given
        init(&self.table, &state)
        masks = read_board(given, "board", "xo", self.dark.cells)
        tries = read_calls(given, KEYS[player], self.cells)
        if len(set(tries)) < len(tries):
            raise StateError(f"{KEYS[player]!r} has a cell twice")
        for cell in tries:
            add_try(&state, player, cell)
        state.own[other] = <uint32_t> masks[other] & state.tried[player]
        state.own[player] = state.tried[player] & ~state.own[other]
        decides = read_choice(given, "to_move", self.players) == self.players[player]
        turns = popcount64(state.own[player]) if self.dark.retry else len(tries)
        state.turns = max(0, 2 * turns + player - (not decides))
        rng_seed(&rng, 0)
        if not draw_other(&self.dark, &state, player, &rng):
            raise StateError(f"this is not a view of player {player + 1}: no play of {self.name} leads to it")
        return {**self.state_dict(&state), **{key: given[key] for key in given if key not in ("board", *KEYS)}}

    cdef str draw_state(self, const void *data):
        shown = self.state_dict(data)
        lines = [f"{name} tried {'?' if shown[key] is None else ' '.join(shown[key]) or 'nothing'}"
                 for name, key in zip(self.players, KEYS)]
        return "\n".join([draw_board(shown["board"], self.parameters["m"]), *lines])

    cdef object words(self, int player):
        return mark_texts(self.parameters["n"], self.parameters["m"])


GAME = DarkMnk
