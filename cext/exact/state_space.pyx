"""All states that a two-player constant-sum game can reach, found by a depth-first search.

States are stored in canonical form, so that symmetric states are one entry, and reduced where the game offers it:
`reduce` drops the context, the parts of a state that can only add a constant to the returns. The height of a state is
the length of the longest path to an end; successors always have lower heights.
"""
from libc.math cimport NAN
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..game.game cimport Game, State, check_sealed, same_game
from ..game.game_table cimport MAX_PLAYERS, copy_state, equal_states, game_t
from ..primitives.growing cimport resize
from ..primitives.in_use cimport begin_change, begin_reading, end_change, end_reading
from .stage_game cimport (
    stage_alloc, stage_free, stage_recall, stage_remember, stage_open, stage_successor, stage_t,
)
from .state_table cimport (
    LEAST_CAPACITY, NOT_FOUND, table_add, table_bytes, table_find, table_free, table_grow, table_state,
)

import numpy as np


cdef enum:
    PACKED = 16                 # bytes of a packed key and value
    OPEN = 0xFFFF               # height of a state on the path of the search

cdef enum status_t:
    GOING_ON
    DONE
    STATES_RECUR
    TOO_MANY_STATES
    TOO_MUCH_MEMORY
    TOO_DEEP


class StatesRecurError(Exception):
    """A state can recur in play, so that backward induction cannot start from the ends."""


class TooLargeError(Exception):
    """The states exceed a limit. args: (number of states found, the limit as text)."""


cdef uint64_t orbit_size(const game_t *game, const void *state, void *scratch) noexcept nogil:
    """Number of different states that the symmetries make of a state, itself included."""
    cdef int32_t symmetry, fixed = 1
    if game.num_symmetries <= 1:
        return 1
    for symmetry in range(1, game.num_symmetries):
        copy_state(game, scratch, state)
        game.transform(game, scratch, symmetry)
        fixed += equal_states(game, scratch, state)
    return game.num_symmetries // fixed


cdef inline void make_canonical(const game_t *game, void *state) noexcept nogil:
    if game.canonical != NULL:
        game.canonical(game, state)


cdef inline bint reduce_state(const space_t *space, void *state, double *offset) noexcept nogil:
    """Reduce a state. Return True if it has a context, also if that was dropped already. offset [MAX_PLAYERS]."""
    offset[0] = 0.0
    return space.reduces and space.game.reduce(space.game, state, offset)


cdef uint64_t space_bytes(const space_t *space, uint64_t capacity) noexcept nogil:
    """Bytes of a space with a capacity: table, heights, values, order, search stacks, and the packed result."""
    cdef uint64_t each = sizeof(uint16_t) + sizeof(double) + sizeof(uint32_t) + PACKED
    return (table_bytes(space.game, <uint32_t> capacity) + capacity * each
            + space.max_children * space.game.state_size + space.max_frames * sizeof(frame_t))


cdef status_t make_room(space_t *space) noexcept nogil:
    """Ensure capacity for one more state; double the capacity if the limits allow."""
    cdef uint64_t capacity, least = <uint64_t> space.table.count + 1
    if least > space.max_states:
        return TOO_MANY_STATES
    if space.table.count < space.table.capacity:
        return GOING_ON
    capacity = min(max(2 * <uint64_t> space.table.capacity, <uint64_t> LEAST_CAPACITY), space.max_states)
    while space_bytes(space, capacity) > space.max_bytes:
        capacity -= (capacity - space.table.capacity) // 4 + 1
        if capacity < least + space.table.count // 64:
            return TOO_MUCH_MEMORY
    if (not resize(&space.heights, capacity * sizeof(uint16_t)) or not resize(&space.values, capacity * sizeof(double))
            or not table_grow(&space.table, <uint32_t> capacity)):
        return TOO_MUCH_MEMORY
    return GOING_ON


cdef status_t enter(space_t *space, const void *state, bint reduced, void *scratch, uint32_t *number) noexcept nogil:
    """Add a new state to the table, and count the states that are symmetric to it."""
    cdef status_t status = make_room(space)
    if status != GOING_ON:
        return status
    number[0] = table_add(&space.table, state)
    space.heights[number[0]] = OPEN
    if reduced:
        space.num_reduced += orbit_size(space.game, state, scratch)
    else:
        space.num_whole += orbit_size(space.game, state, scratch)
    return GOING_ON


