"""Proven bounds on the values of nodes, from the bounds of their children.

Where one player decides, it can reach the best of its arms' lower bounds, and no more than the best of their upper
bounds. What the others get then is known only as far as it is the same for every arm that this player might come to
prefer, ties included, which keeps the bounds right with three players (score bounds: Cazenave and Saffidine 2010).
Where two players with opposite interests decide at once, the value is between those of two matrix games, of the cells'
lower and of their upper bounds; they are solved where there is no saddle point.
"""
from libc.stdint cimport int32_t, int64_t

from .tree cimport node_t, tree_t

cdef struct solver_t:
    bint zero_sum               # two players whose values always add up to one
    double *work                # scratch memory for matrices, or NULL before the first use
    size_t work_bytes
    double error                # how far the value of the matrix game solved last may be off

cdef struct extremes_t:         # of the first player's bounds at a node where two decide; all arrays in `solver_t.work`
    int32_t *least_low          # [rows], of the lower bounds of a row
    int32_t *least_high         # [rows], of its upper bounds
    int32_t *most_low           # [columns]
    int32_t *most_high          # [columns]
    int32_t *in_row             # [rows], joint actions of a row that have a child
    int32_t *in_column          # [columns]
    int64_t slack               # sum of the distances between the bounds of all joint actions


cdef bint read_cells(solver_t *solver, tree_t *tree, node_t *node, extremes_t *found) noexcept nogil
cdef bint tighten(solver_t *solver, tree_t *tree, node_t *node) noexcept nogil
cdef bint solve_cells(solver_t *solver, tree_t *tree, node_t *node, bint upper, double **strategies) noexcept nogil
