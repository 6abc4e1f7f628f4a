"""Play of `tic_block` in lanes.

On the 3x3 board, the ranks of a random permutation are the times of the marks. On the 4x4 board only the marks of
xcplayer at the end matter. Their cells are random, so the cells of the lowest ranks serve, as many as xcplayer marks.
"""
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t

from ...game.game_table cimport RETURN_UNIT
from ...primitives.lanes cimport MAX_ITEMS, draw_digits, lanes_t, permute, play_rounds
from ...primitives.vectors cimport both, count8, either, more8, same8, splat8, sub8, vector_t, without
from ..common.cells cimport list_cells
from ..common.lane_runs cimport NEVER, first_line3, put_marks

cdef enum:
    TIC_CELLS = 9
    BLOCK_SIDE = 4
    BLOCK_CELLS = 16

cdef struct setup_t:
    uint16_t tic[2]             # cells of xcplayer and of obplayer on the 3x3 board
    uint64_t tic_blank          # its cells without a mark; 0 after the tic stage
    int32_t tic_mover           # player who marks first on the 3x3 board
    int32_t tic_drawn           # points of xcplayer for a drawn tic stage, half of those for a won one
    int32_t tic_score           # points of xcplayer after the tic stage
    uint16_t block              # cells of xcplayer on the 4x4 board
    uint64_t block_blank        # cells without a mark there
    int32_t simultaneous        # 1 if both mark simultaneously on the 4x4 board
    int32_t block_mover         # else: player who marks first there
    int32_t bridge_score        # points of xcplayer for a bridge


cdef inline int64_t play_tic(const setup_t *setup, lanes_t *lanes, vector_t counted) noexcept nogil:
    """Return the sum of the points of xcplayer in the tic stage."""
    cdef vector_t ranks[MAX_ITEMS]
    cdef vector_t x[TIC_CELLS]
    cdef vector_t o[TIC_CELLS]
    cdef vector_t x_moves, x_time, o_time, never = splat8(NEVER), one = splat8(1), mover = splat8(setup.tic_mover)
    cdef int32_t blank[TIC_CELLS]
    cdef int32_t i, left = list_cells(setup.tic_blank, 0, blank)
    put_marks(x, setup.tic[0], 0)
    put_marks(x, setup.tic[1], NEVER)
    put_marks(o, setup.tic[0], NEVER)
    put_marks(o, setup.tic[1], 0)
    permute(lanes, left, ranks)
    for i in range(left):
        x_moves = same8(both(ranks[i], one), mover)
        x[blank[i]] = either(ranks[i], without(never, x_moves))
        o[blank[i]] = either(ranks[i], x_moves)
    x_time = first_line3(x)
    o_time = first_line3(o)
    return setup.tic_drawn * (count8(counted) + count8(both(more8(o_time, x_time), counted))
                              - count8(both(more8(x_time, o_time), counted)))


cdef inline vector_t count_marks(const setup_t *setup, lanes_t *lanes, int32_t left) noexcept nogil:
    """Return how many of the `left` cells of the 4x4 board xcplayer marks."""
    cdef vector_t digits[MAX_ITEMS]
    cdef vector_t marks = splat8(0), second = splat8(0)
    if not setup.simultaneous:
        return splat8((left + 1 - setup.block_mover) // 2)
    # With `left` cells, both choose the same one with probability 1 / left, and then obplayer gets it. Otherwise
    # xcplayer gets the first of two cells and obplayer the second.
    draw_digits(lanes, left, digits)
    while left:
        left -= 1
        second = without(more8(digits[left], splat8(0)), second)
        marks = sub8(marks, second)
    return marks


cdef inline vector_t has_bridge(const vector_t *own) noexcept nogil:
    """Return a mask: these cells contain a bridge from the first row to the last."""
    cdef vector_t reached[BLOCK_SIDE]
    cdef vector_t before, here
    cdef int32_t row, column
    for column in range(BLOCK_SIDE):
        reached[column] = own[column]
    for row in range(1, BLOCK_SIDE):
        before = splat8(0)
        for column in range(BLOCK_SIDE):
            here = either(before, reached[column])
            before = reached[column]
            if column + 1 < BLOCK_SIDE:
                here = either(here, reached[column + 1])
            reached[column] = both(here, own[BLOCK_SIDE * row + column])
    return either(either(reached[0], reached[1]), either(reached[2], reached[3]))


cdef inline vector_t play_block(const setup_t *setup, lanes_t *lanes) noexcept nogil:
    """Return a mask: xcplayer has a bridge."""
    cdef vector_t ranks[MAX_ITEMS]
    cdef vector_t own[BLOCK_CELLS]
    cdef vector_t marks
    cdef int32_t blank[BLOCK_CELLS]
    cdef int32_t i, left = list_cells(setup.block_blank, 0, blank)
    for i in range(BLOCK_CELLS):
        own[i] = splat8(0xFF if setup.block >> i & 1 else 0)
    marks = count_marks(setup, lanes, left)
    permute(lanes, left, ranks)
    for i in range(left):
        own[blank[i]] = more8(marks, ranks[i])
    return has_bridge(own)


cdef inline void play_round(const void *given, lanes_t *lanes, vector_t counted, int64_t *sums) noexcept nogil:
    cdef const setup_t *setup = <const setup_t *> given
    cdef int64_t score
    if setup.tic_blank:
        score = play_tic(setup, lanes, counted)
    else:
        score = setup.tic_score * count8(counted)
    score += setup.bridge_score * count8(both(play_block(setup, lanes), counted))
    sums[0] += score * RETURN_UNIT
    sums[1] += (100 * count8(counted) - score) * RETURN_UNIT


cdef inline void play_lanes(const setup_t *setup, uint64_t seed, int64_t count, int64_t *sums) noexcept nogil:
    """Play `count` games and add the returns to `sums`."""
    play_rounds(play_round, setup, seed, count, sums)
