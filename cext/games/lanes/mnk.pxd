"""Play of `mnk` in lanes: the ranks of a random permutation are the times of the marks."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from ...primitives.lanes cimport MAX_ITEMS, lanes_t, permute, play_rounds
from ...primitives.vectors cimport both, either, more8, same8, splat8, vector_t, without
from ..common.cells cimport list_cells
from ..common.lane_runs cimport NEVER, add_scores, first_run, put_marks, run_t

cdef enum:
    MAX_CELLS = 64
    MAX_RUNS = 256              # one starts at each cell in each direction at most

cdef struct lines_t:            # the lines that win
    run_t runs[MAX_RUNS]
    int32_t count
    int32_t length

cdef struct setup_t:
    const lines_t *lines
    const uint64_t *own         # cells of x and of o
    int32_t mover               # 0 if x marks first, else 1
    int32_t blank[MAX_CELLS]    # cells without a mark
    int32_t left                # their number


cdef inline void put_times(const setup_t *setup, lanes_t *lanes, vector_t *x, vector_t *o) noexcept nogil:
    """Write for each lane when x and o mark each cell."""
    cdef vector_t ranks[MAX_ITEMS]
    cdef vector_t x_moves, never = splat8(NEVER), one = splat8(1), mover = splat8(setup.mover)
    cdef int32_t i
    put_marks(x, setup.own[0], 0)
    put_marks(x, setup.own[1], NEVER)
    put_marks(o, setup.own[0], NEVER)
    put_marks(o, setup.own[1], 0)
    permute(lanes, setup.left, ranks)
    for i in range(setup.left):
        x_moves = same8(both(ranks[i], one), mover)
        x[setup.blank[i]] = either(ranks[i], without(never, x_moves))
        o[setup.blank[i]] = either(ranks[i], x_moves)


cdef inline void play_round_of(const setup_t *setup, lanes_t *lanes, int32_t length, vector_t counted,
                               int64_t *sums) noexcept nogil:
    """Play one round. `length` is that of the lines, or a constant of the same value."""
    cdef vector_t x[MAX_CELLS]
    cdef vector_t o[MAX_CELLS]
    cdef vector_t x_time, o_time
    put_times(setup, lanes, x, o)
    x_time = first_run(x, setup.lines.runs, setup.lines.count, length)
    o_time = first_run(o, setup.lines.runs, setup.lines.count, length)
    add_scores(more8(o_time, x_time), more8(x_time, o_time), counted, sums)


cdef inline void play_round(const void *given, lanes_t *lanes, vector_t counted, int64_t *sums) noexcept nogil:
    cdef const setup_t *setup = <const setup_t *> given
    if setup.lines.length == 3:
        play_round_of(setup, lanes, 3, counted, sums)
    elif setup.lines.length == 4:
        play_round_of(setup, lanes, 4, counted, sums)
    else:
        play_round_of(setup, lanes, setup.lines.length, counted, sums)


cdef inline void play_lanes(const lines_t *lines, uint64_t board, const uint64_t *own, int32_t mover, uint64_t seed,
                            int64_t count, int64_t *sums) noexcept nogil:
    """Play `count` games from the marks `own` of x and o, and add the returns to `sums`."""
    cdef setup_t setup
    setup.lines = lines
    setup.own = own
    setup.mover = mover
    setup.left = list_cells(board & ~(own[0] | own[1]), 0, setup.blank)
    play_rounds(play_round, &setup, seed, count, sums)
