"""The bounds of one node, from those of its children. `bounds.pxd` describes them."""
from libc.math cimport ceil, floor
from libc.stdint cimport int32_t, int64_t, uint32_t

from ..game.game_table cimport MAX_PLAYERS
from ..matrix_game cimport matrix_game_bytes, solve_matrix_game
from ..primitives.growing cimport resize
from .select_grave cimport change_mean
from .tree cimport (CHANCE_NODE, NO_NODE, PROVEN, PRUNED, arm_child, arm_mean, block_t, cell_in_slot, cell_t,
                    child_of_cell, first_block, joint_slack, next_block, node_at, node_lower, node_t, node_upper,
                    node_weights, prefetch, tree_t)
from .values cimport ONE

cdef double MOST_ERROR = 16.0   # of the value of a matrix game that counts as exact: 1.5e-8 of the range of values
cdef enum:
    ROUNDING = 2                # bounds that are no farther apart were meant to meet
    MOST_SOLVED = 256           # joint actions up to which matrices are solved whenever a bound has moved
    SOLVED_VISITS = 16          # visits after which larger ones are solved in a graph, beside powers of two


cdef bint settle(tree_t *tree, node_t *node, const int32_t *lower, const int32_t *upper) noexcept nogil:
    """Replace bounds by tighter ones. Return True if any bound moved."""
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
    cdef bint complete = node.num_tried == node.num_choices
    cdef uint32_t *children = arm_child(tree, node)
    cdef uint32_t arm, leader = 0
    cdef node_t *child
    lower[mover] = -1
    upper[mover] = 0 if complete else ONE
    if tree.graph:              # where it is done at every visit, also of children that are seldom visited
        for arm in range(node.num_tried):
            prefetch(node_lower(tree, node_at(tree, children[arm])))
    for arm in range(node.num_tried):
        if children[arm] == NO_NODE:
            if arm_mean(tree, node)[arm] < 0.0:     # pruned before its child was freed; cannot exceed the best
                continue
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
    for arm in range(node.num_tried):
        if children[arm] == NO_NODE or arm == leader:
            continue
        child = node_at(tree, children[arm])
        if node_upper(tree, child)[mover] < best or (solver.zero_sum and node_upper(tree, child)[mover] == best):
            change_mean(tree, node, arm, PRUNED)
    return settle(tree, node, lower, upper)


cdef void bound_others(tree_t *tree, node_t *node, int32_t best, bint complete, int32_t *lower,
                       int32_t *upper) noexcept nogil:
    """Bounds of those that do not decide: what holds for every arm that the mover might prefer."""
    cdef uint32_t *children = arm_child(tree, node)
    cdef int32_t mover = node.mover, player
    cdef uint32_t arm
    cdef node_t *child
    cdef bint known = complete
    for arm in range(node.num_tried):
        known = known and (children[arm] != NO_NODE or arm_mean(tree, node)[arm] < 0.0)
    for player in range(tree.num_players):
        if player == mover:
            continue
        lower[player] = ONE if known else 0
        upper[player] = 0 if known else ONE
        if not known:
            continue
        for arm in range(node.num_tried):
            child = node_at(tree, children[arm])
            if children[arm] != NO_NODE and node_upper(tree, child)[mover] >= best:
                lower[player] = min(lower[player], node_lower(tree, child)[player])
                upper[player] = max(upper[player], node_upper(tree, child)[player])


