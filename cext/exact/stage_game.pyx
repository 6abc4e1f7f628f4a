"""One stage of a game of two with opposite interests, solved with as few looks at what follows as it takes.

Where one player acts, its best action decides. Where both do, rows and columns are added by best replies: first to
single actions, until two of them are the best replies to each other; then, where that goes in circles, to optimal
mixtures of the rows and columns at hand, until no reply beats the mixtures (McMahan, Gordon and Blum 2003, "Planning in
the presence of cost functions controlled by an adversary"). So of a stage with 82 times 41 actions, a few rows and
columns are enough.
"""
from libc.math cimport NAN, fabs
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..game_table cimport MAX_PLAYERS, NO_ACTION, copy_state, equal_states, game_t
from ..matrix_game cimport matrix_game_bytes, solve_matrix_game

cdef double TOLERANCE = 1e-11   # values that differ by less are the same, as a share of the range of returns
cdef double ENOUGH = 1e-12      # and replies that gain no more end the search for better mixtures


cdef bint stage_alloc(stage_t *stage, const game_t *game) noexcept nogil:
    """Memory for the stages of a game; false where there is none, and then nothing is kept."""
    cdef size_t most = game.max_legal, size = game.state_size
    cdef int32_t player
    cdef bint there
    memset(stage, 0, sizeof(stage_t))
    stage.game = game
    for player in range(2):
        stage.actions[player] = <int32_t *> calloc(most, sizeof(int32_t))
        stage.full[player] = <uint8_t *> calloc(most, 1)
        stage.chosen[player] = <int32_t *> calloc(most, sizeof(int32_t))
        stage.strategy[player] = <double *> calloc(most, sizeof(double))
    stage.matrix = <double *> malloc(most * most * sizeof(double))
    stage.part = <double *> malloc(most * most * sizeof(double))
    stage.work = malloc(matrix_game_bytes(game.max_legal, game.max_legal))
    stage.successor = <char *> calloc(2, size)
    stage.stamps = <uint32_t *> calloc(MET, sizeof(uint32_t))
    stage.met = <char *> calloc(MET, size)
    stage.met_values = <double *> calloc(MET, sizeof(double))
    there = (stage.matrix != NULL and stage.part != NULL and stage.work != NULL and stage.successor != NULL
             and stage.stamps != NULL and stage.met != NULL and stage.met_values != NULL)
    for player in range(2):
        there = (there and stage.actions[player] != NULL and stage.full[player] != NULL
                 and stage.chosen[player] != NULL and stage.strategy[player] != NULL)
    if not there:
        stage_free(stage)
        return False
    stage.scratch = stage.successor + size
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
    free(stage.met)
    free(stage.met_values)
    memset(stage, 0, sizeof(stage_t))


cdef void stage_open(stage_t *stage, const void *state) noexcept nogil:
    """Turn to the stage of a state, which has to stay where it is: list the actions."""
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
    stage.stamp += 1
    if stage.stamp == 0:        # after four billion stages: no place may look as if it were of this one
        memset(stage.stamps, 0, MET * sizeof(uint32_t))
        stage.stamp = 1


cdef void stage_successor(stage_t *stage, int32_t row, int32_t column) noexcept nogil:
    """Write the state behind a row and a column into stage.successor."""
    cdef int32_t joint[2]
    joint[0] = stage.actions[0][row]
    joint[1] = stage.actions[1][column]
    copy_state(stage.game, stage.successor, stage.state)
    stage.game.apply(stage.game, stage.successor, joint)


cdef bint stage_has_met(stage_t *stage, uint32_t *place) noexcept nogil:
    """True where stage.successor has been met in this stage, at `place`; else that is where it would go."""
    place[0] = stage.game.hash(stage.game, stage.successor) & (MET - 1)
    return stage.stamps[place[0]] == stage.stamp and equal_states(
        stage.game, stage.met + <size_t> place[0] * stage.game.state_size, stage.successor)


