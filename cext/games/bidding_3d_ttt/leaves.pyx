"""`Leaves`, the values of positions by a net, with the sums of its first layer kept by board."""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from ...game.game cimport Game, State, check_sealed, same_game
from ...nets.net cimport Net
from ...primitives.in_use cimport begin_change, end_change
from .features cimport BLOCKS, BOARD_NUMBERS, CHIPS_NUMBERS, LAYOUT_NUMBERS
from .net_leaves cimport fits_leaves, leaf_value, leaves_free, leaves_init, leaves_t
from .rules cimport position_t, rules_t, state_t

from ...errors import StateError
from .game import GAME


cdef class Leaves:
    """Values of positions of `bidding_3d_ttt` by a net, for programs that ask for many of them.

    Args:
        game: the game.
        net: a net with the 11 blocks of inputs of this game and one output, the value of red.

    Raises:
        ValueError: the net has other blocks or outputs, or the game is another one.
    """
    cdef Game game
    cdef Net net
    cdef leaves_t leaves
    cdef int users

    def __cinit__(self, Game game not None, Net net not None):
        check_sealed(game)
        if type(game) is not GAME:
            raise ValueError(f"the game is {game.spec}; valid: bidding_3d_ttt")
        if not fits_leaves(&net.net):
            raise ValueError(f"the net has {net.net.num_blocks} blocks of inputs, {net.net.num_inputs} inputs and "
                             f"{net.net.num_outputs} outputs; valid: {BLOCKS} blocks, 9 of {BOARD_NUMBERS}, then "
                             f"{LAYOUT_NUMBERS} and {CHIPS_NUMBERS}, and 1 output")
        self.game = game
        self.net = net
        if leaves_init(&self.leaves, <const rules_t *> game.table.rules, &net.net) != 0:
            raise MemoryError

    def __dealloc__(self):
        leaves_free(&self.leaves)

    def values(self, states, *, int64_t times=1):
        """Return the value of red in each state: its result if it is over, else the output of the net.

        Args:
            states: of this game, of which all chips are known.
            times: how often the values are computed, to measure the speed.

        Returns:
            float32 [len(states)], in [0, 1].

        Raises:
            StateError: a state is of another game, or of a view with hidden chips.
            BusyError: another thread uses this object.
        """
        import numpy as np

        cdef float[::1] out
        cdef position_t *positions
        cdef State state
        cdef Py_ssize_t i, count
        cdef int64_t _
        states = tuple(states)
        count = len(states)
        values = np.zeros(count, dtype=np.float32)
        out = values
        begin_change(&self.users, "Leaves")
        positions = <position_t *> malloc(max(1, count) * sizeof(position_t))
        try:
            if positions == NULL:
                raise MemoryError
            for i in range(count):
                state = states[i]
                copy_position(self.game, state, &positions[i])
            with nogil:
                for _ in range(times):
                    for i in range(count):
                        out[i] = leaf_value(&self.leaves, &positions[i])
        finally:
            free(positions)
            end_change(&self.users)
        return values


cdef int copy_position(Game game, State state, position_t *to) except -1:
    """Copy the position of a state. Raises StateError, TypeError."""
    if state is None:
        raise TypeError("a state is None; valid: State")
    if not same_game(game, state.game):
        raise StateError(f"the states are of {game.spec}, not of {state.game.spec}")
    state.enter()
    try:
        if (<const state_t *> state.data).hidden:
            raise StateError("the chips of a player are hidden; valid: states without hidden chips, as from "
                             "View.resample")
        to[0] = (<const state_t *> state.data).now
    finally:
        state.leave()
    return 0
