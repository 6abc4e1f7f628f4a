"""Random games of a network, 512 side by side.

All functions with wide words are compiled in this module, which setup.py builds for each width of vectors. The width
changes no result.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from ..game.game_table cimport LANES, lanes_t
from ..primitives.clock cimport playout_seconds
from ..primitives.lock cimport read_flag
from ..primitives.vectors cimport differ, either, splat8, vector_t
from .network cimport network_t
from .wide cimport MOST_PARTS, PARTS, WIDE_LANES, count_lanes, fill, seed_streams
from .wide_leaves cimport end_at_limit, load_lanes, note_ends, note_moves, write_returns
from .wide_moves cimport choose_moves, tree_size
from .wide_play cimport advance, begin_games, count_returns, end_old_games, evaluate_view, read_literal, wide_play_t

cdef enum:
    WIDE_BYTES = 64


cdef inline int32_t largest_tree(const network_t *net) noexcept nogil:
    cdef int32_t role, largest = 0
    for role in range(net.num_roles):
        largest = max(largest, tree_size(net.role_node[role + 1] - net.role_node[role]))
    return largest


cdef size_t wide_bytes(const network_t *net) noexcept nogil:
    """Return the bytes of the memory that the functions below need, at any address."""
    return WIDE_BYTES * (<size_t> net.num_nodes + net.num_fluents + largest_tree(net) + 2) + 4 * <size_t> num_moves(net)


cdef inline int32_t num_moves(const network_t *net) noexcept nogil:
    return net.role_node[net.num_roles] - net.role_node[0]


cdef inline void lay_out_wide(const network_t *net, void *memory, uint64_t seed, wide_play_t *play) noexcept nogil:
    """Set the pointers of games into their memory, and all that does not depend on their states."""
    cdef int32_t role, i
    play.value = <vector_t *> memory
    play.following = play.value + net.num_nodes * PARTS
    play.tree = play.following + net.num_fluents * PARTS
    play.order = <int32_t *> (play.tree + largest_tree(net) * PARTS)
    for i in range(net.first_gate):
        fill(play.value + i * PARTS, i == 0)
    for role in range(net.num_roles):
        play.is_sparse[role] = False
        for i in range(net.role_node[role], net.role_node[role + 1]):
            play.order[i - net.role_node[0]] = i - net.role_node[role]
    seed_streams(&play.streams, seed)
    play.step = 0


cdef inline vector_t *aligned(void *memory) noexcept nogil:
    return <vector_t *> ((<size_t> memory + WIDE_BYTES - 1) & ~<size_t> (WIDE_BYTES - 1))


cdef bint play_wide(const network_t *net, const uint64_t *facts, uint32_t ply, uint64_t seed, int64_t count,
                    int64_t *sums) noexcept nogil:
    """Play `count` random games from a state that is not over, and add their returns. Return False without memory.

    facts: bits of the state's fluents; ply: the steps before it; sums: in units of 1 / RETURN_UNIT.
    """
    cdef wide_play_t play
    cdef vector_t able[MOST_PARTS]
    cdef vector_t over[MOST_PARTS]
    cdef int64_t left = count, most_steps = net.max_steps - <int64_t> ply
    cdef int32_t role, k, waiting
    cdef char *memory = <char *> malloc(wide_bytes(net))
    if memory == NULL:
        return False
    lay_out_wide(net, aligned(memory), seed, &play)
    play.period = 1
    fill(play.done, True)
    fill(play.unscored, False)
    play.next_limit = most_steps
    left -= begin_games(net, &play, facts, left)
    while True:
        evaluate_view(net, play.value)
        read_literal(play.value, net.terminal, over)
        for k in range(PARTS):
            play.done[k] = either(play.done[k], over[k])
        if play.step >= play.next_limit:
            end_old_games(&play, most_steps)
        if play.step % net.num_roles == 0:
            waiting = count_lanes(play.done)
            if waiting == WIDE_LANES or (left > 0 and waiting >= WIDE_LANES // 4):
                count_returns(net, &play, sums)
                if left == 0 and waiting == WIDE_LANES:
                    break
                left -= begin_games(net, &play, facts, left)
                evaluate_view(net, play.value)
        fill(able, False)
        for role in range(net.num_roles):
            choose_moves(net, &play, role, able)
        for k in range(PARTS):          # games in which nobody has a move are over
            play.done[k] = either(play.done[k], differ(able[k], splat8(-1)))
        advance(net, &play)
        play.step += 1
    free(memory)
    return True


cdef bint play_leaves(const network_t *net, const char *states, size_t state_size, int32_t count, int32_t each,
                      uint64_t seed, void *memory, double deadline, const int *stop, lanes_t *out) noexcept nogil:
    """Play a random game in each lane. Return False if the deadline passes or `stop` is set before all have ended.

    states: [count], of which none is over; each: lanes of a state, a power of two; memory: `wide_bytes` bytes that
    begin at a multiple of 64; deadline: time of playout_seconds.
    """
    cdef wide_play_t play
    cdef vector_t able[MOST_PARTS]
    cdef vector_t over[MOST_PARTS]
    cdef int32_t role, k
    lay_out_wide(net, memory, seed, &play)
    play.period = LANES // each
    load_lanes(net, &play, states, state_size, count)
    while True:
        if read_flag(stop) or playout_seconds() >= deadline:
            return False
        evaluate_view(net, play.value)
        if play.step:
            read_literal(play.value, net.terminal, over)
            for k in range(PARTS):
                play.done[k] = either(play.done[k], over[k])
            if play.step >= play.next_limit:
                end_at_limit(net, &play, states, state_size, count)
        fill(able, False)
        for role in range(net.num_roles):
            choose_moves(net, &play, role, able)
        for k in range(PARTS):          # games in which nobody has a move are over
            play.done[k] = either(play.done[k], differ(able[k], splat8(-1)))
        if play.step == 0:
            for role in range(net.num_roles):
                note_moves(net, &play, states, state_size, count, role, out.first[role])
        elif play.step == 1:
            note_ends(&play, count, out)
        if count_lanes(play.done) == WIDE_LANES:
            break
        advance(net, &play)
        play.step += 1
    write_returns(net, &play, count, out)
    return True
