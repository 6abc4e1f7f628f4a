"""The search tree: one flat pool of 8-byte words, in which a 32-bit index names a record. Records begin at even words.

A node is a record: a header, one value sum per player, with the solver one lower and one upper bound per player, in
graph mode a graph_t, then the actions it can choose from. With the solver and in graph mode, terminal states have nodes
too, without actions; terminal nodes of equal values share one record.

Where one player decides, the actions are uint16 action[K], with priors float32 prior[K] behind them. The arms that have
been visited so far, and those that the solver knows without a visit, are in a second record, which doubles as more of
them are tried (most nodes of a big tree have tried few). In graph mode, where most nodes are visited once, a node has
none before its first arm is taken. Capacity C:

    float32 mean[G], float32 width[G], int64 value[C], int32 visits[C], uint32 child[C], and for some policies
    float64 square[C], or int32 waiting[C]; in graph mode int32 share[C][num_players]

G is C rounded up to a multiple of 4. Means and widths are stored and loaded in groups of four, for the reason that
`ucb1.h` describes.

Where chance decides, the actions are outcomes, with their weights int32 weight[K] behind them, and the second record
has all of them as arms from the beginning. Arms keep no values there: `mover` is the number of players, the entry of
an outcome in a joint action.

Where several decide there is one block of arms per deciding player, and the second record is a table of joint cells,
found by the index of the joint action (mixed radix over the blocks, first block slowest):

    per block: block_t, float64 regret_or_square[K], float64 strategy[K], int64 value[K], int32 visits[K],
               int32 action[K]

The table of cells is direct when it is small or full, else a hash that doubles. Outgrown records of arms are used
again; outgrown tables lie idle until the pool is compacted.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from ..game.game_table cimport MAX_PLAYERS

cdef extern from "search/ucb1.h" nogil:
    enum:
        ARM_GROUP "PLAYOUT_GROUP"           # arms whose means, or widths, are stored together
    void store_in_group "playout_store_in_group"(float *array, uint32_t at, float x) noexcept

cdef extern from "primitives/compiler.h" nogil:
    void prefetch "PLAYOUT_PREFETCH"(const void *address) noexcept

cdef extern from "search/values.h" nogil:
    const float PRUNED "PLAYOUT_PRUNED"     # mean of an arm that selection never takes again

cdef enum:
    SMALL_TREE = 1 << 21        # bytes of a pool that have ordinary pages: most trees have no more
    NO_NODE = 0                 # index of no record: the first words of the pool stay unused
    FIRST_RECORD = 2            # index of the first record
    FIRST_ARMS = 4              # capacity of a node's arms in the beginning
    SIZE_CLASSES = 16           # capacities of outgrown records: FIRST_ARMS << class
    DIRECT_CELLS = 32           # joint actions up to which the table of cells is direct from the beginning
    FIRST_CELLS = 16            # slots of a hashed table in the beginning
    JOINT_ARM_BYTES = 32        # of one arm where several decide
    PROVEN = 1                  # flag: the value is exact: the bounds of every player meet, or the game is over
    PENDING = 4                 # flag: waits for its evaluation
    HAS_BOUNDED_CELLS = 8       # flag: some joint actions have bounds tighter than the whole range
    CHANCE_NODE = 16            # flag: chance decides
    FIRST_INDEX = 1024          # slots of the index of nodes by hash in the beginning
    MOST_ENDS = 16              # ends of the game that are looked for before a new one is made
    AMAF_BLOCK = 16             # float32 of AMAF statistics for eight actions of a player
    AMAF_ALIGNMENT = 8          # words: a cache line

cdef struct node_t:
    uint32_t visits             # simulations that chose an arm here
    uint8_t acting              # bit mask of the players that decide here; 0 where chance does
    uint8_t blocks              # how many they are; 1 where chance decides
    uint8_t mover               # the lowest of them; the number of players where chance decides
    uint8_t flags               # PROVEN, PENDING, HAS_BOUNDED_CELLS, CHANCE_NODE
    uint32_t num_words          # size of this record
    uint32_t table              # the second record: visited arms, or joint cells
    uint32_t capacity           # of the second record: arms or slots
    uint32_t num_tried          # arms or cells in use; arms [0, num_tried) in the order in which they were taken
    uint32_t num_choices        # number of actions, or of joint actions
    uint32_t side               # record of all-moves-as-first statistics, or of the state of the node; or NO_NODE

cdef struct graph_t:            # of a node that several paths may lead to
    uint64_t hash               # of its state; nodes of equal hash are taken for the same state
    uint64_t stamp              # number of the last simulation that came here

cdef struct block_t:            # stands before the arms of every block where several decide
    int32_t count               # arms, K
    int32_t player              # who chooses among them

cdef struct cell_t:             # a joint action that has been visited
    uint32_t key                # index of the joint action + 1; 0: an empty slot
    uint32_t child              # node below, or NO_NODE
    uint32_t visits
    uint32_t refreshed          # in graph mode: number of the simulation that renewed the share last; 0: none
    # behind it: int64 sum of values [num_players]

cdef struct tree_t:
    uint64_t *words             # the pool
    uint64_t pool_bytes         # its size
    uint64_t used               # words in use
    uint64_t capacity           # words that may be used: the memory cap
    uint64_t next_pass          # words in use from which `make_room` is worth another pass
    uint32_t passes             # of it so far
    bint full                   # a record could not be had since the last one
    uint32_t idle[SIZE_CLASSES]  # outgrown records of arms by size: heads of lists, linked through their first words
    uint32_t nodes              # nodes alive
    uint32_t ends[MOST_ENDS]    # nodes of ends of the game, all of different values
    int32_t end_count
    int32_t num_players
    int32_t head_bytes          # of a node's header, value sums and bounds
    int32_t arm_bytes           # of one visited arm where one player decides, without its mean and width
    int32_t share_at            # in graph mode: those of them before its share
    int32_t amaf_blocks         # of the AMAF statistics of a player: eight actions each; 0 without
    int32_t side_bytes          # of the AMAF statistics, or of the state, of a node
    bint states                 # nodes have their states; not together with AMAF statistics
    bint bounded                # nodes have bounds
    bint graph                  # nodes have a graph_t: several paths may lead to one
    uint64_t *index             # in graph mode: nodes by hash, open addressing; see `slot_of`. 0: an empty slot
    uint64_t index_slots        # a power of two
    uint64_t indexed            # slots in use
    bint squared                # arms have sums of squares
    bint priors                 # actions have priors; not together with squared
    int32_t cell_bytes          # of a cell and its value sums


cdef inline node_t *node_at(const tree_t *tree, uint32_t index) noexcept nogil:
    return <node_t *> (tree.words + index)


cdef inline int64_t *node_sums(node_t *node) noexcept nogil:
    """Value sums [num_players] of the simulations through a node."""
    return <int64_t *> (<char *> node + sizeof(node_t))


cdef inline int32_t *node_lower(const tree_t *tree, node_t *node) noexcept nogil:
    """Proven lower bounds [num_players] of the values, where the tree is bounded."""
    return <int32_t *> (<char *> node + sizeof(node_t) + 8 * tree.num_players)


cdef inline int32_t *node_upper(const tree_t *tree, node_t *node) noexcept nogil:
    """Proven upper bounds [num_players] of the values, where the tree is bounded."""
    return <int32_t *> (<char *> node + sizeof(node_t) + 12 * tree.num_players)


cdef inline graph_t *node_graph(const tree_t *tree, node_t *node) noexcept nogil:
    """A node's entry in the graph, in graph mode."""
    return <graph_t *> (<char *> node + sizeof(node_t) + (16 if tree.bounded else 8) * tree.num_players)