cdef bint tighten_chance(tree_t *tree, node_t *node) noexcept nogil:
    """Take the expectation of the children's bounds, rounded outwards; to the nearest where both are the same number.

    An exact value is therefore off by at most 2^-31 for each chance node below it.
    """
    cdef int32_t lower[MAX_PLAYERS]
    cdef int32_t upper[MAX_PLAYERS]
    cdef const int32_t *weights = node_weights(tree, node)
    cdef const uint32_t *children = arm_child(tree, node)
    cdef int64_t low, high, total = 0
    cdef uint32_t arm
    cdef int32_t player
    cdef node_t *child
    for arm in range(node.num_choices):
        total += weights[arm]
    for player in range(tree.num_players):
        low = high = 0
        for arm in range(node.num_choices):
            if children[arm] == NO_NODE:
                high += <int64_t> weights[arm] * ONE
                continue
            child = node_at(tree, children[arm])
            low += <int64_t> weights[arm] * node_lower(tree, child)[player]
            high += <int64_t> weights[arm] * node_upper(tree, child)[player]
        if low == high:
            lower[player] = upper[player] = <int32_t> ((2 * low + total) // (2 * total))
        else:
            lower[player] = <int32_t> (low // total)
            upper[player] = <int32_t> ((high + total - 1) // total)
    return settle(tree, node, lower, upper)


cdef bint reserve(solver_t *solver, size_t bytes) noexcept nogil:
    """Resize the scratch memory to `bytes` bytes. Return False without memory."""
    if solver.work_bytes < bytes:
        if not resize(&solver.work, bytes):
            return False
        solver.work_bytes = bytes
    return True


cdef bint read_cells(solver_t *solver, tree_t *tree, node_t *node, extremes_t *found) noexcept nogil:
    """Read the bounds of all joint actions of two players once. Return False without memory.

    A joint action without a child is unknown: its bounds are 0 and ONE.
    """
    cdef int32_t rows = first_block(tree, node).count, columns = next_block(first_block(tree, node)).count
    cdef bint direct = node.capacity == node.num_choices
    cdef int32_t i = 0, j = -1, low, high
    cdef uint32_t slot
    cdef cell_t *cell
    cdef node_t *child
    if not reserve(solver, 3 * <size_t> (rows + columns) * sizeof(int32_t)):
        return False
    found.least_low = <int32_t *> solver.work
    found.least_high = found.least_low + rows
    found.most_low = found.least_high + rows
    found.most_high = found.most_low + columns
    found.in_row = found.most_high + columns
    found.in_column = found.in_row + rows
    found.slack = <int64_t> ONE * node.num_choices
    for i in range(rows):
        found.least_low[i] = found.least_high[i] = ONE
        found.in_row[i] = 0
    for j in range(columns):
        found.most_low[j] = found.most_high[j] = found.in_column[j] = 0
    i = 0
    j = -1
    for slot in range(node.capacity):
        cell = cell_in_slot(tree, node, slot)
        if direct:
            j += 1
            if j == columns:
                j = 0
                i += 1
        if cell.key == 0 or cell.child == NO_NODE:
            continue
        if not direct:
            i = <int32_t> ((cell.key - 1) // <uint32_t> columns)
            j = <int32_t> ((cell.key - 1) % <uint32_t> columns)
        child = node_at(tree, cell.child)
        low = node_lower(tree, child)[0]
        high = node_upper(tree, child)[0]
        found.slack -= ONE - (high - low)
        found.least_low[i] = min(found.least_low[i], low)
        found.least_high[i] = min(found.least_high[i], high)
        found.most_low[j] = max(found.most_low[j], low)
        found.most_high[j] = max(found.most_high[j], high)
        found.in_row[i] += 1
        found.in_column[j] += 1
    for i in range(rows):
        if found.in_row[i] < columns:
            found.least_low[i] = 0
    for j in range(columns):
        if found.in_column[j] < rows:
            found.most_high[j] = ONE
    return True


cdef inline bint is_solved_now(const tree_t *tree, const node_t *node) noexcept nogil:
    """Return True if the matrices of a node are solved at this visit.

    In a graph, a later visit picks up the changes. In a tree there may be no later visit: `tighten` is called there
    only when a bound has moved.
    """
    return (not tree.graph or node.num_choices <= MOST_SOLVED or node.visits % SOLVED_VISITS == 0
            or node.visits & (node.visits - 1) == 0)


cdef bint tighten_joint(solver_t *solver, tree_t *tree, node_t *node) noexcept nogil:
    cdef block_t *rows = first_block(tree, node)
    cdef int32_t columns = next_block(rows).count
    cdef int32_t lower[MAX_PLAYERS]
    cdef int32_t upper[MAX_PLAYERS]
    cdef int32_t i, j, low = 0, high = ONE, low_at_most = ONE, high_at_least = 0
    cdef extremes_t found
    cdef bint solves = is_solved_now(tree, node)
    if not solver.zero_sum or not read_cells(solver, tree, node, &found):
        return False
    # Bounds only become tighter. Where their distances have the same sum as when the matrices were solved, none has
    # moved since.
    if joint_slack(tree, node)[0] == found.slack + 1:
        return False
    if solves:
        joint_slack(tree, node)[0] = found.slack + 1
    for i in range(rows.count):
        low = max(low, found.least_low[i])
        high_at_least = max(high_at_least, found.least_high[i])
    for j in range(columns):
        low_at_most = min(low_at_most, found.most_low[j])
        high = min(high, found.most_high[j])
    # Each of the two matrices has a value between its own pure maximin and minimax; where these meet, that is it.
    if solves and low < low_at_most and low < high:
        low = min(max(low, value_of_cells(solver, tree, node, False)), high)
    if solves and high_at_least < high and low < high:
        high = max(min(high, value_of_cells(solver, tree, node, True)), low)
    lower[0] = low
    upper[0] = low if high - low <= ROUNDING else high
    lower[1] = ONE - upper[0]
    upper[1] = ONE - lower[0]
    return settle(tree, node, lower, upper)


cdef int32_t value_of_cells(solver_t *solver, tree_t *tree, node_t *node, bint upper) noexcept nogil:
    """Return the value of the matrix of lower or upper bounds: rounded if it is exact, else on the safe side."""
    if not solve_cells(solver, tree, node, upper, NULL):
        return ONE if upper else 0
    if solver.error <= MOST_ERROR:
        return <int32_t> floor(solver.work[0] + 0.5)
    if upper:
        return <int32_t> ceil(solver.work[0] + solver.error)
    return <int32_t> floor(solver.work[0] - solver.error)


cdef inline int32_t cell_bound(tree_t *tree, node_t *node, uint32_t joint, bint upper) noexcept nogil:
    """Return the first player's lower or upper bound of a joint action."""
    cdef node_t *child = child_of_cell(tree, node, joint)
    if child == NULL:
        return ONE if upper else 0
    return node_upper(tree, child)[0] if upper else node_lower(tree, child)[0]


cdef bint solve_cells(solver_t *solver, tree_t *tree, node_t *node, bint upper, double **strategies) noexcept nogil:
    """Solve the matrix game of the cells' lower or upper bounds; the first number of `solver.work` is its value.

    strategies: NULL, or where to put pointers to the row player's and the column player's strategies, which stand in
    `solver.work` until its next use. Returns False without memory.
    """
    cdef block_t *block = first_block(tree, node)
    cdef int32_t rows = block.count, columns = next_block(block).count
    cdef size_t need = (1 + <size_t> rows * columns + rows + columns) * sizeof(double)
    cdef double *payoff
    cdef uint32_t joint
    if not reserve(solver, need + matrix_game_bytes(rows, columns)):
        return False
    payoff = solver.work + 1
    for joint in range(node.num_choices):
        payoff[joint] = <double> cell_bound(tree, node, joint, upper)
    solver.work[0] = solve_matrix_game(payoff, rows, columns, payoff + node.num_choices,
                                       payoff + node.num_choices + rows,
                                       payoff + node.num_choices + rows + columns, &solver.error)
    if strategies != NULL:
        strategies[0] = payoff + node.num_choices
        strategies[1] = payoff + node.num_choices + rows
    return True


cdef bint tighten(solver_t *solver, tree_t *tree, node_t *node) noexcept nogil:
    """Tighten the bounds of a node from its children's. Return True if any bound moved."""
    if node.flags & PROVEN:
        return False
    if node.flags & CHANCE_NODE:
        return tighten_chance(tree, node)
    if node.blocks == 1:
        return tighten_single(solver, tree, node)
    return tighten_joint(solver, tree, node)
