"""The structs of one stage, the round in which both players bid, and its payoffs.

The player who solves knows its own purse and has a belief about the rival's: a few types, each a purse with a
probability. The rival knows its type. A bid of the rival belongs to every type that can pay for it.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from ..game_table cimport game_t
from ..rng cimport rng_t
from ..sealed_bids cimport MAX_PURSE, MAX_POSITION, MAX_UNITS, leaf_t, sealed_bid_t, sealed_bids_t

cdef enum:
    MAX_OWN = 192               # bids of the solving player in the matrix; a multiple of 8
    MAX_RIVAL = 192             # bids of the rival
    MAX_TYPES = 8

cdef struct stage_t:
    const game_t *game
    const sealed_bids_t *bids
    leaf_t leaf
    void *context               # of `leaf`
    int32_t player              # who solves
    int32_t purse               # of that player
    int32_t types
    int32_t type_purse[MAX_TYPES]
    float type_weight[MAX_TYPES]
    char position[MAX_POSITION]
    uint8_t is_open[MAX_UNITS]
    int32_t num_open
    int32_t open[MAX_UNITS]     # units that can be bid on
    int32_t num_lines
    int32_t lines[MAX_UNITS]    # lines with an open unit
    int32_t own_count
    int32_t own_first           # random bids of the first matrix, which come first
    int32_t rival_count
    sealed_bid_t own[MAX_OWN]
    sealed_bid_t rival[MAX_RIVAL]
    uint8_t pays[MAX_RIVAL][MAX_TYPES]              # 1: the type can pay for the bid
    float value[MAX_TYPES][MAX_OWN][MAX_RIVAL]      # of the solving player, in [0, 1]
    float turned[MAX_TYPES][MAX_RIVAL][MAX_OWN]     # the same, transposed
    float own_regret[MAX_OWN]
    float own_average[MAX_OWN]                      # sums to 1 after a solution
    float rival_regret[MAX_TYPES][MAX_RIVAL]
    float rival_average[MAX_TYPES][MAX_RIVAL]       # with the naive part
    float naive_share                               # probability that the rival is naive, in [0, 1]
    float naive[MAX_TYPES][MAX_RIVAL]               # how often the type's naive bids are this one
    int32_t naive_count[MAX_TYPES]                  # naive bids of the type
    void *batch                 # in the last round, where the game has batches; else NULL
    double guidance             # weight of the nearness to a win in the values of positions; 0: none
    float outcome               # value of the matrix game by the average strategies
    rng_t rng
    int64_t leaves              # values of positions computed so far
    int64_t most_leaves         # limit
    double deadline             # on the clock of playout_seconds; 0: none

cdef struct target_t:           # a mixed strategy that a reply is played against
    int32_t player              # who replies
    int32_t purse
    int32_t types               # of the opponent
    int32_t type_purse[MAX_TYPES]
    int32_t count               # bids of the opponent
    const sealed_bid_t *bids[MAX_RIVAL]
    float weights[MAX_RIVAL][MAX_TYPES]
    float rest[MAX_RIVAL + 1]   # sum of the weights from a bid on


cdef inline void values_after(stage_t *stage, const sealed_bid_t *own, const sealed_bid_t *other, int32_t player,
                              int32_t purse, const int32_t *purses, int32_t count, double *out) noexcept nogil:
    """Write the value of `player` after two bids, for each of `count` purses that the opponent has before the round.

    own, purse: of `player`; other: bid of its opponent, at most each of the purses.
    """
    cdef char position[MAX_POSITION]
    cdef int32_t left[MAX_TYPES]
    cdef int32_t i
    cdef double near
    memcpy(position, stage.position, stage.bids.position_size)
    stage.bids.set_purse(position, player, purse)
    stage.bids.set_purse(position, 1 - player, MAX_PURSE)
    if player == 0:
        stage.bids.settle(stage.game, position, own, other)
    else:
        stage.bids.settle(stage.game, position, other, own)
    for i in range(count):
        left[i] = purses[i] - other.total
    stage.leaf(stage.context, position, 1 - player, left, count, out)
    stage.leaves += count
    if stage.guidance > 0:
        near = stage.bids.nearness(stage.game, position)
        if near >= 0:
            for i in range(count):
                out[i] += stage.guidance * (near - out[i])
    if player == 1:
        for i in range(count):
            out[i] = 1.0 - out[i]


cdef inline void fill_entry(stage_t *stage, int32_t row, int32_t column) noexcept nogil:
    """Compute the values of a bid of the player against one of the rival, for each type that can pay for it."""
    cdef int32_t purses[MAX_TYPES]
    cdef int32_t who[MAX_TYPES]
    cdef double out[MAX_TYPES]
    cdef int32_t count = 0, i
    for i in range(stage.types):
        if stage.pays[column][i]:
            purses[count] = stage.type_purse[i]
            who[count] = i
            count += 1
    values_after(stage, &stage.own[row], &stage.rival[column], stage.player, stage.purse, purses, count, out)
    for i in range(count):
        stage.value[who[i]][row][column] = <float> out[i]
        stage.turned[who[i]][column][row] = <float> out[i]
