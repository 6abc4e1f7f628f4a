"""Mixed strategies of the matrix game of a stage by regret matching plus.

Regrets below zero are cut, the players are updated in turn, and iteration n has weight n in the average strategies:
CFR+ for a single decision (Tammelin 2014). Each type of the rival has regrets of its own.
"""
from libc.stdint cimport int32_t
from libc.string cimport memset

from .stage cimport MAX_OWN, MAX_RIVAL, stage_t


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


cdef inline void normalise(float *weights, int32_t count) noexcept nogil:
    cdef float sum = 0, scale
    cdef int32_t i
    for i in range(count):
        sum += weights[i]
    scale = 1 / sum if sum > 0 else 0
    for i in range(count):
        weights[i] *= scale


cdef inline void row_values(const stage_t *stage, const float *strategy, int32_t kind, float *out) noexcept nogil:
    """Add to `out` the value of each own bid against a strategy of a type, times the probability of the type."""
    cdef int32_t row, column
    cdef float weight
    cdef const float *values
    for column in range(stage.rival_count):
        weight = strategy[column] * stage.type_weight[kind]
        if weight > 0:
            values = stage.turned[kind][column]
            for row in range(stage.own_count):
                out[row] += weight * values[row]


cdef inline void column_values(const stage_t *stage, const float *strategy, int32_t kind, float *out) noexcept nogil:
    """Add to `out` the value, to the player, of each bid of the rival's type against an own strategy."""
    cdef int32_t row, column
    cdef float weight
    cdef const float *values
    for row in range(stage.own_count):
        weight = strategy[row]
        if weight > 0:
            values = stage.value[kind][row]
            for column in range(stage.rival_count):
                out[column] += weight * values[column]


cdef inline void mix_naive(const stage_t *stage, int32_t kind, float *strategy) noexcept nogil:
    """Mix a strategy of a type with its naive bids, which no regret changes."""
    cdef int32_t i
    cdef float share = stage.naive_share, each
    if stage.naive_count[kind]:
        each = share / stage.naive_count[kind]
        for i in range(stage.rival_count):
            strategy[i] = (1 - share) * strategy[i] + each * stage.naive[kind][i]


cdef inline void solve_matrix(stage_t *stage, int32_t iterations) noexcept nogil:
    """Improve the regrets, and write the average strategies of these iterations and their value."""
    cdef float own[MAX_OWN]
    cdef float rival[MAX_RIVAL]
    cdef float rows[MAX_OWN]
    cdef float columns[MAX_RIVAL]
    cdef float expected, regret
    cdef int32_t n, kind, i
    memset(stage.own_average, 0, sizeof(stage.own_average))
    memset(stage.rival_average, 0, sizeof(stage.rival_average))
    for n in range(1, iterations + 1):
        memset(rows, 0, sizeof(rows))
        for kind in range(stage.types):
            matched(stage.rival_regret[kind], stage.rival_count, &stage.pays[0][kind], sizeof(stage.pays[0]), rival)
            mix_naive(stage, kind, rival)
            row_values(stage, rival, kind, rows)
        matched(stage.own_regret, stage.own_count, NULL, 0, own)
        expected = 0
        for i in range(stage.own_count):
            expected += own[i] * rows[i]
        for i in range(stage.own_count):
            regret = stage.own_regret[i] + rows[i] - expected
            stage.own_regret[i] = regret if regret > 0 else 0
        matched(stage.own_regret, stage.own_count, NULL, 0, own)
        for i in range(stage.own_count):
            stage.own_average[i] += n * own[i]
        for kind in range(stage.types):
            memset(columns, 0, sizeof(columns))
            column_values(stage, own, kind, columns)
            matched(stage.rival_regret[kind], stage.rival_count, &stage.pays[0][kind], sizeof(stage.pays[0]), rival)
            expected = 0
            for i in range(stage.rival_count):
                expected += rival[i] * columns[i]
            for i in range(stage.rival_count):
                regret = stage.rival_regret[kind][i] + expected - columns[i]
                stage.rival_regret[kind][i] = regret if regret > 0 and stage.pays[i][kind] else 0
            matched(stage.rival_regret[kind], stage.rival_count, &stage.pays[0][kind], sizeof(stage.pays[0]), rival)
            for i in range(stage.rival_count):
                stage.rival_average[kind][i] += n * rival[i]
    normalise(stage.own_average, stage.own_count)
    memset(rows, 0, sizeof(rows))
    for kind in range(stage.types):
        normalise(stage.rival_average[kind], stage.rival_count)
        mix_naive(stage, kind, stage.rival_average[kind])
        row_values(stage, stage.rival_average[kind], kind, rows)
    stage.outcome = 0
    for i in range(stage.own_count):
        stage.outcome += stage.own_average[i] * rows[i]
