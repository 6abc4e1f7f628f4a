"""The state of one search in one thread, and the smallest operations on it.

Everything else in this package works on a `search_t`; nothing here calls any of it.
"""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from ..game.game_table cimport MAX_PLAYERS, game_t, lanes_t
from ..nets.inference cimport net_t
from ..primitives.clock cimport playout_seconds
from ..primitives.lock cimport read_flag
from ..primitives.rng cimport rng_t
from .bounds cimport solver_t
from .policies.joint_selection_table cimport joint_selection_t, joint_t
from .policies.playout_table cimport playout_policy_t, recorded_t
from .policies.selection_table cimport selection_t
from .tree cimport (arm_child, arm_waiting, cell_t, claim_cell, end_of_value, find_cell, node_at,
                    node_lower, node_sums, node_t, node_upper, tree_t)
from .values cimport ONE

cdef enum:                      # results of a simulation and of a run
    OUT_OF_MEMORY = -1
    GAME_FAILED = -2            # a game written in Python has raised
    DEFERRED = 1                # the simulation waits for its evaluation
    COLLIDED = 2                # it met a node that waits for its evaluation; it left no trace
    NOTHING_LEFT = 3            # the root has turned out to be proven

cdef enum:                      # features of a search, a bit mask; 0 is UCB1 with random playouts in a tree
    SOLVER = 1                  # nodes have proven bounds
    PREFER_UNPROVEN = 2         # with SOLVER, two players of opposite interests: choose arms that are not proven
    TRANSPOSITIONS = 4          # nodes of equal states are merged
    SYMMETRIES = 8              # with TRANSPOSITIONS: those of symmetric states as well
    HAS_CHANCE = 16             # chance decides in some states
    RECORD = 32                 # the actions of the running simulation are recorded
    SETS = 64                   # with RECORD: AMAF statistics need the actions of a simulation as sets, `played`
    FOLLOWERS = 128             # states that follow others are computed many at a time, and kept
    STATES = 256                # with GUIDED: nodes have their states, and a walk steps at its end alone
    SELECTION = 3 << 9          # which policy selects where one player decides, one of:
    UCB1 = 0                    # UCB1, compiled into the simulation
    GRAVE = 1 << 9              # GRAVE, the same
    BY_TABLE = 2 << 9           # a function of the selection table
    LEAF = 7 << 11              # where the value of a new state comes from, one of:
    PLAYOUT = 0                 # a playout
    NET = 1 << 11               # a net
    LATE = 2 << 11              # with TRANSPOSITIONS: its parent, until games from a batch of states are played
    GUIDED = 3 << 11            # a net with a policy: nodes have priors, and look ahead when they are passed
    WIDE = 4 << 11              # games from a batch of states that wait, played side by side
    EVALUATOR = 5 << 11         # an evaluator, for which it waits
    NODE_AT_ONCE = GUIDED       # from this kind on, the first visit of an arm makes its node, not the second

cdef struct config_t:
    const selection_t *selection
    const joint_selection_t *joint_selection
    const playout_policy_t *playout
    double exploration          # weight of the exploration term in the UCB policies
    double playout_share        # of a playout in the value of a new state, with NET
    float grave_exploration     # weight of that of GRAVE, or 0
    float root_exploration      # the same at the root
    double urgency              # value that untried arms are taken to have; NO_URGENCY: that of the policy
    double reduction            # taken from the value that the policy gives to untried arms
    bint is_static              # new states have the value of the game's evaluation, not of a playout
    int32_t leaves              # with WIDE and LATE: states in a batch
    bint early_stop             # stop when no other arm can overtake the most visited one

cdef struct step_t:             # one node on the path of a simulation
    uint32_t node
    uint32_t arm                # arm, or index of the joint action
    int32_t recorded            # actions recorded before this step
    bint unproven               # a joint action that was taken because it is not proven, not by the policy

