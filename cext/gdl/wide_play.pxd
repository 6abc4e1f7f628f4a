"""Steps of 512 random games side by side: one pass over the network serves a step of all games.

A game that is over keeps its facts until its returns are counted, and its lane then begins the next game. Lanes are
served when a quarter of them is done. Exactly the games that were begun are counted, so short games are not preferred.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game_table cimport RETURN_UNIT
from ..primitives.bits cimport lowest64
from ..primitives.vectors cimport both, differ, either, splat8, vector_t, without
from .network cimport MAX_ROLES, is_compiled_wide, network_t, run_t
from .wide cimport (LONGS, MOST_PARTS, PARTS, WIDE_LANES, count_lanes, fill, get_long, has_lanes, put_long,
                    streams_t)

cdef struct wide_play_t:
    vector_t *value             # [num_nodes] wide words
    vector_t *following         # [num_fluents] scratch memory for the next facts
    vector_t *tree              # scratch memory of choose_moves
    streams_t streams
    vector_t done[MOST_PARTS]   # lanes whose game is over, or that have none
    vector_t unscored[MOST_PARTS]  # lanes whose game is not counted yet
    int64_t born[WIDE_LANES]    # step at which the game of a lane began
    int64_t step
    int64_t next_limit          # no game reaches its last step before this step
    int32_t *order              # [moves of all roles] an order of the moves of each role
    bint is_sparse[MAX_ROLES]   # few moves of a role are legal: orders are slow
    int32_t period              # neighbouring lanes that play from different states; 1 if all lanes may have the same


cdef inline const vector_t *word_of(const vector_t *value, int32_t literal) noexcept nogil:
    return value + <size_t> (<uint32_t> literal >> 1) * PARTS


cdef inline void evaluate_many(const network_t *net, vector_t *value, const run_t *run) noexcept nogil:
    """Compute the gates of a run, two inputs at a time in two conjunctions that do not wait for each other."""
    cdef vector_t found[MOST_PARTS]
    cdef vector_t other[MOST_PARTS]
    cdef const int32_t *edge = net.edge + net.gate_start[run.begin]
    cdef const vector_t *left
    cdef const vector_t *right
    cdef vector_t *out = value + <size_t> (net.first_gate + run.begin) * PARTS
    cdef int32_t _, i, k
    for _ in range(run.begin, run.end):
        for k in range(PARTS):
            found[k] = other[k] = splat8(-1)
        i = 0
        while i + 2 <= run.positives:
            left, right = word_of(value, edge[i]), word_of(value, edge[i + 1])
            for k in range(PARTS):
                found[k] = both(found[k], left[k])
                other[k] = both(other[k], right[k])
            i += 2
        if i < run.positives:
            left = word_of(value, edge[i])
            for k in range(PARTS):
                found[k] = both(found[k], left[k])
            i += 1
        while i + 2 <= run.inputs:
            left, right = word_of(value, edge[i]), word_of(value, edge[i + 1])
            for k in range(PARTS):
                found[k] = without(found[k], left[k])
                other[k] = without(other[k], right[k])
            i += 2
        if i < run.inputs:
            left = word_of(value, edge[i])
            for k in range(PARTS):
                found[k] = without(found[k], left[k])
        for k in range(PARTS):
            out[k] = both(found[k], other[k])
        edge += run.inputs
        out += PARTS


cdef inline void evaluate_alike(const network_t *net, vector_t *value, const run_t *run, int32_t positives,
                                int32_t inputs) noexcept nogil:
    """Compute the gates of a run. The numbers are those of the run; where they are constants, no loop is left."""
    cdef vector_t found[MOST_PARTS]
    cdef const int32_t *edge = net.edge + net.gate_start[run.begin]
    cdef const vector_t *word
    cdef vector_t *out = value + <size_t> (net.first_gate + run.begin) * PARTS
    cdef int32_t _, i, k
    for _ in range(run.begin, run.end):
        for k in range(PARTS):
            found[k] = splat8(-1)
        for i in range(inputs):
            word = word_of(value, edge[i])
            for k in range(PARTS):
                found[k] = both(found[k], word[k]) if i < positives else without(found[k], word[k])
        for k in range(PARTS):
            out[k] = found[k]
        edge += inputs
        out += PARTS


cdef inline void evaluate(const network_t *net, vector_t *value, int32_t begin, int32_t end) noexcept nogil:
    """Compute the gates of the runs [begin, end). In a run the processor predicts all branches."""
    cdef const run_t *run
    cdef int32_t r
    for r in range(begin, end):
        run = net.run + r
        if run.inputs == 2:             # most gates
            if run.positives == 2:
                evaluate_alike(net, value, run, 2, 2)
            elif run.positives == 1:
                evaluate_alike(net, value, run, 1, 2)
            else:
                evaluate_alike(net, value, run, 0, 2)
        elif run.inputs == 3:
            if run.positives == 3:
                evaluate_alike(net, value, run, 3, 3)
            elif run.positives == 2:
                evaluate_alike(net, value, run, 2, 3)
            elif run.positives == 1:
                evaluate_alike(net, value, run, 1, 3)
            else:
                evaluate_alike(net, value, run, 0, 3)
        elif run.inputs == 4 and run.positives == 4:
            evaluate_alike(net, value, run, 4, 4)
        elif run.inputs == 4 and run.positives == 0:
            evaluate_alike(net, value, run, 0, 4)
        else:
            evaluate_many(net, value, run)


cdef inline void evaluate_view(const network_t *net, vector_t *value) noexcept nogil:
    """Compute the gates of the view, or only those that something else reads."""
    if is_compiled_wide(net):
        net.compiled.view(value)
    else:
        evaluate(net, value, 0, net.next_run)


cdef inline void read_literal(const vector_t *value, int32_t literal, vector_t *out) noexcept nogil:
    cdef vector_t flip = splat8(-(literal & 1))
    cdef int32_t k
    for k in range(PARTS):
        out[k] = differ(value[(literal >> 1) * PARTS + k], flip)


cdef inline void advance(const network_t *net, wide_play_t *play) noexcept nogil:
    """Compute the next facts of the lanes that are not done."""
    cdef vector_t next_value[MOST_PARTS]
    cdef vector_t *fact
    cdef int32_t i, k
    if is_compiled_wide(net):
        net.compiled.following(play.value, play.done)
        return
    evaluate(net, play.value, net.next_run, net.goal_run)
    for i in range(net.num_fluents):
        read_literal(play.value, net.next_literal[i], next_value)
        fact = play.value + (1 + i) * PARTS
        for k in range(PARTS):
            play.following[i * PARTS + k] = either(without(next_value[k], play.done[k]), both(fact[k], play.done[k]))
    for i in range(net.num_fluents * PARTS):
        play.value[PARTS + i] = play.following[i]


cdef inline void end_old_games(wide_play_t *play, int64_t most_steps) noexcept nogil:
    """Mark the games that reached the last step that is allowed."""
    cdef int64_t oldest = play.step
    cdef uint64_t bits
    cdef int32_t i, lane
    for i in range(LONGS):
        bits = ~get_long(play.done, i)
        while bits:
            lane = 64 * i + lowest64(bits)
            if play.step - play.born[lane] >= most_steps:
                put_long(play.done, i, get_long(play.done, i) | (bits & (~bits + 1)))
            else:
                oldest = min(oldest, play.born[lane])
            bits &= bits - 1
    play.next_limit = oldest + most_steps


cdef inline void add_lanes(const vector_t *lanes, double value, int64_t *sum) noexcept nogil:
    sum[0] += count_lanes(lanes) * <int64_t> (value * RETURN_UNIT)


cdef inline void add_means(const network_t *net, const vector_t *value, int32_t role, const vector_t *lanes,
                           int64_t *sum) noexcept nogil:
    """Add the returns of lanes in which several goals of a role hold."""
    cdef uint64_t bits, word
    cdef double total
    cdef int32_t i, lane, goal, count, literal
    for i in range(LONGS):
        bits = get_long(lanes, i)
        while bits:
            lane = lowest64(bits)
            bits &= bits - 1
            total = 0.0
            count = 0
            for goal in range(net.goal_begins[role], net.goal_begins[role + 1]):
                literal = net.goal_literal[goal]
                word = get_long(value + (literal >> 1) * PARTS, i) ^ (<uint64_t> 0 - <uint64_t> (literal & 1))
                if word >> lane & 1:
                    total += net.goal_value[goal]
                    count += 1
            sum[0] += <int64_t> (total / count * RETURN_UNIT)


cdef inline void count_returns(const network_t *net, wide_play_t *play, int64_t *sums) noexcept nogil:
    """Add the returns of the games that are over and not counted, and mark them as counted."""
    cdef vector_t over[MOST_PARTS]
    cdef vector_t seen[MOST_PARTS]
    cdef vector_t several[MOST_PARTS]
    cdef vector_t goal[MOST_PARTS]
    cdef int32_t role, i, k
    evaluate(net, play.value, net.next_run, net.num_runs)
    for k in range(PARTS):
        over[k] = both(play.done[k], play.unscored[k])
        play.unscored[k] = without(play.unscored[k], over[k])
    for role in range(net.num_roles):
        fill(seen, False)
        fill(several, False)
        for i in range(net.goal_begins[role], net.goal_begins[role + 1]):
            read_literal(play.value, net.goal_literal[i], goal)
            for k in range(PARTS):
                several[k] = either(several[k], both(both(seen[k], goal[k]), over[k]))
                seen[k] = either(seen[k], goal[k])
        for i in range(net.goal_begins[role], net.goal_begins[role + 1]):
            read_literal(play.value, net.goal_literal[i], goal)
            for k in range(PARTS):
                goal[k] = without(both(goal[k], over[k]), several[k])
            add_lanes(goal, net.goal_value[i], &sums[role])
        if has_lanes(several):
            add_means(net, play.value, role, several, &sums[role])
        if net.constant_sum:
            for k in range(PARTS):
                goal[k] = without(over[k], seen[k])
            add_lanes(goal, 50.0, &sums[role])


cdef inline int64_t begin_games(const network_t *net, wide_play_t *play, const uint64_t *facts,
                                int64_t most) noexcept nogil:
    """Begin up to `most` games in lanes whose games are counted; return their number."""
    cdef vector_t fresh[MOST_PARTS]
    cdef uint64_t bits, taken
    cdef int64_t begun = 0
    cdef vector_t *fact
    cdef int32_t i, k
    fill(fresh, False)
    for i in range(LONGS):
        bits = get_long(play.done, i) & ~get_long(play.unscored, i)
        taken = 0
        while bits and begun < most:
            play.born[64 * i + lowest64(bits)] = play.step
            taken |= bits & (~bits + 1)
            bits &= bits - 1
            begun += 1
        put_long(fresh, i, taken)
    for i in range(net.num_fluents):
        fact = play.value + (1 + i) * PARTS
        for k in range(PARTS):
            if facts[i >> 6] >> (i & 63) & 1:
                fact[k] = either(fact[k], fresh[k])
            else:
                fact[k] = without(fact[k], fresh[k])
    for k in range(PARTS):
        play.done[k] = without(play.done[k], fresh[k])
        play.unscored[k] = either(play.unscored[k], fresh[k])
    return begun
