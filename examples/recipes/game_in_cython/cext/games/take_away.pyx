"""Take away: two players in turns take one or more sticks from a heap; whoever takes the last stick wins.

Action a takes a + 1 sticks.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from cext.game.game cimport Game
from cext.game.game_table cimport game_t, put_rules
from cext.primitives.bits cimport hash_combine

from cext.errors import StateError
from cext.game_info import GameInfo
from cext.parameters import Integer

INFO = GameInfo(
    name="take_away",
    summary="take sticks from a heap; whoever takes the last stick wins",
    players=("first", "second"),
    parameters={"sticks": Integer(21, 1, 100), "most": Integer(3, 1, 20)},
    rules="Take one stick or more from a heap, in turns. Whoever takes the last stick wins.",
)

cdef struct rules_t:            # the parameters
    int32_t sticks
    int32_t most

cdef struct state_t:
    uint8_t left                # sticks on the heap
    uint8_t mover               # 0 or 1
    uint8_t unused[6]           # keeps the size a multiple of 8; always 0


cdef const rules_t *rules_of(const game_t *game) noexcept nogil:
    return <const rules_t *> game.rules


cdef void init(const game_t *game, void *data) noexcept nogil:
    (<uint64_t *> data)[0] = 0
    (<state_t *> data).left = <uint8_t> rules_of(game).sticks


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return <uint32_t> 1 << state.mover if state.left else 0


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef int32_t count = min(rules_of(game).most, <int32_t> (<const state_t *> data).left), i
    for i in range(count):
        out[i] = i
    return count


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef int32_t taken = (<const int32_t *> action)[0]
    return 0 <= taken < min(rules_of(game).most, <int32_t> (<const state_t *> data).left)


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    state.left -= <uint8_t> ((<const int32_t *> joint)[state.mover] + 1)
    state.mover = 1 - state.mover


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef int32_t loser = (<const state_t *> data).mover
    out[loser] = 0.0
    out[1 - loser] = 100.0


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    return hash_combine(0, (<const uint64_t *> data)[0])


cdef class TakeAway(Game):
    cdef rules_t rules

    def __init__(self, **given):
        Game.__init__(self, INFO, given)       # reads the parameters
        self.rules.sticks = self.parameters["sticks"]
        self.rules.most = self.parameters["most"]
        self.table.rules = &self.rules
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.table.max_legal = self.rules.most
        put_rules(&self.table, init, acting, legal_actions, is_legal, apply, returns, hash)
        self.seal()                             # last: signs the table and checks it

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        return {"left": state.left, "to_move": self.players[state.mover]}

    cdef int fill_state(self, void *data, dict given) except -1:
        """Write a state. Refuse a dict that contradicts itself."""
        cdef state_t *state = <state_t *> data
        if set(given) != {"left", "to_move"}:
            raise StateError(f"a state has the keys {', '.join(map(str, given))}; valid: left, to_move")
        left, mover = given["left"], given["to_move"]
        if type(left) is not int or not 0 <= left <= self.rules.sticks:
            raise StateError(f"'left' is {left!r}; valid: 0 to {self.rules.sticks}")
        if mover not in self.players:
            raise StateError(f"'to_move' is {mover!r}; valid: {', '.join(self.players)}")
        init(&self.table, data)
        state.left = left
        state.mover = self.players.index(mover)
        return 0

    cdef str draw_state(self, const void *data):
        return "|" * (<const state_t *> data).left

    cdef object words(self, int player):
        return [f"take({count})" for count in range(1, self.rules.most + 1)]


GAME = TakeAway
