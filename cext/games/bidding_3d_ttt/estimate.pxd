"""A quick estimate of positions between rounds, and how near a player came to a win."""
from libc.math cimport exp, fabs, log
from libc.stdint cimport int32_t, uint8_t, uint16_t

from ...primitives.bits cimport popcount64
from .rules cimport BOARDS, CONTENTS, LINES, ROUNDS, content_of, position_t, rules_t, score_values

cdef enum:
    FEATURES = 5                # of the estimate

cdef extern from *:
    """
    /* weights of lines of boards, of boards and of tiles in the nearness to a win */
    static const double playout_near_lines = 1.0, playout_near_boards = 0.5, playout_near_tiles = 0.08;
    """
    const double NEAR_LINES "playout_near_lines"
    const double NEAR_BOARDS "playout_near_boards"
    const double NEAR_TILES "playout_near_tiles"

cdef struct estimate_t:
    rules_t rules               # first, as `game.rules` points to it
    double weights[ROUNDS][FEATURES]    # by the rounds after the next one
    double logs[256]            # by a number of chips
    float promise[CONTENTS][2]  # by the content of a board: how near red and blue are to its control, in [0, 1]


cdef inline double strengths(const estimate_t *estimate, const position_t *now, double *players) noexcept nogil:
    """Write a number in (0, 1) for each player, for the lines of boards that it may complete.

    Return the sum of the promise of all boards to red, less that to blue.
    """
    cdef float promises[2][BOARDS]
    cdef const float *promise
    cdef const float *at
    cdef double none, lead = 0.0
    cdef int32_t board, line, player, cells
    cdef uint16_t red = now.control[0], blue = now.control[1]
    for board in range(BOARDS):
        promise = estimate.promise[content_of(&estimate.rules, now.own[0][board], now.own[1][board])]
        promises[0][board] = promise[0]
        promises[1][board] = promise[1]
        if ((red | blue) >> board) & 1:
            promises[0][board] = (red >> board) & 1
            promises[1][board] = (blue >> board) & 1
        lead += promises[0][board] - promises[1][board]
    for player in range(2):
        at = promises[player]
        none = 1.0
        for line in range(LINES):
            cells = estimate.rules.line_boards[line]
            none *= 1.0 - <double> at[cells & 15] * at[(cells >> 4) & 15] * at[cells >> 8]
        players[player] = 1.0 - 0.999 * none
    return lead


cdef inline int32_t lead_in_tiles(const position_t *now) noexcept nogil:
    cdef int32_t board, lead = 0
    for board in range(BOARDS):
        lead += popcount64(now.own[0][board]) - popcount64(now.own[1][board])
    return lead


cdef inline void estimate_values(const estimate_t *estimate, position_t *now, int32_t player, const int32_t *chips,
                                 int32_t count, double *out) noexcept nogil:
    """Write the value of red in [0, 1] for each of `count` numbers of chips of a player; the position's may change.

    It is the score, or a logistic function of a few features, each red's advantage: lines of boards, chips, boards,
    tiles and the promise of the boards.
    """
    cdef const double *weights
    cdef double players[2]
    cdef double sum
    cdef int32_t i
    if now.over:
        score_values(&estimate.rules, now, player, chips, count, out)
        return
    weights = estimate.weights[ROUNDS - now.round]
    sum = weights[4] * strengths(estimate, now, players)
    sum += weights[0] * log(players[0] / players[1])
    sum += weights[2] * (popcount64(now.control[0]) - popcount64(now.control[1]))
    sum += weights[3] * lead_in_tiles(now)
    for i in range(count):
        now.chips[player] = <uint8_t> chips[i]
        out[i] = 1.0 / (1.0 + exp(-(sum + weights[1] * (estimate.logs[now.chips[0]] - estimate.logs[now.chips[1]]))))


cdef inline double nearness(const estimate_t *estimate, const position_t *now) noexcept nogil:
    """Return how near red came to a win in a position that is over, in [0, 1], by lines, boards and tiles.

    It tells bids apart that score the same.
    """
    cdef double players[2]
    cdef double sum
    strengths(estimate, now, players)
    sum = NEAR_LINES * (players[0] - players[1]) / (players[0] + players[1])
    sum += NEAR_BOARDS * (popcount64(now.control[0]) - popcount64(now.control[1])) + NEAR_TILES * lead_in_tiles(now)
    return 0.5 + 0.5 * sum / (1.0 + fabs(sum))


cdef inline void lay_out_estimate(estimate_t *estimate) noexcept nogil:
    """Fill in the numbers that follow from the rules."""
    cdef const rules_t *rules = &estimate.rules
    cdef int32_t line, mine, theirs, missing, i
    cdef double none
    cdef double *chance = [1.0, 0.4, 0.15, 0.05]    # of a line to be completed, by the number of missing tiles
    for mine in range(512):
        for theirs in range(512):
            if mine & theirs:
                continue
            none = 1.0
            for line in range(LINES):
                if rules.recapture or rules.line_cells[line] & theirs == 0:
                    missing = 3 - popcount64(rules.line_cells[line] & mine)
                    none *= 1.0 - chance[missing]
            estimate.promise[content_of(rules, <uint16_t> mine, <uint16_t> theirs)][0] = <float> (1.0 - none)
            estimate.promise[content_of(rules, <uint16_t> theirs, <uint16_t> mine)][1] = <float> (1.0 - none)
    for i in range(256):
        estimate.logs[i] = log(i + 1.0 + rules.chips / 80.0)
    # fitted to solutions of positions, first before round 3, with these before round 2
    if rules.recapture:
        estimate.weights[0][:] = [0.16, 2.28, 0.65, 0.03, -0.11]
        estimate.weights[1][:] = [0.0, 1.88, 0.65, 0.03, 0.09]
    else:
        estimate.weights[0][:] = [0.19, 3.11, 0.37, 0.06, 0.94]
        estimate.weights[1][:] = [0.18, 1.90, 0.37, 0.02, 0.47]
