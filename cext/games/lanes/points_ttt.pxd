"""Play of `points_ttt` in lanes: all lanes take a turn together, and the ranks of a random permutation order the marks.

Lines do not end the game here. After the first line its winner stays the same; without a line, the game ends as it
really does.
"""
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t

from ...primitives.lanes cimport (
    MAX_ITEMS, draw_below, even_lanes, join_lanes, lanes_t, odd_lanes, permute, play_rounds, skip_draws,
)
from ...primitives.vectors cimport add8, any_set, both, either, more8, same8, splat8, sub8, vector_t, without
from ..common.cells cimport list_cells
from ..common.lane_runs cimport NEVER, add_scores, first_line3, put_marks

cdef enum:
    CELLS = 9
    BOARD = 0x1FF
    MOST_TURNS = 24             # from any state, if lines do not end the game

cdef struct setup_t:
    uint32_t own[2]             # cells of x and of o
    int16_t balances[2]         # with the income of the player to move
    int32_t mover               # player to move
    int32_t passed              # 1 if the last turn was a pass by choice
    int32_t income              # of each later turn
    int32_t costs[CELLS]        # of all cells
    int32_t blank[CELLS]        # cells without a mark
    int32_t left                # their number

cdef struct play_t:             # what lanes have in common with one game
    vector_t ranks[MAX_ITEMS]   # order in which the blank cells are marked
    vector_t own[2][CELLS]      # masks: the blank cells that x and o have marked
    vector_t balances[2]
    vector_t marks              # number of marks
    vector_t passed             # mask: the last turn was a pass by choice
    vector_t going              # mask: the game is not over


cdef inline void take_turn(const setup_t *setup, play_t *play, int32_t player, lanes_t *lanes) noexcept nogil:
    """Draw one of the blank cells or a pass, 0, where the player may choose; pass elsewhere."""
    cdef vector_t free = more8(play.balances[player], splat8(0))
    cdef vector_t choices = sub8(splat8(setup.left + 1), play.marks)
    cdef vector_t even = even_lanes(choices), odd = odd_lanes(choices)
    cdef vector_t passes, marks, hit, cost = splat8(0)
    cdef int32_t i
    draw_below(lanes, &even, &odd)
    passes = both(free, same8(join_lanes(even, odd), splat8(0)))
    marks = both(play.going, without(free, passes))
    for i in range(setup.left):
        hit = both(marks, same8(play.ranks[i], play.marks))
        play.own[player][i] = either(play.own[player][i], hit)
        cost = either(cost, both(hit, splat8(setup.costs[setup.blank[i]])))
    play.balances[player] = sub8(play.balances[player], cost)
    play.marks = sub8(play.marks, marks)
    play.going = both(without(play.going, both(passes, play.passed)), more8(splat8(setup.left), play.marks))
    play.passed = passes
    play.balances[1 - player] = add8(play.balances[1 - player], both(play.going, splat8(setup.income)))


cdef inline vector_t first_line(const setup_t *setup, const play_t *play, int32_t player) noexcept nogil:
    """Return when the first line of a player is complete."""
    cdef vector_t times[CELLS]
    cdef vector_t never = splat8(NEVER)
    cdef int32_t i
    put_marks(times, setup.own[player], 0)
    put_marks(times, setup.own[1 - player], NEVER)
    for i in range(setup.left):
        times[setup.blank[i]] = either(play.ranks[i], without(never, play.own[player][i]))
    return first_line3(times)


cdef inline void play_round(const void *given, lanes_t *lanes, vector_t counted, int64_t *sums) noexcept nogil:
    cdef const setup_t *setup = <const setup_t *> given
    cdef play_t play
    cdef vector_t x_line, o_line, x_first, o_first, x_richer, o_richer
    cdef int32_t turn = 0, player, i
    permute(lanes, setup.left, play.ranks)
    for player in range(2):
        play.balances[player] = splat8(setup.balances[player])
        for i in range(setup.left):
            play.own[player][i] = splat8(0)
    play.marks = splat8(0)
    play.passed = splat8(0xFF * setup.passed)
    play.going = splat8(0xFF)
    while turn < MOST_TURNS and any_set(play.going):
        take_turn(setup, &play, setup.mover ^ (turn & 1), lanes)
        turn += 1
    skip_draws(lanes, MOST_TURNS - turn)
    x_line = first_line(setup, &play, 0)
    o_line = first_line(setup, &play, 1)
    x_first = more8(o_line, x_line)
    o_first = more8(x_line, o_line)
    x_richer = more8(play.balances[0], play.balances[1])
    o_richer = more8(play.balances[1], play.balances[0])
    add_scores(either(x_first, without(x_richer, o_first)), either(o_first, without(o_richer, x_first)), counted, sums)


cdef inline void play_lanes(setup_t *setup, uint64_t seed, int64_t count, int64_t *sums) noexcept nogil:
    """Play `count` games and add the returns to `sums`. The caller sets all of `setup` but the blank cells."""
    setup.left = list_cells(BOARD & ~(setup.own[0] | setup.own[1]), 0, setup.blank)
    play_rounds(play_round, setup, seed, count, sums)
