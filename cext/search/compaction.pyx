"""Compaction of the pool of a tree. `compaction.pxd` describes its purpose.

A walk from the root marks the records that stay, in a bitmap with a bit for each pair of words. The number of bits that
are set before a record is its new place, so the links can be renewed before anything moves; then all records slide down
(Kermany and Petrank 2006). This takes a fiftieth of the memory of the pool beside it, until it is done.
"""
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memmove, memset

from ..primitives.bits cimport lowest64, popcount64
from ..primitives.growing cimport resize
from .tree cimport (AMAF_ALIGNMENT, CHANCE_NODE, NO_NODE, PROVEN, SMALL_TREE, arm_child, cell_in_slot, node_at, node_t,
                    prefetch, table_bytes, tree_t)

cdef extern from "search/pool.h" nogil:
    void give_back "playout_give_back"(void *pool, uint64_t begin, uint64_t end) noexcept
    uint64_t mapped_bytes "playout_mapped_bytes"(uint64_t bytes) noexcept

cdef enum:
    CLASSES = 240               # of numbers of visits; see `class_of`
    FIRST_STACK = 1024
    KEPT_BYTES = 1 << 19        # the process keeps fewer bytes than that, as the search soon needs them again

cdef struct pass_t:
    uint64_t *kept              # a bit for each pair of words: it belongs to a record that stays
    uint64_t *heads             # the same: a node that stays begins there
    uint32_t *before            # for each 64 pairs, how many pairs before them stay
    uint64_t groups             # of 64 pairs
    uint32_t *stack             # nodes whose children are still to be met
    uint64_t stack_size
    uint64_t stack_room
    uint32_t root
    uint32_t least              # class of visits from which nodes stay
    uint32_t nodes              # that stay
    uint64_t words              # of their records
    uint64_t class_words[CLASSES]   # by class of visits, words of the records of nodes
    uint32_t class_nodes[CLASSES]   # nodes


cdef inline uint32_t class_of(uint32_t visits) noexcept nogil:
    """Return the class of a number of visits: each below 16 has its own, then there are eight for each doubling."""
    cdef uint32_t shift = 0
    while visits >> shift > 15:
        shift += 1
    return 8 * shift + (visits >> shift)


cdef inline uint64_t next_bit(const uint64_t *bits, uint64_t at, uint64_t end, uint64_t flip) noexcept nogil:
    """Return the first position from `at` on whose bit, flipped by the mask, is set; `end` if there is none before."""
    cdef uint64_t word
    while at < end:
        word = (bits[at >> 6] ^ flip) >> (at & 63)
        if word:
            return min(at + <uint64_t> lowest64(word), end)
        at = (at | 63) + 1
    return end


