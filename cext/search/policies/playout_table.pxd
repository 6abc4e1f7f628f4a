"""The table of a playout policy, which chooses the actions of random games, and how a policy is made known.

A policy is a C function that chooses an action, one that learns from the actions of a simulation, or NULL, one that
returns the size of the memory for that, or NULL, and a name. A policy file looks like this:

    from cext.search.policies.playout_table cimport new_playout_policy, turn_t

    cdef int32_t choose(const turn_t *turn) noexcept nogil:
        ...

    PLAYOUT_POLICY = new_playout_policy("name", choose, NULL, NULL)

The playouts of such a policy go through the table of the game; only those of `uniform`, the default, may be a function
of the game. Outcomes of chance are drawn before a policy is asked.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t

from ...game.game_table cimport game_t
from ...primitives.rng cimport rng_t
from .policy cimport Policy

cdef enum:
    PLAYOUT_VERSION = 1         # raise it when a struct below or rng_t changes

cdef struct turn_t:             # what a policy reads: a player's turn to choose in a playout
    const game_t *game
    const void *state
    uint32_t acting             # mask of the players who decide in this state
    int32_t player              # the one who chooses
    int32_t count               # of its legal actions
    const int32_t *legal        # [count] in ascending order
    rng_t *rng                  # for cext/primitives/rng.pxd
    const void *memory          # of the policy
    void *trial                 # scratch: two states of game.state_size bytes, one behind the other
    int32_t *replies            # [game.max_legal] scratch

cdef struct recorded_t:         # what one player did in a simulation
    int32_t player
    int32_t action

ctypedef int32_t (*choose_t)(const turn_t *turn) noexcept nogil
# memory: of the policy. actions [count]: those of the simulation, in the tree and in its playout, in the order of play.
# value [players of the game]: of the simulation, in units of 2^-30 of [0, 1]
ctypedef void (*learn_t)(void *memory, const game_t *game, const recorded_t *actions, int32_t count,
                         const int64_t *value) noexcept nogil
ctypedef size_t (*memory_size_t)(const game_t *game) noexcept nogil

cdef struct playout_policy_t:
    int32_t version             # PLAYOUT_VERSION of the file that the policy was compiled against
    int32_t struct_size         # size of the structs here, game_t and rng_t together at that time
    choose_t choose             # returns one of the legal actions. NULL: uniform
    learn_t learn               # NULL: the policy does not learn
    memory_size_t memory_size   # bytes of its memory, which is zeroed when a search begins; NULL: none


cdef inline int32_t struct_size() noexcept:
    return <int32_t> (sizeof(playout_policy_t) + sizeof(turn_t) + sizeof(recorded_t) + sizeof(game_t) + sizeof(rng_t))


cdef class PlayoutPolicy(Policy):
    cdef playout_policy_t table


cdef inline PlayoutPolicy new_playout_policy(str name, choose_t choose, learn_t learn, memory_size_t memory_size):
    """Return a policy. Inline, so that version and size are those of the file that the policy is compiled against."""
    cdef PlayoutPolicy made = PlayoutPolicy.__new__(PlayoutPolicy)
    made.name = name
    made.table.version = PLAYOUT_VERSION
    made.table.struct_size = struct_size()
    made.table.choose = choose
    made.table.learn = learn
    made.table.memory_size = memory_size
    return made
