"""Reading a search: weights of mixed strategies, the principal variation, and the tree as Python data.

Nothing here changes the search. `Search` keeps everybody else out meanwhile.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t

from ..game.game_table cimport NO_ACTION, clear_joint, copy_state, game_t, has_failed
from ..primitives.growing cimport resize
from .bounds cimport solve_cells
from .graph cimport mean_of_node
from .halving cimport best_considered
from .policies.joint_selection_table cimport HAS_STRATEGY
from .search_state cimport GAME_FAILED, OUT_OF_MEMORY, SYMMETRIES, TRANSPOSITIONS, search_t
from .tree cimport (CHANCE_NODE, NO_NODE, PROVEN, arm_child, arm_mean, arm_value, arm_visits, block_t, cell_in_slot,
                    cell_sums, cell_t, find_cell, first_block, joint_action, joint_strategy, joint_visits, next_block,
                    node_actions, node_at, node_lower, node_sums, node_t, node_upper, node_weights, tree_t)
from .values cimport ONE, VALUE_UNIT

from heapq import heappop, heappush


cdef row_t row_of(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    """Return the statistics of an arm where one player decides; the weight is the number of visits."""
    cdef tree_t *tree = search.tree
    cdef uint32_t child = NO_NODE
    cdef row_t row
    row.action = node_actions(tree, node)[arm]
    row.visits = 0
    row.value = 0
    row.lower = 0
    row.upper = ONE
    if arm < node.num_tried:
        row.visits = arm_visits(tree, node)[arm]
        row.value = arm_value(tree, node)[arm]
        child = arm_child(tree, node)[arm]
        if tree.bounded and child != NO_NODE:
            row.lower = node_lower(tree, node_at(tree, child))[node.mover]
            row.upper = node_upper(tree, node_at(tree, child))[node.mover]
        elif tree.bounded and arm_mean(tree, node)[arm] < 0.0:      # pruned before its child was freed
            row.upper = node_lower(tree, node)[node.mover]
        if tree.graph and child != NO_NODE:     # other paths may have visited it since the arm was last taken
            row.value = <int64_t> mean_of_node(search.tree, node_at(search.tree, child), node.mover) * row.visits
    row.weight = row.visits
    return row


cdef uint32_t leading_arm(search_t *search, node_t *node, int32_t wanted) noexcept nogil:
    """Return the arm to play where one player decides: the twin of `best_action(arms, "visits")` in Python.

    wanted: the action if it may be best; or NO_ACTION.
    """
    cdef row_t row, sure = row_of(search, node, 0), best
    cdef uint32_t arm, surest = 0, most
    for arm in range(1, node.num_choices):
        row = row_of(search, node, arm)
        if row.lower > sure.lower or (row.lower == sure.lower and (row.visits > sure.visits or (
                row.visits == sure.visits and row.action < sure.action))):
            sure = row
            surest = arm
    best = sure
    most = surest
    for arm in range(node.num_choices):
        row = row_of(search, node, arm)
        if arm != surest and (row.visits == 0 or row.upper <= sure.lower
                              or row.value < <int64_t> sure.lower * row.visits):
            continue
        if row.action == wanted:
            return arm
        if row.visits > best.visits or (row.visits == best.visits and (
                row.value > best.value or (row.value == best.value and row.action < best.action))):
            best = row
            most = arm
    return most


cdef int copy_weights(search_t *search, node_t *node, block_t *block, int32_t number, double *weights) noexcept nogil:
    """Write the weights of a player's actions in the mixed strategy, in the order of its arms.

    The weights are exact at a proven node where two decide at once, else those of the average strategy where the policy
    has one, else numbers of visits. The exact strategy of the first player is optimal against the lower bounds of the
    cells, that of the second against the upper bounds. If the value is proven, each secures it whatever the values of
    the open cells are.

    Args:
        number: of the block, from 0.
        weights: [block.count].

    Returns:
        0, or OUT_OF_MEMORY.
    """
    cdef double *strategies[2]
    cdef bint averaged = search.config.joint_selection.needs & HAS_STRATEGY != 0
    cdef int32_t arm
    if node.flags & PROVEN and node.blocks == 2:
        if not solve_cells(&search.solver, search.tree, node, number == 1, strategies):
            return OUT_OF_MEMORY
        for arm in range(block.count):
            weights[arm] = strategies[number][arm]
    else:
        for arm in range(block.count):
            weights[arm] = joint_strategy(block)[arm] if averaged else <double> joint_visits(block)[arm]
    return 0


cdef int32_t *add_to_line(line_t *line, uint32_t node, int32_t num_players) noexcept nogil:
    """Append a step at a node, in which nobody acts yet. Return its joint action, or NULL without memory."""
    cdef int32_t capacity = 2 * line.capacity if line.capacity else 16
    cdef int32_t *steps
    if line.length == line.capacity:
        if not resize(&line.steps, sizeof(int32_t) * (num_players + 2) * <size_t> capacity):
            return NULL
        line.capacity = capacity
    steps = line.steps + <int64_t> line.length * (num_players + 2)
    steps[0] = <int32_t> node
    clear_joint(steps + 1, num_players + 1)
    line.length += 1
    return steps + 1


cdef bint has_passed(const line_t *line, uint32_t node, int32_t num_players) noexcept nogil:
    """Return True if a node is on a line."""
    cdef int32_t at
    for at in range(line.length):
        if line.steps[<int64_t> at * (num_players + 2)] == <int32_t> node:
            return True
    return False


cdef uint32_t lead_single(search_t *search, node_t *node, int32_t first, int32_t *joint) noexcept nogil:
    """Write the leading action of the one deciding player, or `first`. Return the node below, or NO_NODE."""
    cdef tree_t *tree = search.tree
    cdef uint32_t arm
    cdef bint is_considered = search.halving.most and node == node_at(tree, search.root)
    if first == NO_ACTION:
        arm = leading_arm(search, node, best_considered(search, node) if is_considered else NO_ACTION)
    else:
        arm = 0
        while node_actions(tree, node)[arm] != first:
            arm += 1
    joint[node.mover] = node_actions(tree, node)[arm]
    return arm_child(tree, node)[arm] if arm < node.num_tried else NO_NODE


cdef int lead_joint(search_t *search, node_t *node, int32_t *joint, uint32_t *below) noexcept nogil:
    """Write each deciding player's action of the highest weight. Return 0, or OUT_OF_MEMORY.

    below: receives the node below, or NO_NODE.
    """
    cdef block_t *block = first_block(search.tree, node)
    cdef double *weights = search.weights
    cdef uint32_t index = 0
    cdef int32_t number, arm, best
    cdef cell_t *cell
    for number in range(node.blocks):
        if copy_weights(search, node, block, number, weights) != 0:
            return OUT_OF_MEMORY
        best = 0
        for arm in range(1, block.count):
            if weights[arm] > weights[best]:
                best = arm
        joint[block.player] = joint_action(block)[best]
        index = index * <uint32_t> block.count + <uint32_t> best
        block = next_block(block)
    cell = find_cell(search.tree, node, index)
    below[0] = NO_NODE if cell == NULL else cell.child
    return 0


cdef void follow_symmetry(search_t *search, int32_t symmetry, int32_t *joint) noexcept nogil:
    """Replace the actions of the canonical form of a state, `search.state`, by those of the state itself."""
    cdef const game_t *game = search.game
    cdef uint32_t acting = game.acting(game, search.state)
    cdef int32_t player, i
    if symmetry == 0:
        return
    for player in range(game.num_players):
        if (acting >> player) & 1:
            for i in range(game.legal_actions(game, search.state, player, search.legal)):
                if game.transform_action(game, symmetry, player, search.legal[i]) == joint[player]:
                    joint[player] = search.legal[i]
                    break


cdef uint32_t most_visited_outcome(const tree_t *tree, node_t *node) noexcept nogil:
    """Return the arm of most visits where chance decides, the first of them."""
    cdef uint32_t arm, most = 0
    for arm in range(1, node.num_choices):
        if arm_visits(tree, node)[arm] > arm_visits(tree, node)[most]:
            most = arm
    return most


cdef int find_line(search_t *search, int32_t first, line_t *line) noexcept nogil:
    """Find the line of most visits or weight from the root. See `Search.principal_variation`.

    Args:
        first: the first action, where one player decides at the root; or NO_ACTION.
        line: an empty line; the caller frees its steps, also after an error.

    Returns:
        0, OUT_OF_MEMORY, or GAME_FAILED.
    """
    cdef tree_t *tree = search.tree
    cdef const game_t *game = search.game
    cdef uint32_t at = search.root, below, outcome = 0
    cdef int32_t symmetry = 0
    cdef int32_t *joint
    cdef node_t *node
    if node_at(tree, at).blocks != 1 or node_at(tree, at).flags & CHANCE_NODE:
        first = NO_ACTION
    if search.features & SYMMETRIES:
        copy_state(game, search.state, search.root_state)
    while at != NO_NODE and not (search.features & TRANSPOSITIONS and has_passed(line, at, game.num_players)):
        node = node_at(tree, at)
        if first == NO_ACTION and node.num_tried == 0:   # the end of the game, or a node whose arms are all untried
            break
        if node.flags & CHANCE_NODE:
            outcome = most_visited_outcome(tree, node)
            if arm_visits(tree, node)[outcome] == 0:
                break
        joint = add_to_line(line, at, game.num_players)
        if joint == NULL:
            return OUT_OF_MEMORY
        if node.flags & CHANCE_NODE:
            joint[game.num_players] = node_actions(tree, node)[outcome]
            below = arm_child(tree, node)[outcome]
        elif node.blocks == 1:
            below = lead_single(search, node, first, joint)
        elif lead_joint(search, node, joint, &below) != 0:
            return OUT_OF_MEMORY
        first = NO_ACTION
        at = below
        if search.features & SYMMETRIES:
            follow_symmetry(search, symmetry, joint)
            game.apply(game, search.state, joint)
            copy_state(game, search.trial, search.state)
            symmetry = game.canonical(game, search.trial)
            if has_failed(game):
                return GAME_FAILED
    return 0


cdef list line_joints(const line_t *line, int32_t num_players):
    """Return a line as a list of joint actions, tuples with NO_ACTION for players who do not decide.

    Where chance decides, the outcome follows.
    """
    cdef int32_t at, player, entries
    cdef const int32_t *joint
    joints = []
    for at in range(line.length):
        joint = line.steps + <int64_t> at * (num_players + 2) + 1
        entries = num_players if joint[num_players] == NO_ACTION else num_players + 1
        joints.append(tuple([joint[player] for player in range(entries)]))
    return joints


cdef list read_arms(search_t *search, node_t *node, list blocks):
    """Return the visited arms of a node: lists of visits, joint action, values, child, and probability of an outcome.

    Where several players decide, their blocks are appended to `blocks`. See `Search.tree`.
    """
    cdef tree_t *tree = search.tree
    cdef uint32_t key, at
    cdef int32_t player, digit, choice, num_players = search.game.num_players
    cdef block_t *block
    cdef cell_t *cell
    rows = []
    if node.flags & CHANCE_NODE:
        total = sum([node_weights(tree, node)[at] for at in range(node.num_choices)])
        for at in range(node.num_choices):
            visits = arm_visits(tree, node)[at]
            if visits:
                joint = [NO_ACTION] * num_players + [node_actions(tree, node)[at]]
                chance = node_weights(tree, node)[at] / total
                rows.append((visits, joint, [None] * num_players, arm_child(tree, node)[at], chance))
    elif node.blocks == 1:
        for at in range(node.num_tried):
            visits = arm_visits(tree, node)[at]
            if visits:
                joint, values = [NO_ACTION] * num_players, [None] * num_players
                joint[node.mover] = node_actions(tree, node)[at]
                values[node.mover] = arm_value(tree, node)[at] * VALUE_UNIT / visits
                rows.append((visits, joint, values, arm_child(tree, node)[at], None))
    elif node.blocks > 1:
        block = first_block(tree, node)
        for digit in range(node.blocks):
            if copy_weights(search, node, block, digit, search.weights) != 0:
                raise MemoryError
            blocks.append((block.player, [
                (joint_action(block)[choice], joint_visits(block)[choice], search.weights[choice])
                for choice in range(block.count)]))
            block = next_block(block)
        for at in range(node.capacity):
            cell = cell_in_slot(tree, node, at)
            if cell.key and cell.visits:
                joint, key = [NO_ACTION] * num_players, cell.key - 1
                for player, actions in reversed(blocks):
                    joint[player] = actions[key % <uint32_t> len(actions)][0]
                    key //= <uint32_t> len(actions)
                values = [cell_sums(cell)[player] * VALUE_UNIT / cell.visits for player in range(num_players)]
                rows.append((cell.visits, joint, values, cell.child, None))
    return rows


cdef dict read_tree(search_t *search, int max_depth, int64_t max_nodes, path):
    """Return the tree at and below the end of a path, the most visited first. See `Search.tree`."""
    cdef tree_t *tree = search.tree
    cdef uint32_t index = search.root
    cdef int32_t player, num_players = search.game.num_players
    cdef node_t *node
    found, order, visits = None, 0, 0
    for step in path:
        for row in read_arms(search, node_at(tree, index), []):
            if row[1] == step and row[3] != NO_NODE:
                visits, index = row[0], row[3]
                break
        else:
            return None
    open_arms = [(0, 0, 0, None, None, index)]
    while open_arms and max_nodes > 0:
        _, _, depth, parent, arm, index = heappop(open_arms)
        max_nodes -= 1
        if arm is not None:
            parent["arms"].append(arm)
            parent["left_out"] -= 1
        if index == NO_NODE:
            continue
        node = node_at(tree, index)
        entry = {"visits": node.visits, "acting": [], "values": None, "bounds": None, "blocks": [], "arms": [],
                 "left_out": 0}
        if arm is None:
            found = entry
            entry["symmetries"] = bool(search.features & SYMMETRIES)
        else:
            arm["child"] = entry
        if node.blocks == 0:                # the end of the game: the node does not count
            entry["visits"] = visits if arm is None else arm["visits"]
        entry["acting"] = [player for player in range(num_players) if node.acting >> player & 1]
        if node.visits:
            entry["values"] = [node_sums(node)[player] * VALUE_UNIT / node.visits for player in range(num_players)]
        if tree.bounded:
            entry["bounds"] = [(node_lower(tree, node)[player] * VALUE_UNIT,
                                node_upper(tree, node)[player] * VALUE_UNIT) for player in range(num_players)]
        rows = read_arms(search, node, entry["blocks"])
        entry["left_out"] = len(rows)
        if depth < max_depth:
            for visits, joint, values, child, chance in rows:
                order += 1
                below = {"joint": joint, "probability": chance, "visits": visits, "values": values, "child": None}
                heappush(open_arms, (-visits, order, depth + 1, entry, below, child))
    return found
