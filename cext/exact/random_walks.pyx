"""Random games played side by side, to estimate the number of states of a game."""
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from ..game.game cimport Game, check_sealed
from ..game.game_table cimport MAX_JOINT_BYTES, MAX_PLAYERS, copy_state, game_t, list_size, play_step
from ..primitives.in_use cimport begin_change, end_change
from ..primitives.rng cimport rng_seed, rng_t

from array import array


cdef class RandomWalks:
    """A number of random games of one game, which advance together.

    Args:
        game: a game whose states are plain data.
        count: number of random games.
        seed: root of the random stream.
        reduces: reduce states before they are hashed, if the game offers it.

    Raises:
        TypeError: the states of the game are not plain data.
    """
    cdef readonly Game game
    cdef char *states
    cdef char *scratch
    cdef int32_t *legal
    cdef char joint[MAX_JOINT_BYTES]
    cdef uint32_t count
    cdef rng_t rng
    cdef bint reduces
    cdef int users              # see in_use.pxd

    def __cinit__(self, Game game not None, unsigned int count, unsigned long long seed, bint reduces=True):
        cdef const game_t *table = &game.table
        cdef uint32_t i
        check_sealed(game)
        if table.copy != NULL:
            raise TypeError(f"{game.spec} has states that are not plain data")
        self.game = game
        self.count = count
        self.reduces = reduces and table.reduce != NULL
        self.states = <char *> calloc(count, table.state_size)
        self.scratch = <char *> calloc(1, table.state_size)
        self.legal = <int32_t *> calloc(max(1, list_size(table)), sizeof(int32_t))
        if self.states == NULL or self.scratch == NULL or self.legal == NULL:
            raise MemoryError
        rng_seed(&self.rng, seed)
        for i in range(count):
            table.init(table, self.states + <size_t> i * table.state_size)

    def __dealloc__(self):
        free(self.states)
        free(self.scratch)
        free(self.legal)

    def step(self, unsigned int first=0, last=None):
        """Play one joint action in every game that is not over. Return the hashes of their canonical states.

        Args:
            first, last: play in the games from number `first` to `last` - 1 alone; None: to the end.

        Raises:
            ValueError: there are no such games.
            BusyError: another thread uses the games.
        """
        cdef const game_t *table = &self.game.table
        cdef uint32_t i, kept = 0, end = self.count if last is None else last
        cdef char *state
        cdef double offset[MAX_PLAYERS]
        if not first <= end <= self.count:
            raise ValueError(f"games {first} to {end}; valid: 0 to {self.count}, in ascending order")
        found = array("Q", bytes(8 * (end - first)))
        cdef uint64_t[::1] hashes = found
        begin_change(&self.users, "RandomWalks")
        with nogil:
            for i in range(first, end):
                state = self.states + <size_t> i * table.state_size
                if not table.acting(table, state):
                    continue
                play_step(table, state, &self.rng, self.legal, self.joint)
                copy_state(table, self.scratch, state)
                if self.reduces:
                    table.reduce(table, self.scratch, offset)
                if table.canonical != NULL:
                    table.canonical(table, self.scratch)
                hashes[kept] = table.hash(table, self.scratch)
                kept += 1
        end_change(&self.users)
        return found[:kept]
