"""Play of `three_player_ttt` in lanes: the ranks of a random permutation are the times of the marks.

Boards are unrolled to rows of eight cells. On the torus, rows 5 to 7 and columns 5 to 7 repeat rows and columns 0 to 2.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ...game.game_table cimport RETURN_UNIT
from ...primitives.bits cimport lowest64
from ...primitives.lanes cimport MAX_ITEMS, lanes_t, permute, play_rounds
from ...primitives.vectors cimport (
    add8, both, count8, down16, either, low16, min8, more8, same8, splat16, splat8, sub8, vector_t, without,
)
from ..common.cells cimport list_cells
from ..common.lane_runs cimport LATEST, NEVER, first_run, run_t

cdef enum:
    SIDE = 5
    CELLS = 25
    BOARD = 0x1FFFFFF           # all cells
    PLAYERS = 3
    WIDE = 8                    # cells of an unrolled row
    REPEATED = WIDE - SIDE      # rows, and columns, that are repeated
    MAX_RUNS = 100              # one starts at each cell in each direction at most

cdef struct lines_t:            # lines on the unrolled board
    run_t fours[MAX_RUNS]
    run_t threes[MAX_RUNS]
    int32_t num_fours
    int32_t num_threes
    int32_t torus               # 1 if lines wrap around the edges

cdef struct setup_t:
    const lines_t *lines
    const double *without_four  # returns if nobody has a four: without and with a three
    const double *beside_four   # returns of the others if a player has a four: without and with a three
    double with_four            # return of the player who has a four
    const uint32_t *own         # cells of each player
    uint64_t marked             # cells of all players
    int32_t mover               # player who marks first
    int32_t blank[CELLS]        # cells without a mark
    int32_t left                # their number


cdef inline int32_t put_runs(run_t *runs, int32_t length, bint torus) noexcept nogil:
    """Write the runs of a length and return their number."""
    cdef int32_t row, column, direction, down, right, last, count = 0
    for row in range(SIDE):
        for column in range(SIDE):
            for direction in range(4):          # to the right, down, down right, down left
                down = direction != 0
                right = 1 if direction in (0, 2) else -(direction == 3)
                last = column + right * (length - 1)
                if torus or (row + down * (length - 1) < SIDE and 0 <= last < SIDE):
                    runs[count].first = <unsigned char> (row * WIDE + column + (SIDE if last < 0 else 0))
                    runs[count].step = <unsigned char> (down * WIDE + right)
                    count += 1
    return count


cdef inline void lay_out_runs(lines_t *lines, bint torus) noexcept nogil:
    lines.torus = torus
    lines.num_fours = put_runs(lines.fours, 4, torus)
    lines.num_threes = put_runs(lines.threes, 3, torus)


cdef inline void put_time(vector_t *times, bint torus, int32_t cell, vector_t time) noexcept nogil:
    """Set the time of a cell, and of its repetitions on the torus."""
    cdef int32_t row = cell // SIDE, column = cell % SIDE
    cdef vector_t *at = times + row * WIDE + column
    at[0] = time
    if torus and row < REPEATED:
        at[SIDE * WIDE] = time
    if torus and column < REPEATED:
        at[SIDE] = time
        if row < REPEATED:
            at[SIDE * WIDE + SIDE] = time


cdef inline vector_t remainder3(vector_t numbers) noexcept nogil:
    """Return numbers up to 26 modulo 3: the upper byte of the product with 86 is the quotient."""
    cdef vector_t third = splat16(86), low = splat16(0xFF)
    cdef vector_t quotient = either(down16(low16(both(numbers, low), third), 8),
                                    without(low16(down16(numbers, 8), third), low))
    return sub8(numbers, add8(quotient, add8(quotient, quotient)))


cdef inline void put_times(const setup_t *setup, lanes_t *lanes, vector_t times[PLAYERS][WIDE * WIDE]) noexcept nogil:
    """Write for each lane when each player marks each cell."""
    cdef vector_t ranks[MAX_ITEMS]
    cdef vector_t turn, never = splat8(NEVER), mover = splat8(setup.mover)
    cdef bint torus = setup.lines.torus
    cdef uint64_t marked = setup.marked
    cdef int32_t player, cell, i
    while marked:
        cell = lowest64(marked)
        marked &= marked - 1
        for player in range(PLAYERS):
            put_time(times[player], torus, cell, splat8(0 if setup.own[player] >> cell & 1 else NEVER))
    permute(lanes, setup.left, ranks)
    for i in range(setup.left):
        turn = remainder3(add8(ranks[i], mover))
        for player in range(PLAYERS):
            put_time(times[player], torus, setup.blank[i],
                     either(ranks[i], without(never, same8(turn, splat8(player)))))


cdef inline void play_round(const void *given, lanes_t *lanes, vector_t counted, int64_t *sums) noexcept nogil:
    """The first four ends the game. The lines of three at that time, or on the full board, rank the others."""
    cdef const setup_t *setup = <const setup_t *> given
    cdef const lines_t *lines = setup.lines
    cdef vector_t times[PLAYERS][WIDE * WIDE]
    cdef vector_t four[PLAYERS]
    cdef vector_t end, ended, full, three, beside
    cdef double returns
    cdef int32_t player
    put_times(setup, lanes, times)
    for player in range(PLAYERS):
        four[player] = first_run(times[player], lines.fours, lines.num_fours, 4)
    end = min8(min8(four[0], four[1]), four[2])
    ended = both(counted, more8(splat8(LATEST), end))
    full = without(counted, ended)
    end = min8(end, splat8(LATEST - 1))
    for player in range(PLAYERS):
        three = first_run(times[player], lines.threes, lines.num_threes, 3)
        three = without(counted, more8(three, end))
        beside = without(ended, same8(four[player], end))
        returns = count8(without(ended, beside)) * setup.with_four
        returns += count8(without(beside, three)) * setup.beside_four[0]
        returns += count8(both(beside, three)) * setup.beside_four[1]
        returns += count8(without(full, three)) * setup.without_four[0]
        returns += count8(both(full, three)) * setup.without_four[1]
        sums[player] += <int64_t> (returns * RETURN_UNIT)


cdef inline void play_lanes(setup_t *setup, uint64_t blank, uint64_t seed, int64_t count,
                            int64_t *sums) noexcept nogil:
    """Play `count` games and add the returns to `sums`. The caller sets all of `setup` but the cells."""
    setup.marked = BOARD & ~blank
    setup.left = list_cells(blank, 0, setup.blank)
    play_rounds(play_round, setup, seed, count, sums)
