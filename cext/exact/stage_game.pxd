"""The stage game of one state of a two-player constant-sum game, given the values of its successors."""
from libc.stdint cimport int32_t, uint8_t, uint32_t

from ..game.game_table cimport game_t

cdef enum:
    MEMO_SLOTS = 4096                  # slots for the values of successors

cdef struct stage_t:            # a stage game, and the memory to solve one after another
    const game_t *game
    # returns the value of a successor to the first player; `context` is passed to it
    double (*value_of)(const void *context, const void *successor, void *scratch) noexcept nogil
    const void *context
    const void *state           # the state of the stage
    uint32_t acting
    # actions of both players; 1 for a player who does not act. Where chance decides, its outcomes are the rows
    int32_t counts[2]
    int32_t *actions[2]         # [list_size(game)]; NO_ACTION for a player who does not act
    int32_t *weights            # behind the outcomes in actions[0], where chance decides
    int32_t row_entry           # entry of the joint action that a row chooses: 0, or 2 where chance decides
    int32_t joint[3]            # scratch of a joint action
    double *matrix              # [rows, columns], values to the first player; NaN if not computed yet
    uint8_t *full[2]            # [max_legal]: 1 if all entries of a row, of a column are computed
    int32_t *chosen[2]          # [max_legal]: rows and columns of the submatrix that is solved
    double *strategy[2]         # [max_legal]: optimal strategies of it, in the order of `chosen`
    double *part                # [chosen rows, chosen columns]
    void *work                  # of solve_matrix_game
    char *successor             # scratch of one state
    char *scratch               # scratch of one state, for value_of
    # memo of successors of this stage, direct-mapped by hash: many joint actions may lead to the same state
    uint32_t stamp              # number of this stage
    uint32_t *stamps            # [MEMO_SLOTS]: stage in which a slot was last used
    char *memo_states                   # [MEMO_SLOTS][state_size]
    double *memo_values          # [MEMO_SLOTS]

cdef enum stage_kind_t:
    STAGE_OVER                  # no player acts
    STAGE_CHANCE                # chance decides
    STAGE_TURN                  # one player acts
    STAGE_SADDLE                # both act, and two actions are best responses to each other
    STAGE_MIXED                 # both act, and optimal strategies are mixed

cdef bint stage_alloc(stage_t *stage, const game_t *game) noexcept nogil
cdef void stage_free(stage_t *stage) noexcept nogil
cdef void stage_open(stage_t *stage, const void *state) noexcept nogil
cdef void stage_successor(stage_t *stage, int32_t row, int32_t column) noexcept nogil
cdef bint stage_recall(stage_t *stage, uint32_t *slot) noexcept nogil
cdef void stage_remember(stage_t *stage, uint32_t slot, double value) noexcept nogil
cdef double stage_payoff(stage_t *stage, int32_t row, int32_t column) noexcept nogil
cdef double stage_solve(stage_t *stage, stage_kind_t *kind, double *gap) noexcept nogil
