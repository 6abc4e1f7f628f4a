"""The statistics of a search as Python data: rows of the root, the principal variation, the tree.

Nothing here changes the search. `Search` keeps everybody else out meanwhile.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t

from ..game cimport State
from ..game_table cimport MAX_PLAYERS, NO_ACTION, game_t
from .bounds cimport solve_cells
from .proofs cimport leading_arm
from .search_state cimport SYMMETRIES, search_t
from .select_joint cimport EXP3, REGRET_MATCHING
from .transpositions cimport mean_for_mover
from .tree cimport (NO_NODE, PROVEN, arm_child, arm_value, arm_visits, block_t, cell_in_slot, cell_sums, cell_t,
                    find_cell, first_block, joint_action, joint_strategy, joint_value, joint_visits, next_block,
                    node_actions, node_at, node_lower, node_sums, node_t, node_upper, tree_t)
from .values cimport VALUE_UNIT

from collections import namedtuple
from heapq import heappop, heappush

ArmRow = namedtuple("ArmRow", "action visits value weight lower upper")
ArmRow.__doc__ = """The statistics of one action at the root.

    action: the action.
    visits: simulations that chose it.
    value: sum of their values to the player who decides, in [0, 1] each.
    weight: share in the mixed strategy, not normalised.
    lower, upper: proven bounds of the value to the player who decides; 0 and 1 where nothing is proven.
    """


cdef list read_bounds(search_t *search):
    """Return the proven (lower, upper) bounds of the root's value in [0, 1], per player."""
    cdef tree_t *tree = search.tree
    cdef node_t *root = node_at(tree, search.root)
    cdef int32_t player
    if not tree.bounded:
        return [(0.0, 1.0)] * search.game.num_players
    return [(node_lower(tree, root)[player] * VALUE_UNIT, node_upper(tree, root)[player] * VALUE_UNIT)
            for player in range(search.game.num_players)]


cdef list read_value_sums(search_t *search):
    """Return the sum over simulations of values in [0, 1], per player."""
    cdef node_t *root = node_at(search.tree, search.root)
    cdef int32_t player
    return [<double> node_sums(root)[player] * VALUE_UNIT for player in range(search.game.num_players)]


cdef list exact_strategies(search_t *search, node_t *node):
    """Return the players' optimal strategies at a proven node where two decide at once; None at other nodes.

    The strategy of the first player is optimal against the lower bounds of the cells, that of the second against the
    upper bounds. If the value is proven, each secures it whatever the values of the open cells are.
    """
    cdef double *strategies[2]
    cdef block_t *block = first_block(search.tree, node)
    cdef int32_t arm
    cdef bint side
    if not (node.flags & PROVEN and node.blocks == 2):
        return None
    found = []
    for side in range(2):
        if not solve_cells(&search.solver, search.tree, node, side, strategies):
            raise MemoryError
        found.append([strategies[side][arm] for arm in range(block.count)])
        block = next_block(block)
    return found


cdef list single_rows(search_t *search, node_t *node):
    """Return the rows of a node where one player decides, in the order of its arms."""
    cdef tree_t *tree = search.tree
    cdef uint32_t arm
    rows = []
    for arm in range(node.num_choices):
        action = node_actions(tree, node)[arm]
        lower, upper = 0.0, 1.0
        if arm < node.num_tried:
            visits = arm_visits(tree, node)[arm]
            child = arm_child(tree, node)[arm]
            if tree.bounded and child != NO_NODE:
                lower = node_lower(tree, node_at(tree, child))[node.mover] * VALUE_UNIT
                upper = node_upper(tree, node_at(tree, child))[node.mover] * VALUE_UNIT
            value = arm_value(tree, node)[arm] * VALUE_UNIT
            if tree.graph and child != NO_NODE:     # other paths may have visited it since the arm was last taken
                value = <int64_t> mean_for_mover(search, node, child) * visits * VALUE_UNIT
            rows.append(ArmRow(action, visits, value, float(visits), lower, upper))
        else:
            rows.append(ArmRow(action, 0, 0.0, 0.0, lower, upper))
    return rows


cdef list block_rows(search_t *search, block_t *block):
    """Return the rows of one player where several decide, in the order of its arms."""
    cdef int32_t arm
    averaged = search.config.joint_selection in (REGRET_MATCHING, EXP3)
    return [ArmRow(joint_action(block)[arm], joint_visits(block)[arm], joint_value(block)[arm] * VALUE_UNIT,
                   joint_strategy(block)[arm] if averaged else float(joint_visits(block)[arm]), 0.0, 1.0)
            for arm in range(block.count)]


cdef dict read_root_arms(search_t *search):
    """Return player -> list of ArmRow by ascending action, for the root. See `Search.root_arms`."""
    cdef tree_t *tree = search.tree
    cdef node_t *root = node_at(tree, search.root)
    cdef block_t *block = first_block(tree, root)
    cdef int32_t _
    if root.blocks == 1:
        return {root.mover: sorted(single_rows(search, root))}
    found = {}
    exact = exact_strategies(search, root)
    for _ in range(root.blocks):
        rows = block_rows(search, block)
        if exact is not None:
            rows = [row._replace(weight=weight) for row, weight in zip(rows, exact[len(found)], strict=True)]
        found[block.player] = sorted(rows)
        block = next_block(block)
    return found


