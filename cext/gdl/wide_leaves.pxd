"""Games from several states side by side: each state has as many lanes as all others, and each lane one game.

Lane l plays from state l % period, where the period is a power of two. So any `period` neighbours, counted from a
multiple of it, play from different states.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game_table cimport LANES, NO_ACTION, lanes_t
from ..primitives.bits cimport lowest64, transpose64
from ..primitives.vectors cimport vector_t
from .network cimport head_t, network_t
from .wide cimport LONGS, MOST_PARTS, PARTS, get_long, put_long
from .wide_play cimport evaluate, read_literal, wide_play_t


cdef inline uint64_t repeated(uint64_t bits, int32_t period) noexcept nogil:
    """Repeat the lowest bits of a word, a power of two of them, up to its end."""
    while period < 64:
        bits |= bits << period
        period *= 2
    return bits


cdef inline uint64_t lanes_before(int32_t state, int32_t period, int32_t word) noexcept nogil:
    """Return the lanes of a word that play from a state before this one."""
    cdef int32_t count = min(max(state - (64 * word & (period - 1)), 0), 64)
    return repeated(~<uint64_t> 0 if count == 64 else ((<uint64_t> 1) << count) - 1, period)


cdef inline void end_at_limit(const network_t *net, wide_play_t *play, const char *states, size_t state_size,
                              int32_t count) noexcept nogil:
    """Mark the games that have reached the last step that is allowed."""
    cdef int32_t i, word
    cdef int64_t ply
    for i in range(count):
        ply = (<const head_t *> (states + i * state_size)).ply
        if ply + play.step < net.max_steps:
            continue
        for word in range(LONGS):
            put_long(play.done, word, get_long(play.done, word) | (
                lanes_before(i + 1, play.period, word) & ~lanes_before(i, play.period, word)))


cdef inline void load_lanes(const network_t *net, wide_play_t *play, const char *states, size_t state_size,
                            int32_t count) noexcept nogil:
    """Set the facts of each lane to those of its state. Lanes without a state are done."""
    cdef uint64_t rows[64]
    cdef int32_t fact_word, column, columns = max(1, play.period // 64), i, word, row, fluent
    cdef int64_t ply
    for fact_word in range(net.fact_words):
        for column in range(columns):
            for i in range(64):
                rows[i] = 0
                if 64 * column + i < count:
                    rows[i] = (<const uint64_t *> (states + (64 * column + i) * state_size + sizeof(head_t)))[fact_word]
            transpose64(rows)
            for row in range(min(64, net.num_fluents - 64 * fact_word)):
                fluent = 64 * fact_word + row
                rows[row] = repeated(rows[row], play.period)
                for word in range(LONGS):
                    if word & (columns - 1) == column:
                        put_long(play.value + (1 + fluent) * PARTS, word, rows[row])
    for word in range(LONGS):
        put_long(play.done, word, ~lanes_before(count, play.period, word))
    play.next_limit = net.max_steps
    for i in range(count):
        ply = (<const head_t *> (states + i * state_size)).ply
        play.next_limit = min(play.next_limit, net.max_steps - ply)


cdef inline void note_moves(const network_t *net, const wide_play_t *play, const char *states, size_t state_size,
                            int32_t count, int32_t role, int32_t *out) noexcept nogil:
    """Write the moves that a role has just chosen, where it acts."""
    cdef uint64_t acting[LONGS]
    cdef int32_t i, move, word, lane, each = LANES // play.period
    cdef uint64_t bits
    for word in range(LONGS):
        acting[word] = 0
    for i in range(count):
        if not (<const head_t *> (states + i * state_size)).acting >> role & 1:
            continue
        for word in range(LONGS):
            acting[word] |= lanes_before(i + 1, play.period, word) & ~lanes_before(i, play.period, word)
    for i in range(count * each):
        out[i] = NO_ACTION
    for move in range(net.role_node[role + 1] - net.role_node[role]):
        for word in range(LONGS):
            bits = get_long(play.value + (net.role_node[role] + move) * PARTS, word) & acting[word]
            while bits:
                lane = 64 * word + lowest64(bits)
                out[(lane & (play.period - 1)) * each + lane // play.period] = move
                bits &= bits - 1


cdef inline void note_ends(const wide_play_t *play, int32_t count, lanes_t *out) noexcept nogil:
    """Write which games are over."""
    cdef int32_t i, game, lane, each = LANES // play.period
    for i in range(count):
        for game in range(each):
            lane = game * play.period + i
            out.ended[i * each + game] = get_long(play.done, lane >> 6) >> (lane & 63) & 1


cdef inline void write_returns(const network_t *net, wide_play_t *play, int32_t count, lanes_t *out) noexcept nogil:
    """Write the return of each role in each lane: the mean of the goals that hold, as `score` in network.pxd."""
    cdef vector_t goal[MOST_PARTS]
    cdef int32_t total[LANES]
    cdef int32_t held[LANES]
    cdef int32_t role, i, lane, word, game, each = LANES // play.period
    cdef uint64_t bits
    cdef double nothing = 50.0 if net.constant_sum else 0.0
    evaluate(net, play.value, net.next_run, net.num_runs)
    for role in range(net.num_roles):
        for lane in range(LANES):
            total[lane] = held[lane] = 0
        for i in range(net.goal_begins[role], net.goal_begins[role + 1]):
            read_literal(play.value, net.goal_literal[i], goal)
            for word in range(LONGS):
                bits = get_long(goal, word)
                while bits:
                    lane = 64 * word + lowest64(bits)
                    bits &= bits - 1
                    total[lane] += net.goal_value[i]
                    held[lane] += 1
        for i in range(count):
            for game in range(each):
                lane = game * play.period + i
                out.value[role][i * each + game] = <double> total[lane] / held[lane] if held[lane] else nothing