# Where one player decides.

cdef inline uint16_t *node_actions(const tree_t *tree, node_t *node) noexcept nogil:
    """Actions [num_choices]; those of visited arms come first, in the order of their arms."""
    return <uint16_t *> (<char *> node + tree.head_bytes)


cdef inline uint32_t in_groups(uint32_t arms) noexcept nogil:
    """Return a number of arms rounded up to whole groups."""
    return (arms + ARM_GROUP - 1) & ~<uint32_t> (ARM_GROUP - 1)


cdef inline float *arm_mean(const tree_t *tree, const node_t *node) noexcept nogil:
    """value / visits, kept ready for selection. The inner loop stores it by `store_in_group`."""
    return <float *> (tree.words + node.table)


cdef inline float *arm_width(const tree_t *tree, const node_t *node) noexcept nogil:
    """1 / sqrt(visits), kept ready for selection. The inner loop stores it by `store_in_group`."""
    return arm_mean(tree, node) + in_groups(node.capacity)


cdef inline int64_t *arm_value(const tree_t *tree, const node_t *node) noexcept nogil:
    """Sums of the mover's values."""
    return <int64_t *> (tree.words + node.table + in_groups(node.capacity))


cdef inline int32_t *arm_visits(const tree_t *tree, const node_t *node) noexcept nogil:
    return <int32_t *> (arm_value(tree, node) + node.capacity)


