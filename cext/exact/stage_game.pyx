"""The value of one stage of a two-player constant-sum game, from as few successors as possible.

If one player acts, the value is that of its best action. If chance decides, it is the expectation. If both act, rows
and columns are added by best responses: first to single actions, until two of them are best responses to each other; if
that goes in a cycle, to optimal mixed strategies of the rows and columns so far, until no response beats them (double
oracle: McMahan, Gordon and Blum 2003, "Planning in the presence of cost functions controlled by an adversary"). For a
stage with 82 times 41 actions, a few rows and columns are enough.
"""
from libc.math cimport NAN, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..game.game_table cimport ACTING_CHANCE, MAX_PLAYERS, NO_ACTION, copy_state, equal_states, game_t, list_size
from ..matrix_game cimport matrix_game_bytes, solve_matrix_game

cdef double TOLERANCE = 1e-11   # values that differ by less are equal, as a share of the range of returns
cdef double ENOUGH = 1e-12      # responses that gain no more end the search, as a share of the range of returns


cdef bint stage_alloc(stage_t *stage, const game_t *game) noexcept nogil:
    """Allocate memory for the stages of a game. Return False if it runs out; nothing stays allocated then."""
    cdef size_t most = game.max_legal, size = game.state_size
    cdef int32_t player
    cdef bint there
    memset(stage, 0, sizeof(stage_t))
    stage.game = game
    for player in range(2):
        stage.actions[player] = <int32_t *> calloc(list_size(game), sizeof(int32_t))
        stage.full[player] = <uint8_t *> calloc(most, 1)
        stage.chosen[player] = <int32_t *> calloc(most, sizeof(int32_t))
        stage.strategy[player] = <double *> calloc(most, sizeof(double))
    stage.matrix = <double *> malloc(most * most * sizeof(double))
    stage.part = <double *> malloc(most * most * sizeof(double))
    stage.work = malloc(matrix_game_bytes(game.max_legal, game.max_legal))
    stage.successor = <char *> calloc(2, size)
    stage.stamps = <uint32_t *> calloc(MEMO_SLOTS, sizeof(uint32_t))
    stage.memo_states = <char *> calloc(MEMO_SLOTS, size)
    stage.memo_values = <double *> calloc(MEMO_SLOTS, sizeof(double))
    there = (stage.matrix != NULL and stage.part != NULL and stage.work != NULL and stage.successor != NULL
             and stage.stamps != NULL and stage.memo_states != NULL and stage.memo_values != NULL)
    for player in range(2):
        there = (there and stage.actions[player] != NULL and stage.full[player] != NULL
                 and stage.chosen[player] != NULL and stage.strategy[player] != NULL)
    if not there:
        stage_free(stage)
        return False
    stage.scratch = stage.successor + size
    stage.weights = stage.actions[0] + game.num_outcomes
    return True


cdef void stage_free(stage_t *stage) noexcept nogil:
    cdef int32_t player
    for player in range(2):
        free(stage.actions[player])
        free(stage.full[player])
        free(stage.chosen[player])
        free(stage.strategy[player])
    free(stage.matrix)
    free(stage.part)
    free(stage.work)
    free(stage.successor)
    free(stage.stamps)
    free(stage.memo_states)
    free(stage.memo_values)
    memset(stage, 0, sizeof(stage_t))


cdef void stage_open(stage_t *stage, const void *state) noexcept nogil:
    """Set the stage to a state and list the actions. The state must stay at its address."""
    cdef const game_t *game = stage.game
    cdef int32_t player
    stage.state = state
    stage.acting = game.acting(game, state)
    for player in range(2):
        if (stage.acting >> player) & 1:
            stage.counts[player] = game.legal_actions(game, state, player, stage.actions[player])
        else:
            stage.counts[player] = 1
            stage.actions[player][0] = NO_ACTION
    stage.row_entry = 0
    stage.joint[0] = stage.joint[2] = NO_ACTION
    if stage.acting == ACTING_CHANCE:
        stage.row_entry = 2
        stage.counts[0] = game.chance_outcomes(game, state, stage.actions[0], stage.weights)
    stage.stamp += 1
    if stage.stamp == 0:        # wrapped around after 2**32 stages: forget all slots
        memset(stage.stamps, 0, MEMO_SLOTS * sizeof(uint32_t))
        stage.stamp = 1


