"""Go. `rules.pxd` has the rules, `playouts.pxd` random games, `priors.pxd` what is known of moves, `position_text.py`
the texts; this fills the table.

The numbers of an encoded state: a 1 for each black stone, each white stone, and each point that the player to move may
take; for the player to move (2); the last passes; and the moves as a share of the longest game.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ...game.game cimport Game
from ...game.game_table cimport EVERY_ACTION, game_t, put_encoding, put_rules
from ...primitives.bits cimport hash_combine, mix64
from ...primitives.rng cimport rng_next, rng_t
from ..common.cells cimport put_score
from ..common.encoding cimport put_choice, put_number
from .playouts cimport draw_action, draw_guided, play_game
from .priors cimport weigh_actions
from .rules cimport (
    BLACK, BLANK_POINT, EDGE, MOST_PLACES, WHITE, add_board, closed_chain, go_t, is_over, lead, may_play, move_t,
    play, state_t,
)

from ...arguments import shown
from ...errors import ParameterError, StateError
from ...game_info import GameInfo
from ...notation import ChoiceField, ListField, Notation
from ...parameters import Integer, Real, Text
from ..common.board_text import BLANK, read_choice, require
from .position_text import COLUMNS, STONES, point_texts, read_handicap, read_keys, read_rows
from .shapes import matching_codes

INFO = GameInfo(
    name="go",
    summary="surround more points than the other player",
    players=("black", "white"),
    parameters={"size": Integer(9, 2, 19), "komi": Real(7.0, -400, 400), "handicap": Text("none", is_path=False)},
    title="Go",
    size="9x9",
    example="........./........./..b...w../..wb...../.bwwb.w../..bb...../......w../........./........._black_0_12_D5_-",
    variants={
        "5 × 5": {"size": 5, "komi": 7.5},
        "9 × 9": {"size": 9},
        "13 × 13": {"size": 13},
        "19 × 19": {"size": 19, "komi": 7.5},
    },
)


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    cdef state_t *state = <state_t *> data
    cdef int32_t place
    memset(state, 0, game.state_size)
    memcpy(state.colors, go.start, MOST_PLACES)
    state.mover = go.first
    for place in range(MOST_PLACES):
        if go.start[place] < BLANK_POINT:
            state.key ^= go.keys[go.start[place]][place]
    add_board(state, state.key)


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return 0 if is_over(<const go_t *> game.rules, state) else 1u << state.mover


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    cdef int32_t action, count = 0
    for action in range(go.points):
        if may_play(go, <const state_t *> data, go.place[action]):
            out[count] = action
            count += 1
    out[count] = go.points
    return count + 1


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    cdef int32_t number = (<const int32_t *> action)[0]
    return number == go.points or (0 <= number < go.points
                                   and may_play(go, <const state_t *> data, go.place[number]))


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    play(<const go_t *> game.rules, state, (<const int32_t *> joint)[state.mover])


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    put_lead(go, lead(go, (<const state_t *> data).colors), out)


cdef inline void put_lead(const go_t *go, int32_t points, double *out) noexcept nogil:
    put_score(50.0 + 50.0 * ((points > go.komi) - (points < go.komi)), out)


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return hash_combine(hash_combine(hash_combine(0, state.key), state.boards_key),
                        <uint64_t> state.last << 32 | <uint64_t> state.moves << 3 | state.passes << 1 | state.mover)


cdef void encode(const game_t *game, const void *data, float *out) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    cdef const state_t *state = <const state_t *> data
    cdef int32_t action, place, at = 3 * go.points
    for action in range(go.points):
        place = go.place[action]
        out[action] = state.colors[place] == BLACK
        out[go.points + action] = state.colors[place] == WHITE
        out[2 * go.points + action] = may_play(go, state, place)
    at = put_choice(out, at, state.mover, 2)
    at = put_number(out, at, state.passes)
    put_number(out, at, <double> state.moves / go.most_moves)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    put_lead(go, play_game(go, <const state_t *> data, rng, played, False), out)


cdef void guided_playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    put_lead(go, play_game(go, <const state_t *> data, rng, played, True), out)


cdef void sample_action(const game_t *game, const void *data, int32_t player, rng_t *rng, void *action) noexcept nogil:
    (<int32_t *> action)[0] = draw_action(<const go_t *> game.rules, <const state_t *> data, rng_next(rng))


cdef void guided_action(const game_t *game, const void *data, int32_t player, rng_t *rng, void *action) noexcept nogil:
    (<int32_t *> action)[0] = draw_guided(<const go_t *> game.rules, <const state_t *> data, rng_next(rng))


cdef void action_priors(const game_t *game, const void *data, int32_t player, float *wins, float *games) noexcept nogil:
    weigh_actions(<const go_t *> game.rules, <const state_t *> data, wins, games)


cdef uint64_t ending_actions(const game_t *game, const void *data, int32_t player) noexcept nogil:
    cdef const go_t *go = <const go_t *> game.rules
    cdef const state_t *state = <const state_t *> data
    if state.moves + 1 >= go.most_moves:
        return EVERY_ACTION
    if state.passes == 0:
        return 0
    return <uint64_t> 1 << go.points if go.points < 64 else EVERY_ACTION


cdef class Go(Game):
    cdef go_t go

    def __init__(self, **given):
        Game.__init__(self, INFO, given)
        cdef int32_t size = self.parameters["size"]
        self.lay_out(size)
        self.go.komi = self.parameters["komi"]
        stones = read_handicap(self.spec, self.parameters["handicap"], point_texts(size))
        for action in stones:
            self.go.start[self.go.place[action]] = BLACK
        self.go.first = WHITE if stones else BLACK
        self.check_liberties(self.go.start, ParameterError)
        for code, matches in enumerate(matching_codes()):
            self.go.is_shape[code] = matches
        self.table.state_size = sizeof(state_t) + self.go.most_moves * sizeof(uint64_t)
        self.table.num_actions = self.table.max_legal = self.go.points + 1
        self.table.rules = &self.go
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        put_encoding(&self.table, 3 * self.go.points + 4, encode)
        self.table.playout, self.table.sample_action, self.table.playout_records = playout, sample_action, True
        self.table.guided_playout, self.table.guided_action = guided_playout, guided_action
        self.table.action_priors, self.table.ending_actions = action_priors, ending_actions
        self.seal()

    cdef int lay_out(self, int32_t size) except -1:
        """Set the places of the points, and the keys of stones, which are the same everywhere."""
        cdef int32_t stride = size + 1, action, place, side
        cdef go_t *go = &self.go
        go.size, go.points, go.most_moves, go.slots = size, size * size, 3 * size * size, 64
        while 5 * go.slots < 8 * go.most_moves:
            go.slots *= 2
        go.steps[0], go.steps[1], go.steps[2], go.steps[3] = -1, -stride, 1, stride
        go.corners[0], go.corners[1], go.corners[2], go.corners[3] = -stride - 1, -stride + 1, stride - 1, stride + 1
        memset(go.blank, EDGE, MOST_PLACES)
        for action in range(go.points):
            place = (action // size + 1) * stride + action % size + 1
            go.place[action], go.action[place], go.blank[place] = place, action, BLANK_POINT
            go.keys[BLACK][place] = mix64(<uint64_t> (2 * action + 1) * <uint64_t> 0x9E3779B97F4A7C15)
            go.keys[WHITE][place] = mix64(<uint64_t> (2 * action + 2) * <uint64_t> 0x9E3779B97F4A7C15)
        memcpy(go.start, go.blank, MOST_PLACES)
        for action in range(go.points):
            for side in range(4):
                edge = go.blank[go.place[action] + go.steps[side]] == EDGE
                go.near[go.place[action]] += 1 + 16 if edge else 256
        return 0

    cdef int check_liberties(self, const uint8_t *colors, error) except -1:
        """Raise an error if stones have no liberty."""
        cdef move_t move
        cdef int32_t action, place
        for action in range(self.go.points):
            place = self.go.place[action]
            if colors[place] < BLANK_POINT and closed_chain(&self.go, colors, place, 0, move.taken):
                raise error(f"{self.spec}: the stone on {point_texts(self.go.size)[action]} has no liberty; valid: "
                            "stones with a blank point next to their chain")
        return 0

    def notation(self):
        return Notation(ListField("board", "/"), ChoiceField("to_move", self.players),
                        ChoiceField("passes", (0, 1, 2)), ChoiceField("moves", range(self.go.most_moves + 1)),
                        ChoiceField("last", (None, *point_texts(self.parameters["size"]))), ListField("earlier"))

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t action, size = self.go.size, i
        text = "".join([(STONES + BLANK)[state.colors[self.go.place[action]]] for action in range(self.go.points)])
        return {"board": [text[row:row + size] for row in range(0, len(text), size)],
                "to_move": self.players[state.mover], "passes": state.passes, "moves": state.moves,
                "last": point_texts(size)[self.go.action[state.last]] if state.last else None,
                "earlier": [f"{state.boards[i]:016x}" for i in range(state.num_boards)
                            if state.boards[i] != state.key]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. The kernels rely on chains with liberties, and on no more boards than moves."""
        cdef state_t *state = <state_t *> data
        cdef int32_t action, place
        memcpy(state.colors, self.go.blank, MOST_PLACES)
        text = read_rows(require(given, "board"), self.go.size)
        for action in range(self.go.points):
            place = self.go.place[action]
            state.colors[place] = (STONES + BLANK).index(text[action])
            if state.colors[place] < BLANK_POINT:
                state.key ^= self.go.keys[state.colors[place]][place]
        self.check_liberties(state.colors, StateError)
        state.mover = read_choice(given, "to_move", self.players) == self.players[WHITE]
        state.passes = read_choice(given, "passes", (0, 1, 2)) if "passes" in given else 0
        moves = given.get("moves", state.passes)
        if type(moves) is not int or not state.passes <= moves <= self.go.most_moves:
            raise StateError(f"'moves' is {shown(moves)}; valid: {state.passes} to {self.go.most_moves}")
        state.moves = moves
        self.fill_last(state, given.get("last"))
        for key in read_keys(given.get("earlier", []), moves):
            add_board(state, key)
        add_board(state, state.key)
        return 0

    cdef int fill_last(self, state_t *state, text) except -1:
        """Write the place of the last stone, which the other player has put there."""
        if text is None:
            return 0
        points = point_texts(self.go.size)
        place = self.go.place[points.index(text)] if text in points else 0
        if not place or state.colors[place] != 1 - state.mover or state.passes or not state.moves:
            raise StateError(f"'last' is {shown(text)}; valid: null, or after a move other than a pass a point with a "
                             "stone of the other player")
        state.last = place
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t size = self.go.size
        told = self.state_dict(data)
        lines = [f"{size - row:2} {' '.join(stones)}" for row, stones in enumerate(told["board"])]
        lines.append(f"   {' '.join(COLUMNS[:size])}")
        points = lead(&self.go, state.colors) - self.go.komi
        if is_over(&self.go, state):
            unit = "point" if abs(points) == 1 else "points"
            lines.append("a draw" if points == 0 else f"{self.players[points < 0]} wins by {abs(points):g} {unit}")
        else:
            lines.append(f"move {state.moves + 1}: {self.players[state.mover]} to move"
                         + (", who ends the game by a pass" if state.passes else ""))
        return "\n".join(lines)

    cdef int parse_action(self, const void *state, int player, str text, void *action) except -1:
        """Read a text in either case."""
        for word in (text.lower(), text.upper()):
            if text.isascii() and word in self.words(player):
                text = word
        return Game.parse_action(self, state, player, text, action)

    cdef object words(self, int player):
        return (*point_texts(self.go.size), "pass")


GAME = Go
