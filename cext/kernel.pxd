"""What one search consists of, and the loop that runs it."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from .game cimport MAX_PLAYERS, game_t
from .policies cimport joint_selection_t, selection_t
from .rng cimport rng_t
from .solver cimport solver_t
from .tree cimport node_lower, node_sums, node_t, node_upper, record_t, tree_t

cdef enum:
    OUT_OF_MEMORY = -1
    DEFERRED = 1                # a simulation waits for its evaluation
    NOTHING_LEFT = 3            # the root has turned out to be proven
    COLLIDED = 2                # a simulation met a node that waits for its evaluation; it left no trace
    GAME_FAILED = -2            # a game written in Python has raised
    NOBODY = -1

cdef enum playout_t:            # how a simulation goes on behind the tree
    UNIFORM
    DECISIVE
    MAST

cdef struct config_t:
    selection_t selection
    joint_selection_t joint_selection
    playout_t playout
    double exploration          # weight of the exploration term in the UCB policies
    int32_t paranoid            # the player whom all others are taken to play against, or NOBODY
    bint solve                  # keep proven bounds
    bint plain                  # by UCB1, with random playouts, in a tree of its own, with nothing else of all this
    bint pursue                 # with `solve`, two players of opposite interests: choose what is not proven yet
    bint graph                  # merge nodes of equal states
    bint images                 # in graph mode, also of those that are images of each other
    bint early                  # stop when no other arm can have as many visits as the leader in the end
    bint evaluated              # new states wait for an evaluation instead of being played out
    bint record                 # keep the moves of the running simulation: some policy learns from them

cdef struct step_t:             # one node on the way of a simulation
    uint32_t node
    uint32_t arm                # arm, or index of the joint action
    int32_t moves               # moves recorded before this one
    bint pursued                # a joint action that was taken since it was open, not by the policy

cdef struct leaf_t:             # a simulation that waits for the evaluation of the node at its end
    uint32_t node
    step_t *path                # [capacity], the way to it
    int32_t depth
    int32_t capacity

cdef struct move_t:             # what one player did in the running simulation
    int32_t player
    int32_t action

cdef struct search_t:
    const game_t *game
    config_t config
    tree_t *tree                # shared by several searches where the tree says so
    rng_t rng
    void *root_state            # [state_size]
    void *state                 # [state_size], where the running simulation stands
    void *trial                 # [2, state_size], scratch of playouts that look ahead
    int32_t *legal              # [num_players * max_legal], scratch
    int32_t *replies            # [max_legal], scratch of playouts that look ahead
    double *weights             # [num_players * max_legal], scratch
    double *expected            # [num_players * max_legal], scratch
    record_t *mast              # [num_players * num_actions], or NULL
    step_t *path                # way of the running simulation
    int32_t path_capacity
    move_t *moves               # moves of the running simulation, in the order they were made
    int32_t move_count
    int32_t move_capacity
    uint32_t root               # node, or NO_NODE before the first simulation
    int64_t value[MAX_PLAYERS]  # outcome of the running simulation, in units of 2^-30 of [0, 1]
    double utility_scale        # (utility - min_utility) * utility_scale is a value in those units
    solver_t solver
    leaf_t *leaves              # [batch_size], or NULL where nothing is evaluated
    int32_t waiting             # leaves in use
    float *encoded              # [batch_size, encoding_size], their states
    uint64_t simulation         # number of the running simulation, in graph mode
    int stop                    # set by another thread to end the run early


cdef inline int64_t exact_value(const search_t *search, node_t *node, int32_t player) noexcept nogil:
    """The value of a proven node, in units of 2^-30."""
    return node_lower(search.tree, node)[player] if search.config.solve else node_sums(node)[player]


cdef inline void put_within(const search_t *search, node_t *node, int64_t *value) noexcept nogil:
    """The value [num_players] of the running simulation, within the bounds of a node."""
    cdef int32_t player
    for player in range(search.game.num_players):
        value[player] = min(max(search.value[player], <int64_t> node_lower(search.tree, node)[player]),
                            <int64_t> node_upper(search.tree, node)[player])


cdef uint32_t expand(search_t *search, uint32_t acting) noexcept nogil
cdef void take_value(search_t *search, node_t *node) noexcept nogil
cdef uint32_t *link_on_path(search_t *search, int32_t depth, bint make) noexcept nogil
cdef uint32_t end_of_game(search_t *search, const void *state) noexcept nogil
cdef void evaluate(search_t *search, bint over) noexcept nogil
cdef void backpropagate(search_t *search, int32_t depth) noexcept nogil
cdef int simulate(search_t *search) noexcept nogil
cdef bint is_proven(search_t *search) noexcept nogil
cdef bint is_decided(search_t *search, int64_t left) noexcept nogil
cdef int run_until(search_t *search, int64_t *done, int64_t target, double deadline) noexcept nogil
cdef bint record_move(search_t *search, int32_t player, int32_t action) noexcept nogil
