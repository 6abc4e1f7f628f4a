"""Nim: two players in turns take any number of sticks from one heap; who takes the last stick wins, or loses in misère.

An action is a number, heap * longest + taken - 1, where `longest` is the size of the largest heap at the start.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cext.primitives.bits cimport hash_combine
from cext.game.game cimport Game
from cext.game.game_table cimport game_t
from cext.primitives.rng cimport rng_below, rng_t

import re

from cext.errors import ParameterError, StateError
from cext.game_info import GameInfo
from cext.parameters import Flag

cdef enum:
    MAX_HEAPS = 8
    MAX_STICKS = 31             # in one heap

_TAKE = re.compile(r"take\(([0-9]{1,2}),([0-9]{1,2})\)")


class Heaps:
    """A kind of parameter of this game's own: sizes of heaps joined by hyphens, as in 3-4-5."""

    default = "3-4-5"

    def read(self, name, value):
        """The value in its canonical text. Raises ParameterError."""
        valid = f"valid: 1 to {MAX_HEAPS} heaps of 1 to {MAX_STICKS} sticks, as in {self.default}"
        parts = str(value).split("-")
        if len(parts) > MAX_HEAPS or not all(re.fullmatch("[0-9]{1,2}", part) for part in parts):
            raise ParameterError(f"{name}={value!r} does not name heaps; {valid}")
        sizes = [int(part) for part in parts]
        if not all(1 <= size <= MAX_STICKS for size in sizes):
            raise ParameterError(f"{name}={value!r} has a heap of an impossible size; {valid}")
        return "-".join(map(str, sizes))


INFO = GameInfo(
    name="nim",
    summary="take sticks from one heap; the last stick wins, or loses in misère",
    players=("first", "second"),
    parameters={"heaps": Heaps(), "misere": Flag(False)},
)

cdef struct nim_t:              # what the rules need to know of one choice of parameters
    int32_t heaps               # how many
    int32_t longest             # size of the largest at the start
    int32_t sticks              # in all heaps at the start
    bint misere
    uint8_t start[MAX_HEAPS]    # size of each at the start, 0 past the last

cdef struct state_t:
    uint8_t heap[MAX_HEAPS]     # sticks left in each; 0 past the last heap
    uint8_t mover               # 0 or 1; when no stick is left, the player who did not take the last
    uint8_t unused[7]           # keeps the size a multiple of 8; always 0, as equal states must be equal bytes


cdef inline int32_t sticks_left(const state_t *state) noexcept nogil:
    cdef int32_t sum = 0, i
    for i in range(MAX_HEAPS):
        sum += state.heap[i]
    return sum


cdef void init(const game_t *game, void *data) noexcept nogil:
    cdef state_t *state = <state_t *> data
    memset(state, 0, sizeof(state_t))
    memcpy(state.heap, (<const nim_t *> game.rules).start, MAX_HEAPS)


cdef uint32_t acting(const game_t *game, const void *data) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    return <uint32_t> 1 << state.mover if sticks_left(state) else 0


