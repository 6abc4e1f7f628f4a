"""The C function table that every game fills, and the Python classes over it.

A state is plain data of a fixed size without pointers: copying a state is a memcpy, comparing two is a memcmp. A game
therefore keeps unused bytes of its state at zero. Table functions assume that their arguments are right; the public
methods of `State` and `View` check them.
"""
cimport cython
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from .bits cimport unlikely
from .in_use cimport begin_reading, end_reading
from .rng cimport rng_t

cdef enum:
    ABI_VERSION = 3
    MAX_PLAYERS = 8             # most players of any game
    MAX_ACTIONS = 65536         # most different actions that can be listed
    MAX_JOINT_BYTES = 1024      # most bytes of one joint action
    NO_ACTION = -1              # what stands in a joint action for a player who has nothing to decide

cdef struct game_t:
    uint32_t abi_version        # ABI_VERSION of the header this game was compiled with
    uint32_t struct_size        # sizeof(game_t) at that time
    int32_t num_players         # 1 to MAX_PLAYERS
    int32_t state_size          # bytes of a state
    int32_t action_size         # bytes of an action: 4 (an int32, listed by legal_actions), else packed chip counts
    int32_t num_actions         # listed actions are in [0, num_actions); 0 for packed actions
    int32_t max_legal           # most legal actions a player can have; 0 for packed actions
    int32_t utility_is_constant  # 1 when the returns of all players always have the same sum
    int32_t encoding_size       # numbers in an encoded state; 0: the game has no encoding
    double min_utility          # least and
    double max_utility          # greatest return of a player, on the game's own scale
    const void *rules           # the game's own parameters and tables, handed to every function through the table

    void (*init)(const game_t *game, void *state) noexcept nogil
    # bit mask of the players that decide now; 0 when the game is over
    uint32_t (*acting)(const game_t *game, const void *state) noexcept nogil
    # writes the legal actions of an acting player in ascending order, returns how many; NULL for packed actions
    int32_t (*legal_actions)(const game_t *game, const void *state, int32_t player, int32_t *out) noexcept nogil
    # action: any int32, or any packed action; player: one that acts
    bint (*is_legal)(const game_t *game, const void *state, int32_t player, const void *action) noexcept nogil
    # joint: num_players actions in player order; where actions are listed, NO_ACTION for players that do not act
    void (*apply)(const game_t *game, void *state, const void *joint) noexcept nogil
    # only for a state that is over
    void (*returns)(const game_t *game, const void *state, double *out) noexcept nogil
    uint64_t (*hash)(const game_t *game, const void *state) noexcept nogil

    # optional, NULL where a game has none:
    # play at random to the end; the state is scratch afterwards. Draws exactly as the table would: in each step, for
    # each acting player in order, one rng_below(number of legal actions)
    void (*playout)(const game_t *game, void *state, rng_t *rng, double *returns) noexcept nogil
    # a random legal action by the game's own policy; must be there for packed actions
    void (*sample_action)(const game_t *game, const void *state, int32_t player, rng_t *rng,
                          void *action) noexcept nogil
    # blot out of a state all that this player may not see; NULL: nothing is hidden
    void (*redact)(const game_t *game, void *state, int32_t player) noexcept nogil
    # fill a redacted state with a possible truth that this player cannot tell from the real one
    void (*resample)(const game_t *game, void *state, int32_t player, rng_t *rng) noexcept nogil
    # equal for states this player cannot tell apart; NULL: the hash
    uint64_t (*info_hash)(const game_t *game, const void *state, int32_t player) noexcept nogil

    # the state as numbers [encoding_size], for a neural network: all of it, on scales of about one
    void (*encode)(const game_t *game, const void *state, float *out) noexcept nogil

    # all four or none, NULL for states of plain data; a state that only names its content elsewhere needs them:
    # make `to`, zeroed memory or a state, a copy of a state
    void (*copy)(const game_t *game, void *to, const void *state) noexcept nogil
    # let go of what a state names; the memory is zeroed
    void (*release)(const game_t *game, void *state) noexcept nogil
    bint (*equal)(const game_t *game, const void *state, const void *other) noexcept nogil
    # true once a function of this table has failed in this thread: the caller must then stop, and call Game.reraise
    bint (*failed)(const game_t *game) noexcept nogil

    # all three or none: a group of ways to turn, mirror or shift a state that change nothing about play. Transforming
    # commutes with apply, keeps acting and returns, and leaves players in their seats; symmetry 0 changes nothing
    int32_t num_symmetries      # 0 for a game without
    # make a state its image
    void (*transform)(const game_t *game, void *state, int32_t symmetry) noexcept nogil
    # what an action becomes
    int32_t (*transform_action)(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil
    # make a state the one image that all its images are made; returns the symmetry that does it
    int32_t (*canonical)(const game_t *game, void *state) noexcept nogil
    # optional: forget what has no influence any more but on the returns, by the same amount in all that may follow.
    # True where there is such a thing, though it be forgotten already: such states lead to such states only, and what
    # is forgotten never changes. offset [num_players]: what the returns are more than those of what is left
    bint (*reduce)(const game_t *game, void *state, double *offset) noexcept nogil


cdef inline void copy_state(const game_t *game, void *to, const void *state) noexcept nogil:
    """Make `to`, zeroed memory or a state, a copy; without a call for the usual state of a few words."""
    cdef int32_t i = 0, size = game.state_size
    if game.copy != NULL:
        game.copy(game, to, state)
    elif size > 64:
        memcpy(to, state, size)
    else:
        while i + 8 <= size:
            (<uint64_t *> (<char *> to + i))[0] = (<const uint64_t *> (<const char *> state + i))[0]
            i += 8
        while i < size:
            (<char *> to)[i] = (<const char *> state)[i]
            i += 1


cdef inline bint equal_states(const game_t *game, const void *state, const void *other) noexcept nogil:
    if game.equal != NULL:
        return game.equal(game, state, other)
    return memcmp(state, other, game.state_size) == 0


cdef inline bint has_failed(const game_t *game) noexcept nogil:
    return unlikely(game.failed != NULL) and game.failed(game)


cdef void play_step(const game_t *game, void *state, rng_t *rng, int32_t *legal, void *joint) noexcept nogil
cdef void playout_by_table(const game_t *game, void *state, rng_t *rng, int32_t *legal, double *returns) noexcept nogil
cdef uint64_t hash_bytes(const void *data, size_t size) noexcept nogil

cdef class Game
cdef class State
cdef int check_table(Game game) except -1
cdef int check_sealed(Game game) except -1
cdef bint same_game(Game one, Game other) except -1
cdef State new_state(Game game)
cdef int refuse_unmade(object what) except -1


cdef class Game:
    cdef readonly object info           # cext.game_info.GameInfo
    cdef readonly dict parameters       # name -> value, in the order of info.parameters
    cdef readonly str spec              # name(key=value,...), canonical
    cdef str variant                    # the parameters as they were at the beginning, whatever becomes of the dict
    cdef game_t table                   # last: a table of another size, which seal refuses, moves none of the above

    @cython.final
    cdef inline int seal(self) except -1:
        """Sign the table with the layout that the game's own file was compiled against, and check it.

        Inline, so that it is the game's compiler that writes version and size, and not the one that reads them.
        """
        self.table.abi_version = ABI_VERSION
        self.table.struct_size = sizeof(game_t)
        return check_table(self)

    cdef int check_symmetry(self, int symmetry) except -1
    cdef dict state_dict(self, const void *state)
    cdef int fill_state(self, void *state, dict given) except -1
    cdef str draw_state(self, const void *state)
    cdef str action_text(self, const void *state, int player, const void *action)
    cdef int parse_action(self, const void *state, int player, str text, void *action) except -1
    cdef str why_illegal(self, const void *state, int player, const void *action)
    cdef object unpack_action(self, const void *action)
    cdef int pack_action(self, object action, void *out) except -1
    cdef int reraise(self) except -1
    cdef object pack_state(self, const void *state)
    cdef int unpack_state(self, void *state, object packed) except -1
    cdef int read_player(self, object player) except -1


cdef class State:
    cdef readonly Game game
    cdef void *data                     # table.state_size bytes, owned; NULL after State.__new__, which `enter` refuses
    cdef int users                      # see in_use.pxd
    cdef uint64_t version               # how often the state was changed

    @cython.final
    cdef inline int enter(self) except -1:
        """Begin to read the state, till `leave`. Raises BusyError while somebody changes the state."""
        if self.data == NULL:
            refuse_unmade(self)
        return begin_reading(&self.users, "the state")

    @cython.final
    cdef inline void leave(self) noexcept:
        end_reading(&self.users)

    cdef uint32_t acting_mask(self) except? 0xFFFFFFFF
    cdef int copy_to(self, void *to) except -1
    cdef int read_joint(self, object actions, void *joint, uint64_t *version) except -1


cdef class View:
    cdef State seen                     # redacted: holds nothing that the player may not see; None by View.__new__ only
    cdef readonly int player

    cdef State redacted(self)
