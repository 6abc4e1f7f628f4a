"""The solver's part of a simulation. `proofs.pxd` describes its purpose."""
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game_table cimport EVERY_ACTION, MAX_ENTRIES, NO_ACTION, copy_state, find_ending, game_t, has_failed, may_end
from .graph cimport refresh_cell
from .transpositions cimport mean_for_mover, refresh_arm
from .bounds cimport tighten
from .search_state cimport (PREFER_UNPROVEN, SYMMETRIES, TRANSPOSITIONS, end_of_game, link_on_path, search_t)
from .select_grave cimport change_mean
from .select_single cimport take_untried
from .tree cimport (CHANCE_NODE, HAS_BOUNDED_CELLS, NO_NODE, PROVEN, PRUNED, arm_child, arm_mean, arm_square, arm_value,
                    arm_visits, arm_width, block_t, cell_sums, cell_t, child_of_cell, claim_cell, find_cell, find_node,
                    first_block, joint_action, joint_value, joint_visits, more_arms, next_block, node_actions, node_at,
                    node_lower, node_t, node_upper, prefetch_slot, tree_t)
from .values cimport ONE, VALUE_UNIT

cdef enum:
    MOST_LOOKS = 256            # joint actions up to which all are looked at when a node is made
    TO_BE_FOUND = 1             # no record begins at this index

cdef double OPEN_EXPLORATION = 0.2  # weight of the exploration term where an open joint action is chosen
cdef double UNTRIED = 100.0     # score of an arm that has never been chosen
cdef double CANDIDATE = 10_000.0    # added for an arm that may yet be best


cdef bint find_successor(search_t *search, const int32_t *joint, uint32_t *index, uint64_t *hash) noexcept nogil:
    """Find what follows the state of the simulation: the end of the game, or a state that may be in the graph.

    Args:
        index: receives the node of the end of the game; NO_NODE at the memory cap, or if the game is not over.
        hash: receives the hash of the state, where True is returned.

    Returns:
        True if the node is to be looked for in the graph. False also after an error in a game written in Python.
    """
    cdef const game_t *game = search.game
    cdef void *after = search.trial
    index[0] = NO_NODE
    copy_state(game, after, search.state)
    game.apply(game, after, joint)
    if has_failed(game):
        return False
    if game.acting(game, after) == 0:
        index[0] = NO_NODE if has_failed(game) else end_of_game(search, after)
        return False
    if not search.features & TRANSPOSITIONS or has_failed(game):
        return False
    if search.features & SYMMETRIES:
        game.canonical(game, after)
    hash[0] = game.hash(game, after)
    return True


cdef uint32_t known_successor(search_t *search, const int32_t *joint) noexcept nogil:
    """The node of what follows the state of the simulation, if it is the end of the game, or in the graph; or NO_NODE.

    After an error in a game written in Python it is NO_NODE.
    """
    cdef uint32_t index
    cdef uint64_t hash
    return find_node(search.tree, hash) if find_successor(search, joint, &index, &hash) else index


cdef inline uint64_t actions_to_try(const search_t *search, int32_t player) noexcept nogil:
    """Return the actions of a player whose successors may be known: in a tree, only those that can end the game."""
    return EVERY_ACTION if search.features & TRANSPOSITIONS else find_ending(search.game, search.state, player)


cdef inline bint brings_all(const search_t *search, const node_t *node, uint32_t child) noexcept nogil:
    """Return True if a child surely has the highest value to the player who decides at a node."""
    return child != NO_NODE and node_lower(search.tree, node_at(search.tree, child))[node.mover] == ONE