cdef inline void mark(const tree_t *tree, pass_t *walk, uint64_t first, uint64_t words) noexcept nogil:
    """Mark the pairs of words of a record; in a tree with AMAF statistics, of all its cache lines.

    Records of AMAF statistics begin at a line. As only whole lines go, they do so after the compaction as well.
    """
    cdef uint64_t at = first >> 1, end = (first + words + 1) >> 1, count, pairs
    if tree.amaf_blocks:
        at -= at % (AMAF_ALIGNMENT // 2)
        end = min((2 * end + AMAF_ALIGNMENT - 1) // AMAF_ALIGNMENT * (AMAF_ALIGNMENT // 2), tree.used >> 1)
    while at < end:
        count = min(64 - (at & 63), end - at)
        pairs = ((~<uint64_t> 0 >> (64 - count)) << (at & 63)) & ~walk.kept[at >> 6]
        walk.kept[at >> 6] |= pairs
        walk.words += 2 * <uint64_t> popcount64(pairs)
        at += count


cdef inline uint32_t link_count(const node_t *node) noexcept nogil:
    return node.num_tried if node.blocks == 1 else node.capacity


cdef inline uint32_t *link_at(const tree_t *tree, const node_t *node, uint32_t i) noexcept nogil:
    """Return the place where a node stores its child below an arm, or below the joint action in a slot."""
    return &arm_child(tree, node)[i] if node.blocks == 1 else &cell_in_slot(tree, node, i).child


cdef inline bint is_met(const pass_t *walk, uint32_t index) noexcept nogil:
    return (walk.heads[index >> 7] >> ((index >> 1) & 63)) & 1


cdef bint meet(tree_t *tree, pass_t *walk, uint32_t index) noexcept nogil:
    """Mark the records of a node, and put it on the stack. Return False without memory."""
    cdef node_t *node = node_at(tree, index)
    cdef uint64_t words = walk.words
    if is_met(walk, index):
        return True
    if walk.stack_size == walk.stack_room:
        if not resize(&walk.stack, 2 * sizeof(uint32_t) * walk.stack_room):
            return False
        walk.stack_room *= 2
    walk.stack[walk.stack_size] = index
    walk.stack_size += 1
    walk.nodes += 1
    walk.heads[index >> 7] |= <uint64_t> 1 << ((index >> 1) & 63)
    mark(tree, walk, index, node.num_words)
    if node.capacity:
        mark(tree, walk, node.table, (table_bytes(tree, node) + 7) // 8)
    if node.side != NO_NODE:
        mark(tree, walk, node.side, (<uint64_t> tree.side_bytes + 7) // 8)
    walk.class_words[class_of(node.visits)] += walk.words - words
    walk.class_nodes[class_of(node.visits)] += 1
    return True


cdef inline void shrink(const tree_t *tree, node_t *node) noexcept nogil:
    """Leave nothing of a proven node but its head, like that of an end of the game."""
    node.num_words = <uint32_t> tree.head_bytes // 8
    node.blocks = 0
    node.capacity = node.num_tried = node.num_choices = 0
    node.side = NO_NODE
    node.flags &= <uint32_t> ~CHANCE_NODE


cdef inline void decide(const tree_t *tree, const pass_t *walk, uint32_t *link) noexcept nogil:
    """Unlink a child of few visits, or shrink it if it is proven: its value may be part of another proof."""
    cdef node_t *child = node_at(tree, link[0])
    if class_of(child.visits) >= walk.least or link[0] == walk.root:
        return
    if child.flags & PROVEN:
        shrink(tree, child)
    else:
        link[0] = NO_NODE


cdef bint walk_tree(tree_t *tree, pass_t *walk) noexcept nogil:
    """Mark what stays: the root, and the nodes below it that have the visits. Return False without memory."""
    cdef node_t *node
    cdef uint32_t *link
    cdef uint32_t i
    memset(walk.kept, 0, 8 * walk.groups)
    memset(walk.heads, 0, 8 * walk.groups)
    memset(walk.class_words, 0, sizeof(walk.class_words))
    memset(walk.class_nodes, 0, sizeof(walk.class_nodes))
    walk.nodes = 0
    walk.words = walk.stack_size = 0
    mark(tree, walk, 0, 2)      # the unused words at the beginning: NO_NODE remains 0
    if not meet(tree, walk, walk.root):
        return False
    while walk.stack_size:
        walk.stack_size -= 1
        node = node_at(tree, walk.stack[walk.stack_size])
        for i in range(link_count(node)):
            prefetch(node_at(tree, link_at(tree, node, i)[0]))
        for i in range(link_count(node)):
            link = link_at(tree, node, i)
            if link[0] != NO_NODE and walk.least:
                decide(tree, walk, link)
                if link[0] == NO_NODE and node.blocks > 1:
                    cell_in_slot(tree, node, i).refreshed = 0   # its next child may be older
            if link[0] != NO_NODE and not meet(tree, walk, link[0]):
                return False
    return True


cdef inline uint32_t moved(const pass_t *walk, uint32_t index) noexcept nogil:
    """Return the new index of a record that stays; NO_NODE for NO_NODE."""
    cdef uint64_t pair = index >> 1
    cdef uint64_t within = walk.kept[pair >> 6] & ((<uint64_t> 1 << (pair & 63)) - 1)
    return 2 * (walk.before[pair >> 6] + <uint32_t> popcount64(within)) + (index & 1)


cdef void renew_links(tree_t *tree, pass_t *walk) noexcept nogil:
    """Replace all indices by the new ones."""
    cdef uint64_t end = 64 * walk.groups, at = next_bit(walk.heads, 0, end, 0)
    cdef node_t *node
    cdef uint32_t *link
    cdef uint32_t i
    cdef int32_t ends = 0, number
    while at < end:
        node = node_at(tree, <uint32_t> (2 * at))
        for i in range(link_count(node)):
            link = link_at(tree, node, i)
            link[0] = moved(walk, link[0])
        node.table = moved(walk, node.table) if node.capacity else NO_NODE
        node.side = moved(walk, node.side)
        at = next_bit(walk.heads, at + 1, end, 0)
    for number in range(tree.end_count):
        if is_met(walk, tree.ends[number]):
            tree.ends[ends] = moved(walk, tree.ends[number])
            ends += 1
    tree.end_count = ends
    walk.root = moved(walk, walk.root)


cdef void renew_index(tree_t *tree, pass_t *walk) noexcept nogil:
    """Take the nodes that go out of the index by hash, and enter the others by their new indices.

    Entries are looked at in the order of their slots, from an empty slot on. No entry lies before its own slot in this
    order, so each finds a place that has been looked at already.
    """
    cdef uint64_t begin = 0, i, slot, entry
    if tree.index == NULL:
        return
    while tree.index[begin]:
        begin += 1
    for i in range(begin + 1, begin + tree.index_slots):
        slot = i & (tree.index_slots - 1)
        entry = tree.index[slot]
        if entry == 0:
            continue
        tree.index[slot] = 0
        if not is_met(walk, <uint32_t> entry):
            tree.indexed -= 1
            continue
        slot = (entry >> 32) & (tree.index_slots - 1)
        while tree.index[slot]:
            slot = (slot + 1) & (tree.index_slots - 1)
        tree.index[slot] = (entry & ~<uint64_t> 0xFFFFFFFF) | moved(walk, <uint32_t> entry)


cdef void slide(tree_t *tree, pass_t *walk) noexcept nogil:
    """Move what stays to its new place, and renew all that refers to it."""
    cdef uint64_t group, begin, stop, end = 64 * walk.groups, to = 0
    cdef uint32_t before = 0
    for group in range(walk.groups):
        walk.before[group] = before
        before += <uint32_t> popcount64(walk.kept[group])
    renew_links(tree, walk)
    renew_index(tree, walk)
    begin = next_bit(walk.kept, 0, end, 0)
    while begin < end:
        stop = next_bit(walk.kept, begin, end, ~<uint64_t> 0)
        if to != begin:
            memmove(tree.words + 2 * to, tree.words + 2 * begin, 16 * (stop - begin))
        to += stop - begin
        begin = next_bit(walk.kept, stop, end, 0)
    tree.used = 2 * to
    tree.nodes = walk.nodes
    memset(tree.idle, 0, sizeof(tree.idle))


cdef bint begin_pass(const tree_t *tree, pass_t *walk, uint32_t root) noexcept nogil:
    """Prepare a pass in which all nodes below the root stay. Return False without memory."""
    memset(walk, 0, sizeof(pass_t))
    walk.root = root
    walk.groups = (tree.used >> 7) + 1
    walk.kept = <uint64_t *> calloc(walk.groups, 2 * sizeof(uint64_t) + sizeof(uint32_t))
    walk.stack_room = FIRST_STACK
    walk.stack = <uint32_t *> calloc(FIRST_STACK, sizeof(uint32_t))
    if walk.kept == NULL or walk.stack == NULL:
        return False
    walk.heads = walk.kept + walk.groups
    walk.before = <uint32_t *> (walk.heads + walk.groups)
    return True


cdef void end_pass(pass_t *walk) noexcept nogil:
    free(walk.kept)
    free(walk.stack)


cdef inline uint64_t touched_bytes(const tree_t *tree) noexcept nogil:
    """Return the bytes of the pool that may have pages: up to the end of the last huge page in use."""
    if tree.passes:
        return tree.pool_bytes
    return 8 * tree.used if 8 * tree.used <= SMALL_TREE else min(tree.pool_bytes, mapped_bytes(8 * tree.used))


cdef int keep_below(tree_t *tree, uint32_t *root) noexcept nogil:
    """Keep what hangs below a node, whose new index is written, and give the rest of the pool back to the system.

    Returns -1 without memory; the tree is then unchanged.
    """
    cdef pass_t walk
    cdef uint64_t touched = touched_bytes(tree)
    cdef int result = -1
    if begin_pass(tree, &walk, root[0]) and walk_tree(tree, &walk):
        slide(tree, &walk)
        root[0] = walk.root
        if touched - 8 * tree.used >= KEPT_BYTES:
            give_back(tree.words, 8 * tree.used, touched)
        tree.full = False
        tree.next_pass = tree.passes = 0
        result = 0
    end_pass(&walk)
    return result


cdef inline bint has_room(const tree_t *tree, uint64_t words, uint64_t nodes, uint64_t parts) noexcept nogil:
    """Return True if what stays takes no more than so many quarters of the pool, and of the slots of the index."""
    return 4 * words <= parts * tree.capacity and (tree.index == NULL or 4 * nodes <= parts * tree.index_slots)


cdef void choose_least(const tree_t *tree, pass_t *walk) noexcept nogil:
    """Choose the class of visits from which nodes stay, so that half of the memory becomes free."""
    cdef uint64_t words = walk.words, nodes = walk.nodes
    while not has_room(tree, words, nodes, 2) and walk.least < CLASSES - 1:
        words -= walk.class_words[walk.least]
        nodes -= walk.class_nodes[walk.least]
        walk.least += 1


cdef void make_room(tree_t *tree, uint32_t *root) noexcept nogil:
    """Let go the least visited nodes below the root, whose new index is written.

    No simulation may be under way or wait. Without memory for the pass the tree stays as it is.
    """
    cdef pass_t walk
    cdef bint met = False
    tree.full = False
    if begin_pass(tree, &walk, root[0]) and walk_tree(tree, &walk):
        choose_least(tree, &walk)
        met = walk_tree(tree, &walk)
        # Proven nodes may stay, and so less memory may be free than expected.
        while met and not has_room(tree, walk.words, walk.nodes, 3) and walk.least < CLASSES - 1:
            walk.least += 1
            met = walk_tree(tree, &walk)
        if met:
            slide(tree, &walk)
            root[0] = walk.root
            tree.passes += 1
    tree.next_pass = tree.used + tree.capacity // 16
    end_pass(&walk)