cdef int32_t legal_actions(const game_t *game, const void *data, int32_t player, int32_t *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef const nim_t *nim = <const nim_t *> game.rules
    cdef int32_t count = 0, i, taken
    for i in range(nim.heaps):
        for taken in range(state.heap[i]):
            out[count] = i * nim.longest + taken
            count += 1
    return count


cdef bint is_legal(const game_t *game, const void *data, int32_t player, const void *action) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    cdef const nim_t *nim = <const nim_t *> game.rules
    cdef int32_t number = (<const int32_t *> action)[0]
    if not 0 <= number < nim.heaps * nim.longest:
        return False
    return number % nim.longest < state.heap[number // nim.longest]


cdef void apply(const game_t *game, void *data, const void *joint) noexcept nogil:
    cdef state_t *state = <state_t *> data
    cdef int32_t longest = (<const nim_t *> game.rules).longest
    cdef int32_t number = (<const int32_t *> joint)[state.mover]
    state.heap[number // longest] -= <uint8_t> (number % longest + 1)
    state.mover = 1 - state.mover


cdef void returns(const game_t *game, const void *data, double *out) noexcept nogil:
    cdef const state_t *state = <const state_t *> data
    # The mover faces empty heaps: the other has taken the last stick.
    cdef bint mover_wins = (<const nim_t *> game.rules).misere
    out[state.mover] = 100.0 if mover_wins else 0.0
    out[1 - state.mover] = 0.0 if mover_wins else 100.0


cdef uint64_t hash(const game_t *game, const void *data) noexcept nogil:
    cdef uint64_t heaps
    memcpy(&heaps, (<const state_t *> data).heap, MAX_HEAPS)
    return hash_combine(hash_combine(0, heaps), (<const state_t *> data).mover)


cdef void playout(const game_t *game, void *data, rng_t *rng, uint64_t *played, double *out) noexcept nogil:
    """Random play without lists: one draw a move, in the order of legal_actions, as the table's functions would."""
    cdef state_t *state = <state_t *> data
    cdef int32_t left = sticks_left(state), drawn, i
    while left > 0:
        drawn = <int32_t> rng_below(rng, <uint32_t> left)
        i = 0
        while drawn >= state.heap[i]:
            drawn -= state.heap[i]
            i += 1
        state.heap[i] -= <uint8_t> (drawn + 1)
        left -= drawn + 1
        state.mover = 1 - state.mover
    returns(game, data, out)


cdef class Nim(Game):
    cdef nim_t nim

    def __init__(self, **given):
        Game.__init__(self, INFO, given)       # reads the parameters, and all of the table that INFO tells
        cdef int32_t i
        sizes = [int(size) for size in self.parameters["heaps"].split("-")]
        for i, size in enumerate(sizes):
            self.nim.start[i] = size
        self.nim.heaps = len(sizes)
        self.nim.longest = max(sizes)
        self.nim.sticks = sum(sizes)
        self.nim.misere = self.parameters["misere"]
        self.table.state_size = sizeof(state_t)
        self.table.num_actions = self.nim.heaps * self.nim.longest
        self.table.max_legal = self.nim.sticks
        self.table.rules = &self.nim
        self.table.init = init
        self.table.acting = acting
        self.table.legal_actions = legal_actions
        self.table.is_legal = is_legal
        self.table.apply = apply
        self.table.returns = returns
        self.table.hash = hash
        self.table.playout = playout
        self.seal()                             # last: checks that nothing is missing

    cdef dict state_dict(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t i
        return {"heaps": [state.heap[i] for i in range(self.nim.heaps)], "to_move": self.players[state.mover]}

    cdef int fill_state(self, void *data, dict given) except -1:
        cdef state_t *state = <state_t *> data
        cdef int32_t i
        if set(given) != {"heaps", "to_move"}:
            raise StateError(f"a state of nim has the keys heaps and to_move, not {', '.join(map(str, given))}")
        heaps = given["heaps"]
        start = [self.nim.start[i] for i in range(self.nim.heaps)]
        if not isinstance(heaps, (list, tuple)) or len(heaps) != len(start) or not all(
                type(left) is int and 0 <= left <= size for left, size in zip(heaps, start)):
            raise StateError(f"'heaps' must be {len(start)} whole numbers from 0 up to {start}, not {heaps!r}")
        if given["to_move"] not in self.players:
            raise StateError(f"'to_move' is {given['to_move']!r}; valid: {', '.join(self.players)}")
        state.mover = self.players.index(given["to_move"])
        for i, left in enumerate(heaps):
            state.heap[i] = left
        return 0

    cdef str draw_state(self, const void *data):
        cdef const state_t *state = <const state_t *> data
        cdef int32_t i
        return "\n".join([f"{i + 1}: {'|' * state.heap[i]}" for i in range(self.nim.heaps)])

    cdef str action_text(self, const void *data, int player, const void *action):
        cdef int32_t number = (<const int32_t *> action)[0]
        return f"take({number // self.nim.longest + 1},{number % self.nim.longest + 1})"

    cdef int parse_action(self, const void *data, int player, str text, void *action) except -1:
        match = _TAKE.fullmatch(text)
        if match is None or not (1 <= int(match[1]) <= self.nim.heaps and 1 <= int(match[2]) <= self.nim.longest):
            self.refuse_text(text, f"take(1,1) to take({self.nim.heaps},{self.nim.longest})")
        (<int32_t *> action)[0] = (int(match[1]) - 1) * self.nim.longest + int(match[2]) - 1
        return 0


GAME = Nim
