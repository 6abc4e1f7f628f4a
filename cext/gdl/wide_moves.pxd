"""A random legal move of one role in each of 512 games.

A tree of adders counts the legal moves of each game, with one wide word for each binary digit. A random rank below the
count is the upper part of the product of the count and random bits. A descent from the root then compares the rank with
the count of the left subtree; the leaf that is reached is the move. All games descend at once.

Neighbouring games from different states may instead share a random order of the moves, in which each game takes its
first legal move. That is a uniform choice too, and faster if few moves are looked at until all games have one.
Games from the same state never share an order.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..primitives.vectors cimport both, differ, either, join, most, odd, owed, splat8, vector_t, without
from .network cimport network_t
from .wide cimport LONGS, MOST_PARTS, PARTS, draw_part, get_long, has_lanes, put_long, streams_t
from .wide_play cimport wide_play_t

cdef enum:
    MOST_LEVELS = 18            # of a tree over 65,536 moves
    EXTRA_BITS = 20             # a move is drawn with its probability up to a factor of 1 + 2^-20
    LEAST_PERIOD = 16           # games that share an order
    LEAST_MOVES = 16            # of a role, to choose by orders
    MOST_LOOKS = 4              # looks at moves, for each move of a role, with which orders are faster than trees
    FEW_LOOKS = 256             # that are always fast


cdef inline int32_t tree_size(int32_t moves) noexcept nogil:
    """Return the wide words of the tree of a role."""
    cdef int32_t total = moves, digits = 1
    while moves > 1:
        moves = (moves + 1) // 2
        digits += 1
        total += moves * digits
    return total


cdef inline void add_level(const vector_t *counts, int32_t size, int32_t digits, vector_t *out) noexcept nogil:
    """Write the sums of neighbours among `size` counts; they have one digit more."""
    cdef const vector_t *left
    cdef const vector_t *right
    cdef vector_t *sums
    cdef vector_t carry, a, b
    cdef int32_t k, i, d
    for i in range(size // 2):
        left = counts + 2 * i * digits * PARTS
        right = left + digits * PARTS
        sums = out + i * (digits + 1) * PARTS
        for k in range(PARTS):
            carry = splat8(0)
            for d in range(digits):
                a, b = left[d * PARTS + k], right[d * PARTS + k]
                sums[d * PARTS + k] = odd(a, b, carry)
                carry = most(a, b, carry)
            sums[digits * PARTS + k] = carry
    if size % 2:
        left = counts + (size - 1) * digits * PARTS
        sums = out + (size // 2) * (digits + 1) * PARTS
        for d in range(digits * PARTS):
            sums[d] = left[d]
        for k in range(PARTS):
            sums[digits * PARTS + k] = splat8(0)


cdef inline void draw_digits(streams_t *streams, const vector_t *count, int32_t digits, int32_t rounds,
                             vector_t *rank) noexcept nogil:
    """Write a random number below each count of `digits` digits. With a constant `digits`, ranks are in registers.

    rounds: random bits of each lane.
    """
    cdef streams_t local = streams[0]
    cdef vector_t below[MOST_LEVELS]
    cdef vector_t bits[MOST_PARTS]
    cdef vector_t carry, a, b
    cdef int32_t k, i, _
    for k in range(PARTS):
        for i in range(digits):
            below[i] = splat8(0)
        for _ in range(rounds):
            draw_part(&local, k, bits)
            carry = splat8(0)           # below = (below + count where the bit is set) / 2
            for i in range(digits):
                a, b = below[i], both(count[i * PARTS + k], bits[k])
                if i:
                    below[i - 1] = odd(a, b, carry)
                carry = most(a, b, carry)
            below[digits - 1] = carry
        for i in range(digits):
            rank[i * PARTS + k] = below[i]
    streams[0] = local


cdef inline void draw_ranks(streams_t *streams, const vector_t *count, int32_t digits, vector_t *rank) noexcept nogil:
    """Write a random number below each count; 0 where the count is 0."""
    cdef int32_t rounds = digits + EXTRA_BITS, used = digits, i
    for i in range(digits * PARTS):
        rank[i] = splat8(0)
    while used > 1 and not has_lanes(count + (used - 1) * PARTS):
        used -= 1                       # no count has this digit
    if used == 1:
        draw_digits(streams, count, 1, rounds, rank)
    elif used == 2:
        draw_digits(streams, count, 2, rounds, rank)
    elif used == 3:
        draw_digits(streams, count, 3, rounds, rank)
    elif used == 4:
        draw_digits(streams, count, 4, rounds, rank)
    elif used == 5:
        draw_digits(streams, count, 5, rounds, rank)
    elif used == 6:
        draw_digits(streams, count, 6, rounds, rank)
    else:
        draw_digits(streams, count, used, rounds, rank)


cdef inline void descend_level(const vector_t *counts, int32_t size, int32_t digits, vector_t *rank,
                               vector_t *chosen) noexcept nogil:
    """Replace the words of subtrees, one in each game, by those of their `size` halves, and ranks by those in a half.

    counts: of the halves, with `digits` digits; ranks have one digit more.
    """
    cdef vector_t left[MOST_LEVELS]
    cdef vector_t below, borrow, here, old
    cdef const vector_t *node
    cdef int32_t i, k, d
    for k in range(PARTS):
        for d in range(digits):
            left[d] = splat8(0)
        for i in range((size + 1) // 2):
            here = chosen[i * PARTS + k]
            node = counts + 2 * i * digits * PARTS + k
            for d in range(digits):
                left[d] = join(left[d], here, node[d * PARTS])
        below = splat8(0)               # the borrow of rank - left
        for d in range(digits):
            below = owed(rank[d * PARTS + k], left[d], below)
        below = without(below, rank[digits * PARTS + k])
        for i in range((size + 1) // 2 - 1, -1, -1):
            here = chosen[i * PARTS + k]
            if 2 * i + 1 < size:
                chosen[(2 * i + 1) * PARTS + k] = without(here, below)
            chosen[2 * i * PARTS + k] = both(here, below)
        borrow = splat8(0)              # games that go right subtract what they pass
        for d in range(digits):
            here = without(left[d], below)
            old = rank[d * PARTS + k]
            rank[d * PARTS + k] = odd(old, here, borrow)
            borrow = owed(old, here, borrow)
        rank[digits * PARTS + k] = splat8(0)


cdef inline void add_any_level(const vector_t *counts, int32_t size, int32_t digits, vector_t *out) noexcept nogil:
    """Call `add_level` with a constant number of digits, if there are few."""
    if digits == 1:
        add_level(counts, size, 1, out)
    elif digits == 2:
        add_level(counts, size, 2, out)
    elif digits == 3:
        add_level(counts, size, 3, out)
    elif digits == 4:
        add_level(counts, size, 4, out)
    elif digits == 5:
        add_level(counts, size, 5, out)
    else:
        add_level(counts, size, digits, out)


cdef inline void descend_any_level(const vector_t *counts, int32_t size, int32_t digits, vector_t *rank,
                                   vector_t *chosen) noexcept nogil:
    """Call `descend_level` with a constant number of digits, if there are few."""
    if digits == 1:
        descend_level(counts, size, 1, rank, chosen)
    elif digits == 2:
        descend_level(counts, size, 2, rank, chosen)
    elif digits == 3:
        descend_level(counts, size, 3, rank, chosen)
    elif digits == 4:
        descend_level(counts, size, 4, rank, chosen)
    elif digits == 5:
        descend_level(counts, size, 5, rank, chosen)
    else:
        descend_level(counts, size, digits, rank, chosen)


cdef inline int64_t choose_in_order(const vector_t *legal, int32_t moves, const vector_t *choosing, int32_t period,
                                    streams_t *streams, int32_t *order, vector_t *chosen) noexcept nogil:
    """Add to the moves of the games that choose the first legal one of an order, for each `period` games another.

    Returns how often a move was looked at.
    """
    cdef vector_t bits[MOST_PARTS]
    cdef uint64_t group, waiting, found
    cdef uint32_t draw
    cdef int32_t word, k, move, at, passed, used = 2 * LONGS
    cdef int64_t looks = 0
    for word in range(LONGS):
        group = ~<uint64_t> 0 if period >= 64 else ((<uint64_t> 1) << period) - 1
        while group:
            waiting = get_long(choosing, word) & group
            passed = 0
            while waiting and passed < moves:       # the next move of the order is one of those not passed
                if used == 2 * LONGS:
                    for k in range(PARTS):
                        draw_part(streams, k, bits)
                    used = 0
                draw = <uint32_t> (get_long(bits, used >> 1) >> (32 * (used & 1)))
                used += 1
                at = passed + <int32_t> (<uint64_t> draw * <uint64_t> (moves - passed) >> 32)
                move = order[at]
                order[at] = order[passed]
                order[passed] = move
                passed += 1
                found = get_long(legal + move * PARTS, word) & waiting
                put_long(chosen + move * PARTS, word, get_long(chosen + move * PARTS, word) | found)
                waiting ^= found
            looks += passed
            group = 0 if period >= 64 else group << period
    return looks


cdef inline void choose_moves(const network_t *net, wide_play_t *play, int32_t role, vector_t *able) noexcept nogil:
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
    cdef vector_t *tree = play.tree
    cdef vector_t *chosen = play.value + first * PARTS
    cdef vector_t *none = play.value + (net.none_node + role) * PARTS
    cdef vector_t any_move, flip
    cdef bint shared = play.period >= LEAST_PERIOD and moves >= LEAST_MOVES and not play.is_sparse[role]
    for k in range(PARTS):
        others[k] = splat8(0)
    for i in range(moves):
        literal = legal[i]
        word = play.value + (literal >> 1) * PARTS
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
        others[k] = without(others[k], play.done[k])
    if shared or not has_lanes(others) or moves == 1:   # games that do not choose have one move at most
        for i in range(moves):
            for k in range(PARTS):
                chosen[i * PARTS + k] = splat8(0)
                if i == net.idle[role] or moves == 1:
                    chosen[i * PARTS + k] = without(tree[i * PARTS + k], others[k]) if shared else tree[i * PARTS + k]
        if shared:
            play.is_sparse[role] = choose_in_order(
                tree, moves, others, play.period, &play.streams, play.order + (first - net.role_node[0]),
                chosen) > MOST_LOOKS * moves + FEW_LOOKS
        return
    begin[0] = 0
    size[0] = moves
    while size[levels - 1] > 1:
        size[levels] = (size[levels - 1] + 1) // 2
        begin[levels] = begin[levels - 1] + size[levels - 1] * levels
        add_any_level(tree + begin[levels - 1] * PARTS, size[levels - 1], levels, tree + begin[levels] * PARTS)
        levels += 1
    draw_ranks(&play.streams, tree + begin[levels - 1] * PARTS, levels, rank)
    for k in range(PARTS):              # chosen[0] has the games that choose
        chosen[k] = differ(none[k], splat8(-1))
    for i in range(levels - 2, -1, -1):
        descend_any_level(tree + begin[i] * PARTS, size[i], i + 1, rank, chosen)