cdef list read_principal_variation(search_t *search, State state, int32_t first):
    """Return the line of most visits or weight. See `Search.principal_variation`.

    state: a copy of the state of the root, which is played on.
    """
    cdef tree_t *tree = search.tree
    cdef const game_t *game = search.game
    cdef uint32_t at = search.root, index, arm
    cdef int32_t joint[MAX_PLAYERS]
    cdef int32_t player, symmetry = 0
    cdef node_t *node
    cdef block_t *block
    cdef cell_t *cell
    line = []
    passed = set()
    if node_at(tree, at).blocks != 1:
        first = NO_ACTION
    if first != NO_ACTION and first not in state.legal_actions():
        raise ValueError(f"first={first} is not legal at the root; valid: {state.legal_actions()}")
    while at != NO_NODE and at not in passed:
        passed.add(at)
        node = node_at(tree, at)
        if first == NO_ACTION and node.num_tried == 0:   # the end of the game, or a node whose arms are all untried
            break
        for player in range(game.num_players):
            joint[player] = NO_ACTION
        if node.blocks == 1 and first != NO_ACTION:
            joint[node.mover] = first
            at = NO_NODE
            for arm in range(node.num_tried):
                if node_actions(tree, node)[arm] == first:
                    at = arm_child(tree, node)[arm]
            first = NO_ACTION
        elif node.blocks == 1:
            index = leading_arm(tree, node)
            joint[node.mover] = node_actions(tree, node)[index]
            at = arm_child(tree, node)[index]
        else:
            index = 0
            block = first_block(tree, node)
            exact = exact_strategies(search, node)
            for player in range(node.blocks):
                weights = [row.weight for row in block_rows(search, block)] if exact is None else exact[player]
                arm = weights.index(max(weights))
                joint[block.player] = joint_action(block)[arm]
                index = index * <uint32_t> block.count + arm
                block = next_block(block)
            cell = find_cell(tree, node, index)
            at = NO_NODE if cell == NULL else cell.child
        if symmetry:            # the actions of the node are those of the canonical state
            for player in range(game.num_players):
                if joint[player] != NO_ACTION:
                    joint[player] = {state.game.transform_action(symmetry, player, action): action
                                     for action in state.legal_actions(player)}[joint[player]]
        line.append(tuple([joint[player] for player in range(game.num_players)]))
        if search.features & SYMMETRIES:
            state.apply_actions(line[-1])
            symmetry = state.canonical()[1]
    return line


cdef dict read_tree(search_t *search, int max_depth, int64_t max_nodes):
    """Return the tree at and below the root, the most visited first. See `Search.tree`."""
    cdef tree_t *tree = search.tree
    cdef uint32_t index, key, at
    cdef int32_t player, digit, num_players = search.game.num_players
    cdef node_t *node
    cdef block_t *block
    cdef cell_t *cell
    found, order = None, 0
    open_arms = [(0, 0, 0, None, None, search.root)]
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
            if node.blocks == 0:            # the end of the game: the node does not count
                entry["visits"] = arm["visits"]
        entry["acting"] = [player for player in range(num_players) if node.acting >> player & 1]
        if node.visits:
            entry["values"] = [node_sums(node)[player] * VALUE_UNIT / node.visits for player in range(num_players)]
        if tree.bounded:
            entry["bounds"] = [(node_lower(tree, node)[player] * VALUE_UNIT,
                                node_upper(tree, node)[player] * VALUE_UNIT) for player in range(num_players)]
        rows = []
        if node.blocks == 1:
            for at in range(node.num_tried):
                visits = arm_visits(tree, node)[at]
                if visits:
                    joint, values = [NO_ACTION] * num_players, [None] * num_players
                    joint[node.mover] = node_actions(tree, node)[at]
                    values[node.mover] = arm_value(tree, node)[at] * VALUE_UNIT / visits
                    rows.append((visits, joint, values, arm_child(tree, node)[at]))
        elif node.blocks > 1:
            exact = exact_strategies(search, node)
            block = first_block(tree, node)
            for digit in range(node.blocks):
                entry["blocks"].append((block.player, [
                    (row.action, row.visits, row.weight if exact is None else exact[digit][number])
                    for number, row in enumerate(block_rows(search, block))]))
                block = next_block(block)
            for at in range(node.capacity):
                cell = cell_in_slot(tree, node, at)
                if cell.key and cell.visits:
                    joint, key = [NO_ACTION] * num_players, cell.key - 1
                    for player, actions in reversed(entry["blocks"]):
                        joint[player] = actions[key % <uint32_t> len(actions)][0]
                        key //= <uint32_t> len(actions)
                    values = [cell_sums(cell)[player] * VALUE_UNIT / cell.visits for player in range(num_players)]
                    rows.append((cell.visits, joint, values, cell.child))
        entry["left_out"] = len(rows)
        if depth < max_depth:
            for visits, joint, values, child in rows:
                order += 1
                below = {"joint": joint, "visits": visits, "values": values, "child": None}
                heappush(open_arms, (-visits, order, depth + 1, entry, below, child))
    return found
