"""The structs of one round, the round in which both players bid, and its payoffs.

The player who solves knows its own chips and has a belief about the opponent's: a few types, each a number of chips
with a probability. The opponent knows its type. A bid of the opponent belongs to every type that can pay for it.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from ....primitives.rng cimport rng_t
from ..estimate cimport estimate_t, estimate_values, nearness
from ..rules cimport BOARDS, LINES, MAX_CHIPS, TILES, bid_t, broken_rule, position_t, settle

cdef extern from "games/bidding_3d_ttt/rounds/bid_batch.h" nogil:
    enum:
        PLAYOUT_BATCH           # most bids of a batch
    ctypedef struct playout_batch_t:
        pass
    void playout_fill_batch(playout_batch_t *batch, const uint16_t (*own)[9], const uint16_t *control, int player,
                            int chips, const uint8_t *const *bids, const uint8_t *left, int count) noexcept
    double playout_begin_batch(playout_batch_t *batch, const uint8_t *bid, int total, double guidance) noexcept
    double playout_try_in_batch(playout_batch_t *batch, const uint8_t *bid, int total, double guidance) noexcept
    void playout_keep_in_batch(playout_batch_t *batch) noexcept

cdef enum:
    MAX_OWN = 192               # bids of the solving player in the matrix; a multiple of 8
    MAX_OPPONENT = 192          # bids of the opponent
    MAX_TYPES = 8

cdef struct round_t:
    const estimate_t *estimate  # with the rules
    int32_t player              # who solves
    int32_t chips               # of that player
    bint is_known               # the opponent makes its naive bids alone
    int32_t types
    int32_t type_chips[MAX_TYPES]
    float type_weight[MAX_TYPES]
    position_t position
    uint8_t is_open[TILES]
    int32_t num_open
    int32_t open[TILES]     # tiles that can be bid on
    int32_t num_lines
    int32_t lines[BOARDS * LINES]   # lines of boards with an open tile
    int32_t own_count
    int32_t own_first           # random bids of the first matrix, which come first
    int32_t opponent_count
    bid_t own[MAX_OWN]
    bid_t opponent[MAX_OPPONENT]
    uint8_t pays[MAX_OPPONENT][MAX_TYPES]              # 1: the type can pay for the bid
    float value[MAX_TYPES][MAX_OWN][MAX_OPPONENT]      # of the solving player, in [0, 1]
    float turned[MAX_TYPES][MAX_OPPONENT][MAX_OWN]     # the same, transposed
    float own_regret[MAX_OWN]
    float own_average[MAX_OWN]                      # sums to 1 after a solution
    float opponent_regret[MAX_TYPES][MAX_OPPONENT]
    float opponent_average[MAX_TYPES][MAX_OPPONENT]       # with the naive part
    float naive_share                               # probability that the opponent is naive, in [0, 1]
    float naive[MAX_TYPES][MAX_OPPONENT]               # weight of this bid among the naive bids of the type
    float naive_sum[MAX_TYPES]                      # of these weights
    playout_batch_t *batch      # in the last round; else NULL
    double guidance             # weight of the nearness to a win in the values of positions; 0: none
    float outcome               # value of the matrix game by the average strategies
    rng_t rng
    int64_t leaves              # values of positions computed so far
    int64_t most_leaves         # limit
    double deadline             # on the clock of playout_seconds; 0: none

cdef struct target_t:           # a mixed strategy that a reply is played against
    int32_t player              # who replies
    int32_t chips
    int32_t types               # of the opponent
    int32_t type_chips[MAX_TYPES]
    int32_t count               # bids of the opponent
    const bid_t *bids[MAX_OPPONENT]
    float weights[MAX_OPPONENT][MAX_TYPES]
    float rest[MAX_OPPONENT + 1]    # sum of the weights from a bid on


cdef inline bint is_legal(const round_t *round, int32_t chips, const bid_t *bid) noexcept nogil:
    """Return True if a player with these chips may bid so."""
    return broken_rule(&round.estimate.rules, &round.position, chips, bid) == 0


cdef inline int32_t tile_of_line(const round_t *round, int32_t line, int32_t i) noexcept nogil:
    """Return tile i, 0 to 2, of a line of one of the boards."""
    return 9 * (line // LINES) + ((round.estimate.rules.line_boards[line % LINES] >> (4 * i)) & 15)


cdef inline void values_after(round_t *round, const bid_t *own, const bid_t *other, int32_t player,
                              int32_t chips, const int32_t *theirs, int32_t count, double *out) noexcept nogil:
    """Write the value of `player` after two bids, for each of `count` numbers of chips of the opponent.

    own, chips: of `player`, before the round; other: bid of its opponent, at most each of `theirs`.
    """
    cdef position_t now = round.position
    cdef int32_t left[MAX_TYPES]
    cdef int32_t i
    cdef double near
    now.chips[player] = <uint8_t> chips
    now.chips[1 - player] = MAX_CHIPS
    settle(&round.estimate.rules, &now, other if player else own, own if player else other)
    for i in range(count):
        left[i] = theirs[i] - other.total
    estimate_values(round.estimate, &now, 1 - player, left, count, out)
    round.leaves += count
    if round.guidance > 0 and now.over:
        near = nearness(round.estimate, &now)
        for i in range(count):
            out[i] += round.guidance * (near - out[i])
    if player == 1:
        for i in range(count):
            out[i] = 1.0 - out[i]


cdef inline void fill_entry(round_t *round, int32_t row, int32_t column) noexcept nogil:
    """Compute the values of a bid of the player against one of the opponent, for each type that can pay for it."""
    cdef int32_t chips[MAX_TYPES]
    cdef int32_t who[MAX_TYPES]
    cdef double out[MAX_TYPES]
    cdef int32_t count = 0, i
    for i in range(round.types):
        if round.pays[column][i]:
            chips[count] = round.type_chips[i]
            who[count] = i
            count += 1
    values_after(round, &round.own[row], &round.opponent[column], round.player, round.chips, chips, count, out)
    for i in range(count):
        round.value[who[i]][row][column] = <float> out[i]
        round.turned[who[i]][column][row] = <float> out[i]
