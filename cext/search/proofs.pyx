"""The solver's part of a simulation. `proofs.pxd` describes its purpose."""
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game_table cimport (EVERY_ACTION, MAX_ENTRIES, NO_ACTION, clear_joint, copy_state, find_ending, game_t,
                                has_failed, may_end)
from .bounds cimport extremes_t, read_cells, tighten
from .followers cimport apply_kept, follower_at
from .graph cimport mean_of_node, refresh_cell
from .search_state cimport FOLLOWERS, PREFER_UNPROVEN, SYMMETRIES, TRANSPOSITIONS, end_of_game, link_on_path, search_t
from .select_grave cimport change_mean
from .select_single cimport take_untried
from .transpositions cimport refresh_arm
from .tree cimport (CHANCE_NODE, HAS_BOUNDED_CELLS, NO_NODE, PROVEN, PRUNED, arm_child, arm_mean, arm_square, arm_value,
                    arm_visits, arm_width, block_t, cell_sums, cell_t, child_of_cell, claim_cell, find_cell, find_node,
                    first_block, joint_action, joint_value, joint_visits, more_arms, next_block, node_actions, node_at,
                    node_lower, node_t, node_upper, tree_t)
from .values cimport ONE, VALUE_UNIT

cdef enum:
    MOST_LOOKS = 256            # joint actions up to which all are looked at when a node is made
    MOST_ARMS = 9               # actions of the one who decides up to which that is done in a graph

cdef double OPEN_EXPLORATION = 0.2  # weight of the exploration term where an open joint action is chosen
cdef double UNTRIED = 100.0     # score of an arm that has never been chosen
cdef double CANDIDATE = 10_000.0    # added for an arm that may yet be best


cdef inline uint32_t known_state(search_t *search, const void *after, bint in_graph) noexcept nogil:
    """Return the node of a state that follows that of the simulation, if it is the end of the game; else NO_NODE.

    in_graph: or if the graph has a node of it; the state may then be replaced by its canonical image. After an error in
    a game written in Python it is NO_NODE.
    """
    cdef const game_t *game = search.game
    if game.acting(game, after) == 0:
        return NO_NODE if has_failed(game) else end_of_game(search, after)
    if not in_graph or has_failed(game):
        return NO_NODE
    if search.features & SYMMETRIES and not search.features & FOLLOWERS:     # else it is canonical
        game.canonical(game, <void *> after)
    return find_node(search.tree, game.hash(game, after))


cdef uint32_t known_successor(search_t *search, const int32_t *joint, bint in_graph) noexcept nogil:
    """Return the node of what follows the state of the simulation, as `known_state`."""
    cdef const game_t *game = search.game
    copy_state(game, search.trial, search.state)
    if search.features & FOLLOWERS:
        apply_kept(search, search.trial, joint)
    else:
        game.apply(game, search.trial, joint)
    return NO_NODE if has_failed(game) else known_state(search, search.trial, in_graph)


cdef void look_at_arms(search_t *search, node_t *node) noexcept nogil:
    """Take the arms of a new node whose successors are known. If one arm proves the maximum value, skip the rest.

    Known are the ends of the game, and in a graph, where there are few actions, what has a node. Those arms begin with
    its mean, and as wide as after one visit. Most nodes are visited seldom: where there are many actions, to look for
    all their successors would take longer than everything else in a simulation.
    """
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t mean
    cdef uint32_t other, child, arm
    cdef bint in_graph = search.features & TRANSPOSITIONS and node.num_choices <= MOST_ARMS
    cdef uint64_t ending = EVERY_ACTION if in_graph else find_ending(search.game, search.state, node.mover)
    if ending == 0:
        return
    clear_joint(joint, search.game.num_players + 1)
    for other in range(node.num_choices):
        joint[node.mover] = node_actions(search.tree, node)[other]
        if not may_end(ending, joint[node.mover]):
            continue
        if search.features & FOLLOWERS:
            child = known_state(search, follower_at(search, node, other), in_graph)
        else:
            child = known_successor(search, joint, in_graph)
        if has_failed(search.game):
            return
        if child == NO_NODE:
            continue
        if node.num_tried == node.capacity and not more_arms(search.tree, node):
            return
        arm = <uint32_t> take_untried(search.tree, node, other)
        arm_child(search.tree, node)[arm] = child
        arm_width(search.tree, node)[arm] = 1.0
        if not node_at(search.tree, child).flags & PROVEN:
            mean = mean_of_node(search.tree, node_at(search.tree, child), node.mover)
            arm_mean(search.tree, node)[arm] = <float> (mean * VALUE_UNIT)
            continue
        arm_mean(search.tree, node)[arm] = PRUNED
        if node_lower(search.tree, node_at(search.tree, child))[node.mover] == ONE:
            return