cdef struct leaf_t:             # a simulation that waits for the evaluation of the node at its end
    uint32_t node
    step_t *path                # [capacity], the path to it
    int32_t depth
    int32_t capacity
    int32_t passed              # with WIDE: walks that met the node while it waited, counted until it has a value
    int64_t value[MAX_PLAYERS]  # with LATE: that of the node until its games are played

cdef struct followers_t:        # states that follow others; see followers.pxd
    char *slot                  # [mask + 1, slot_size] key, 0 for none, and state; NULL with STATES: none are kept
    uint64_t mask
    size_t slot_size
    void *memory                # of the game's apply_each
    int32_t *joint              # [MOST_FOLLOWERS, num_players] scratch
    char *after                 # [MOST_FOLLOWERS, state_size] scratch

cdef struct tally_t:            # games from one state that began with an action
    double total                # sum of the returns of the player who decides
    int32_t games
    int32_t lane                # of one of them

cdef struct halving_t:          # the choice at the root with HALVING; see halving.pxd
    int32_t most                # actions that are considered at first, at most
    double noise                # scale of the Gumbel noise
    bint is_open                # the run has begun, at a root where one player decides
    double value                # of the root by the net, to the player who decides
    int64_t simulations         # of the run
    int32_t rounds              # among which they are divided
    int32_t considered          # actions of this round
    int32_t least               # of the last round
    int32_t level               # visits of a considered action that is due
    int32_t visited             # considered actions that have more
    int64_t levels              # left in this round
    double *base                # [num_actions] noise + log(prior)
    int32_t *chosen             # [num_actions] simulations of this run that chose the action

cdef struct search_t:
    # Fixed: set with the search
    const game_t *game
    config_t config
    uint32_t features
    const net_t *net            # or NULL
    void (*playout)(const game_t *game, void *state, rng_t *rng, uint64_t *played,
                    double *returns) noexcept nogil     # the game's own function of the playouts; NULL: there is none
    int32_t played_words        # words of a set of actions
    uint32_t amaf_visits        # visits from which a node keeps AMAF statistics
    double utility_scale        # (utility - min_utility) * utility_scale is a value in those units
    int32_t leaf_size           # state_size
    # Scratch: of the running simulation, or of the batch that waits; nothing of it outlasts a run
    void *state                 # [state_size], of the running simulation
    void *trial                 # [2, state_size], scratch of playouts that look ahead
    int32_t *legal              # [num_players * max_legal], scratch; at least list_size(game)
    int32_t *replies            # [max_legal], scratch of playouts that look ahead
    double *weights             # [num_players * max_legal], scratch
    double *expected            # [num_players * max_legal], scratch
    float *inputs               # [encoding_size], the inputs of the net
    uint16_t *policy_actions    # [num_actions] scratch, with a policy for each player and regret matching; or NULL
    float *policy_weights       # [num_actions] scratch, with policy_actions
    joint_t joint               # what the policy reads where several players decide
    uint64_t *played            # [num_players, played_words] actions of the simulation, with SETS; or NULL
    float *priors               # [2, num_actions] wins and games of action_priors; NULL: a search without them
    step_t *path                # of the running simulation
    int32_t path_capacity
    recorded_t *recorded        # actions of the running simulation, in the order of play
    int32_t num_recorded
    int32_t record_capacity
    int64_t value[MAX_PLAYERS]  # outcome of the running simulation, in units of 2^-30 of [0, 1]
    char *leaf_states           # [config.leaves, leaf_size] with WIDE and LATE
    lanes_t *lanes              # games of a batch, with WIDE and LATE
    void *leaves_memory         # of the game's playout_leaves
    tally_t *tally              # [num_actions] scratch; without games between two uses
    bint counted                # with WIDE: the running simulation has waited, and its visits are counted
    float *encoded              # [batch_size, encoding_size], their states
    uint64_t simulation         # number of the running simulation, with TRANSPOSITIONS
    uint64_t hash               # of the state at its leaf, with TRANSPOSITIONS
    bint repeated               # that state has a node, which the simulation has passed
    # Changed: by simulations and kept between them; all but `stop` by the thread that runs the search alone
    tree_t *tree
    rng_t rng
    void *root_state            # [state_size]
    uint32_t root               # node, or NO_NODE before the first simulation
    void *playout_memory        # of the playout policy, or NULL
    solver_t solver
    followers_t followers       # with FOLLOWERS
    halving_t halving           # with HALVING
    leaf_t *leaves              # [batch_size], or NULL without EVALUATOR, WIDE and LATE
    int32_t waiting             # leaves in use
    double deadline             # of the run, a time of playout_seconds
    bint has_played             # with WIDE and LATE: games of this run have ended
    int stop                    # set by another thread to end the run early