cdef inline uint32_t *arm_child(const tree_t *tree, const node_t *node) noexcept nogil:
    return <uint32_t *> arm_visits(tree, node) + node.capacity


cdef inline double *arm_square(const tree_t *tree, const node_t *node) noexcept nogil:
    """Sums of the squares of the mover's values, where the tree is squared."""
    return <double *> (arm_child(tree, node) + node.capacity)


cdef inline int32_t *arm_waiting(const tree_t *tree, const node_t *node) noexcept nogil:
    """Simulations through an arm that wait for their value, where the tree has priors."""
    return <int32_t *> (arm_child(tree, node) + node.capacity)


cdef inline int32_t *arm_share(const tree_t *tree, const node_t *node, uint32_t arm) noexcept nogil:
    """In graph mode, the mean values [num_players] of an arm with which its visits count in the sums of its node."""
    return <int32_t *> (<char *> arm_value(tree, node) + <uint64_t> tree.share_at * node.capacity) + (
        <uint64_t> arm * tree.num_players)


cdef inline uint64_t arms_bytes(const tree_t *tree, uint32_t capacity) noexcept nogil:
    """Return the size of a record for a number of arms."""
    return 8 * <uint64_t> in_groups(capacity) + <uint64_t> tree.arm_bytes * capacity


cdef inline float *node_priors(const tree_t *tree, node_t *node) noexcept nogil:
    """Prior probabilities [num_choices] of the actions, where the tree has priors."""
    return <float *> (<char *> node + tree.head_bytes + 2 * ((node.num_choices + 1) & ~<uint32_t> 1))


cdef inline int32_t *node_weights(const tree_t *tree, node_t *node) noexcept nogil:
    """Weights [num_choices] of the outcomes where chance decides."""
    return <int32_t *> (<char *> node + tree.head_bytes + 2 * ((node.num_choices + 1) & ~<uint32_t> 1))


cdef inline void *node_state(const tree_t *tree, const node_t *node) noexcept nogil:
    """The state of a node, where the tree has states. Ends of the game and proven nodes that were shrunk have none."""
    return tree.words + node.side


# All-moves-as-first statistics of a node: of each action, wherever it was played in the simulations through the node.
# The record has a table of amaf.h for each player, then one for the node's own arms by action, then amaf_t. It begins
# at a cache line.

cdef struct amaf_t:
    uint32_t updates            # simulations added since the statistics were last halved
    uint32_t last_arm           # that GRAVE has selected, with arms by action


cdef inline float *amaf_table(const tree_t *tree, const node_t *node, int32_t player) noexcept nogil:
    """The AMAF statistics of one player."""
    return <float *> (tree.words + node.side) + AMAF_BLOCK * <int64_t> tree.amaf_blocks * player


cdef inline float *arms_by_action(const tree_t *tree, const node_t *node) noexcept nogil:
    """Means and visits of the arms by action, kept for GRAVE in a node with AMAF statistics; see grave.h."""
    return amaf_table(tree, node, tree.num_players)


cdef inline amaf_t *amaf_end(const tree_t *tree, const node_t *node) noexcept nogil:
    return <amaf_t *> amaf_table(tree, node, tree.num_players + 1)


cdef inline int32_t amaf_blocks(int32_t num_actions) noexcept nogil:
    """Return the blocks of the AMAF statistics of a player."""
    return (num_actions + 7) // 8


# Where several players decide.

cdef inline block_t *first_block(const tree_t *tree, node_t *node) noexcept nogil:
    return <block_t *> (<char *> node + tree.head_bytes)


cdef inline double *joint_regret(block_t *block) noexcept nogil:
    return <double *> (<char *> block + sizeof(block_t))


cdef inline double *joint_strategy(block_t *block) noexcept nogil:
    return <double *> (<char *> block + sizeof(block_t) + 8 * block.count)