cdef void stage_meet(stage_t *stage, uint32_t place, double value) noexcept nogil:
    """Remember stage.successor; who was at its place before is forgotten."""
    stage.stamps[place] = stage.stamp
    stage.met_values[place] = value
    copy_state(stage.game, stage.met + <size_t> place * stage.game.state_size, stage.successor)


cdef double stage_payoff(stage_t *stage, int32_t row, int32_t column) noexcept nogil:
    """What the first player gets behind a row and a column."""
    cdef uint32_t place
    cdef double value
    stage_successor(stage, row, column)
    if stage.acting != 3:       # in turns, actions lead to different states
        return stage.value_of(stage.asker, stage.successor, stage.scratch)
    if stage_has_met(stage, &place):
        return stage.met_values[place]
    value = stage.value_of(stage.asker, stage.successor, stage.scratch)
    stage_meet(stage, place, value)
    return value


cdef inline double entry(stage_t *stage, int32_t row, int32_t column) noexcept nogil:
    cdef double *cell = stage.matrix + <size_t> row * stage.counts[1] + column
    if cell[0] != cell[0]:
        cell[0] = stage_payoff(stage, row, column)
    return cell[0]


cdef int32_t best_reply_to_row(stage_t *stage, int32_t row, double *least) noexcept nogil:
    """The column that leaves the first player least in a row, which is then full."""
    cdef int32_t column, found = 0
    least[0] = entry(stage, row, 0)
    for column in range(1, stage.counts[1]):
        if entry(stage, row, column) < least[0]:
            least[0] = entry(stage, row, column)
            found = column
    stage.full[0][row] = 1
    return found


cdef int32_t best_reply_to_column(stage_t *stage, int32_t column, double *most) noexcept nogil:
    cdef int32_t row, found = 0
    most[0] = entry(stage, 0, column)
    for row in range(1, stage.counts[0]):
        if entry(stage, row, column) > most[0]:
            most[0] = entry(stage, row, column)
            found = row
    stage.full[1][column] = 1
    return found


cdef double solve_turn(stage_t *stage) noexcept nogil:
    """The value where one player acts; stops at what cannot be bettered."""
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


cdef bint by_best_replies(stage_t *stage, double *low, double *high) noexcept nogil:
    """Walk from action to best reply; true when low and high, what single actions secure, have met."""
    cdef int32_t row = 0, column
    cdef double bound
    while not stage.full[0][row]:
        column = best_reply_to_row(stage, row, &bound)
        low[0] = max(low[0], bound)
        if stage.full[1][column]:
            break
        row = best_reply_to_column(stage, column, &bound)
        high[0] = min(high[0], bound)
        if low[0] >= high[0]:
            return True
    return low[0] >= high[0]


cdef bint add_replies(stage_t *stage, double *low, double *high, double *secured, double *conceded) noexcept nogil:
    """Solve the part of full rows and columns and add the best replies to it; false where there is none that is new.

    low and high are what single actions secure; secured and conceded what the mixtures do.
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
    best_reply_to_row(stage, row, &bound)
    low[0] = max(low[0], bound)
    best_reply_to_column(stage, column, &bound)
    high[0] = min(high[0], bound)
    return is_new


cdef bint has_saddle(stage_t *stage, double value, double tolerance, double *low, double *high) noexcept nogil:
    """True where single actions secure the value, for both players; low and high are then what they secure."""
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
    """The value, to the first player, of the stage that is open.

    kind: what kind of stage it was; gap: how far apart the values are that both players can be sure of.
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
    if stage.acting != 3:
        kind[0] = STAGE_TURN
        return solve_turn(stage)
    kind[0] = STAGE_SADDLE
    for i in range(<size_t> stage.counts[0] * stage.counts[1]):
        stage.matrix[i] = NAN
    memset(stage.full[0], 0, stage.counts[0])
    memset(stage.full[1], 0, stage.counts[1])
    if by_best_replies(stage, &low, &high):
        return low
    while add_replies(stage, &low, &high, &secured, &conceded):
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
