"""A random legal move of one role in each of 512 games.

A tree of adders counts the legal moves of each game, with one wide word for each binary digit. A random rank below the
count is the upper part of the product of the count and random bits. A descent from the root then compares the rank with
the count of the left subtree; the leaf that is reached is the move. All games descend at once.
"""
from libc.stdint cimport int32_t

from ..vectors cimport both, differ, either, join, most, odd, owed, splat8, vector_t, without
from .network cimport network_t
from .wide cimport MOST_PARTS, PARTS, draw_wide, has_lanes, streams_t

cdef enum:
    MOST_LEVELS = 18            # of a tree over 65,536 moves
    EXTRA_BITS = 20             # a move is drawn with its probability up to a factor of 1 + 2^-20


cdef inline int32_t tree_size(int32_t moves) noexcept nogil:
    """Return the wide words of the tree of a role."""
    cdef int32_t total = moves, digits = 1
    while moves > 1:
        moves = (moves + 1) // 2
        digits += 1
        total += moves * digits
    return total


cdef inline void add_counts(const vector_t *left, const vector_t *right, int32_t digits, vector_t *out) noexcept nogil:
    """Write the sum of two counts; it has one digit more."""
    cdef vector_t carry, a, b
    cdef int32_t k, i
    for k in range(PARTS):
        carry = splat8(0)
        for i in range(digits):
            a, b = left[i * PARTS + k], right[i * PARTS + k]
            out[i * PARTS + k] = odd(a, b, carry)
            carry = most(a, b, carry)
        out[digits * PARTS + k] = carry


cdef inline void draw_ranks(streams_t *streams, const vector_t *count, int32_t digits, vector_t *rank) noexcept nogil:
    """Write a random number below each count; 0 where the count is 0."""
    cdef vector_t bits[MOST_PARTS]
    cdef vector_t carry, a, b
    cdef int32_t k, i, _
    for i in range(digits * PARTS):
        rank[i] = splat8(0)
    for _ in range(digits + EXTRA_BITS):
        draw_wide(streams, bits)
        for k in range(PARTS):          # rank = (rank + count where the bit is set) / 2
            carry = splat8(0)
            for i in range(digits):
                a, b = rank[i * PARTS + k], both(count[i * PARTS + k], bits[k])
                if i:
                    rank[(i - 1) * PARTS + k] = odd(a, b, carry)
                carry = most(a, b, carry)
            rank[(digits - 1) * PARTS + k] = carry


cdef inline void descend(const vector_t *tree, const int32_t *begin, const int32_t *size, int32_t levels,
                         vector_t *rank, vector_t *chosen) noexcept nogil:
    """Write the word of each move: the games that chose it. chosen[0] has the games that choose, on entry."""
    cdef vector_t left[MOST_LEVELS]
    cdef vector_t below, borrow, here, old
    cdef const vector_t *node
    cdef int32_t level, i, k, d, digits
    for level in range(levels - 1, 0, -1):
        digits = level                  # of the counts one level below
        for k in range(PARTS):
            for d in range(digits):
                left[d] = splat8(0)
            for i in range(size[level]):
                here = chosen[i * PARTS + k]
                node = tree + (begin[level - 1] + 2 * i * digits) * PARTS + k
                for d in range(digits):
                    left[d] = join(left[d], here, node[d * PARTS])
            below = splat8(0)           # the borrow of rank - left
            for d in range(digits):
                below = owed(rank[d * PARTS + k], left[d], below)
            below = without(below, rank[digits * PARTS + k])
            for i in range(size[level] - 1, -1, -1):
                here = chosen[i * PARTS + k]
                if 2 * i + 1 < size[level - 1]:
                    chosen[(2 * i + 1) * PARTS + k] = without(here, below)
                chosen[2 * i * PARTS + k] = both(here, below)
            borrow = splat8(0)          # games that go right subtract what they pass
            for d in range(digits):
                here = without(left[d], below)
                old = rank[d * PARTS + k]
                rank[d * PARTS + k] = odd(old, here, borrow)
                borrow = owed(old, here, borrow)
            rank[digits * PARTS + k] = splat8(0)


cdef inline void choose_moves(const network_t *net, vector_t *value, vector_t *tree, const vector_t *done,
                              int32_t role, streams_t *streams, vector_t *able) noexcept nogil:
    """Set the moves of a role to random legal ones, and its `none` where it has no legal move.

    able: gets the games in which some role has a legal move.
    """
    cdef vector_t rank[MOST_LEVELS * MOST_PARTS]
    cdef vector_t others[MOST_PARTS]
    cdef int32_t begin[MOST_LEVELS]
    cdef int32_t size[MOST_LEVELS]
    cdef int32_t first = net.role_node[role], moves = net.role_node[role + 1] - first, literal, i, k, levels = 1
    cdef const int32_t *legal = net.legal_literal + (first - net.role_node[0])
    cdef const vector_t *word
    cdef vector_t *chosen = value + first * PARTS
    cdef vector_t *none = value + (net.none_node + role) * PARTS
    cdef vector_t any_move, flip
    for k in range(PARTS):
        others[k] = splat8(0)
    for i in range(moves):
        literal = legal[i]
        word = value + (literal >> 1) * PARTS
        flip = splat8(-(literal & 1))
        for k in range(PARTS):
            tree[i * PARTS + k] = differ(word[k], flip)
            if i != net.idle[role]:
                others[k] = either(others[k], tree[i * PARTS + k])
    for k in range(PARTS):
        any_move = others[k]
        if net.idle[role] >= 0:
            any_move = either(any_move, tree[net.idle[role] * PARTS + k])
        none[k] = differ(any_move, splat8(-1))
        able[k] = either(able[k], any_move)
        others[k] = without(others[k], done[k])
    if not has_lanes(others) or moves == 1:     # the role has one move at most
        for i in range(moves):
            for k in range(PARTS):
                chosen[i * PARTS + k] = tree[i * PARTS + k] if i == net.idle[role] or moves == 1 else splat8(0)
        return
    begin[0] = 0
    size[0] = moves
    while size[levels - 1] > 1:
        size[levels] = (size[levels - 1] + 1) // 2
        begin[levels] = begin[levels - 1] + size[levels - 1] * levels
        for i in range(size[levels]):
            word = tree + (begin[levels - 1] + 2 * i * levels) * PARTS
            if 2 * i + 1 < size[levels - 1]:
                add_counts(word, word + levels * PARTS, levels, tree + (begin[levels] + i * (levels + 1)) * PARTS)
            else:
                for k in range(levels * PARTS):
                    tree[(begin[levels] + i * (levels + 1)) * PARTS + k] = word[k]
                for k in range(PARTS):
                    tree[(begin[levels] + i * (levels + 1) + levels) * PARTS + k] = splat8(0)
        levels += 1
    draw_ranks(streams, tree + begin[levels - 1] * PARTS, levels, rank)
    for k in range(PARTS):
        chosen[k] = differ(none[k], splat8(-1))
    descend(tree, begin, size, levels, rank, chosen)