cdef inline int64_t *joint_value(block_t *block) noexcept nogil:
    return <int64_t *> (<char *> block + sizeof(block_t) + 16 * block.count)


cdef inline int32_t *joint_visits(block_t *block) noexcept nogil:
    return <int32_t *> (<char *> block + sizeof(block_t) + 24 * block.count)


cdef inline int32_t *joint_action(block_t *block) noexcept nogil:
    return <int32_t *> (<char *> block + sizeof(block_t) + 28 * block.count)


cdef inline block_t *next_block(block_t *block) noexcept nogil:
    return <block_t *> (<char *> block + sizeof(block_t) + JOINT_ARM_BYTES * block.count)


cdef inline int64_t *joint_slack(const tree_t *tree, node_t *node) noexcept nogil:
    """The sum of the distances between the bounds of all joint actions + 1, when they were solved last; 0 before.

    It stands behind the blocks of two players, where the tree is bounded.
    """
    return <int64_t *> next_block(next_block(first_block(tree, node)))


cdef inline int64_t *cell_sums(cell_t *cell) noexcept nogil:
    return <int64_t *> (<char *> cell + sizeof(cell_t))


cdef inline cell_t *cell_in_slot(const tree_t *tree, const node_t *node, uint32_t slot) noexcept nogil:
    return <cell_t *> (<char *> (tree.words + node.table) + <uint64_t> slot * tree.cell_bytes)


cdef inline uint64_t table_bytes(const tree_t *tree, const node_t *node) noexcept nogil:
    """Return the size of the second record of a node."""
    if node.blocks == 1:
        return arms_bytes(tree, node.capacity)
    return <uint64_t> node.capacity * tree.cell_bytes


cdef inline uint32_t first_slot(uint32_t joint, uint32_t slots) noexcept nogil:
    """Return the first slot of a hashed table that may hold a joint action."""
    return <uint32_t> ((<uint64_t> (joint * <uint32_t> 0x9E3779B1) * slots) >> 32)


cdef inline cell_t *find_cell(const tree_t *tree, const node_t *node, uint32_t joint) noexcept nogil:
    """The cell of a joint action, or NULL if it has never been visited."""
    cdef cell_t *cell
    cdef uint32_t slot
    if node.capacity == node.num_choices:
        cell = cell_in_slot(tree, node, joint)
        return cell if cell.key else NULL
    slot = first_slot(joint, node.capacity)
    while True:
        cell = cell_in_slot(tree, node, slot)
        if cell.key == joint + 1:
            return cell
        if cell.key == 0:
            return NULL
        slot = slot + 1 if slot + 1 < node.capacity else 0


cdef inline node_t *child_of_cell(const tree_t *tree, const node_t *node, uint32_t joint) noexcept nogil:
    """The node behind a joint action, or NULL if there is none."""
    cdef cell_t *cell = find_cell(tree, node, joint)
    return NULL if cell == NULL or cell.child == NO_NODE else node_at(tree, cell.child)


cdef struct shape_t:            # what nodes of a tree have beside the least
    bint bounded
    bint squared
    bint priors                 # not with squared
    bint graph
    int32_t amaf_blocks
    int32_t state_bytes         # of the state of each node; 0: nodes have none. Not with amaf_blocks

cdef int tree_init(tree_t *tree, int32_t num_players, shape_t shape, uint64_t bytes) noexcept nogil
cdef void tree_free(tree_t *tree) noexcept nogil
cdef void tree_clear(tree_t *tree) noexcept nogil
cdef uint32_t new_node(tree_t *tree, uint32_t acting, const int32_t *counts, const int32_t *actions) noexcept nogil
cdef uint32_t new_chance_node(tree_t *tree, int32_t count, const int32_t *outcomes,
                              const int32_t *weights) noexcept nogil
cdef void new_amaf(tree_t *tree, node_t *node) noexcept nogil
cdef uint32_t end_of_value(tree_t *tree, const int64_t *value) noexcept nogil
cdef bint more_arms(tree_t *tree, node_t *node) noexcept nogil
cdef cell_t *claim_cell(tree_t *tree, node_t *node, uint32_t joint) noexcept nogil
cdef uint32_t find_node(const tree_t *tree, uint64_t hash) noexcept nogil
cdef void index_node(tree_t *tree, uint32_t index, uint64_t hash) noexcept nogil
