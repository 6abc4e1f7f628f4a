"""The table of a game with sealed bids: what a solver of single rounds needs beside the table of the game.

A bid is a vector of counts, one byte for each unit, such as a tile. Both players bid at once, and the bids change the
position together. Later play depends on the position alone, and the only hidden part of it is each player's purse: the
counts that a player has left. So a player's belief is a distribution over the rival's purse.

A game with sealed bids is a Game of two players with a constant sum and packed actions, and has an attribute
`sealed_bids`: a capsule with the name SEALED_BIDS of this table. The capsule keeps the game
alive.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t

from .game_table cimport game_t
from .nets.inference cimport net_t
from .rng cimport rng_t

cdef extern from *:
    """
    #define PLAYOUT_SEALED_BIDS "playout.sealed_bids"
    """
    const char *SEALED_BIDS "PLAYOUT_SEALED_BIDS"

cdef enum:
    MAX_UNITS = 96              # of a bid: those that compare_bytes.h compares
    MAX_POSITION = 64           # bytes of a position
    MAX_PURSE = 255
    MAX_BATCH = 256             # bids of a batch

cdef struct sealed_bid_t:
    uint8_t counts[MAX_UNITS]   # by unit; 0 behind the last unit
    int32_t total               # their sum

# Write the value of the first player in [0, 1] for each of `count` purses of a player: the score if the game is over,
# else an estimate. May change the purse in the position.
ctypedef void (*leaf_t)(void *context, void *position, int32_t player, const int32_t *purses, int32_t count,
                        double *out) noexcept nogil

cdef struct sealed_bids_t:
    const game_t *game          # the table of the game that it is for
    int32_t units               # numbers of a bid: action_size of the game
    int32_t group_size          # units of a group, such as a board; groups follow each other
    int32_t num_lines
    const int16_t *lines        # [num_lines][3] units that are worth more together
    int32_t position_size       # at most MAX_POSITION
    # write the position of a state. From a redacted state, the purse of the hidden player is 0
    void (*position)(const game_t *game, const void *state, void *position) noexcept nogil
    int32_t (*purse)(const void *position, int32_t player) noexcept nogil
    void (*set_purse)(void *position, int32_t player, int32_t purse) noexcept nogil
    # write the least and the greatest purse of the rival that is consistent with a state as `player` sees it; so is
    # every purse between them
    void (*purse_bounds)(const game_t *game, const void *state, int32_t player, int32_t *low,
                         int32_t *high) noexcept nogil
    # write what `player` knows about the rival's bid in a finished round, from 0: the least and the greatest count of
    # each unit, [units] each, where least > greatest marks a unit that could not be bid on. MAX_PURSE: no limit. Return
    # the total of the player's own bid, -1 for a round that is not finished
    int32_t (*known_bid)(const game_t *game, const void *state, int32_t finished, int32_t player, uint8_t *least,
                         uint8_t *greatest) noexcept nogil
    # write 1 for each unit that can be bid on, else 0: [units]
    void (*open_units)(const game_t *game, const void *position, uint8_t *out) noexcept nogil
    # True if the rules of the round allow a bid, apart from the purse
    bint (*allowed)(const game_t *game, const void *position, const sealed_bid_t *bid) noexcept nogil
    # open both bids
    void (*settle)(const game_t *game, void *position, const sealed_bid_t *first,
                   const sealed_bid_t *second) noexcept nogil
    leaf_t estimate             # a quick one. Its context is `rules` of the game
    # how near the first player came to a win of a game that is over, in [0, 1]; -1 if it is not over. It tells bids
    # apart that score the same
    double (*nearness)(const game_t *game, const void *position) noexcept nogil
    # draw a random bid
    void (*sample)(const game_t *game, const void *position, int32_t player, rng_t *rng, uint8_t *counts) noexcept nogil
    # in the first round: write the image of a bid under a random symmetry that exchanges the players
    void (*exchange)(const game_t *game, const sealed_bid_t *bid, rng_t *rng, sealed_bid_t *image) noexcept nogil
    # leaves by a value net, of which one thread uses a context at a time. True if the net has the inputs and the output
    # that `net_leaf` needs
    bint (*fits_net)(const net_t *net) noexcept nogil
    # return the context of `net_leaf` for a net that fits, which must stay; NULL without memory
    void *(*open_leaves)(const game_t *game, const net_t *net) noexcept nogil
    void (*close_leaves)(void *context) noexcept nogil
    leaf_t net_leaf
    # a bid in the last round against at most MAX_BATCH bids of the opponent at once. NULL without such functions
    int32_t batch_size          # bytes of a batch, which begins at a multiple of 64 bytes; 0: none
    # begin with bids of the opponent of `player`, which has these purses after each of them
    void (*fill_batch)(const game_t *game, const void *position, int32_t player, int32_t purse,
                       const uint8_t *const *bids, const uint8_t *left, int32_t count, void *batch) noexcept nogil
    # return the mean score of a bid of the player, in [0, 1], with the weight `guidance` of the nearness to a win; keep
    # the bid. `try_bid` does so for a bid that differs little from the one that is kept; `keep_bid` keeps the bid tried
    double (*begin_bid)(void *batch, const sealed_bid_t *bid, double guidance) noexcept nogil
    double (*try_bid)(void *batch, const sealed_bid_t *bid, double guidance) noexcept nogil
    void (*keep_bid)(void *batch) noexcept nogil
