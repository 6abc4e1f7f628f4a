"""Random games in which the whole network is evaluated at each step, beside games whose gates follow changes.

Both play the same moves, and everything that the rules give is compared: what is legal, the next facts, the end and the
returns.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from ..clock cimport playout_seconds
from ..rng cimport rng_below, rng_t
from .network cimport (MAX_ROLES, NO_MOVE, find_acting, is_over, lay_out, legal_move, network_t, play_t, score, step)

cdef enum:
    SAME = 0
    OTHER_MOVES = 1
    OTHER_END = 2
    OTHER_FACTS = 3
    OTHER_RETURNS = 4
    OUT_OF_MEMORY = 5

cdef struct compared_t:
    int64_t games
    int64_t steps
    double sums[MAX_ROLES]          # of the returns
    double squares[MAX_ROLES]


cdef inline void evaluate_all(const network_t *net, uint8_t *value) noexcept nogil:
    """Compute all gates from the values of fluents and moves."""
    cdef int32_t gate, i
    cdef uint8_t found
    for gate in range(net.num_gates):
        found = 1
        for i in range(net.gate_start[gate], net.gate_start[gate + 1]):
            found &= value[net.edge[i] >> 1] ^ (net.edge[i] & 1)
        value[net.first_gate + gate] = found


cdef inline uint8_t value_in(const uint8_t *value, int32_t literal) noexcept nogil:
    return value[literal >> 1] ^ (literal & 1)


cdef inline int compare_views(const network_t *net, const uint8_t *value, const play_t *play) noexcept nogil:
    """Compare the end and the legal moves."""
    cdef int32_t role, i, move = 0
    if value_in(value, net.terminal) != is_over(net, play):
        return OTHER_END
    for role in range(net.num_roles):
        for i in range(net.role_node[role + 1] - net.role_node[role]):
            if value_in(value, net.legal_literal[move]) != (
                    play.out[net.role_word[role] + (i >> 6)] >> (i & 63) & 1):
                return OTHER_MOVES
            move += 1
    return SAME


cdef inline int compare_facts(const network_t *net, const uint8_t *value, const play_t *play) noexcept nogil:
    cdef int32_t i
    for i in range(net.num_fluents):
        if play.value[1 + i] != value[1 + i]:
            return OTHER_FACTS
    return SAME


cdef inline void move_all(const network_t *net, uint8_t *value, uint8_t *following,
                          const int32_t *moves) noexcept nogil:
    """Play the move of each role, or NO_MOVE."""
    cdef int32_t role, i
    memset(value + net.role_node[0], 0, net.first_gate - net.role_node[0])
    for role in range(net.num_roles):
        value[net.none_node + role if moves[role] == NO_MOVE else net.role_node[role] + moves[role]] = 1
    evaluate_all(net, value)
    for i in range(net.num_fluents):
        following[i] = value_in(value, net.next_literal[i])
    memcpy(value + 1, following, net.num_fluents)
    evaluate_all(net, value)


cdef inline int compare_returns(const network_t *net, const uint8_t *value, const double *returns) noexcept nogil:
    cdef int32_t role, i, count
    cdef double total
    for role in range(net.num_roles):
        total = 0.0
        count = 0
        for i in range(net.goal_begins[role], net.goal_begins[role + 1]):
            if value_in(value, net.goal_literal[i]):
                total += net.goal_value[i]
                count += 1
        if returns[role] != (total / count if count else 50.0 if net.constant_sum else 0.0):
            return OTHER_RETURNS
    return SAME


cdef inline int compare_game(const network_t *net, char *memory, uint8_t *value, rng_t *rng,
                             compared_t *found) noexcept nogil:
    """Play one game from the initial state in both ways."""
    cdef play_t play
    cdef uint8_t *following = value + net.num_nodes
    cdef int32_t moves[MAX_ROLES]
    cdef int32_t counts[MAX_ROLES]
    cdef double returns[MAX_ROLES]
    cdef int32_t role, ply = 0
    cdef uint32_t mask
    cdef int difference
    memcpy(memory, net.first, net.play_size)
    lay_out(net, memory, &play)
    memset(value, 0, net.num_nodes)
    value[0] = 1
    memcpy(value + 1, play.value + 1, net.num_fluents)
    evaluate_all(net, value)
    while True:
        difference = compare_views(net, value, &play)
        if difference:
            return difference
        mask = find_acting(net, play.out, counts)
        if is_over(net, &play) or ply >= net.max_steps or mask == 0:
            break
        for role in range(net.num_roles):
            if mask >> role & 1:
                moves[role] = legal_move(net, play.out, role, rng_below(rng, <uint32_t> counts[role]))
            else:
                moves[role] = legal_move(net, play.out, role, 0) if counts[role] else NO_MOVE
        step(net, &play, moves)
        move_all(net, value, following, moves)
        difference = compare_facts(net, value, &play)
        if difference:
            return difference
        ply += 1
    score(net, &play, returns)
    difference = compare_returns(net, value, returns)
    found.games += 1
    found.steps += ply
    for role in range(net.num_roles):
        found.sums[role] += returns[role]
        found.squares[role] += returns[role] * returns[role]
    return difference


cdef inline int compare_games(const network_t *net, rng_t *rng, int64_t games, double seconds,
                              compared_t *found) noexcept nogil:
    """Play games until they are as many as wanted, the time is over, or the two ways differ."""
    cdef double deadline = playout_seconds() + seconds
    cdef char *memory = <char *> malloc(net.play_size)
    cdef uint8_t *value = <uint8_t *> malloc(<size_t> net.num_nodes + net.num_fluents)
    cdef int difference = SAME
    memset(found, 0, sizeof(compared_t))
    if memory == NULL or value == NULL:
        difference = OUT_OF_MEMORY
    while difference == SAME and found.games < games and playout_seconds() < deadline:
        difference = compare_game(net, memory, value, rng, found)
    free(memory)
    free(value)
    return difference
