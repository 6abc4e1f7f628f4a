"""Backward induction: the values of all states of a space, by ascending height.

The successors of a state are solved before the state itself. States of one height are not successors of each other, so
that several threads can solve them, with identical results.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from ..game.game_table cimport game_t
from ..primitives.in_use cimport begin_change, begin_reading, end_change, end_reading
from .solved_states cimport pack_bits
from .stage_game cimport (
    STAGE_MIXED, STAGE_SADDLE, stage_alloc, stage_free, stage_kind_t, stage_open, stage_solve, stage_t,
)
from .state_space cimport StateSpace, canonical_value, space_t
from .state_table cimport table_state

import numpy as np


cdef class StageSolver:
    """Solver of the states of a sorted space. Each thread uses its own solver."""
    cdef StateSpace space
    cdef stage_t stage
    cdef readonly unsigned long long num_saddle, num_mixed
    cdef int users              # see in_use.pxd

    def __cinit__(self, StateSpace space not None):
        self.space = space
        if not stage_alloc(&self.stage, space.space.game):
            raise MemoryError
        self.stage.value_of = canonical_value
        self.stage.context = &space.space

    def __dealloc__(self):
        stage_free(&self.stage)

    def solve(self, unsigned int begin, unsigned int end):
        """Solve the states from index `begin` to `end` of the order by height; none may be a successor of another.

        `num_saddle` and `num_mixed` count the stages in which both players decide: with a saddle point, and without.

        Returns:
            The greatest difference of the values that both players can guarantee in a stage; 0 if no stage is mixed.

        Raises:
            ValueError: the space is not sorted, or an index is out of range.
            BusyError: another thread uses this solver or changes the space.
        """
        cdef uint32_t index, number
        cdef stage_kind_t kind
        cdef double gap, widest = 0.0
        cdef StateSpace space = self.space
        cdef space_t *states = &space.space
        cdef const uint32_t *order
        cdef stage_t *stage = &self.stage
        cdef uint64_t saddles = 0, mixed = 0
        begin_change(&self.users, "StageSolver")
        try:
            begin_reading(&space.users, "StateSpace")
            try:
                space.check_sorted()
                if not begin <= end <= states.table.count:
                    raise ValueError(f"states {begin} to {end}; valid: 0 to {states.table.count}, in this order")
                order = space.order
                with nogil:
                    for index in range(begin, end):
                        number = order[index]
                        stage_open(stage, table_state(&states.table, number))
                        states.values[number] = stage_solve(stage, &kind, &gap)
                        saddles += kind == STAGE_SADDLE
                        mixed += kind == STAGE_MIXED
                        widest = max(widest, gap)
                self.num_saddle += saddles
                self.num_mixed += mixed
            finally:
                end_reading(&space.users)
        finally:
            end_change(&self.users)
        return widest


def pack_space(StateSpace space not None):
    """Return the states of a solved space, packed, in the order in which they were found.

    Returns:
        (base uint8 [state_size], bits int32 [number of bits], keys uint64 [states, words], values float64 [states]):
        see `SolvedStates`.
    """
    begin_change(&space.users, "StateSpace")
    try:
        space.check_sorted()
        return _pack(space)
    finally:
        end_change(&space.users)


cdef tuple _pack(StateSpace space):
    cdef const game_t *game = space.space.game
    cdef uint32_t number, count = space.space.table.count
    cdef int32_t i, num_bits, size = game.state_size
    cdef size_t words
    cdef const uint8_t *state = <const uint8_t *> table_state(&space.space.table, 0)
    base = np.array(<const uint8_t[:size]> state)
    varying = np.zeros(size, dtype=np.uint8)
    cdef const uint8_t[::1] base_view = base
    cdef uint8_t[::1] varying_view = varying
    cdef const uint8_t *first = &base_view[0]
    cdef uint8_t *differs = &varying_view[0]
    with nogil:
        for number in range(count):
            state = <const uint8_t *> table_state(&space.space.table, number)
            for i in range(size):
                differs[i] |= state[i] ^ first[i]
    bits = np.flatnonzero(np.unpackbits(varying, bitorder="little")).astype(np.int32)
    num_bits = len(bits)
    words = max(1, (num_bits + 63) // 64)
    keys = np.zeros((count, words), dtype=np.uint64)
    cdef int32_t[::1] bits_view = np.append(bits, 0).astype(np.int32)   # never empty, so that it has an address
    cdef const int32_t *chosen = &bits_view[0]
    cdef uint64_t[:, ::1] keys_view = keys
    cdef uint64_t *key = &keys_view[0, 0]
    with nogil:
        for number in range(count):
            state = <const uint8_t *> table_state(&space.space.table, number)
            pack_bits(chosen, num_bits, state, key + number * words)
    base &= ~varying
    return base, bits, keys, np.array(<double[:count]> space.space.values)
