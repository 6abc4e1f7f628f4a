"""All that follows a state: one pass over the network applies up to 64 joint actions, a bit of each word for each."""
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from ..primitives.bits cimport transpose64
from .network cimport MAX_ROLES, NO_MOVE, find_acting, head_t, network_t


cdef inline size_t followers_bytes(const network_t *net) noexcept nogil:
    """Return the bytes of the memory that `follow_each` needs."""
    return 8 * (2 * <size_t> net.num_nodes + net.num_fluents)


cdef inline void set_node(uint64_t *value, int32_t node, uint64_t word) noexcept nogil:
    value[2 * node] = word
    value[2 * node + 1] = ~word


cdef inline void evaluate_words(const network_t *net, uint64_t *value, int32_t begin, int32_t end) noexcept nogil:
    """Compute the gates in [begin, end) from the words of literals."""
    cdef const int32_t *edge = net.edge + net.gate_start[begin]
    cdef const int32_t *stop
    cdef uint64_t found
    cdef int32_t gate
    for gate in range(begin, end):
        stop = net.edge + net.gate_start[gate + 1]
        found = ~<uint64_t> 0
        if (stop - edge) & 1:
            found = value[edge[0]]
            edge += 1
        while edge != stop:         # two at a time: gates have few inputs, and so no vectors are made of them
            found &= value[edge[0]] & value[edge[1]]
            edge += 2
        set_node(value, net.first_gate + gate, found)


cdef inline void write_column(const uint64_t *rows, int32_t count, char *after, size_t size, int32_t lanes,
                              size_t place) noexcept nogil:
    """Write one word of each lane's state: bit r of it is the lane's bit in row r, for up to 64 rows."""
    cdef uint64_t block[64]
    cdef int32_t i
    for i in range(count):
        block[i] = rows[i]
    for i in range(count, 64):
        block[i] = 0
    transpose64(block)
    for i in range(lanes):
        memcpy(after + i * size + place, &block[i], 8)


cdef inline void write_legal(const network_t *net, const uint64_t *value, char *after, size_t size,
                             int32_t lanes) noexcept nogil:
    """Write the legal moves of each lane."""
    cdef uint64_t rows[64]
    cdef int32_t role, move, count, moves, i
    cdef const int32_t *literal = net.legal_literal
    cdef size_t place = sizeof(head_t) + 8 * <size_t> net.fact_words
    for role in range(net.num_roles):
        moves = net.role_node[role + 1] - net.role_node[role]
        move = 0
        while move < moves:
            count = min(64, moves - move)
            for i in range(count):
                rows[i] = value[literal[move + i]]
            write_column(rows, count, after, size, lanes, place)
            place += 8
            move += 64
        literal += moves


cdef inline void store_returns(const network_t *net, const double *returns, void *state) noexcept nogil:
    """Write the returns of a state that is over where it would have its legal moves: a word of each role."""
    cdef uint64_t *legal = <uint64_t *> (<char *> state + sizeof(head_t)) + net.fact_words
    cdef int32_t role
    (<head_t *> state).acting = 0
    memset(legal, 0, 8 * <size_t> net.legal_words)
    for role in range(net.num_roles):
        memcpy(legal + net.role_word[role], &returns[role], 8)


cdef inline void score_lane(const network_t *net, const uint64_t *value, int32_t lane, double *returns) noexcept nogil:
    """Write the returns of a lane: for each role the mean of the goals that hold."""
    cdef int32_t role, i, held
    for role in range(net.num_roles):
        returns[role] = 0.0
        held = 0
        for i in range(net.goal_begins[role], net.goal_begins[role + 1]):
            if value[net.goal_literal[i]] >> lane & 1:
                returns[role] += net.goal_value[i]
                held += 1
        if held:
            returns[role] /= held
        elif net.constant_sum:
            returns[role] = 50.0


cdef inline void write_ends(const network_t *net, uint64_t *value, uint64_t over, char *after, size_t size,
                            int32_t lanes) noexcept nogil:
    """Write the returns of the lanes whose game is over; see `store_returns`."""
    cdef double returns[MAX_ROLES]
    cdef int32_t lane
    evaluate_words(net, value, net.next_begin, net.num_gates)
    for lane in range(lanes):
        if not over >> lane & 1:
            continue
        score_lane(net, value, lane, returns)
        store_returns(net, returns, after + lane * size)


cdef inline void follow_each(const network_t *net, const void *state, const int32_t *moves, int32_t lanes, void *memory,
                             char *after, size_t size) noexcept nogil:
    """Write the states [lanes] of `size` bytes after moves [lanes, num_roles]; NO_MOVE for a role without a move."""
    cdef const uint64_t *facts = <const uint64_t *> (<const char *> state + sizeof(head_t))
    cdef uint64_t *value = <uint64_t *> memory
    cdef uint64_t *following = value + 2 * <size_t> net.num_nodes
    cdef int32_t counts[MAX_ROLES]
    cdef int32_t i, lane, role, node
    cdef uint64_t over
    cdef head_t *head
    set_node(value, 0, ~<uint64_t> 0)
    for i in range(net.num_fluents):
        set_node(value, 1 + i, <uint64_t> 0 - (facts[i >> 6] >> (i & 63) & 1))
    for i in range(net.role_node[0], net.none_node + net.num_roles):
        set_node(value, i, 0)
    for lane in range(lanes):
        for role in range(net.num_roles):
            i = moves[lane * net.num_roles + role]
            node = net.none_node + role if i == NO_MOVE else net.role_node[role] + i
            set_node(value, node, value[2 * node] | <uint64_t> 1 << lane)
    evaluate_words(net, value, 0, net.goal_begin)
    for i in range(net.num_fluents):
        following[i] = value[net.next_literal[i]]
    for i in range(net.num_fluents):
        set_node(value, 1 + i, following[i])
    evaluate_words(net, value, 0, net.next_begin)
    for i in range(net.fact_words):
        write_column(following + 64 * i, min(64, net.num_fluents - 64 * i), after, size, lanes,
                     sizeof(head_t) + 8 * <size_t> i)
    write_legal(net, value, after, size, lanes)
    over = value[net.terminal]
    for lane in range(lanes):
        head = <head_t *> (after + lane * size)
        head.ply = (<const head_t *> state).ply + 1
        if head.ply >= <uint32_t> net.max_steps:
            over = ~<uint64_t> 0
        head.acting = find_acting(net, <const uint64_t *> (after + lane * size + sizeof(head_t)) + net.fact_words,
                                  counts)
        if head.acting == 0:        # nobody has a move
            over |= <uint64_t> 1 << lane
    if lanes < 64:
        over &= (<uint64_t> 1 << lanes) - 1
    if over:
        write_ends(net, value, over, after, size, lanes)