cdef void stage_successor(stage_t *stage, int32_t row, int32_t column) noexcept nogil:
    """Write the successor of a row and a column to stage.successor."""
    stage.joint[stage.row_entry] = stage.actions[0][row]
    stage.joint[1] = stage.actions[1][column]
    copy_state(stage.game, stage.successor, stage.state)
    stage.game.apply(stage.game, stage.successor, stage.joint)


cdef bint stage_recall(stage_t *stage, uint32_t *slot) noexcept nogil:
    """Return True if the memo has stage.successor. `slot` receives its slot, or the slot to store it in."""
    slot[0] = stage.game.hash(stage.game, stage.successor) & (MEMO_SLOTS - 1)
    return stage.stamps[slot[0]] == stage.stamp and equal_states(
        stage.game, stage.memo_states + <size_t> slot[0] * stage.game.state_size, stage.successor)


cdef void stage_remember(stage_t *stage, uint32_t slot, double value) noexcept nogil:
    """Store stage.successor and its value in a slot of the memo, in place of its previous entry."""
    stage.stamps[slot] = stage.stamp
    stage.memo_values[slot] = value
    copy_state(stage.game, stage.memo_states + <size_t> slot * stage.game.state_size, stage.successor)


cdef double stage_payoff(stage_t *stage, int32_t row, int32_t column) noexcept nogil:
    """Return the value to the first player after a row and a column."""
    cdef uint32_t slot
    cdef double value
    stage_successor(stage, row, column)
    if stage.acting != 3:       # one player acts: different actions lead to different states
        return stage.value_of(stage.context, stage.successor, stage.scratch)
    if stage_recall(stage, &slot):
        return stage.memo_values[slot]
    value = stage.value_of(stage.context, stage.successor, stage.scratch)
    stage_remember(stage, slot, value)
    return value


cdef inline double entry(stage_t *stage, int32_t row, int32_t column) noexcept nogil:
    cdef double *cell = stage.matrix + <size_t> row * stage.counts[1] + column
    if cell[0] != cell[0]:
        cell[0] = stage_payoff(stage, row, column)
    return cell[0]


cdef int32_t best_response_to_row(stage_t *stage, int32_t row, double *least) noexcept nogil:
    """Return the column of the least entry of a row. All entries of the row are computed."""
    cdef int32_t column, found = 0
    least[0] = entry(stage, row, 0)
    for column in range(1, stage.counts[1]):
        if entry(stage, row, column) < least[0]:
            least[0] = entry(stage, row, column)
            found = column
    stage.full[0][row] = 1
    return found


cdef int32_t best_response_to_column(stage_t *stage, int32_t column, double *most) noexcept nogil:
    cdef int32_t row, found = 0
    most[0] = entry(stage, 0, column)
    for row in range(1, stage.counts[0]):
        if entry(stage, row, column) > most[0]:
            most[0] = entry(stage, row, column)
            found = row
    stage.full[1][column] = 1
    return found


cdef double solve_turn(stage_t *stage) noexcept nogil:
    """Return the value if one player acts; stop at the greatest possible return."""
    cdef double value = stage_payoff(stage, 0, 0), other
    cdef int32_t i
    if stage.acting == 1:
        for i in range(1, stage.counts[0]):
            if value >= stage.game.max_utility:
                break
            other = stage_payoff(stage, i, 0)
            value = max(value, other)
    else:
        for i in range(1, stage.counts[1]):
            if value <= stage.game.min_utility:
                break
            other = stage_payoff(stage, 0, i)
            value = min(value, other)
    return value


cdef double stage_expectation(stage_t *stage) noexcept nogil:
    """Return the expected value where chance decides."""
    cdef double sum = 0.0
    cdef int64_t total = 0
    cdef int32_t i
    for i in range(stage.counts[0]):
        sum += stage.weights[i] * stage_payoff(stage, i, 0)
        total += stage.weights[i]
    return sum / <double> total


cdef bint by_best_responses(stage_t *stage, double *low, double *high) noexcept nogil:
    """Follow best responses. Return True if low and high, the values that single actions guarantee, are equal."""
    cdef int32_t row = 0, column
    cdef double bound
    while not stage.full[0][row]:
        column = best_response_to_row(stage, row, &bound)
        low[0] = max(low[0], bound)
        if stage.full[1][column]:
            break
        row = best_response_to_column(stage, column, &bound)
        high[0] = min(high[0], bound)
        if low[0] >= high[0]:
            return True
    return low[0] >= high[0]


