"""Games from several states side by side: each state has as many lanes as all others, and each lane one game."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game_table cimport LANES, NO_ACTION, lanes_t
from ..primitives.bits cimport lowest64
from ..primitives.vectors cimport vector_t
from .network cimport head_t, network_t
from .wide cimport LONGS, MOST_PARTS, PARTS, fill, get_long, put_long
from .wide_play cimport evaluate, read_literal, wide_play_t


cdef inline void end_at_limit(const network_t *net, wide_play_t *play, const char *states, size_t state_size,
                              int32_t count, int32_t each) noexcept nogil:
    """Mark the games that have reached the last step that is allowed."""
    cdef int32_t i, lane
    cdef int64_t ply
    for i in range(count):
        ply = (<const head_t *> (states + i * state_size)).ply
        if ply + play.step < net.max_steps:
            continue
        for lane in range(i * each, (i + 1) * each):
            put_long(play.done, lane >> 6, get_long(play.done, lane >> 6) | (<uint64_t> 1) << (lane & 63))


cdef inline void load_lanes(const network_t *net, wide_play_t *play, const char *states, size_t state_size,
                            int32_t count, int32_t each) noexcept nogil:
    """Set the facts of each lane to those of its state. Lanes without a state are done."""
    cdef uint64_t facts[LONGS]
    cdef uint64_t lanes
    cdef const uint64_t *words
    cdef int32_t fluent, i, k, lane
    for fluent in range(net.num_fluents):
        for k in range(LONGS):
            facts[k] = 0
        for i in range(count):
            words = <const uint64_t *> (states + i * state_size + sizeof(head_t))
            if not words[fluent >> 6] >> (fluent & 63) & 1:
                continue
            lane = i * each
            if each >= 64:
                for k in range(lane >> 6, (lane + each) >> 6):
                    facts[k] = ~<uint64_t> 0
            else:
                lanes = (((<uint64_t> 1) << each) - 1) << (lane & 63)
                facts[lane >> 6] |= lanes
        for k in range(LONGS):
            put_long(play.value + (1 + fluent) * PARTS, k, facts[k])
    fill(play.done, True)
    for lane in range(count * each):
        put_long(play.done, lane >> 6, get_long(play.done, lane >> 6) & ~((<uint64_t> 1) << (lane & 63)))


cdef inline void note_moves(const network_t *net, const wide_play_t *play, uint32_t acting, int32_t role,
                            int32_t first_lane, int32_t end_lane, int32_t *out) noexcept nogil:
    """Write the moves that a role has just chosen in some lanes."""
    cdef int32_t move, word, begin, end
    cdef uint64_t bits, mask
    for move in range(first_lane, end_lane):
        out[move] = NO_ACTION
    if not acting >> role & 1:
        return
    for move in range(net.role_node[role + 1] - net.role_node[role]):
        for word in range(first_lane >> 6, (end_lane + 63) >> 6):
            begin, end = max(first_lane - 64 * word, 0), min(end_lane - 64 * word, 64)
            mask = ~<uint64_t> 0 << begin
            if end < 64:
                mask &= ((<uint64_t> 1) << end) - 1
            bits = get_long(play.value + (net.role_node[role] + move) * PARTS, word) & mask
            while bits:
                out[64 * word + lowest64(bits)] = move
                bits &= bits - 1


cdef inline void write_returns(const network_t *net, wide_play_t *play, int32_t lanes, lanes_t *out) noexcept nogil:
    """Write the return of each role in each lane: the mean of the goals that hold, as `score` in network.pxd."""
    cdef vector_t goal[MOST_PARTS]
    cdef int32_t total[LANES]
    cdef int32_t held[LANES]
    cdef int32_t role, i, lane, word
    cdef uint64_t bits
    evaluate(net, play.value, net.next_run, net.num_runs)
    for role in range(net.num_roles):
        for lane in range(lanes):
            total[lane] = held[lane] = 0
        for i in range(net.goal_begins[role], net.goal_begins[role + 1]):
            read_literal(play.value, net.goal_literal[i], goal)
            for word in range((lanes + 63) >> 6):
                bits = get_long(goal, word)
                while bits:
                    lane = 64 * word + lowest64(bits)
                    bits &= bits - 1
                    if lane < lanes:
                        total[lane] += net.goal_value[i]
                        held[lane] += 1
        for lane in range(lanes):
            if held[lane]:
                out.value[role][lane] = <double> total[lane] / held[lane]
            else:
                out.value[role][lane] = 50.0 if net.constant_sum else 0.0
