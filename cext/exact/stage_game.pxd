"""One stage of a game of two with opposite interests: whoever acts chooses, given the values of what follows."""
from libc.stdint cimport int32_t, uint8_t, uint32_t

from ..game_table cimport game_t

cdef enum:
    MET = 4096                  # places for successors that have been met

cdef struct stage_t:            # a stage, and the memory to solve one after another
    const game_t *game
    # what the first player gets in a successor; `asker` is handed through
    double (*value_of)(const void *asker, const void *successor, void *scratch) noexcept nogil
    const void *asker
    const void *state           # whose stage it is
    uint32_t acting
    int32_t counts[2]           # actions of both players; 1 for one who does not act
    int32_t *actions[2]         # [max_legal]; NO_ACTION for one who does not act
    double *matrix              # [rows, columns], what the first player gets; NaN where not looked up yet
    uint8_t *full[2]            # [max_legal]: 1 where this whole row, this whole column has been looked up
    int32_t *chosen[2]          # [max_legal]: rows and columns of the part that is solved as a matrix game
    double *strategy[2]         # [max_legal]: optimal there, in the order of the chosen ones
    double *part                # [chosen rows, chosen columns]
    void *work                  # of solve_matrix_game
    char *successor             # scratch of one state,
    char *scratch               # and another, for value_of
    # successors that have been met in this stage, at the place that their hash says: many joint actions may lead to one
    uint32_t stamp              # of this stage
    uint32_t *stamps            # [MET]: of the stage that a place was last used in
    char *met                   # [MET][state_size]
    double *met_values          # [MET]

cdef enum stage_kind_t:
    STAGE_OVER                  # nobody acts
    STAGE_TURN                  # one player acts
    STAGE_SADDLE                # both act, and two actions are the best replies to each other
    STAGE_MIXED                 # both act, and have to mix

cdef bint stage_alloc(stage_t *stage, const game_t *game) noexcept nogil
cdef void stage_free(stage_t *stage) noexcept nogil
cdef void stage_open(stage_t *stage, const void *state) noexcept nogil
cdef void stage_successor(stage_t *stage, int32_t row, int32_t column) noexcept nogil
cdef bint stage_has_met(stage_t *stage, uint32_t *place) noexcept nogil
cdef void stage_meet(stage_t *stage, uint32_t place, double value) noexcept nogil
cdef double stage_payoff(stage_t *stage, int32_t row, int32_t column) noexcept nogil
cdef double stage_solve(stage_t *stage, stage_kind_t *kind, double *gap) noexcept nogil