cdef bint add_responses(stage_t *stage, double *low, double *high, double *secured, double *conceded) noexcept nogil:
    """Solve the submatrix of full rows and columns, and add best responses. Return False if none of them is new.

    low and high: values that single actions guarantee to both players; secured and conceded: values that the mixed
    strategies guarantee.
    """
    cdef int32_t *rows = stage.chosen[0]
    cdef int32_t *columns = stage.chosen[1]
    cdef int32_t num_rows = 0, num_columns = 0, i, j, row = 0, column = 0
    cdef double total, error, bound
    cdef bint is_new
    for i in range(stage.counts[0]):
        if stage.full[0][i]:
            rows[num_rows] = i
            num_rows += 1
    for j in range(stage.counts[1]):
        if stage.full[1][j]:
            columns[num_columns] = j
            num_columns += 1
    for i in range(num_rows):
        for j in range(num_columns):
            stage.part[i * num_columns + j] = entry(stage, rows[i], columns[j])
    solve_matrix_game(stage.part, num_rows, num_columns, stage.strategy[0], stage.strategy[1], stage.work, &error)
    conceded[0] = -1e300
    for i in range(stage.counts[0]):
        total = 0.0
        for j in range(num_columns):
            total += stage.strategy[1][j] * entry(stage, i, columns[j])
        if total > conceded[0]:
            conceded[0] = total
            row = i
    secured[0] = 1e300
    for j in range(stage.counts[1]):
        total = 0.0
        for i in range(num_rows):
            total += stage.strategy[0][i] * entry(stage, rows[i], j)
        if total < secured[0]:
            secured[0] = total
            column = j
    is_new = not stage.full[0][row] or not stage.full[1][column]
    best_response_to_row(stage, row, &bound)
    low[0] = max(low[0], bound)
    best_response_to_column(stage, column, &bound)
    high[0] = min(high[0], bound)
    return is_new


cdef bint has_saddle(stage_t *stage, double value, double tolerance, double *low, double *high) noexcept nogil:
    """Return True if single actions of both players guarantee the value; low and high receive what they guarantee."""
    cdef int32_t row, column
    cdef bint found = False
    cdef double least
    for column in range(stage.counts[1]):
        high[0] = -1e300
        for row in range(stage.counts[0]):
            high[0] = max(high[0], entry(stage, row, column))
            if high[0] > value + tolerance:
                break
        else:
            found = True
            break
    if not found:
        return False
    for row in range(stage.counts[0]):
        least = 1e300
        for column in range(stage.counts[1]):
            least = min(least, entry(stage, row, column))
            if least < value - tolerance:
                break
        else:
            low[0] = least
            return True
    return False


cdef double stage_solve(stage_t *stage, stage_kind_t *kind, double *gap) noexcept nogil:
    """Return the value of the stage to the first player.

    kind: receives the kind of the stage; gap: receives the difference of the values that both players can guarantee.
    """
    cdef double low = -1e300, high = 1e300, secured = 0.0, conceded = 0.0, value
    cdef double range_of_returns = stage.game.max_utility - stage.game.min_utility
    cdef double returns[MAX_PLAYERS]
    cdef size_t i
    gap[0] = 0.0
    if stage.acting == 0:
        kind[0] = STAGE_OVER
        stage.game.returns(stage.game, stage.state, returns)
        return returns[0]
    if stage.acting == ACTING_CHANCE:
        kind[0] = STAGE_CHANCE
        return stage_expectation(stage)
    if stage.acting != 3:
        kind[0] = STAGE_TURN
        return solve_turn(stage)
    kind[0] = STAGE_SADDLE
    for i in range(<size_t> stage.counts[0] * stage.counts[1]):
        stage.matrix[i] = NAN
    memset(stage.full[0], 0, stage.counts[0])
    memset(stage.full[1], 0, stage.counts[1])
    if by_best_responses(stage, &low, &high):
        return low
    while add_responses(stage, &low, &high, &secured, &conceded):
        if low >= high:
            return low
        if conceded - secured <= ENOUGH * range_of_returns:
            break
    if low >= high:
        return low
    value = 0.5 * (secured + conceded)
    if has_saddle(stage, value, TOLERANCE * range_of_returns, &low, &high):
        gap[0] = max(0.0, high - low)
        return low
    kind[0] = STAGE_MIXED
    gap[0] = fabs(conceded - secured)
    return value