cdef void look_at_outcomes(search_t *search, node_t *node) noexcept nogil:
    """Link the outcomes that end the game to their nodes, at a new node where chance decides."""
    cdef int32_t joint[MAX_ENTRIES]
    cdef uint32_t arm
    cdef uint64_t ending = find_ending(search.game, search.state, node.mover)
    clear_joint(joint, search.game.num_players)
    for arm in range(node.num_choices):
        joint[node.mover] = node_actions(search.tree, node)[arm]
        if not may_end(ending, joint[node.mover]):
            continue
        arm_child(search.tree, node)[arm] = known_successor(search, joint, False)
        if has_failed(search.game):
            return


cdef void look_at_cells(search_t *search, node_t *node) noexcept nogil:
    """Link the joint actions of a node to their known successors."""
    cdef int32_t joint[MAX_ENTRIES]
    cdef block_t *rows = first_block(search.tree, node)
    cdef block_t *columns = next_block(rows)
    cdef const char *after = NULL
    cdef uint32_t index, child
    cdef cell_t *cell
    cdef bint in_graph = search.features & TRANSPOSITIONS
    cdef uint64_t row_ending = EVERY_ACTION if in_graph else find_ending(search.game, search.state, rows.player)
    cdef uint64_t column_ending = EVERY_ACTION if in_graph else find_ending(search.game, search.state, columns.player)
    if row_ending == 0 or column_ending == 0:
        return
    joint[search.game.num_players] = NO_ACTION
    for index in range(node.num_choices):
        joint[rows.player] = joint_action(rows)[index // <uint32_t> columns.count]
        joint[columns.player] = joint_action(columns)[index % <uint32_t> columns.count]
        if not may_end(row_ending, joint[rows.player]) or not may_end(column_ending, joint[columns.player]):
            continue
        if search.features & FOLLOWERS:
            after = follower_at(search, node, index)
        if child_of_cell(search.tree, node, index) != NULL:
            continue
        if after != NULL:
            child = known_state(search, after, in_graph)
        else:
            child = known_successor(search, joint, in_graph)
        if has_failed(search.game):
            return
        if child == NO_NODE:
            continue
        cell = claim_cell(search.tree, node, index)
        if cell == NULL:
            return
        cell.child = child
        if (node_lower(search.tree, node_at(search.tree, child))[0] > 0
                or node_upper(search.tree, node_at(search.tree, child))[0] < ONE):
            node.flags |= HAS_BOUNDED_CELLS


cdef bint link_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    """Link an arm of a node of a graph, where the simulation stands, if it is known where it leads. True when it is."""
    cdef int32_t joint[MAX_ENTRIES]
    clear_joint(joint, search.game.num_players + 1)
    joint[node.mover] = node_actions(search.tree, node)[arm]
    arm_child(search.tree, node)[arm] = known_successor(search, joint, True)
    return arm_child(search.tree, node)[arm] != NO_NODE


cdef bint link_cells(search_t *search, node_t *node, uint32_t index, const int32_t *joint) noexcept nogil:
    """The same of a joint action, and, where there are not too many, of all others: often several lead to one state."""
    cdef uint32_t child = known_successor(search, joint, True)
    cdef cell_t *cell
    if child == NO_NODE:
        return False
    if node.num_choices <= MOST_LOOKS:
        look_at_cells(search, node)
    else:
        cell = claim_cell(search.tree, node, index)
        if cell != NULL:
            cell.child = child
    return child_of_cell(search.tree, node, index) != NULL


cdef bint look_ahead(search_t *search, uint32_t index) noexcept nogil:
    """Let a new node, for the state where the simulation stands, know which of its successors are known.

    False after an error in a game written in Python.
    """
    cdef node_t *node = node_at(search.tree, index)
    if node.flags & CHANCE_NODE:
        look_at_outcomes(search, node)
    elif node.blocks == 1:
        look_at_arms(search, node)
    elif node.num_choices <= MOST_LOOKS:
        look_at_cells(search, node)
    if has_failed(search.game):
        return False
    if node.num_tried:
        tighten(&search.solver, search.tree, node)
    return True


cdef inline double promise(block_t *block, int32_t arm, double log_total) noexcept nogil:
    """Return UCB1's bound of one player's arm, as if the other player were chance. log_total: of the node's visits."""
    cdef int32_t visits = joint_visits(block)[arm]
    if visits == 0:
        return UNTRIED
    return (<double> joint_value(block)[arm] * VALUE_UNIT / visits
            + OPEN_EXPLORATION * sqrt(log_total / visits))


cdef bint choose_unproven(search_t *search, node_t *node, int32_t *joint, uint32_t *chosen) noexcept nogil:
    """Choose an unproven joint action of two players. Write it and its index. Return False if there is none.

    Where a value is known only between bounds, a row that secures the most by the upper bounds and a column that
    concedes the least by the lower ones cross where the bounds are too far apart, or near there. Arms of equal bounds
    are selected by UCB1.
    """
    cdef tree_t *tree = search.tree
    cdef block_t *rows = first_block(tree, node)
    cdef block_t *columns = next_block(rows)
    cdef int32_t i, j, count = columns.count
    cdef double *row_score = search.expected
    cdef double *column_score = search.expected + rows.count
    cdef int32_t most = 0, least = ONE
    cdef double highest = -1.0, log_total = log(<double> node.visits)
    cdef node_t *child
    cdef extremes_t bounds
    cdef bint found = False
    if not read_cells(&search.solver, tree, node, &bounds):
        return False
    for i in range(rows.count):
        most = max(most, bounds.least_high[i])
    for j in range(count):
        least = min(least, bounds.most_low[j])
    for i in range(rows.count):
        row_score[i] = promise(rows, i, log_total) + (CANDIDATE if bounds.least_high[i] == most else 0.0)
    for j in range(count):
        column_score[j] = promise(columns, j, log_total) + (CANDIDATE if bounds.most_low[j] == least else 0.0)
    for i in range(rows.count):
        for j in range(count):
            if row_score[i] + column_score[j] <= highest:
                continue
            child = child_of_cell(tree, node, <uint32_t> (i * count + j))
            if child == NULL or not child.flags & PROVEN:
                highest = row_score[i] + column_score[j]
                chosen[0] = <uint32_t> (i * count + j)
                joint[rows.player] = joint_action(rows)[i]
                joint[columns.player] = joint_action(columns)[j]
                found = True
    return found


cdef void make_exact(search_t *search, node_t *node, uint32_t arm, const node_t *child) noexcept nogil:
    """Replace the statistics of an arm by its proven value. Prune the arm if it need not be chosen again."""
    cdef int32_t player, visits
    cdef int32_t *exact = node_lower(search.tree, <node_t *> child)
    cdef cell_t *cell
    if node.flags & CHANCE_NODE:        # whose arms keep no values
        return
    if node.blocks == 1:
        visits = arm_visits(search.tree, node)[arm]
        if search.features & TRANSPOSITIONS:
            refresh_arm(search, node, arm)
        arm_value(search.tree, node)[arm] = <int64_t> exact[node.mover] * visits
        if search.features & PREFER_UNPROVEN:
            change_mean(search.tree, node, arm, PRUNED)
        elif arm_mean(search.tree, node)[arm] >= 0.0:
            change_mean(search.tree, node, arm, <float> (exact[node.mover] * VALUE_UNIT))
        if search.tree.squared:
            arm_square(search.tree, node)[arm] = visits * (exact[node.mover] * VALUE_UNIT) ** 2
        return
    cell = find_cell(search.tree, node, arm)
    if cell != NULL and search.features & TRANSPOSITIONS:
        refresh_cell(search.tree, node, cell)
    elif cell != NULL:
        for player in range(search.game.num_players):
            cell_sums(cell)[player] = <int64_t> exact[player] * cell.visits


cdef void keep_exact(search_t *search, int32_t depth) noexcept nogil:
    """Make those arms of a simulation exact again that were proven while it waited for its evaluation."""
    cdef uint32_t *link
    while depth > 0:
        depth -= 1
        link = link_on_path(search, depth, False)
        if link != NULL and link[0] != NO_NODE and node_at(search.tree, link[0]).flags & PROVEN:
            make_exact(search, node_at(search.tree, search.path[depth].node), search.path[depth].arm,
                       node_at(search.tree, link[0]))


cdef void prove(search_t *search, int32_t depth) noexcept nogil:
    """Tighten the bounds of the first `depth` nodes on the path, from the last upwards as far as bounds move.

    Step 6 of docs/architecture.md.
    """
    cdef uint32_t *link
    cdef node_t *node
    cdef node_t *child
    while depth > 0:
        depth -= 1
        link = link_on_path(search, depth, False)
        if link == NULL or link[0] == NO_NODE:
            return
        child = node_at(search.tree, link[0])
        node = node_at(search.tree, search.path[depth].node)
        # Step 6a. Give the arm the exact value of a proven child.
        if child.flags & PROVEN:
            make_exact(search, node, search.path[depth].arm, child)
        # Step 6b. Tighten the bounds of the node by those of its children; stop where they do not move.
        if node.blocks > 1:
            node.flags |= HAS_BOUNDED_CELLS
        if not tighten(&search.solver, search.tree, node):
            return
