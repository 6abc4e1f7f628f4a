"""The root of a search when the game continues: the node below it, and its actions in a graph of symmetric states."""
from libc.stdint cimport int32_t, uint32_t

from ..game.game_table cimport copy_state, game_t
from .search_state cimport search_t
from .tree cimport (CHANCE_NODE, NO_NODE, arm_child, block_t, cell_t, find_cell, first_block, joint_action, next_block,
                    node_actions, node_at, node_graph, node_t)


cdef uint32_t child_of_root(search_t *search, const int32_t *joint) noexcept:
    """Return the node below the root after a legal joint action, or NO_NODE."""
    cdef node_t *root = node_at(search.tree, search.root)
    cdef block_t *block = first_block(search.tree, root)
    cdef uint32_t index = 0
    cdef int32_t arm, _
    cdef cell_t *cell
    if root.blocks == 1:
        for arm in range(<int32_t> root.num_tried):
            if node_actions(search.tree, root)[arm] == joint[root.mover]:
                return arm_child(search.tree, root)[arm]
        return NO_NODE
    for _ in range(root.blocks):
        arm = 0
        while joint_action(block)[arm] != joint[block.player]:
            arm += 1
        index = index * <uint32_t> block.count + <uint32_t> arm
        block = next_block(block)
    cell = find_cell(search.tree, root, index)
    return NO_NODE if cell == NULL else cell.child


cdef dict actual_actions(search_t *search, int32_t symmetry, int32_t player):
    """Return canonical action -> actual action, for a player at the root."""
    cdef const game_t *game = search.game
    cdef int32_t i, count = game.legal_actions(game, search.root_state, player, search.legal)
    return {game.transform_action(game, symmetry, player, search.legal[i]): search.legal[i] for i in range(count)}


cdef int map_root_actions(search_t *search) except -1:
    """Map the actions of the new root from the canonical state back to the actual state.

    No other path leads to the root any more.
    """
    cdef node_t *root = node_at(search.tree, search.root)
    cdef block_t *block = first_block(search.tree, root)
    cdef const game_t *game = search.game
    cdef int32_t symmetry, arm, _
    copy_state(game, search.state, search.root_state)
    symmetry = game.canonical(game, search.state)
    if symmetry == 0 or root.blocks == 0 or root.flags & CHANCE_NODE:     # symmetries keep outcomes
        return 0
    node_graph(search.tree, root).hash = game.hash(game, search.root_state)
    if root.blocks == 1:
        names = actual_actions(search, symmetry, root.mover)
        for arm in range(<int32_t> root.num_choices):
            node_actions(search.tree, root)[arm] = names[node_actions(search.tree, root)[arm]]
        return 0
    for _ in range(root.blocks):
        names = actual_actions(search, symmetry, block.player)
        for arm in range(block.count):
            joint_action(block)[arm] = names[joint_action(block)[arm]]
        block = next_block(block)
    return 0
