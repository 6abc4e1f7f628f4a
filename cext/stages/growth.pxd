"""Growth of the matrix game of a stage by best replies of both sides: the double oracle."""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from ..rng cimport rng_unit
from ..sealed_bids cimport sealed_bid_t
from .better_bids cimport improved
from .matrix cimport add_own, add_rival
from .naive cimport add_naive, is_naive_due
from .random_bids cimport draw_bid, spread_bid
from .regrets cimport row_values, solve_matrix
from .replies cimport is_out_of_time
from .stage cimport MAX_OWN, stage_t, target_t
from .targets cimport aim_at_player, aim_at_rival

cdef enum:
    FIRST_BIDS = 8              # random bids of each side, and of each type, in the first matrix
    ITERATIONS = 20             # of regret matching between two replies
    MOST_FAILED = 400           # turns in a row without a better bid that end the search
    LEAST_GAIN = 10000          # 1 / gain of a reply that enters the matrix


cdef inline void begin(stage_t *stage) noexcept nogil:
    """Fill the first matrix: the empty bid and random bids."""
    cdef sealed_bid_t bid
    cdef int32_t kind, i
    memset(&bid, 0, sizeof(bid))
    add_own(stage, &bid)
    add_rival(stage, &bid)
    for i in range(FIRST_BIDS):
        draw_bid(stage, stage.player, stage.purse, &bid)
        if i & 1:
            spread_bid(stage, &bid)
        add_own(stage, &bid)
    stage.own_first = stage.own_count
    for kind in range(stage.types):
        for i in range(FIRST_BIDS):
            draw_bid(stage, 1 - stage.player, stage.type_purse[kind], &bid)
            if i & 1:
                spread_bid(stage, &bid)
            add_rival(stage, &bid)


cdef inline int32_t draw_index(stage_t *stage, const float *weights, int32_t count) noexcept nogil:
    cdef double point = rng_unit(&stage.rng)
    cdef int32_t i
    for i in range(count - 1):
        point -= weights[i]
        if point < 0:
            return i
    return count - 1


cdef inline bint reply_of_player(stage_t *stage, int32_t turn) noexcept nogil:
    """Look for a better bid of the player; return True if one was added."""
    cdef target_t target
    cdef sealed_bid_t bid
    cdef float rows[MAX_OWN]
    cdef int32_t kind, i, start = 0
    aim_at_rival(stage, &target)
    if turn == 1:
        start = draw_index(stage, stage.own_average, stage.own_count)
    elif turn != 3:
        memset(rows, 0, sizeof(rows))
        for kind in range(stage.types):
            row_values(stage, stage.rival_average[kind], kind, rows)
        for i in range(stage.own_count):
            if rows[i] > rows[start]:
                start = i
    bid = stage.own[start]
    return improved(stage, &target, turn == 3, &bid) > stage.outcome + 1.0 / LEAST_GAIN and add_own(stage, &bid)


cdef inline bint reply_of_rival(stage_t *stage, int32_t turn) noexcept nogil:
    cdef target_t target
    cdef sealed_bid_t bid
    cdef int32_t kind = draw_index(stage, stage.type_weight, stage.types), i, j, start = 0
    cdef double before = 2, value
    aim_at_player(stage, &target, kind)
    value = 0
    for i in range(stage.rival_count):      # value of the type's best bid so far
        if not stage.pays[i][kind]:
            continue
        value = 0
        for j in range(stage.own_count):
            value += stage.own_average[j] * stage.value[kind][j][i]
        if value < before:
            before = value
            start = i
    if turn == 1:
        start = draw_index(stage, stage.rival_average[kind], stage.rival_count)
    bid = stage.rival[start if stage.pays[start][kind] else 0]
    return improved(stage, &target, turn == 3, &bid) > 1 - before + 1.0 / LEAST_GAIN and add_rival(stage, &bid)


cdef struct progress_t:
    int64_t turns               # replies of both sides looked for
    int32_t failed              # turns in a row that added none
    int32_t naive               # naive bids of the rival


cdef inline void grow(stage_t *stage, progress_t *progress) noexcept nogil:
    """Add replies until the limit is reached."""
    cdef bint better
    while not is_out_of_time(stage) and progress.failed <= MOST_FAILED:
        if is_naive_due(stage, progress.naive):
            add_naive(stage, progress.naive)
            progress.naive += 1
        solve_matrix(stage, ITERATIONS)
        better = reply_of_player(stage, <int32_t> (progress.turns & 3))
        if is_out_of_time(stage):
            break
        better |= reply_of_rival(stage, <int32_t> (progress.turns & 3))
        progress.turns += 1
        progress.failed = 0 if better else progress.failed + 1