cdef status_t push_child(space_t *space, const void *state) noexcept nogil:
    if space.num_children == space.max_children:
        if not resize(&space.children, (2 * space.max_children + 64) * space.game.state_size):
            return TOO_MUCH_MEMORY
        space.max_children = 2 * space.max_children + 64
    copy_state(space.game, space.children + space.num_children * space.game.state_size, state)
    space.num_children += 1
    return GOING_ON


cdef status_t push_frame(space_t *space, uint32_t number) noexcept nogil:
    if space.num_frames == space.max_frames:
        if not resize(&space.frames, (2 * space.max_frames + 64) * sizeof(frame_t)):
            return TOO_MUCH_MEMORY
        space.max_frames = 2 * space.max_frames + 64
    if space.num_frames >= OPEN - 1:
        return TOO_DEEP
    space.frames[space.num_frames].number = number
    space.frames[space.num_frames].height = 1
    space.frames[space.num_frames].children = space.num_children
    space.num_frames += 1
    return GOING_ON


cdef status_t note_entrance(space_t *space, void *whole, const void *reduced) noexcept nogil:
    """Count the context of a state that is reduced while its predecessor was not: each context once."""
    make_canonical(space.game, whole)
    if table_find(&space.entrances, whole) != NOT_FOUND:
        return GOING_ON
    if (space.entrances.count == space.entrances.capacity
            and not table_grow(&space.entrances, 2 * space.entrances.capacity)):
        return TOO_MUCH_MEMORY
    if space.entrances.count == 0:
        copy_state(space.game, space.entrance, reduced)
    elif not equal_states(space.game, space.entrance, reduced):
        space.entrances_differ = True
    table_add(&space.entrances, whole)
    space.num_contexts += orbit_size(space.game, whole, space.spare)
    return GOING_ON


cdef status_t take_child(space_t *space, bint from_reduced, stage_t *stage, frame_t *frame) noexcept nogil:
    """Visit the successor in stage.successor of a frame's state. Push it if it is new and not terminal."""
    cdef const game_t *game = space.game
    cdef double offset[MAX_PLAYERS]
    cdef uint32_t number
    cdef status_t status
    cdef bint reduced
    copy_state(game, stage.scratch, stage.successor)
    reduced = reduce_state(space, stage.scratch, offset)
    make_canonical(game, stage.scratch)
    if reduced and not from_reduced:
        status = note_entrance(space, stage.successor, stage.scratch)
        if status != GOING_ON:
            return status
    number = table_find(&space.table, stage.scratch)
    if number == NOT_FOUND:
        if game.acting(game, stage.scratch):
            return push_child(space, stage.scratch)
        status = enter(space, stage.scratch, reduced, stage.successor, &number)
        if status == GOING_ON:
            space.heights[number] = 0
        return status
    if space.heights[number] == OPEN:
        return STATES_RECUR
    frame.height = max(frame.height, <uint32_t> space.heights[number] + 1)
    return GOING_ON


cdef status_t open_state(space_t *space, const void *state, stage_t *stage) noexcept nogil:
    """Add a new state that is not terminal, push a frame for it, and push its successors."""
    cdef double offset[MAX_PLAYERS]
    cdef uint32_t number, slot
    cdef int32_t row, column
    cdef bint reduced
    cdef status_t status
    copy_state(space.game, stage.scratch, state)
    reduced = reduce_state(space, stage.scratch, offset)
    status = enter(space, state, reduced, stage.scratch, &number)
    if status == GOING_ON:
        status = push_frame(space, number)
    if status != GOING_ON:
        return status
    stage_open(stage, table_state(&space.table, number))
    for row in range(stage.counts[0]):
        for column in range(stage.counts[1]):
            stage_successor(stage, row, column)
            if stage.acting == 3:
                if stage_recall(stage, &slot):
                    continue
                stage_remember(stage, slot, 0.0)
            status = take_child(space, reduced, stage, &space.frames[space.num_frames - 1])
            if status != GOING_ON:
                return status
            # the table may have been reallocated
            stage.state = table_state(&space.table, number)
    return GOING_ON


cdef status_t open_first(space_t *space, stage_t *stage) noexcept nogil:
    """Start the search from the state in stage.successor."""
    cdef const game_t *game = space.game
    cdef double offset[MAX_PLAYERS]
    cdef uint32_t number
    cdef status_t status
    cdef bint reduced
    reduced = reduce_state(space, stage.successor, offset)
    if reduced:
        space.num_contexts = 1
    make_canonical(game, stage.successor)
    if game.acting(game, stage.successor):
        return open_state(space, stage.successor, stage)
    status = enter(space, stage.successor, reduced, stage.scratch, &number)
    if status == GOING_ON:
        space.heights[number] = 0
    return status