cdef inline bint keeps_amaf(const search_t *search, uint32_t features) noexcept nogil:
    """Return True if nodes keep all-moves-as-first statistics: for GRAVE, or another policy that needs them."""
    if features & SELECTION == BY_TABLE:
        return not features & STATES and search.tree.amaf_blocks != 0
    return features & SELECTION == GRAVE


cdef inline bint is_late(const search_t *search) noexcept nogil:
    """Return True when the run must end: its deadline has passed, or another thread has set `stop`."""
    return read_flag(&search.stop) or playout_seconds() >= search.deadline


cdef inline int64_t exact_value(const search_t *search, node_t *node, int32_t player) noexcept nogil:
    """Return the value of a proven node, in units of 2^-30."""
    return node_lower(search.tree, node)[player] if search.features & SOLVER else node_sums(node)[player]


cdef inline void set_exact_value(search_t *search, node_t *node) noexcept nogil:
    """Set the value of the running simulation to that of a proven node."""
    cdef int32_t player
    for player in range(search.game.num_players):
        search.value[player] = exact_value(search, node, player)


cdef inline void clamp_to_bounds(const search_t *search, node_t *node, int64_t *value) noexcept nogil:
    """Write the value [num_players] of the running simulation, clamped to the bounds of a node."""
    cdef int32_t player
    for player in range(search.game.num_players):
        value[player] = min(max(search.value[player], <int64_t> node_lower(search.tree, node)[player]),
                            <int64_t> node_upper(search.tree, node)[player])


cdef inline int64_t value_of_utility(const search_t *search, double utility) noexcept nogil:
    """Convert a return of the game to units of 2^-30 of [0, 1], rounded."""
    return <int64_t> ((utility - search.game.min_utility) * search.utility_scale + 0.5)


cdef inline uint32_t *link_on_path(search_t *search, int32_t depth, bint make) noexcept nogil:
    """Return where the node at a depth of the path stores its child below the arm that was taken.

    make: add a cell for a joint action without one. NULL if there is none, or none can be made.
    """
    cdef node_t *node = node_at(search.tree, search.path[depth].node)
    cdef uint32_t arm = search.path[depth].arm
    cdef cell_t *cell
    if node.blocks == 1:
        return &arm_child(search.tree, node)[arm]
    cell = claim_cell(search.tree, node, arm) if make else find_cell(search.tree, node, arm)
    return NULL if cell == NULL else &cell.child


cdef inline uint32_t end_of_game(search_t *search, const void *state) noexcept nogil:
    """Return the node of a terminal state; NO_NODE at the memory cap."""
    cdef double returns[MAX_PLAYERS]
    cdef int64_t value[MAX_PLAYERS]
    cdef int32_t player
    search.game.returns(search.game, state, returns)
    for player in range(search.game.num_players):
        value[player] = value_of_utility(search, returns[player])
    if search.solver.zero_sum:
        value[1] = ONE - value[0]
    return end_of_value(search.tree, value)


cdef inline void count_waiting(search_t *search, int32_t depth, int32_t change) noexcept nogil:
    """Count one more or less waiting simulation at every arm of the path."""
    cdef node_t *node
    cdef int32_t i
    for i in range(depth):
        node = node_at(search.tree, search.path[i].node)
        if node.blocks == 1:
            arm_waiting(search.tree, node)[search.path[i].arm] += change
