"""The reachable states of a two-player constant-sum game, for backward induction."""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ..game.game cimport Game
from ..game.game_table cimport game_t
from .stage_game cimport stage_t
from .state_table cimport state_table_t

cdef struct frame_t:            # a state on the path of the depth-first search
    uint32_t number
    uint32_t height             # one more than the greatest height of its successors so far
    size_t children             # index of its first unvisited successor in `children`

cdef struct space_t:
    const game_t *game
    bint reduces                # states are reduced by the game's `reduce`
    state_table_t table                 # canonical states
    uint16_t *heights           # [table.capacity]: length of the longest path to an end; OPEN on the path
    double *values              # [table.capacity]: values to the first player
    frame_t *frames             # path of the depth-first search
    size_t num_frames, max_frames
    char *children              # stack of states, those of the last frame on top
    size_t num_children, max_children
    # to count the states of the game itself: symmetric ones each, and reduced ones once for each dropped context
    uint64_t num_whole          # states that are not reduced
    uint64_t num_reduced        # reduced states, without their contexts
    uint64_t num_contexts       # different contexts that `reduce` dropped
    state_table_t entrances            # first states of a path that can be reduced, before reduction
    char *entrance              # the reduced state of the first entrance
    char *spare                 # scratch of one state
    bint entrances_differ       # entrances have different reduced states: contexts do not multiply then
    uint64_t max_bytes          # memory limit in bytes
    uint64_t max_states         # limit of canonical states


cdef uint32_t find_state(const space_t *space, const void *state, void *scratch, double *offset) noexcept nogil
cdef double canonical_value(const void *space, const void *state, void *scratch) noexcept nogil

cdef class StateSpace:
    cdef readonly Game game
    cdef space_t space
    cdef stage_t stage          # enumerates the successors of a state
    cdef uint32_t *order        # numbers of the states, by ascending height
    cdef readonly list layers   # index of the first state of each height in `order`, and the end
    cdef int status             # a status_t
    cdef int users              # see primitives/in_use.pxd

    cdef int raise_limit(self, int status) except -1
    cdef int _sort(self) except -1
    cdef int check_sorted(self) except -1
