"""Tightening the bounds of one node; what bounds mean stands in `solver.pxd`."""
from libc.math cimport ceil, floor
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport realloc

from .game cimport MAX_PLAYERS
from .matrix_game cimport matrix_game_bytes, solve_matrix_game
from .tree cimport (NO_NODE, ONE, PROVEN, arm_child, arm_mean, block_t, cell_t, find_cell, first_block, next_block,
                    node_at, node_lower, node_t, node_upper, tree_t)

cdef float PRUNED = -1e9        # mean of an arm that is proven not to matter: selection never takes it
cdef double MOST_ERROR = 16.0   # of the value of a matrix game that counts as exact: 1.5e-8 of the range of values


cdef bint settle(tree_t *tree, node_t *node, const int32_t *lower, const int32_t *upper) noexcept nogil:
    """Take over new bounds where they are tighter. True when any was."""
    cdef bint changed = False, proven = True
    cdef int32_t player
    for player in range(tree.num_players):
        if lower[player] > node_lower(tree, node)[player]:
            node_lower(tree, node)[player] = lower[player]
            changed = True
        if upper[player] < node_upper(tree, node)[player]:
            node_upper(tree, node)[player] = upper[player]
            changed = True
        proven = proven and node_lower(tree, node)[player] >= node_upper(tree, node)[player]
    if proven:
        node.flags |= PROVEN
    return changed


cdef bint tighten_single(solver_t *solver, tree_t *tree, node_t *node) noexcept nogil:
    cdef int32_t lower[MAX_PLAYERS]
    cdef int32_t upper[MAX_PLAYERS]
    cdef int32_t mover = node.mover, best = 0
    cdef bint complete = node.used == node.joints
    cdef uint32_t *children = arm_child(tree, node)
    cdef uint32_t arm, leader = 0
    cdef node_t *child
    lower[mover] = -1
    upper[mover] = 0 if complete else ONE
    for arm in range(node.used):
        if children[arm] == NO_NODE:
            upper[mover] = ONE
            if lower[mover] < 0:
                lower[mover] = 0
                leader = arm
            continue
        child = node_at(tree, children[arm])
        if node_lower(tree, child)[mover] > lower[mover]:
            lower[mover] = node_lower(tree, child)[mover]
            leader = arm
        upper[mover] = max(upper[mover], node_upper(tree, child)[mover])
    best = max(lower[mover], 0)
    lower[mover] = best
    if solver.zero_sum:
        lower[1 - mover] = ONE - upper[mover]
        upper[1 - mover] = ONE - best
    else:
        bound_others(tree, node, best, complete, lower, upper)
    for arm in range(node.used):
        if children[arm] == NO_NODE or arm == leader:
            continue
        child = node_at(tree, children[arm])
        if node_upper(tree, child)[mover] < best or (solver.zero_sum and node_upper(tree, child)[mover] == best):
            arm_mean(tree, node)[arm] = PRUNED
    return settle(tree, node, lower, upper)


cdef void bound_others(tree_t *tree, node_t *node, int32_t best, bint complete, int32_t *lower,
                       int32_t *upper) noexcept nogil:
    """Bounds of those that do not decide: what holds for every arm that the mover might prefer."""
    cdef uint32_t *children = arm_child(tree, node)
    cdef int32_t mover = node.mover, player
    cdef uint32_t arm
    cdef node_t *child
    cdef bint known = complete
    for arm in range(node.used):
        known = known and children[arm] != NO_NODE
    for player in range(tree.num_players):
        if player == mover:
            continue
        lower[player] = ONE if known else 0
        upper[player] = 0 if known else ONE
        if not known:
            continue
        for arm in range(node.used):
            child = node_at(tree, children[arm])
            if node_upper(tree, child)[mover] >= best:
                lower[player] = min(lower[player], node_lower(tree, child)[player])
                upper[player] = max(upper[player], node_upper(tree, child)[player])