cdef uint32_t find_successors(search_t *search, node_t *node, uint32_t *children) noexcept nogil:
    """Write the known successors of a new node where one player decides, by its actions; NO_NODE for unknown ones.

    The slots of the index are requested for all actions before the first is read. Returns the number of actions that
    were looked at: an end of the game that brings all there is makes the others needless.
    """
    cdef uint64_t *hashes = <uint64_t *> search.weights
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player
    cdef uint32_t i, count = 0
    cdef bint sought
    cdef uint64_t ending = actions_to_try(search, node.mover)
    if ending == 0:
        return 0
    for player in range(search.game.num_players + 1):
        joint[player] = NO_ACTION
    while count < node.num_choices:
        joint[node.mover] = node_actions(search.tree, node)[count]
        if not may_end(ending, joint[node.mover]):
            children[count] = NO_NODE
            count += 1
            continue
        sought = find_successor(search, joint, &children[count], &hashes[count])
        if has_failed(search.game):
            return count
        if sought:
            children[count] = TO_BE_FOUND
            prefetch_slot(search.tree, hashes[count])
        count += 1
        if not sought and brings_all(search, node, children[count - 1]):
            break
    for i in range(count):
        if children[i] == TO_BE_FOUND:
            children[i] = find_node(search.tree, hashes[i])
    return count


cdef void look_at_arms(search_t *search, node_t *node) noexcept nogil:
    """Take the arms of a new node whose successors are known; one that brings all there is makes the others needless.

    In a graph, arms of which something is known begin with that, and as wide as after one visit.
    """
    cdef uint32_t *children = <uint32_t *> search.expected
    cdef uint32_t other, child, arm, count = find_successors(search, node, children)
    if has_failed(search.game):
        return
    for other in range(count):
        child = children[other]
        if child == NO_NODE:
            continue
        if node.num_tried == node.capacity and not more_arms(search.tree, node):
            return
        arm = <uint32_t> take_untried(search.tree, node, other)
        arm_child(search.tree, node)[arm] = child
        arm_width(search.tree, node)[arm] = 1.0
        if not node_at(search.tree, child).flags & PROVEN:
            arm_mean(search.tree, node)[arm] = <float> (mean_for_mover(search, node, child) * VALUE_UNIT)
            continue
        arm_mean(search.tree, node)[arm] = PRUNED
        if brings_all(search, node, child):
            return


cdef void look_at_outcomes(search_t *search, node_t *node) noexcept nogil:
    """Link the outcomes of a new node where chance decides to their known successors."""
    cdef int32_t joint[MAX_ENTRIES]
    cdef int32_t player
    cdef uint32_t arm
    cdef uint64_t ending = actions_to_try(search, node.mover)
    for player in range(search.game.num_players):
        joint[player] = NO_ACTION
    for arm in range(node.num_choices):
        joint[node.mover] = node_actions(search.tree, node)[arm]
        if not may_end(ending, joint[node.mover]):
            continue
        arm_child(search.tree, node)[arm] = known_successor(search, joint)
        if has_failed(search.game):
            return