cdef status_t explore(space_t *space, stage_t *stage, uint64_t steps) noexcept nogil:
    """Continue the search for a number of steps."""
    cdef frame_t *frame
    cdef uint32_t number, height
    cdef uint64_t _
    cdef status_t status
    cdef char *child = stage.scratch
    for _ in range(steps):
        if space.num_frames == 0:
            return DONE
        frame = &space.frames[space.num_frames - 1]
        if space.num_children == frame.children:
            height = frame.height
            space.heights[frame.number] = <uint16_t> height
            space.num_frames -= 1
            if space.num_frames:
                frame -= 1
                frame.height = max(frame.height, height + 1)
            continue
        space.num_children -= 1
        child = space.children + space.num_children * space.game.state_size
        number = table_find(&space.table, child)
        if number == NOT_FOUND:
            # the stack may be reallocated and overwritten while successors are pushed
            copy_state(space.game, stage.successor, child)
            status = open_state(space, stage.successor, stage)
            if status != GOING_ON:
                return status
        elif space.heights[number] == OPEN:
            return STATES_RECUR
        else:
            frame.height = max(frame.height, <uint32_t> space.heights[number] + 1)
    return GOING_ON


cdef uint32_t find_state(const space_t *space, const void *state, void *scratch, double *offset) noexcept nogil:
    """Return the number of the canonical, reduced form of a state, or NOT_FOUND. offset [MAX_PLAYERS]: see `reduce`."""
    copy_state(space.game, scratch, state)
    reduce_state(space, scratch, offset)
    make_canonical(space.game, scratch)
    return table_find(&space.table, scratch)


cdef double canonical_value(const void *context, const void *state, void *scratch) noexcept nogil:
    """Return the value of a state to the first player; NaN if the space lacks it. `context`: a space_t."""
    cdef const space_t *space = <const space_t *> context
    cdef double offset[MAX_PLAYERS]
    cdef uint32_t number = find_state(space, state, scratch, offset)
    return NAN if number == NOT_FOUND else space.values[number] + offset[0]


def why_unsolvable(Game game not None):
    """Return why backward induction cannot solve a game, as half a sentence; None if it can."""
    cdef const game_t *table = &game.table
    if table.redact != NULL:
        return "a player does not see all of the state"
    if table.num_players != 2:
        return f"it has {table.num_players} players, not two, and such games have no single value"
    if not table.utility_is_constant:
        return "its returns have no constant sum, and such games have no single value"
    if table.legal_actions == NULL:
        return "its actions are too many to list"
    if table.copy != NULL:
        return "its states are Python objects, not plain data"
    return None


def bytes_per_state(Game game not None):
    """Return the least number of bytes that a space needs per state."""
    return game.table.state_size + sizeof(uint16_t) + sizeof(double) + sizeof(uint32_t) + PACKED + 2 * sizeof(uint32_t)


