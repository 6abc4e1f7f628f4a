"""Mixed strategies of the matrix game of a round by regret matching plus.

Regrets below zero are cut, the players are updated in turn, and iteration n has weight n in the average strategies:
CFR+ for a single decision (Tammelin 2014). Each type of the opponent has regrets of its own.
"""
from libc.stdint cimport int32_t
from libc.string cimport memset

from .round cimport MAX_OWN, MAX_OPPONENT, round_t


cdef inline void matched(const float *regrets, int32_t count, const unsigned char *may, int32_t step,
                         float *out) noexcept nogil:
    """Write the strategy of regret matching; even where no regret is above zero.

    may: where not NULL, `may[i * step]` is 0 for an action that is not available; its regret must be 0.
    """
    cdef float sum = 0, scale
    cdef int32_t i, available = 0
    for i in range(count):
        sum += regrets[i]
    if sum > 0:
        scale = 1 / sum
        for i in range(count):
            out[i] = regrets[i] * scale
        return
    for i in range(count):
        available += may == NULL or may[i * step] != 0
    for i in range(count):
        out[i] = (1.0 / available) if may == NULL or may[i * step] != 0 else 0.0


cdef inline void match_type(const round_t *round, int32_t kind, float *out) noexcept nogil:
    """Write the strategy of a type of the opponent."""
    matched(round.opponent_regret[kind], round.opponent_count, &round.pays[0][kind], sizeof(round.pays[0]), out)


cdef inline void normalise(float *weights, int32_t count) noexcept nogil:
    cdef float sum = 0, scale
    cdef int32_t i
    for i in range(count):
        sum += weights[i]
    scale = 1 / sum if sum > 0 else 0
    for i in range(count):
        weights[i] *= scale


cdef inline void row_values(const round_t *round, const float *strategy, int32_t kind, float *out) noexcept nogil:
    """Add to `out` the value of each own bid against a strategy of a type, times the probability of the type."""
    cdef int32_t row, column
    cdef float weight
    cdef const float *values
    for column in range(round.opponent_count):
        weight = strategy[column] * round.type_weight[kind]
        if weight > 0:
            values = round.turned[kind][column]
            for row in range(round.own_count):
                out[row] += weight * values[row]


cdef inline void column_values(const round_t *round, const float *strategy, int32_t kind, float *out) noexcept nogil:
    """Add to `out` the value, to the player, of each bid of the opponent's type against an own strategy."""
    cdef int32_t row, column
    cdef float weight
    cdef const float *values
    for row in range(round.own_count):
        weight = strategy[row]
        if weight > 0:
            values = round.value[kind][row]
            for column in range(round.opponent_count):
                out[column] += weight * values[column]


cdef inline void mix_naive(const round_t *round, int32_t kind, float *strategy) noexcept nogil:
    """Mix a strategy of a type with its naive bids, which no regret changes."""
    cdef int32_t i
    cdef float share = round.naive_share, each
    if round.naive_sum[kind] > 0:
        each = share / round.naive_sum[kind]
        for i in range(round.opponent_count):
            strategy[i] = (1 - share) * strategy[i] + each * round.naive[kind][i]


cdef inline void solve_matrix(round_t *round, int32_t iterations) noexcept nogil:
    """Improve the regrets, and write the average strategies of these iterations and their value."""
    cdef float own[MAX_OWN]
    cdef float opponent[MAX_OPPONENT]
    cdef float rows[MAX_OWN]
    cdef float columns[MAX_OPPONENT]
    cdef float expected, regret
    cdef int32_t n, kind, i
    memset(round.own_average, 0, sizeof(round.own_average))
    memset(round.opponent_average, 0, sizeof(round.opponent_average))
    for n in range(1, iterations + 1):
        memset(rows, 0, sizeof(rows))
        for kind in range(round.types):
            match_type(round, kind, opponent)
            mix_naive(round, kind, opponent)
            row_values(round, opponent, kind, rows)
        matched(round.own_regret, round.own_count, NULL, 0, own)
        expected = 0
        for i in range(round.own_count):
            expected += own[i] * rows[i]
        for i in range(round.own_count):
            regret = round.own_regret[i] + rows[i] - expected
            round.own_regret[i] = regret if regret > 0 else 0
        matched(round.own_regret, round.own_count, NULL, 0, own)
        for i in range(round.own_count):
            round.own_average[i] += n * own[i]
        for kind in range(round.types):
            memset(columns, 0, sizeof(columns))
            column_values(round, own, kind, columns)
            match_type(round, kind, opponent)
            expected = 0
            for i in range(round.opponent_count):
                expected += opponent[i] * columns[i]
            for i in range(round.opponent_count):
                regret = round.opponent_regret[kind][i] + expected - columns[i]
                round.opponent_regret[kind][i] = regret if regret > 0 and round.pays[i][kind] else 0
            match_type(round, kind, opponent)
            for i in range(round.opponent_count):
                round.opponent_average[kind][i] += n * opponent[i]
    normalise(round.own_average, round.own_count)
    memset(rows, 0, sizeof(rows))
    for kind in range(round.types):
        normalise(round.opponent_average[kind], round.opponent_count)
        mix_naive(round, kind, round.opponent_average[kind])
        row_values(round, round.opponent_average[kind], kind, rows)
    round.outcome = 0
    for i in range(round.own_count):
        round.outcome += round.own_average[i] * rows[i]
