from libc.stdint cimport int32_t, uint32_t

from ..game.game_table cimport MAX_PLAYERS
from . cimport always_inline     # no-cython-lint: for its effect
from .policies.joint_selection_table cimport LEARNS_FROM_ANY
from .search_state cimport TRANSPOSITIONS, search_t
from .transpositions cimport visit_cell
from .tree cimport (AMAF_BLOCK, amaf_end, amaf_table, block_t, cell_sums, cell_t, claim_cell, first_block,
                    joint_value, joint_visits, next_block, node_t, tree_t)


cdef void update_joint(search_t *search, node_t *node, uint32_t index, bint unproven) noexcept nogil:
    """Add the value of the simulation to the arms of a joint action, after the node's own statistics.

    unproven: the joint action was not the policy's choice.
    """
    cdef int32_t chosen[MAX_PLAYERS]
    cdef block_t *block = first_block(search.tree, node)
    cdef uint32_t stride = node.num_choices
    cdef int32_t arm, player, i
    cdef uint32_t needs = search.config.joint_selection.needs
    cdef cell_t *cell = claim_cell(search.tree, node, index)
    if search.features & TRANSPOSITIONS:
        visit_cell(search, node, cell)
    elif cell != NULL:
        cell.visits += 1
        for player in range(search.game.num_players):
            cell_sums(cell)[player] += search.value[player]
    for i in range(node.blocks):
        stride //= <uint32_t> block.count
        arm = chosen[i] = <int32_t> (index // stride % <uint32_t> block.count)
        joint_value(block)[arm] += search.value[block.player]
        joint_visits(block)[arm] += 1
        block = next_block(block)
    if search.config.joint_selection.update != NULL and (not unproven or needs & LEARNS_FROM_ANY):
        search.joint.node = node
        search.joint.chosen = chosen
        search.config.joint_selection.update(&search.joint)


cdef void halve_amaf(const tree_t *tree, node_t *node) noexcept nogil:
    """Halve AMAF statistics, so that they stay exact; means do not change."""
    cdef float *table = amaf_table(tree, node, 0)
    cdef int32_t i
    amaf_end(tree, node).updates = 0
    for i in range(AMAF_BLOCK * tree.amaf_blocks * tree.num_players):
        table[i] *= <float> 0.5