cdef class StateSpace:
    """The canonical states that a game can reach.

    Args:
        game: a two-player constant-sum game without hidden information, whose states are plain data.
        max_bytes: memory limit in bytes.
        max_states: limit of canonical states.
        reduces: reduce states if the game offers it.
        start: first state of play; None for the initial state. From another state, `num_states` may be too large: not
            all states symmetric to a reachable one need be reachable.

    Raises:
        TypeError: `why_unsolvable` has a reason, or `start` is a state of another game.
    """

    def __cinit__(self, Game game not None, max_bytes, max_states, bint reduces=True, State start=None):
        cdef const game_t *table = &game.table
        cdef space_t *space = &self.space
        cdef bint there
        check_sealed(game)
        reason = why_unsolvable(game)
        if reason is not None:
            raise TypeError(f"{game.spec} cannot be solved by backward induction: {reason}")
        memset(space, 0, sizeof(space_t))
        self.game = game
        self.layers = []
        space.game = table
        space.reduces = reduces and table.reduce != NULL
        space.table.game = space.entrances.game = table
        space.max_bytes = max_bytes
        space.max_states = min(max_states, 2**32 - 16)      # numbers have 32 bits
        space.entrance = <char *> calloc(1, table.state_size)
        space.spare = <char *> calloc(1, table.state_size)
        there = stage_alloc(&self.stage, table) and space.entrance != NULL and space.spare != NULL
        if (not there or not table_grow(&space.entrances, LEAST_CAPACITY)
                or not table_grow(&space.table, LEAST_CAPACITY)):
            raise MemoryError
        space.heights = <uint16_t *> calloc(LEAST_CAPACITY, sizeof(uint16_t))
        space.values = <double *> calloc(LEAST_CAPACITY, sizeof(double))
        if space.heights == NULL or space.values == NULL:
            raise MemoryError
        if start is None:
            start = game.new_initial_state()
        start.enter()
        start.leave()
        if not same_game(start.game, game):
            raise TypeError(f"start is a state of {start.game.spec}; valid: a state of {game.spec}")
        start.copy_to(self.stage.successor)

    def __dealloc__(self):
        stage_free(&self.stage)
        table_free(&self.space.table)
        table_free(&self.space.entrances)
        free(self.space.entrance)
        free(self.space.spare)
        free(self.space.heights)
        free(self.space.values)
        free(self.space.frames)
        free(self.space.children)
        free(self.order)

    @property
    def num_canonical(self):
        """Number of canonical states found so far."""
        begin_reading(&self.users, "StateSpace")
        count = self.space.table.count
        end_reading(&self.users)
        return count

    @property
    def num_states(self):
        """Number of states of the game itself, symmetric and unreduced ones counted each, found so far."""
        begin_reading(&self.users, "StateSpace")
        count = self.space.num_whole + self.space.num_contexts * self.space.num_reduced
        end_reading(&self.users)
        return count

    @property
    def entrances_differ(self):
        """True if `num_states` is wrong, because reduction leads to different states that share their contexts."""
        return bool(self.space.entrances_differ)

    def explore(self, unsigned long long steps):
        """Search for a number of steps. Return True when all states have been found.

        Raises:
            StatesRecurError: a state can recur in play.
            TooLargeError: the states exceed a limit.
        """
        cdef status_t status = <status_t> self.status
        begin_change(&self.users, "StateSpace")
        try:
            if status == GOING_ON and self.space.table.count == 0:
                with nogil:
                    status = open_first(&self.space, &self.stage)
            if status == GOING_ON:
                with nogil:
                    status = explore(&self.space, &self.stage, steps)
            self.status = status
        finally:
            end_change(&self.users)
        if status == GOING_ON:
            return False
        if status != DONE:
            self.raise_limit(status)
        return True

    cdef int raise_limit(self, int status) except -1:
        cdef uint64_t megabyte = 1 << 20
        found = self.space.table.count
        if status == STATES_RECUR:
            raise StatesRecurError(f"a state of {self.game.spec} can recur")
        if status == TOO_DEEP:
            raise TooLargeError(found, f"games of {OPEN} steps or more")
        if status == TOO_MANY_STATES:
            raise TooLargeError(found, f"{self.space.max_states:,} states")
        raise TooLargeError(found, f"{self.space.max_bytes // megabyte:,} MB of memory")

    def sort(self):
        """Sort the states by height and reset their values to NaN; `layers` has the index of the first state of each
        height, and the number of states.

        Raises:
            ValueError: the states are not all found yet.
            BusyError: another thread uses the space.
        """
        begin_change(&self.users, "StateSpace")
        try:
            if self.status != DONE:
                raise ValueError("the states are not all found yet: call explore until it returns True")
            self._sort()
        finally:
            end_change(&self.users)

    cdef int _sort(self) except -1:
        cdef uint32_t number, count = self.space.table.count
        cdef uint16_t *heights = self.space.heights
        free(self.order)
        self.order = <uint32_t *> malloc(max(1, count) * sizeof(uint32_t))
        if self.order == NULL:
            raise MemoryError
        sizes = np.bincount(np.asarray(<uint16_t[:count]> heights))
        ends = np.cumsum(sizes)
        cdef int64_t[::1] slot = (ends - sizes).astype(np.int64)
        for number in range(count):
            self.space.values[number] = NAN
            self.order[slot[heights[number]]] = number
            slot[heights[number]] += 1
        self.layers = [0, *map(int, ends)]
        return 0

    cdef int check_sorted(self) except -1:
        if self.order == NULL:
            raise ValueError("the states are not sorted yet: call explore until it returns True, then sort")
        return 0
