"""Lines of games that are played in lanes: the time at which the first line of a player is complete.

A game in lanes continues until the board is full. `times` has the time of each cell: the number of the mark there, or
NEVER where the player has no mark. A line is complete at the latest of its times. The real game ends at the first line.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from ...game.game_table cimport RETURN_UNIT
from ...primitives.bits cimport lowest64
from ...primitives.vectors cimport both, count8, max8, min8, splat8, vector_t

cdef enum:
    NEVER = 255                 # later than every mark
    LATEST = 127                # NEVER in times that are compared

cdef extern from *:
    """
    #include <stdint.h>

    /* The lines of three on a 3x3 board: rows, columns, diagonals. */
    typedef struct {
        uint8_t first, step;
    } playout_run_t;

    static const playout_run_t playout_runs_of_3[8] = {{0, 1}, {3, 1}, {6, 1}, {0, 3}, {1, 3}, {2, 3}, {0, 4}, {2, 2}};
    """
    ctypedef struct run_t "playout_run_t":      # cells at equal distances: first, first + step, ...
        uint8_t first
        uint8_t step

    const run_t playout_runs_of_3[8]


cdef inline vector_t first_run(const vector_t *times, const run_t *runs, int32_t count,
                               int32_t length) noexcept nogil:
    """Return when the first of these runs is complete, LATEST if none is. A constant `length` unrolls the loop."""
    cdef vector_t found = splat8(LATEST), run
    cdef const vector_t *cell
    cdef int32_t i, j
    for i in range(count):
        cell = times + runs[i].first
        run = cell[0]
        for j in range(1, length):
            run = max8(run, cell[j * runs[i].step])
        found = min8(found, run)
    return found


cdef inline vector_t first_line3(const vector_t *times) noexcept nogil:
    """Return when the first line of three on a 3x3 board is complete, LATEST if none is."""
    return first_run(times, playout_runs_of_3, 8, 3)


cdef inline void put_marks(vector_t *times, uint64_t cells, int32_t time) noexcept nogil:
    """Set the time of each of these cells in all lanes."""
    while cells:
        times[lowest64(cells)] = splat8(time)
        cells &= cells - 1


cdef inline void add_scores(vector_t won, vector_t lost, vector_t counted, int64_t *sums) noexcept nogil:
    """Add the returns of two players who share 100 points. The first has won and lost these lanes; others are draws."""
    cdef int64_t first = 50 * (count8(counted) + count8(both(won, counted)) - count8(both(lost, counted)))
    sums[0] += first * RETURN_UNIT
    sums[1] += (100 * count8(counted) - first) * RETURN_UNIT
