"""The states of a game of two with opposite interests, for backward induction."""
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from ..game cimport Game
from ..game_table cimport game_t
from .stage_game cimport stage_t
from .state_table cimport book_t

cdef struct frame_t:            # a state on the way down from the first
    uint32_t number
    uint32_t height             # one more than its successors have, as far as they are known
    size_t children             # where its successors that are still to be looked at begin in the heap of them

cdef struct space_t:
    const game_t *game
    bint reduces                # states are reduced where the game's table offers it
    book_t book                 # canonical states
    uint16_t *heights           # [book.capacity]: most steps to an end; OPEN while they are being counted
    double *values              # [book.capacity]: what the first player gets
    frame_t *frames             # of the depth first search
    size_t num_frames, max_frames
    char *children              # heap of states, those of the last frame on top
    size_t num_children, max_children
    # how many states the game itself has, of which the canonical ones are images
    uint64_t num_whole          # that are not reduced
    uint64_t num_reduced        # that are, what was forgotten of them not counted
    uint64_t num_contexts       # how many different things were forgotten
    book_t entrances            # states that are reduced first on their way, before they are
    char *entrance              # what they become
    char *spare                 # scratch of one state
    bint entrances_differ       # they become different things: then contexts do not multiply
    uint64_t max_bytes          # of all the memory here
    uint64_t max_states         # in the book


cdef uint32_t find_state(const space_t *space, const void *state, void *scratch, double *offset) noexcept nogil
cdef double canonical_value(const void *space, const void *state, void *scratch) noexcept nogil

cdef class StateSpace:
    cdef readonly Game game
    cdef space_t space
    cdef stage_t stage          # for the successors of a state
    cdef uint32_t *order        # numbers of the states, by ascending height
    cdef readonly list layers   # where each height begins in the order, and the end
    cdef int status             # how the search for states stands
    cdef int users              # see in_use.pxd

    cdef int raise_limit(self, int status) except -1
    cdef int _sort(self) except -1
    cdef int check_sorted(self) except -1
