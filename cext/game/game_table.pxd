"""The table of C functions that defines a game, and the operations on it that need no Python objects.

A state is plain data of a fixed size without pointers: a copy is a memcpy, equality is a memcmp. A game therefore keeps
the unused bytes of its state at zero. Table functions assume that their arguments are valid; the public methods of
`State` and `View` check them.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy

from ..primitives.bits cimport unlikely
from ..primitives.rng cimport rng_t, rng_unit

cdef enum:
    ABI_VERSION = 12
    MAX_PLAYERS = 8             # of any game
    MAX_ACTIONS = 65536         # of a game whose actions are listed
    MAX_JOINT_BYTES = 1024      # of one joint action
    RETURN_UNIT = 1 << 20       # of the sums of playout_lanes: 1 as a whole number
    NO_ACTION = -1              # entry of a joint action for a player who has nothing to decide
    ACTING_CHANCE = 0x100       # what `acting` returns where chance decides
    MAX_ENTRIES = MAX_PLAYERS + 1  # of a joint action of listed actions: one for each player, and one for chance
    MAX_WEIGHT = 0x7FFFFFFF     # of all outcomes of a state together
    MOST_ENDING = 64            # actions that ending_actions can name
    LANES = 512                 # games of playout_leaves
    MOST_FOLLOWERS = 64         # joint actions of apply_each

cdef extern from *:
    """
    #define EVERY_ACTION UINT64_MAX
    """
    const uint64_t EVERY_ACTION  # a set that stands for all actions, those from MOST_ENDING on too

cdef struct lanes_t:            # what playout_leaves writes, for each player and lane
    double value[MAX_PLAYERS][LANES]    # return of the game
    int32_t first[MAX_PLAYERS][LANES]   # first action, or NO_ACTION for a player who did not act
    uint8_t ended[LANES]        # 1 if the game was over after the first step

cdef struct game_t:
    uint32_t abi_version        # ABI_VERSION of the header that the game was compiled with
    uint32_t struct_size        # sizeof(game_t) at that time
    int32_t num_players         # 1 to MAX_PLAYERS
    int32_t state_size          # bytes of a state
    int32_t action_size         # bytes of an action: 4 if it is an int32 that legal_actions lists, else any: packed
    int32_t num_actions         # listed actions are in [0, num_actions); 0 for packed actions
    int32_t max_legal           # upper bound of the legal actions of a player in a state; 0 for packed actions
    int32_t utility_is_constant  # 1 if the returns of all players always have the same sum
    int32_t encoding_size       # numbers in an encoded state; 0 for a game without encoding
    double min_utility          # least return of a player, on the game's own scale
    double max_utility          # greatest return of a player
    const void *rules           # the game's own parameters and tables; every function can read them

    void (*init)(const game_t *game, void *state) noexcept nogil
    # bit mask of the players who decide now; ACTING_CHANCE where chance decides; 0 when the game is over
    uint32_t (*acting)(const game_t *game, const void *state) noexcept nogil
    # write the legal actions of an acting player in ascending order, return their number; NULL for packed actions
    int32_t (*legal_actions)(const game_t *game, const void *state, int32_t player, int32_t *out) noexcept nogil
    # action: any int32, or any packed action; player: one who acts
    bint (*is_legal)(const game_t *game, const void *state, int32_t player, const void *action) noexcept nogil
    # joint: num_players actions in player order; with listed actions, NO_ACTION for players who do not act. A game with
    # chance has one more entry behind them: the outcome where chance decides, else NO_ACTION
    void (*apply)(const game_t *game, void *state, const void *joint) noexcept nogil
    # called only when the game is over
    void (*returns)(const game_t *game, const void *state, double *out) noexcept nogil
    uint64_t (*hash)(const game_t *game, const void *state) noexcept nogil

    # Optional functions; NULL where a game has none.
    # play to the end at random; the state is scratch memory afterwards. Draws exactly as the table would: in each step,
    #   for each acting player in order, one rng_below(number of legal actions), or sample_action from one rng_next.
    # played: NULL, or with playout_records a set of actions of each player [num_players, (num_actions + 63) // 64],
    #   bit a % 64 of word a // 64 for action a; each action is added for the player who takes it first
    void (*playout)(const game_t *game, void *state, rng_t *rng, uint64_t *played, double *returns) noexcept nogil
    bint playout_records        # True if it adds actions to sets
    # play `count` games at random from a state that is not over, and add RETURN_UNIT times the returns to sums
    # [num_players]. Draws legal actions as evenly as the table, but in its own order, from streams of `seed` alone
    void (*playout_lanes)(const game_t *game, const void *state, uint64_t seed, int64_t count,
                          int64_t *sums) noexcept nogil
    # play `each` games at random from each of `count` states [count, state_size] that are not over, and write those of
    # state i to lanes [i * each, (i + 1) * each). `each` is a power of two, and there are at most LANES games. Draws
    # legal actions as `playout_lanes` does. memory: leaves_memory bytes, at a multiple of 64. Between two steps it
    # looks at the time of playout_seconds and at `stop`; past the deadline or with the flag set it returns False
    bint (*playout_leaves)(const game_t *game, const void *states, int32_t count, int32_t each, uint64_t seed,
                           void *memory, double deadline, const int *stop, lanes_t *out) noexcept nogil
    size_t leaves_memory
    # write what follows a state that is not over after each of up to MOST_FOLLOWERS joint actions [count, num_players]
    # to states [count, state_size]; for games in which that is faster than to call `apply` for each. Only for games of
    # plain data whose actions are listed, without chance. memory: followers_memory bytes, at a multiple of 8
    void (*apply_each)(const game_t *game, const void *state, const int32_t *joint, int32_t count, void *memory,
                       void *followers) noexcept nogil
    size_t followers_memory
    # return the actions of an acting player that can end the game at once, bit a for action a; where chance decides,
    # `player` is num_players, and they are outcomes. Where several decide: those that end it with some actions of the
    # others. A set may hold actions too many, which cost time, but it never lacks one. EVERY_ACTION: any action may end
    # the game. Only for games with listed actions
    uint64_t (*ending_actions)(const game_t *game, const void *state, int32_t player) noexcept nogil
    # draw a random legal action by the game's own distribution, that of its playouts; required for packed actions
    void (*sample_action)(const game_t *game, const void *state, int32_t player, rng_t *rng,
                          void *action) noexcept nogil
    # overwrite everything in a state that this player may not see; NULL: nothing is hidden
    void (*redact)(const game_t *game, void *state, int32_t player) noexcept nogil
    # complete a redacted state to a possible state that looks the same to this player
    void (*resample)(const game_t *game, void *state, int32_t player, rng_t *rng) noexcept nogil
    # equal for states that this player cannot tell apart; NULL: the hash
    uint64_t (*info_hash)(const game_t *game, const void *state, int32_t player) noexcept nogil

    # the whole state as numbers [encoding_size] for a neural network, scaled to about one
    void (*encode)(const game_t *game, const void *state, float *out) noexcept nogil

    # All four or none. NULL for states of plain data; states that refer to objects elsewhere need them.
    # make `to`, zeroed memory or a state, a copy of a state
    void (*copy)(const game_t *game, void *to, const void *state) noexcept nogil
    # drop the references of a state and zero its memory
    void (*release)(const game_t *game, void *state) noexcept nogil
    bint (*equal)(const game_t *game, const void *state, const void *other) noexcept nogil
    # true after a function of this table has failed in this thread: the caller must stop and call Game.reraise
    bint (*failed)(const game_t *game) noexcept nogil

    # All three or none: a group of turns, mirrors or shifts of a state that do not change play. A symmetry commutes
    # with apply, keeps acting and returns, and does not exchange players; symmetry 0 changes nothing.
    int32_t num_symmetries      # 0 for a game without
    # replace a state by its image
    void (*transform)(const game_t *game, void *state, int32_t symmetry) noexcept nogil
    # the image of an action
    int32_t (*transform_action)(const game_t *game, int32_t symmetry, int32_t player, int32_t action) noexcept nogil
    # replace a state by the one image that represents all its images; return the symmetry of that image
    int32_t (*canonical)(const game_t *game, void *state) noexcept nogil
    # optional: drop the parts of a state that can only add a constant to the returns of all states after it. Return
    # True if the state has such parts, also when they are dropped already; the states after it then have them too, and
    # they do not change. `offset` [num_players] receives the constant
    bint (*reduce)(const game_t *game, void *state, double *offset) noexcept nogil

    # Both or none, and only with listed actions: events that chance decides, such as the throw of a die. A symmetry
    # keeps the outcomes and their weights.
    int32_t num_outcomes        # outcomes are in [0, num_outcomes); 0 for a game without chance
    # write the outcomes of a state in which chance decides, in ascending order, and the weight of each, 1 and up;
    # return their number. The probability of an outcome is its weight as a share of their sum, at most MAX_WEIGHT
    int32_t (*chance_outcomes)(const game_t *game, const void *state, int32_t *outcomes,
                               int32_t *weights) noexcept nogil

    # optional, both or neither: `playout` and `sample_action` of another distribution, which knows more of the game
    void (*guided_playout)(const game_t *game, void *state, rng_t *rng, uint64_t *played,
                           double *returns) noexcept nogil
    void (*guided_action)(const game_t *game, const void *state, int32_t player, rng_t *rng,
                          void *action) noexcept nogil
    # optional: write how many games a search with guided playouts takes to have been played with each action of a
    # player who decides alone, and how many of them won, before the first [num_actions]
    void (*action_priors)(const game_t *game, const void *state, int32_t player, float *wins,
                          float *games) noexcept nogil
    # optional: estimate the returns [num_players] of play from a state that is not over, without playing it
    void (*evaluate)(const game_t *game, const void *state, double *out) noexcept nogil
    # optional: return the number of sequences of `depth` legal actions from a state, 1 for depth 0. Rules that end the
    # game while there are legal actions, such as those of repetition, do not count. -1: a Python exception is set
    int64_t (*perft)(const game_t *game, const void *state, int32_t depth) except -1 nogil


cdef inline void put_rules(
        game_t *table, void (*init)(const game_t *, void *) noexcept nogil,
        uint32_t (*acting)(const game_t *, const void *) noexcept nogil,
        int32_t (*legal_actions)(const game_t *, const void *, int32_t, int32_t *) noexcept nogil,
        bint (*is_legal)(const game_t *, const void *, int32_t, const void *) noexcept nogil,
        void (*apply)(const game_t *, void *, const void *) noexcept nogil,
        void (*returns)(const game_t *, const void *, double *) noexcept nogil,
        uint64_t (*hash)(const game_t *, const void *) noexcept nogil) noexcept:
    """Set the functions that every game with listed actions has."""
    table.init, table.acting, table.legal_actions, table.is_legal = init, acting, legal_actions, is_legal
    table.apply, table.returns, table.hash = apply, returns, hash


cdef inline void put_encoding(game_t *table, int32_t size,
                              void (*encode)(const game_t *, const void *, float *) noexcept nogil) noexcept:
    table.encoding_size, table.encode = size, encode


cdef inline void put_symmetries(
        game_t *table, int32_t count, void (*transform)(const game_t *, void *, int32_t) noexcept nogil,
        int32_t (*transform_action)(const game_t *, int32_t, int32_t, int32_t) noexcept nogil,
        int32_t (*canonical)(const game_t *, void *) noexcept nogil) noexcept:
    table.num_symmetries, table.transform = count, transform
    table.transform_action, table.canonical = transform_action, canonical


cdef inline void copy_state(const game_t *game, void *to, const void *state) noexcept nogil:
    """Make `to`, zeroed memory or a state, a copy. Small states are copied word by word, without a call."""
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
    """Return True after a table function of a game in Python has raised in this thread."""
    return unlikely(game.failed != NULL) and game.failed(game)


cdef inline uint64_t find_ending(const game_t *game, const void *state, int32_t player) noexcept nogil:
    """Return the set of `ending_actions`; EVERY_ACTION for a game without that function."""
    return EVERY_ACTION if game.ending_actions == NULL else game.ending_actions(game, state, player)


cdef inline bint may_end(uint64_t ending, int32_t action) noexcept nogil:
    """Return True if an action is in a set of `find_ending`."""
    return ending == EVERY_ACTION or (action < MOST_ENDING and ending >> action & 1)


cdef inline int32_t num_entries(const game_t *game) noexcept nogil:
    """Return the number of entries of a joint action: one for each player, and one more in a game with chance."""
    return game.num_players + (game.num_outcomes > 0)


cdef inline void clear_joint(int32_t *joint, int32_t entries) noexcept nogil:
    """Fill a joint action with no actions."""
    cdef int32_t entry
    for entry in range(entries):
        joint[entry] = NO_ACTION


cdef inline void free_states(const game_t *game, void *states, int64_t count) noexcept nogil:
    """Free states that lie in a row, and the memory that they hold. `states` may be NULL."""
    cdef int64_t i
    if states != NULL and game.release != NULL:
        for i in range(count):
            game.release(game, <char *> states + i * game.state_size)
    free(states)


cdef inline int32_t list_size(const game_t *game) noexcept nogil:
    """Return the numbers of scratch memory that hold the legal actions of a player, or outcomes and their weights."""
    return max(game.max_legal, 2 * game.num_outcomes)


cdef inline int32_t draw_weighted(const int32_t *weights, int32_t count, rng_t *rng) noexcept nogil:
    """Return the index of one of the weights, each with its share of their sum as probability, from one draw."""
    cdef int64_t rest = 0
    cdef int32_t i
    for i in range(count):
        rest += weights[i]
    rest = <int64_t> (rng_unit(rng) * <double> rest)
    for i in range(count - 1):
        rest -= weights[i]
        if rest < 0:
            return i
    return count - 1


cdef inline int32_t draw_outcome(const game_t *game, const void *state, rng_t *rng, int32_t *scratch) noexcept nogil:
    """Return a random outcome of a state in which chance decides; NO_ACTION after an error in a game in Python.

    scratch: memory for list_size(game) numbers.
    """
    cdef int32_t count = game.chance_outcomes(game, state, scratch, scratch + game.num_outcomes)
    if has_failed(game):
        return NO_ACTION
    return scratch[draw_weighted(scratch + game.num_outcomes, count, rng)]


cdef void play_step(const game_t *game, void *state, rng_t *rng, int32_t *legal, void *joint) noexcept nogil
cdef void playout_by_table(const game_t *game, void *state, rng_t *rng, int32_t *legal, double *returns) noexcept nogil
cdef uint64_t view_key(const game_t *game, const void *state, int32_t player, void *scratch) noexcept nogil
cdef uint64_t hash_bytes(const void *data, size_t size) noexcept nogil
cdef uint64_t hash_state(const game_t *game, const void *data) noexcept nogil
cdef int check_table(const game_t *table, str spec) except -1
cdef int32_t draw_listed(const game_t *game, const void *state, int32_t player, rng_t *rng,
                         int32_t *legal) noexcept nogil