cdef void look_at_cells(search_t *search, node_t *node) noexcept nogil:
    """Link the joint actions of a node to their known successors."""
    cdef int32_t joint[MAX_ENTRIES]
    cdef block_t *rows = first_block(search.tree, node)
    cdef block_t *columns = next_block(rows)
    cdef uint32_t index, child
    cdef cell_t *cell
    cdef uint64_t row_ending = actions_to_try(search, rows.player)
    cdef uint64_t column_ending = actions_to_try(search, columns.player)
    if row_ending == 0 or column_ending == 0:
        return
    joint[search.game.num_players] = NO_ACTION
    for index in range(node.num_choices):
        joint[rows.player] = joint_action(rows)[index // <uint32_t> columns.count]
        joint[columns.player] = joint_action(columns)[index % <uint32_t> columns.count]
        if not may_end(row_ending, joint[rows.player]) or not may_end(column_ending, joint[columns.player]):
            continue
        if child_of_cell(search.tree, node, index) != NULL:
            continue
        child = known_successor(search, joint)
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
    cdef int32_t player
    for player in range(search.game.num_players + 1):
        joint[player] = NO_ACTION
    joint[node.mover] = node_actions(search.tree, node)[arm]
    arm_child(search.tree, node)[arm] = known_successor(search, joint)
    return arm_child(search.tree, node)[arm] != NO_NODE


cdef bint link_cells(search_t *search, node_t *node, uint32_t index, const int32_t *joint) noexcept nogil:
    """The same of a joint action, and, where there are not too many, of all others: often several lead to one state."""
    cdef uint32_t child = known_successor(search, joint)
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


cdef inline double promise(node_t *node, block_t *block, int32_t arm) noexcept nogil:
    """Return UCB1's bound of one player's arm, as if the other player were chance."""
    cdef int32_t visits = joint_visits(block)[arm]
    if visits == 0:
        return UNTRIED
    return (<double> joint_value(block)[arm] * VALUE_UNIT / visits
            + OPEN_EXPLORATION * sqrt(log(<double> node.visits) / visits))


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
    cdef double *row_bound = search.weights
    cdef double *column_bound = search.weights + rows.count
    cdef double *row_score = search.expected
    cdef double *column_score = search.expected + rows.count
    cdef double most = 0.0, least = ONE, highest = -1.0
    cdef node_t *child
    cdef bint found = False
    for i in range(rows.count):
        row_bound[i] = ONE
    for j in range(count):
        column_bound[j] = 0.0
    for i in range(rows.count):
        for j in range(count):
            child = child_of_cell(tree, node, <uint32_t> (i * count + j))
            row_bound[i] = min(row_bound[i], <double> ONE if child == NULL else <double> node_upper(tree, child)[0])
            if child != NULL:
                column_bound[j] = max(column_bound[j], <double> node_lower(tree, child)[0])
    for i in range(rows.count):
        most = max(most, row_bound[i])
    for j in range(count):
        least = min(least, column_bound[j])
        column_score[j] = promise(node, columns, j)
    for i in range(rows.count):
        row_score[i] = promise(node, rows, i) + (CANDIDATE if row_bound[i] == most else 0.0)
    for j in range(count):
        column_score[j] += CANDIDATE if column_bound[j] == least else 0.0
    for i in range(rows.count):
        for j in range(count):
            child = child_of_cell(tree, node, <uint32_t> (i * count + j))
            if row_score[i] + column_score[j] > highest and (child == NULL or not child.flags & PROVEN):
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


cdef bint mark_proven_arm(search_t *search, uint32_t index, uint32_t arm, const node_t *child) noexcept nogil:
    """Mark an arm whose child has been proven on another path. Return True if the node's bounds moved."""
    cdef node_t *node = node_at(search.tree, index)
    make_exact(search, node, arm, child)
    return tighten(&search.solver, search.tree, node)


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
    """Tighten the bounds of the first `depth` nodes on the path, from the last upwards as far as bounds move."""
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
        if child.flags & PROVEN:
            make_exact(search, node, search.path[depth].arm, child)
        if node.blocks > 1:
            node.flags |= HAS_BOUNDED_CELLS
        if not tighten(&search.solver, search.tree, node):
            return


cdef uint32_t leading_arm(const tree_t *tree, node_t *node) noexcept nogil:
    """Return the arm to play where one player decides: the most visited one, unless a lower bound exceeds its mean.

    At least one arm must have been tried.
    """
    cdef int32_t *visits = arm_visits(tree, node)
    cdef uint32_t *children = arm_child(tree, node)
    cdef int32_t sure = -1, lower
    cdef uint32_t arm, surest = 0, most = 0
    if not tree.bounded:
        for arm in range(1, node.num_tried):
            if visits[arm] > visits[most]:
                most = arm
        return most
    for arm in range(node.num_tried):
        lower = 0 if children[arm] == NO_NODE else node_lower(tree, node_at(tree, children[arm]))[node.mover]
        if lower > sure or (lower == sure and visits[arm] > visits[surest]):
            sure = lower
            surest = arm
    most = surest
    for arm in range(node.num_tried):
        if visits[arm] > visits[most] and arm_value(tree, node)[arm] >= <int64_t> sure * visits[arm] and (
                arm_mean(tree, node)[arm] >= 0.0 if children[arm] == NO_NODE
                else node_upper(tree, node_at(tree, children[arm]))[node.mover] > sure):
            most = arm
    return most