cdef bint tighten_joint(solver_t *solver, tree_t *tree, node_t *node) noexcept nogil:
    cdef block_t *rows = first_block(tree, node)
    cdef block_t *columns = next_block(rows)
    cdef int32_t lower[MAX_PLAYERS]
    cdef int32_t upper[MAX_PLAYERS]
    cdef int32_t i, j, least, most, low = 0, high = ONE
    cdef double value
    cdef bint exact = node.used == node.joints
    cdef node_t *child
    if not solver.zero_sum:
        return False
    for i in range(rows.count):
        least = ONE
        for j in range(columns.count):
            child = child_of_cell(tree, node, <uint32_t> (i * columns.count + j))
            least = min(least, 0 if child == NULL else node_lower(tree, child)[0])
            exact = exact and child != NULL and child.flags & PROVEN
        low = max(low, least)
    for j in range(columns.count):
        most = 0
        for i in range(rows.count):
            child = child_of_cell(tree, node, <uint32_t> (i * columns.count + j))
            most = max(most, ONE if child == NULL else node_upper(tree, child)[0])
        high = min(high, most)
    lower[0] = low
    upper[0] = high
    if exact and low < high and solve_cells(solver, tree, node, False, NULL):
        value = solver.work[0]
        if solver.error <= MOST_ERROR:
            lower[0] = upper[0] = min(max(<int32_t> floor(value + 0.5), low), high)
        else:
            lower[0] = max(low, <int32_t> floor(value - solver.error))
            upper[0] = min(high, <int32_t> ceil(value + solver.error))
    lower[1] = ONE - upper[0]
    upper[1] = ONE - lower[0]
    return settle(tree, node, lower, upper)


cdef inline node_t *child_of_cell(tree_t *tree, node_t *node, uint32_t joint) noexcept nogil:
    cdef cell_t *cell = find_cell(tree, node, joint)
    return NULL if cell == NULL or cell.child == NO_NODE else node_at(tree, cell.child)


cdef bint solve_cells(solver_t *solver, tree_t *tree, node_t *node, bint upper, double **strategies) noexcept nogil:
    """Solve the matrix game of the cells' lower or upper bounds; the first number of `solver.work` is its value.

    strategies: NULL, or where to put pointers to the row player's and the column player's strategies, which stand in
    `solver.work` until its next use. Returns False without memory.
    """
    cdef block_t *block = first_block(tree, node)
    cdef int32_t rows = block.count, columns = next_block(block).count
    cdef size_t need = (1 + <size_t> rows * columns + rows + columns) * sizeof(double)
    cdef double *payoff
    cdef double *work
    cdef uint32_t joint
    cdef node_t *child
    if solver.work_bytes < need + matrix_game_bytes(rows, columns):
        work = <double *> realloc(solver.work, need + matrix_game_bytes(rows, columns))
        if work == NULL:
            return False
        solver.work = work
        solver.work_bytes = need + matrix_game_bytes(rows, columns)
    payoff = solver.work + 1
    for joint in range(node.joints):
        child = child_of_cell(tree, node, joint)
        if child == NULL:
            payoff[joint] = <double> ONE if upper else 0.0
        else:
            payoff[joint] = <double> (node_upper(tree, child)[0] if upper else node_lower(tree, child)[0])
    solver.work[0] = solve_matrix_game(payoff, rows, columns, payoff + node.joints, payoff + node.joints + rows,
                                       payoff + node.joints + rows + columns, &solver.error)
    if strategies != NULL:
        strategies[0] = payoff + node.joints
        strategies[1] = payoff + node.joints + rows
    return True


cdef bint tighten(solver_t *solver, tree_t *tree, node_t *node) noexcept nogil:
    """Tighten the bounds of a node from its children's. True when any bound moved."""
    if node.flags & PROVEN:
        return False
    if node.blocks == 1:
        return tighten_single(solver, tree, node)
    return tighten_joint(solver, tree, node)
