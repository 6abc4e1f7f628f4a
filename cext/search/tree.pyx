"""Making and growing the records of a search tree. `tree.pxd` describes their layout."""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from .values cimport ONE

cdef extern from "search/pool.h" nogil:
    void *new_pool "playout_new_pool"(uint64_t size) noexcept
    void free_pool "playout_free_pool"(void *pool, uint64_t size) noexcept
    void use_huge_pages "playout_use_huge_pages"(void *pool, uint64_t size, uint64_t begin) noexcept

cdef int tree_init(tree_t *tree, int32_t num_players, shape_t shape, uint64_t bytes) noexcept nogil:
    """Reserve a pool of so many bytes; the system commits its pages as they are used. Returns -1 without memory."""
    cdef int32_t head = sizeof(node_t) + (16 if shape.bounded else 8) * num_players
    memset(tree, 0, sizeof(tree_t))
    tree.capacity = min(bytes // 8, <uint64_t> 0xFFFFFFFF)
    tree.num_players = num_players
    tree.bounded = shape.bounded
    tree.squared = shape.squared
    tree.priors = shape.priors
    tree.graph = shape.graph
    tree.amaf_blocks = shape.amaf_blocks
    tree.states = shape.state_bytes > 0
    tree.side_bytes = shape.state_bytes
    if not tree.states:
        tree.side_bytes = <int32_t> sizeof(amaf_t) + 4 * AMAF_BLOCK * shape.amaf_blocks * (num_players + 1)
    tree.share_at = 24 if shape.squared else 20 if shape.priors else 16
    tree.arm_bytes = tree.share_at + (4 * num_players if shape.graph else 0)
    tree.head_bytes = head + (<int32_t> sizeof(graph_t) if shape.graph else 0)
    tree.cell_bytes = sizeof(cell_t) + 8 * num_players
    tree.pool_bytes = 8 * tree.capacity
    tree.words = <uint64_t *> new_pool(tree.pool_bytes)
    if tree.words == NULL:
        return -1
    use_huge_pages(tree.words, tree.pool_bytes, SMALL_TREE)
    tree_clear(tree)
    return 0


cdef void tree_free(tree_t *tree) noexcept nogil:
    free_pool(tree.words, tree.pool_bytes)
    free(tree.index)
    tree.words = NULL
    tree.index = NULL


cdef void tree_clear(tree_t *tree) noexcept nogil:
    """Forget all nodes."""
    tree.used = FIRST_RECORD
    tree.nodes = 0
    tree.end_count = 0
    tree.full = False
    tree.next_pass = tree.passes = 0
    memset(tree.idle, 0, sizeof(tree.idle))
    tree.capacity += tree.index_slots
    free(tree.index)
    tree.index = NULL
    tree.index_slots = tree.indexed = 0


cdef inline uint64_t words_of(uint64_t bytes) noexcept nogil:
    """Return the words that a record of so many bytes takes."""
    return (bytes + 15) // 16 * 2


cdef uint32_t take(tree_t *tree, uint64_t bytes) noexcept nogil:
    """Return a record of arbitrary content, or NO_NODE at the memory cap."""
    cdef uint64_t words = words_of(bytes), index = tree.used
    if index + words > tree.capacity:
        tree.full = True
        return NO_NODE
    tree.used = index + words
    return <uint32_t> index


cdef uint32_t take_arms(tree_t *tree, uint32_t capacity) noexcept nogil:
    """Return a record for a number of arms, an outgrown one if there is one."""
    cdef uint32_t size, index
    for size in range(SIZE_CLASSES):
        if capacity == <uint32_t> FIRST_ARMS << size:
            index = tree.idle[size]
            if index != NO_NODE:
                tree.idle[size] = <uint32_t> tree.words[index]
                return index
            break
    return take(tree, arms_bytes(tree, capacity))


cdef void give_back_arms(tree_t *tree, uint32_t index, uint32_t capacity) noexcept nogil:
    cdef uint32_t size
    for size in range(SIZE_CLASSES):
        if capacity == <uint32_t> FIRST_ARMS << size:
            tree.words[index] = tree.idle[size]
            tree.idle[size] = index


cdef inline uint32_t arm_capacity(uint32_t wanted, uint32_t arms) noexcept nogil:
    """Return the wanted capacity, or the number of all arms if that is little more."""
    return wanted if wanted + 2 < arms else arms


cdef bint more_arms(tree_t *tree, node_t *node) noexcept nogil:
    """Grow the record of tried arms beyond `capacity`. Return False at the memory cap."""
    cdef node_t old = node[0]
    cdef uint32_t capacity = arm_capacity(max(2 * old.capacity, <uint32_t> FIRST_ARMS), old.num_choices)
    cdef uint32_t table = take_arms(tree, capacity)
    if table == NO_NODE:
        return False
    node.table = table
    node.capacity = capacity
    memcpy(arm_mean(tree, node), arm_mean(tree, &old), 4 * in_groups(old.num_tried))
    memcpy(arm_width(tree, node), arm_width(tree, &old), 4 * in_groups(old.num_tried))
    memcpy(arm_value(tree, node), arm_value(tree, &old), 8 * old.num_tried)
    memcpy(arm_visits(tree, node), arm_visits(tree, &old), 4 * old.num_tried)
    memcpy(arm_child(tree, node), arm_child(tree, &old), 4 * old.num_tried)
    if tree.squared:
        memcpy(arm_square(tree, node), arm_square(tree, &old), 8 * old.num_tried)
    elif tree.priors:
        memcpy(arm_waiting(tree, node), arm_waiting(tree, &old), 4 * old.num_tried)
    if tree.graph:
        memset(arm_share(tree, node, 0), 0, 4 * <uint64_t> tree.num_players * capacity)
        memcpy(arm_share(tree, node, 0), arm_share(tree, &old, 0), 4 * <uint64_t> tree.num_players * old.num_tried)
    give_back_arms(tree, old.table, old.capacity)
    return True


cdef uint32_t with_state(tree_t *tree, uint32_t index, uint64_t used) noexcept nogil:
    """Give a new node memory for its state, where the tree has states. At the memory cap, take the node back.

    used: words in use before the node was made.
    """
    if tree.states and index != NO_NODE:
        node_at(tree, index).side = take(tree, tree.side_bytes)
        if node_at(tree, index).side == NO_NODE:
            tree.used = used
            return NO_NODE
    return index


cdef uint32_t new_node(tree_t *tree, uint32_t acting, const int32_t *counts, const int32_t *actions) noexcept nogil:
    """Return a node without visits.

    acting: the players that decide; counts: the number of arms of each of them, in player order; actions: their arms'
    actions, one player's behind the other's. Returns NO_NODE when the cap is reached.
    """
    cdef uint64_t used = tree.used
    cdef uint32_t index
    cdef int32_t player
    cdef node_t *node
    if (acting & (acting - 1)) == 0:
        index = new_single_node(tree, counts[0], actions)
    else:
        index = new_joint_node(tree, acting, counts, actions)
    index = with_state(tree, index, used)
    if index == NO_NODE:
        return NO_NODE
    tree.nodes += 1
    node = node_at(tree, index)
    node.acting = acting
    while not (acting >> node.mover) & 1:
        node.mover += 1
    if tree.bounded:
        for player in range(tree.num_players):
            node_upper(tree, node)[player] = ONE
    return index


cdef uint32_t new_chance_node(tree_t *tree, int32_t count, const int32_t *outcomes,
                              const int32_t *weights) noexcept nogil:
    """Return a node without visits where chance decides; NO_NODE when the cap is reached."""
    cdef uint64_t bytes = tree.head_bytes + 6 * <uint64_t> (count + 1), used = tree.used
    cdef uint32_t index = take(tree, bytes), table
    cdef int32_t i, player
    cdef node_t *node
    if index == NO_NODE:
        return NO_NODE
    table = take_arms(tree, <uint32_t> count)
    if table == NO_NODE:
        tree.used = used
        return NO_NODE
    node = node_at(tree, index)
    memset(node, 0, tree.head_bytes)
    node.blocks = 1
    node.mover = <uint8_t> tree.num_players
    node.flags = CHANCE_NODE
    node.num_words = <uint32_t> ((bytes + 7) // 8)
    node.table = table
    node.capacity = node.num_choices = node.num_tried = <uint32_t> count
    memset(tree.words + table, 0, arms_bytes(tree, <uint32_t> count))
    for i in range(count):
        node_actions(tree, node)[i] = <uint16_t> outcomes[i]
        node_weights(tree, node)[i] = weights[i]
    if tree.bounded:
        for player in range(tree.num_players):
            node_upper(tree, node)[player] = ONE
    index = with_state(tree, index, used)
    if index != NO_NODE:
        tree.nodes += 1
    return index


cdef uint32_t take_amaf(tree_t *tree) noexcept nogil:
    """Return a record for AMAF statistics, which begins at a cache line, or NO_NODE at the memory cap."""
    cdef uint64_t used = tree.used
    cdef uint32_t index
    tree.used = (used + AMAF_ALIGNMENT - 1) // AMAF_ALIGNMENT * AMAF_ALIGNMENT
    index = take(tree, tree.side_bytes)
    if index == NO_NODE:
        tree.used = used
    return index


cdef void new_amaf(tree_t *tree, node_t *node) noexcept nogil:
    """Give a node AMAF statistics, unless the memory cap is reached."""
    node.side = take_amaf(tree)
    if node.side != NO_NODE:
        memset(tree.words + node.side, 0, tree.side_bytes)


cdef uint32_t end_of_value(tree_t *tree, const int64_t *value) noexcept nogil:
    """The node of states that are over, of the values [num_players]; NO_NODE when it is new and the cap is reached."""
    cdef uint32_t index
    cdef int32_t i, player
    cdef node_t *node
    for i in range(tree.end_count):
        node = node_at(tree, tree.ends[i])
        for player in range(tree.num_players):
            if node_sums(node)[player] != value[player]:
                break
        else:
            return tree.ends[i]
    index = take(tree, tree.head_bytes)
    if index == NO_NODE:
        return NO_NODE
    tree.nodes += 1
    node = node_at(tree, index)
    memset(node, 0, tree.head_bytes)
    node.num_words = tree.head_bytes // 8
    node.table = index + node.num_words
    node.flags = PROVEN
    node.visits = 1
    for player in range(tree.num_players):
        node_sums(node)[player] = value[player]
        if tree.bounded:
            node_lower(tree, node)[player] = node_upper(tree, node)[player] = <int32_t> value[player]
    if tree.end_count < MOST_ENDS:
        tree.ends[tree.end_count] = index
        tree.end_count += 1
    return index


cdef uint32_t new_single_node(tree_t *tree, int32_t count, const int32_t *actions) noexcept nogil:
    cdef uint64_t bytes = tree.head_bytes + (6 * <uint64_t> (count + 1) if tree.priors else 2 * <uint64_t> count)
    cdef uint64_t used = tree.used
    cdef uint32_t index = take(tree, bytes), capacity = 0, table = NO_NODE
    cdef uint16_t *action
    cdef int32_t arm
    cdef node_t *node
    if index == NO_NODE:
        return NO_NODE
    if not tree.graph:
        capacity = arm_capacity(FIRST_ARMS, <uint32_t> count)
        table = take_arms(tree, capacity)
        if table == NO_NODE:
            tree.used = used
            return NO_NODE
    node = node_at(tree, index)
    memset(node, 0, tree.head_bytes)
    node.blocks = 1
    node.num_words = <uint32_t> ((bytes + 7) // 8)
    node.table = table
    node.capacity = capacity
    node.num_choices = <uint32_t> count
    action = node_actions(tree, node)
    for arm in range(count):
        action[arm] = <uint16_t> actions[arm]
        if tree.priors:
            node_priors(tree, node)[arm] = <float> 1.0 / <float> count
    return index


cdef uint32_t new_joint_node(tree_t *tree, uint32_t acting, const int32_t *counts,
                             const int32_t *actions) noexcept nogil:
    cdef int32_t player, blocks = 0
    cdef uint64_t bytes = tree.head_bytes, num_choices = 1
    cdef uint32_t index, capacity
    cdef node_t *node
    cdef block_t *block
    for player in range(tree.num_players):
        if (acting >> player) & 1:
            num_choices *= <uint64_t> counts[blocks]
            bytes += sizeof(block_t) + <uint64_t> JOINT_ARM_BYTES * counts[blocks]
            blocks += 1
            if num_choices > <uint64_t> 0x7FFFFFFF:
                return NO_NODE
    if tree.bounded:
        bytes += sizeof(int64_t)        # joint_slack
    capacity = <uint32_t> num_choices if num_choices <= DIRECT_CELLS else FIRST_CELLS
    index = take(tree, bytes + <uint64_t> capacity * tree.cell_bytes)
    if index == NO_NODE:
        return NO_NODE
    node = node_at(tree, index)
    memset(node, 0, bytes + <uint64_t> capacity * tree.cell_bytes)
    node.blocks = blocks
    node.num_choices = <uint32_t> num_choices
    node.num_words = <uint32_t> (bytes // 8)
    node.table = index + node.num_words
    node.capacity = capacity
    block = first_block(tree, node)
    blocks = 0
    for player in range(tree.num_players):
        if (acting >> player) & 1:
            block.count = counts[blocks]
            block.player = player
            memcpy(joint_action(block), actions, 4 * block.count)
            actions += block.count
            block = next_block(block)
            blocks += 1
    return index


cdef bint grow_table(tree_t *tree, node_t *node) noexcept nogil:
    """Double the table of cells; it is direct once it reaches the number of joint actions. Return False at the cap."""
    cdef node_t old = node[0]
    cdef uint32_t slots = old.capacity * 2, slot, to, table
    cdef cell_t *cell
    if slots >= old.num_choices // 2:
        slots = old.num_choices
    table = take(tree, <uint64_t> slots * tree.cell_bytes)
    if table == NO_NODE:
        return False
    memset(tree.words + table, 0, <uint64_t> slots * tree.cell_bytes)
    node.table = table
    node.capacity = slots
    for slot in range(old.capacity):
        cell = cell_in_slot(tree, &old, slot)
        if cell.key == 0:
            continue
        to = cell.key - 1
        if slots != node.num_choices:
            to = first_slot(to, slots)
            while cell_in_slot(tree, node, to).key != 0:
                to = to + 1 if to + 1 < slots else 0
        memcpy(cell_in_slot(tree, node, to), cell, tree.cell_bytes)
    return True


cdef cell_t *claim_cell(tree_t *tree, node_t *node, uint32_t joint) noexcept nogil:
    """The cell of a joint action, made if it is new; NULL when it is new and the cap is reached."""
    cdef cell_t *cell = find_cell(tree, node, joint)
    cdef uint32_t slot
    if cell != NULL:
        return cell
    if (node.capacity != node.num_choices and (node.num_tried + 1) * 4 > node.capacity * 3
            and not grow_table(tree, node)):
        return NULL
    if node.capacity == node.num_choices:
        slot = joint
    else:
        slot = first_slot(joint, node.capacity)
        while cell_in_slot(tree, node, slot).key != 0:
            slot = slot + 1 if slot + 1 < node.capacity else 0
    cell = cell_in_slot(tree, node, slot)
    cell.key = joint + 1
    node.num_tried += 1
    return cell


cdef inline uint64_t slot_of(const tree_t *tree, uint64_t hash) noexcept nogil:
    """Return the slot of a hash, or the empty slot where it belongs.

    A slot has the lower half of the hash above the 32 bits of the index: few nodes must be read to tell hashes apart,
    and none to find the slots of a larger index.
    """
    cdef uint64_t slot = hash & (tree.index_slots - 1), entry
    while True:
        entry = tree.index[slot]
        if entry == 0 or (entry >> 32 == hash & <uint64_t> 0xFFFFFFFF
                          and node_graph(tree, node_at(tree, <uint32_t> entry)).hash == hash):
            return slot
        slot = (slot + 1) & (tree.index_slots - 1)


cdef uint32_t find_node(const tree_t *tree, uint64_t hash) noexcept nogil:
    """Return the node of the state with a hash, or NO_NODE."""
    return NO_NODE if tree.index == NULL else <uint32_t> tree.index[slot_of(tree, hash)]


cdef bint grow_index(tree_t *tree) noexcept nogil:
    """An index twice as large, its memory taken from the pool's share. False at the cap."""
    cdef uint64_t *old = tree.index
    cdef uint64_t old_slots = tree.index_slots, slots = 2 * old_slots if old_slots else FIRST_INDEX, i, slot
    cdef uint64_t *index
    if tree.used + (slots - old_slots) > tree.capacity:
        tree.full = True
        return False
    index = <uint64_t *> calloc(slots, sizeof(uint64_t))
    if index == NULL:
        return False
    tree.index = index
    tree.index_slots = slots
    tree.capacity -= slots - old_slots
    for i in range(old_slots):
        if old[i]:
            slot = (old[i] >> 32) & (slots - 1)
            while index[slot]:
                slot = (slot + 1) & (slots - 1)
            index[slot] = old[i]
    free(old)
    return True


cdef void index_node(tree_t *tree, uint32_t index, uint64_t hash) noexcept nogil:
    """Enter a node into the index by its hash. At the memory cap it is left out, and no other path leads to it."""
    node_graph(tree, node_at(tree, index)).hash = hash
    if 4 * (tree.indexed + 1) > 3 * tree.index_slots and not grow_index(tree):
        return
    tree.index[slot_of(tree, hash)] = hash << 32 | index
    tree.indexed += 1
