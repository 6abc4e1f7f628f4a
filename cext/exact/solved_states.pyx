"""Lookup of the solved states of a game.

The key of a state consists of the bits that differ between canonical states.
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport NAN
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from ..game.game cimport Game, State, check_sealed, same_game
from ..game.game_table cimport MAX_PLAYERS, copy_state, game_t
from ..primitives.in_use cimport begin_change, end_change
from .stage_game cimport stage_alloc, stage_free, stage_open, stage_payoff

import numpy as np

from ..arguments import shown
from ..errors import StateError
from .state_space import why_unsolvable


cdef size_t lower_bound(const solved_t *solved) noexcept nogil:
    """Return the index of the first key that is not below solved.key, by binary search."""
    cdef size_t low = 0, high = solved.count, middle
    cdef const uint64_t *there
    cdef int32_t i
    while low < high:
        middle = (low + high) >> 1
        there = solved.keys + middle * solved.words
        for i in range(solved.words - 1, 0, -1):
            if there[i] != solved.key[i]:
                break
        else:
            i = 0
        if there[i] < solved.key[i]:
            low = middle + 1
        else:
            high = middle
    return low


cdef double value_by_key(const void *context, const void *given, void *scratch) noexcept nogil:
    """Return the value of a state to the first player; NaN for an unknown state. `context`: a solved_t."""
    cdef const solved_t *solved = <const solved_t *> context
    cdef const game_t *game = solved.game
    cdef const uint8_t *state = <const uint8_t *> scratch
    cdef double offset[MAX_PLAYERS]
    cdef size_t index
    cdef int32_t i
    offset[0] = 0.0
    copy_state(game, scratch, given)
    if solved.reduces:
        game.reduce(game, scratch, offset)
    if game.canonical != NULL:
        game.canonical(game, scratch)
    for i in range(game.state_size):
        if (state[i] & solved.rest[i]) != solved.base[i]:
            return NAN
    solved.key[0] = 0
    pack_bits(solved.bits, solved.num_bits, state, solved.key)
    index = lower_bound(solved)
    if index == solved.count:
        return NAN
    for i in range(solved.words):
        if solved.keys[index * solved.words + i] != solved.key[i]:
            return NAN
    return solved.values[index] + offset[0]


cdef class SolvedStates:
    """The values of all states of a game.

    Args:
        game: the game of the states.
        reduces: states are reduced.
        base: uint8 [state_size], the bits that all states share.
        bits: int32 [number of bits], the bits of a key, as 8 * byte + bit.
        keys: uint64 [states, words], ascending, the last word most significant.
        values: float64 [states], values to the first player.

    Raises:
        ValueError: the arrays do not fit each other or the game, or the game cannot be solved.
    """

    def __cinit__(self, Game game not None, bint reduces, base, bits, keys, values):
        cdef const uint8_t[::1] base_view, rest_view
        cdef const int32_t[::1] bits_view
        cdef const uint64_t[:, ::1] keys_view
        cdef const double[::1] values_view
        cdef size_t size = game.table.state_size
        check_sealed(game)
        reason = why_unsolvable(game)
        if reason is not None:
            raise ValueError(f"{game.spec} has no solved states: {reason}")
        for name, array, kind, dimensions in (("base", base, np.uint8, 1), ("bits", bits, np.int32, 1),
                                              ("keys", keys, np.uint64, 2), ("values", values, np.float64, 1)):
            if not isinstance(array, np.ndarray) or array.dtype != kind or array.ndim != dimensions:
                raise ValueError(f"{name} is {shown(array)}; valid: {np.dtype(kind)} of {dimensions} dimensions")
        bits = np.array(bits)
        base_view = base = np.array(base)
        keys_view = keys
        values_view = values
        if (base_view.shape[0] != size or keys_view.shape[0] != values_view.shape[0] or keys_view.shape[0] == 0
                or keys_view.shape[1] != max(1, (len(bits) + 63) // 64)
                or (len(bits) and not 0 <= bits.min() <= bits.max() < 8 * size)):
            raise ValueError(f"keys and values that do not fit the states of {game.spec}")
        rest = np.ones(8 * size, dtype=np.uint8)
        rest[bits] = 0
        self.game = game
        self.reduces = reduces and game.table.reduce != NULL
        self.base, self.bits, self.keys, self.values = base, bits, keys, values
        self.padded_bits = np.append(bits, 0).astype(np.int32)      # never empty, so that it has an address
        self.rest = np.packbits(rest, bitorder="little")
        rest_view = self.rest
        bits_view = self.padded_bits
        self.solved.game = &game.table
        self.solved.reduces = self.reduces
        self.solved.base = &base_view[0]
        self.solved.rest = &rest_view[0]
        self.solved.bits = &bits_view[0]
        self.solved.num_bits = len(bits)
        self.solved.words = <int32_t> keys_view.shape[1]
        self.solved.count = keys_view.shape[0]
        self.solved.keys = &keys_view[0, 0]
        self.solved.values = &values_view[0]
        self.solved.key = <uint64_t *> calloc(self.solved.words, sizeof(uint64_t))
        if self.solved.key == NULL or not stage_alloc(&self.stage, &game.table):
            raise MemoryError
        self.stage.value_of = value_by_key
        self.stage.context = &self.solved

    def __dealloc__(self):
        free(self.solved.key)
        stage_free(&self.stage)

    def __len__(self):
        return self.solved.count

    cdef int check(self, State state) except -1:
        state.enter()
        state.leave()
        if not same_game(state.game, self.game):
            raise StateError(f"this solution is of {self.game.spec}, the state of {state.game.spec}")
        return 0

    def value(self, State state not None):
        """Return the value of a state to the first player under optimal play.

        Raises:
            StateError: the state is of another game, or no play leads to it.
        """
        cdef double value
        self.check(state)
        begin_change(&self.users, "SolvedStates")
        try:
            state.enter()
            value = value_by_key(&self.solved, state.data, self.stage.scratch)
            state.leave()
        finally:
            end_change(&self.users)
        if value != value:
            raise StateError(f"no play of {self.game.spec} leads to the state {state.to_dict()}")
        return value

    def payoffs(self, State state not None):
        """Return the value to the first player after each joint action. The state must not be terminal.

        Returns:
            float64 [actions of the first player, actions of the second]; a player who does not act has one, NOOP. Where
            chance decides, [outcomes, 1].

        Raises:
            StateError: see `value`.
        """
        cdef int32_t row, column
        cdef State at = state.clone()
        cdef double[:, ::1] out
        self.value(at)
        begin_change(&self.users, "SolvedStates")
        stage_open(&self.stage, at.data)
        row, column = self.stage.counts[0], self.stage.counts[1]
        end_change(&self.users)
        found = np.empty((row, column))     # outside the guard: an allocation may run other Python code
        out = found
        begin_change(&self.users, "SolvedStates")
        stage_open(&self.stage, at.data)
        for row in range(self.stage.counts[0]):
            for column in range(self.stage.counts[1]):
                out[row, column] = stage_payoff(&self.stage, row, column)
        end_change(&self.users)
        if np.isnan(found).any():
            raise StateError(f"the solution of {self.game.spec} lacks states that follow {state.to_dict()}")
        return found


def state_bytes(State state not None):
    """Return the bytes of a state in memory.

    Raises:
        TypeError: the states of the game are not plain data.
    """
    cdef State copy = state.clone()
    if copy.game.table.copy != NULL:
        raise TypeError(f"{copy.game.spec} has states that are not plain data")
    return PyBytes_FromStringAndSize(<const char *> copy.data, copy.game.table.state_size)
