"""Growth of the matrix game of a round by best replies of both sides: the double oracle."""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from ....primitives.rng cimport rng_unit
from ..rules cimport bid_t
from .better_bids cimport improved
from .matrix cimport add_own, add_opponent
from .naive cimport add_naive, is_naive_due
from .random_bids cimport random_bid, spread_bid
from .regrets cimport row_values, solve_matrix
from .replies cimport is_out_of_time
from .round cimport MAX_OWN, round_t, target_t
from .targets cimport aim_at_player, aim_at_opponent

cdef enum:
    FIRST_BIDS = 8              # random bids of each side, and of each type, in the first matrix
    ITERATIONS = 20             # of regret matching between two replies
    MOST_FAILED = 400           # turns in a row without a better bid that end the search
    LEAST_GAIN = 10000          # 1 / gain of a reply that enters the matrix


cdef inline void begin(round_t *round) noexcept nogil:
    """Fill the first matrix: the empty bid and random bids, of an opponent whose bids are known none."""
    cdef bid_t bid
    cdef int32_t kind, i
    memset(&bid, 0, sizeof(bid))
    add_own(round, &bid)
    for i in range(FIRST_BIDS):
        random_bid(round, round.player, round.chips, &bid)
        if i & 1:
            spread_bid(round, &bid)
        add_own(round, &bid)
    round.own_first = round.own_count
    if round.is_known:
        return
    memset(&bid, 0, sizeof(bid))
    add_opponent(round, &bid)
    for kind in range(round.types):
        for i in range(FIRST_BIDS):
            random_bid(round, 1 - round.player, round.type_chips[kind], &bid)
            if i & 1:
                spread_bid(round, &bid)
            add_opponent(round, &bid)


cdef inline int32_t draw_index(round_t *round, const float *weights, int32_t count) noexcept nogil:
    cdef double point = rng_unit(&round.rng)
    cdef int32_t i
    for i in range(count - 1):
        point -= weights[i]
        if point < 0:
            return i
    return count - 1


cdef inline bint reply_of_player(round_t *round, int32_t turn) noexcept nogil:
    """Look for a better bid of the player; return True if one was added."""
    cdef target_t target
    cdef bid_t bid
    cdef float rows[MAX_OWN]
    cdef int32_t kind, i, start = 0
    aim_at_opponent(round, &target)
    if turn == 1:
        start = draw_index(round, round.own_average, round.own_count)
    elif turn != 3:
        memset(rows, 0, sizeof(rows))
        for kind in range(round.types):
            row_values(round, round.opponent_average[kind], kind, rows)
        for i in range(round.own_count):
            if rows[i] > rows[start]:
                start = i
    bid = round.own[start]
    return (improved(round, &target, turn == 3, &bid) > round.outcome + 1.0 / LEAST_GAIN
            and add_own(round, &bid))


cdef inline bint reply_of_opponent(round_t *round, int32_t turn) noexcept nogil:
    cdef target_t target
    cdef bid_t bid
    cdef int32_t kind = draw_index(round, round.type_weight, round.types), i, j, start = 0
    cdef double before = 2, value
    aim_at_player(round, &target, kind)
    value = 0
    for i in range(round.opponent_count):      # value of the type's best bid so far
        if not round.pays[i][kind]:
            continue
        value = 0
        for j in range(round.own_count):
            value += round.own_average[j] * round.value[kind][j][i]
        if value < before:
            before = value
            start = i
    if turn == 1:
        start = draw_index(round, round.opponent_average[kind], round.opponent_count)
    bid = round.opponent[start if round.pays[start][kind] else 0]
    return (improved(round, &target, turn == 3, &bid) > 1 - before + 1.0 / LEAST_GAIN
            and add_opponent(round, &bid))


cdef struct progress_t:
    int64_t turns               # replies of both sides looked for
    int32_t failed              # turns in a row that added none
    int32_t naive               # naive bids of the opponent


cdef inline void grow(round_t *round, progress_t *progress) noexcept nogil:
    """Add replies until the limit is reached."""
    cdef bint better
    while not is_out_of_time(round) and progress.failed <= MOST_FAILED:
        if is_naive_due(round, progress.naive):
            add_naive(round, progress.naive)
            progress.naive += 1
        solve_matrix(round, ITERATIONS)
        better = reply_of_player(round, <int32_t> (progress.turns & 3))
        if is_out_of_time(round):
            break
        if not round.is_known:
            better |= reply_of_opponent(round, <int32_t> (progress.turns & 3))
        progress.turns += 1
        progress.failed = 0 if better else progress.failed + 1
