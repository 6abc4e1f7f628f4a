"""The sequence form of a game: its information sets, and its ends by the sequences of all players."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game cimport Game, State
from ..game.game_table cimport MAX_PLAYERS, game_t
from ..primitives.bits cimport hash_combine
from ..primitives.growing cimport budget_t, key_table_t

cdef struct information_set_t:
    uint64_t view_key           # of what the player sees now
    uint64_t legal_key          # of its actions
    int32_t player
    int32_t parent              # the player's last sequence before it
    int32_t first               # the sequence of its first action; the others follow
    int32_t count               # actions

cdef struct end_t:              # a finished game
    double chance               # product of the probabilities of its outcomes
    int32_t sequence[MAX_PLAYERS]       # the last sequence of each player

cdef struct frame_t:            # a decision or an event on the path of the search
    double chance               # product of the probabilities of the outcomes before it
    int64_t actions             # index of its first action in `actions`
    int32_t decider             # a player, or the number of players for chance
    int32_t count, done         # actions, and those that are visited
    int32_t first               # the sequence of its first action
    uint32_t waiting            # mask of the players who decide in the state after it; 0: the joint action is complete
    int32_t sequence[MAX_PLAYERS]
    uint64_t key[MAX_PLAYERS]   # of the path of each player
    uint64_t history            # key of all actions and outcomes before it, see extend_history
    int32_t decided             # decisions of the player who aims that are passed, with a choice

cdef struct aim_t:              # what a walk looks for: the histories in which a player has seen something
    int32_t player
    int32_t count               # decisions with a choice; 0: the walk visits all histories
    uint64_t *seen              # keys of the views in them; the last one is looked for
    bint whole                  # there are no other decisions with a choice before the last one
    bint actions                # histories with the same actions are found too, whatever chance decides
    key_table_t found           # keys of the histories that are found, and of all that lead to them

cdef struct form_t:
    const game_t *game
    information_set_t *sets     # in the order of their discovery: those of a player before those that follow
    int64_t num_sets, max_sets, max_examples
    int64_t different           # the set with states of different actions
    char *examples              # [max_sets, state_size]: a state of each information set
    key_table_t numbers         # key -> number of a set
    int32_t num_sequences[MAX_PLAYERS]  # the empty one is 0
    end_t *ends
    double *returns             # [max_ends, players]
    int64_t num_ends, max_ends, max_returns
    int64_t num_histories       # states and joint actions in the making that were visited
    frame_t *frames
    char *states                # [max_frames, state_size]: the state of each frame
    int32_t *joints             # [max_frames, MAX_ENTRIES]: the part of the joint action that is chosen before it
    int64_t num_frames, max_frames, max_states, max_joints
    int32_t *actions            # stack of the actions of all frames
    double *weights             # [max_actions]: probability of each outcome
    int64_t num_actions, max_actions, max_weights
    int32_t *legal              # [list_size]
    aim_t aim
    budget_t budget


cdef inline uint64_t extend_history(const aim_t *aim, uint64_t history, int32_t action, bint is_outcome) noexcept nogil:
    """Return the key of a history that continues with an action or an outcome of chance."""
    return hash_combine(history, 0 if is_outcome and aim.actions else <uint64_t> action + 1)


cdef class SequenceForm:
    cdef readonly Game game
    cdef form_t form
    cdef int status
    cdef int users              # see primitives/in_use.pxd

    cdef int aim_at(self, list seen) except -1
    cdef State _example(self, int64_t number)
    cdef int raise_failure(self) except -1
    cdef int check_done(self) except -1
