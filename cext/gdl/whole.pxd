"""Random games in which the whole network is evaluated at each step, beside games whose gates follow changes.

Both play the same moves, and everything that the rules give is compared: what is legal, the next facts, the end and the
returns. The network is evaluated for 64 games at once, one bit for each.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from libc.time cimport CLOCKS_PER_SEC, clock

from ..rng cimport rng_below, rng_t
from .followers cimport evaluate_words, score_lane, set_node
from .network cimport (MAX_ROLES, NO_MOVE, find_acting, is_over, lay_out, legal_move, network_t, play_t, score, step)

cdef enum:
    LANES = 64
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

cdef struct lanes_of_t:
    uint64_t *value                 # [2 * num_nodes] of literals; one bit for each game
    uint64_t *following             # [num_fluents]
    char *memory                    # of the plays
    uint64_t playing                # games that are not over
    int32_t ply[LANES]


cdef inline uint64_t bit_of(const uint64_t *value, int32_t literal, int32_t lane) noexcept nogil:
    return value[literal] >> lane & 1


cdef inline int compare_views(const network_t *net, const uint64_t *value, int32_t lane,
                              const play_t *play) noexcept nogil:
    """Compare the facts, the end and the legal moves."""
    cdef int32_t role, i, move = 0
    for i in range(net.num_fluents):
        if play.value[1 + i] != bit_of(value, 2 * (1 + i), lane):
            return OTHER_FACTS
    if bit_of(value, net.terminal, lane) != is_over(net, play):
        return OTHER_END
    for role in range(net.num_roles):
        for i in range(net.role_node[role + 1] - net.role_node[role]):
            if bit_of(value, net.legal_literal[move], lane) != (
                    play.out[net.role_word[role] + (i >> 6)] >> (i & 63) & 1):
                return OTHER_MOVES
            move += 1
    return SAME


cdef inline int compare_returns(const network_t *net, const uint64_t *value, int32_t lane,
                                const double *returns) noexcept nogil:
    cdef double found[MAX_ROLES]
    cdef int32_t role
    score_lane(net, value, lane, found)
    for role in range(net.num_roles):
        if returns[role] != found[role]:
            return OTHER_RETURNS
    return SAME


cdef inline void begin_game(const network_t *net, lanes_of_t *lanes, int32_t lane) noexcept nogil:
    cdef uint64_t bit = (<uint64_t> 1) << lane
    cdef play_t play
    cdef int32_t i
    memcpy(lanes.memory + lane * net.play_size, net.first, net.play_size)
    lay_out(net, lanes.memory + lane * net.play_size, &play)
    for i in range(net.num_fluents):
        set_node(lanes.value, 1 + i, (lanes.value[2 * (1 + i)] & ~bit) | (bit if play.value[1 + i] else 0))
    lanes.playing |= bit
    lanes.ply[lane] = 0


cdef inline int end_game(const network_t *net, lanes_of_t *lanes, int32_t lane, play_t *play,
                         compared_t *found) noexcept nogil:
    """Count a game that is over, and compare its returns."""
    cdef double returns[MAX_ROLES]
    cdef int32_t role
    score(net, play, returns)
    lanes.playing &= ~((<uint64_t> 1) << lane)
    found.games += 1
    found.steps += lanes.ply[lane]
    for role in range(net.num_roles):
        found.sums[role] += returns[role]
        found.squares[role] += returns[role] * returns[role]
    return compare_returns(net, lanes.value, lane, returns)


cdef inline int step_all(const network_t *net, lanes_of_t *lanes, rng_t *rng, compared_t *found) noexcept nogil:
    """Compare the states of all games, and make one step in those that are not over."""
    cdef play_t play
    cdef int32_t moves[MAX_ROLES]
    cdef int32_t counts[MAX_ROLES]
    cdef int32_t role, lane, i
    cdef uint32_t mask
    cdef int difference
    evaluate_words(net, lanes.value, 0, net.num_gates)
    memset(lanes.following, 0, 8 * <size_t> (net.first_gate - net.role_node[0]))    # bits of the moves
    for lane in range(LANES):
        if not lanes.playing >> lane & 1:
            continue
        lay_out(net, lanes.memory + lane * net.play_size, &play)
        difference = compare_views(net, lanes.value, lane, &play)
        if difference:
            return difference
        mask = find_acting(net, play.out, counts)
        if is_over(net, &play) or lanes.ply[lane] >= net.max_steps or mask == 0:
            difference = end_game(net, lanes, lane, &play, found)
            if difference:
                return difference
            continue
        for role in range(net.num_roles):
            if mask >> role & 1:
                moves[role] = legal_move(net, play.out, role, rng_below(rng, <uint32_t> counts[role]))
            else:
                moves[role] = legal_move(net, play.out, role, 0) if counts[role] else NO_MOVE
            i = net.none_node + role if moves[role] == NO_MOVE else net.role_node[role] + moves[role]
            lanes.following[i - net.role_node[0]] |= (<uint64_t> 1) << lane
        step(net, &play, moves)
        lanes.ply[lane] += 1
    for i in range(net.role_node[0], net.first_gate):
        set_node(lanes.value, i, lanes.following[i - net.role_node[0]])
    evaluate_words(net, lanes.value, 0, net.num_gates)
    for i in range(net.num_fluents):
        lanes.following[i] = lanes.value[net.next_literal[i]]
    for i in range(net.num_fluents):
        set_node(lanes.value, 1 + i, lanes.following[i])
    return SAME


cdef inline int compare_games(const network_t *net, rng_t *rng, int64_t games, double seconds,
                              compared_t *found) noexcept nogil:
    """Play games until they are as many as wanted, no further one may begin, or the two ways differ.

    seconds: time of the processor after which no game begins.
    """
    cdef double deadline = <double> clock() + seconds * CLOCKS_PER_SEC
    cdef lanes_of_t lanes
    cdef int64_t begun = 0
    cdef int32_t lane, node
    cdef int difference = SAME
    memset(found, 0, sizeof(compared_t))
    memset(&lanes, 0, sizeof(lanes))
    lanes.memory = <char *> malloc(LANES * net.play_size)
    lanes.value = <uint64_t *> malloc(16 * <size_t> net.num_nodes)
    lanes.following = <uint64_t *> malloc(8 * <size_t> net.first_gate)
    if lanes.memory == NULL or lanes.value == NULL or lanes.following == NULL:
        difference = OUT_OF_MEMORY
    else:
        for node in range(net.num_nodes):
            set_node(lanes.value, node, 0)
        set_node(lanes.value, 0, ~<uint64_t> 0)
    while difference == SAME:
        for lane in range(LANES):
            if not lanes.playing >> lane & 1 and begun < games and (begun == 0 or <double> clock() < deadline):
                begin_game(net, &lanes, lane)
                begun += 1
        if lanes.playing == 0:
            break
        difference = step_all(net, &lanes, rng, found)
    free(lanes.memory)
    free(lanes.value)
    free(lanes.following)
    return difference
