"""Making, growing and compacting the records of a search tree. Their layout stands in `tree.pxd`."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    SLACK_WORDS = 16            # behind the last record, for loops that read whole vectors


cdef int tree_init(tree_t *tree, int32_t num_players, uint64_t bytes) noexcept nogil:
    """Reserve a pool of so many bytes; the system commits its pages as they are used. Returns -1 without memory."""
    tree.capacity = min(bytes // 8, <uint64_t> 0xFFFFFFFF)
    tree.num_players = num_players
    tree.head_bytes = sizeof(node_t) + 8 * num_players
    tree.cell_bytes = sizeof(cell_t) + 8 * num_players
    tree.words = <uint64_t *> malloc((tree.capacity + SLACK_WORDS) * 8)
    tree_clear(tree)
    return 0 if tree.words != NULL else -1


cdef void tree_free(tree_t *tree) noexcept nogil:
    free(tree.words)
    tree.words = NULL


cdef void tree_clear(tree_t *tree) noexcept nogil:
    """Forget all nodes."""
    tree.used = 1
    tree.nodes = 0


cdef uint32_t take(tree_t *tree, uint64_t bytes) noexcept nogil:
    """A zeroed record, or NO_NODE when the cap is reached."""
    cdef uint64_t words = (bytes + 7) // 8, index = tree.used
    if index + words > tree.capacity:
        return NO_NODE
    tree.used = index + words
    memset(tree.words + index, 0, words * 8)
    return <uint32_t> index


cdef uint32_t new_node(tree_t *tree, uint32_t acting, const int32_t *counts, const int32_t *actions) noexcept nogil:
    """A node without visits.

    acting: the players that decide; counts: the number of arms of each of them, in player order; actions: their arms'
    actions, one player's behind the other's. Returns NO_NODE when the cap is reached.
    """
    cdef int32_t player, blocks = 0
    cdef uint64_t bytes = tree.head_bytes, joints = 1
    cdef uint32_t index, slots = 0
    cdef node_t *node
    cdef block_t *block
    for player in range(tree.num_players):
        if (acting >> player) & 1:
            joints *= <uint64_t> counts[blocks]
            bytes += sizeof(block_t) + <uint64_t> JOINT_ARM_BYTES * counts[blocks]
            blocks += 1
    if blocks == 1:
        bytes = tree.head_bytes + sizeof(block_t) + <uint64_t> ARM_BYTES * counts[0]
    elif joints > <uint64_t> 0xFFFFFFF0:
        return NO_NODE
    else:
        slots = <uint32_t> joints if joints <= DIRECT_CELLS else FIRST_CELLS
    index = take(tree, bytes + <uint64_t> slots * tree.cell_bytes)
    if index == NO_NODE:
        return NO_NODE
    node = node_at(tree, index)
    node.acting = acting
    node.blocks = blocks
    node.joints = <uint32_t> joints
    node.words = <uint32_t> ((bytes + 7) // 8)
    node.table = index + node.words
    node.slots = slots
    block = first_block(tree, node)
    blocks = 0
    for player in range(tree.num_players):
        if not (acting >> player) & 1:
            continue
        if blocks == 0:
            node.mover = player
        block.count = counts[blocks]
        block.player = player
        memcpy(arm_action(block) if node.blocks == 1 else joint_action(block), actions, 4 * block.count)
        actions += block.count
        block = next_block(block)
        blocks += 1
    tree.nodes += 1
    return index


cdef bint grow_table(tree_t *tree, node_t *node) noexcept nogil:
    """A table of cells twice as large, direct when it reaches the number of joint actions. False at the cap."""
    cdef node_t old = node[0]
    cdef uint32_t slots = old.slots * 2, slot, to, table
    cdef cell_t *cell
    if slots >= old.joints // 2:
        slots = old.joints
    table = take(tree, <uint64_t> slots * tree.cell_bytes)
    if table == NO_NODE:
        return False
    node.table = table
    node.slots = slots
    for slot in range(old.slots):
        cell = cell_in_slot(tree, &old, slot)
        if cell.key == 0:
            continue
        to = cell.key - 1
        if slots != node.joints:
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
    if node.slots != node.joints and (node.cells + 1) * 4 > node.slots * 3 and not grow_table(tree, node):
        return NULL
    if node.slots == node.joints:
        slot = joint
    else:
        slot = first_slot(joint, node.slots)
        while cell_in_slot(tree, node, slot).key != 0:
            slot = slot + 1 if slot + 1 < node.slots else 0
    cell = cell_in_slot(tree, node, slot)
    cell.key = joint + 1
    node.cells += 1
    return cell


cdef uint32_t copy_record(tree_t *to, const tree_t *source, uint32_t index) noexcept nogil:
    """Append one node with its table of cells, children still named as in the source. The pools are of one size."""
    cdef node_t *old = node_at(source, index)
    cdef uint64_t table_bytes = <uint64_t> old.slots * source.cell_bytes
    cdef uint32_t copy = take(to, 8 * <uint64_t> old.words + table_bytes)
    cdef node_t *node = node_at(to, copy)
    memcpy(node, old, 8 * <uint64_t> old.words)
    node.table = copy + old.words
    memcpy(to.words + node.table, source.words + old.table, table_bytes)
    to.nodes += 1
    return copy


cdef int tree_keep(tree_t *tree, uint32_t root) noexcept nogil:
    """Keep what hangs below `root`, which becomes the first record (index 1), and give back the rest.

    Copies breadth first into a fresh pool, so that siblings lie together; the copied part of the new pool is the queue.
    Returns -1 without memory; the tree is then unchanged.
    """
    cdef tree_t fresh
    cdef uint32_t at, i
    cdef node_t *node
    cdef block_t *block
    cdef cell_t *cell
    if tree_init(&fresh, tree.num_players, tree.capacity * 8) != 0:
        return -1
    copy_record(&fresh, tree, root)
    at = 1
    while at < fresh.used:
        node = node_at(&fresh, at)
        if node.blocks == 1:
            block = first_block(&fresh, node)
            for i in range(<uint32_t> block.count):
                if arm_child(block)[i] != NO_NODE:
                    arm_child(block)[i] = copy_record(&fresh, tree, arm_child(block)[i])
        else:
            for i in range(node.slots):
                cell = cell_in_slot(&fresh, node, i)
                if cell.key != 0 and cell.child != NO_NODE:
                    cell.child = copy_record(&fresh, tree, cell.child)
        at = node.table + <uint32_t> ((<uint64_t> node.slots * fresh.cell_bytes + 7) // 8)
    tree_free(tree)
    tree[0] = fresh
    return 0
