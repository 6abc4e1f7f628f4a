from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game_table cimport MAX_PLAYERS
from ..primitives.bits cimport lowest64
from . cimport always_inline     # no-cython-lint: for its effect
from .search_state cimport SETS, TRANSPOSITIONS, mast_t, search_t
from .select_joint cimport (EXP3, REGRET_MATCHING, mixture_t, update_exp3,
                            update_regret_matching)
from .transpositions cimport visit_cell
from .tree cimport (AMAF_BLOCK, amaf_end, amaf_table, block_t, cell_sums, cell_t, claim_cell, first_block,
                    joint_value, joint_visits, next_block, node_t, tree_t)
from .values cimport VALUE_UNIT


cdef void update_joint(search_t *search, node_t *node, uint32_t index, bint unproven) noexcept nogil:
    """Add the value of the simulation to the arms of a joint action, after the node's own statistics.

    unproven: the joint action was not the policy's choice.
    """
    cdef mixture_t mixtures[MAX_PLAYERS]
    cdef block_t *block = first_block(search.tree, node)
    cdef uint32_t stride = node.num_choices
    cdef int32_t arm, player, i, room = 0
    cdef double gain
    cdef cell_t *cell = claim_cell(search.tree, node, index)
    if search.features & TRANSPOSITIONS:
        visit_cell(search, node, cell)
    elif cell != NULL:
        cell.visits += 1
        for player in range(search.game.num_players):
            cell_sums(cell)[player] += search.value[player]
    for i in range(node.blocks):
        stride //= <uint32_t> block.count
        arm = <int32_t> (index // stride % <uint32_t> block.count)
        joint_value(block)[arm] += search.value[block.player]
        joint_visits(block)[arm] += 1
        gain = <double> search.value[block.player] * VALUE_UNIT
        if search.config.joint_selection == EXP3 and not unproven:
            update_exp3(node, block, arm, gain, search.weights)
        mixtures[i].block = block
        mixtures[i].stride = stride
        mixtures[i].chosen = arm
        mixtures[i].arm = search.legal + room
        mixtures[i].weight = search.weights + room
        mixtures[i].expected = search.expected + room
        room += block.count
        block = next_block(block)
    if search.config.joint_selection == REGRET_MATCHING:
        update_regret_matching(search.tree, node, mixtures)


cdef inline void learn(mast_t *known, int64_t value) noexcept nogil:
    known.value += value
    known.visits += 1
    known.mean = <double> known.value / <double> known.visits


cdef void update_mast(search_t *search) noexcept nogil:
    """Add the value of the simulation to the statistics of its actions."""
    cdef int32_t i, player, word
    cdef uint64_t rest
    cdef mast_t *known = search.mast
    if not search.features & SETS:
        for i in range(search.num_recorded):
            player = search.recorded[i].player
            learn(&search.mast[player * search.game.num_actions + search.recorded[i].action], search.value[player])
        return
    for player in range(search.game.num_players):
        for word in range(search.played_words):
            rest = search.played[player * search.played_words + word]
            while rest:
                learn(&known[64 * word + lowest64(rest)], search.value[player])
                rest &= rest - 1
        known += search.game.num_actions


cdef void halve_amaf(const tree_t *tree, node_t *node) noexcept nogil:
    """Halve AMAF statistics, so that they stay exact; means do not change."""
    cdef float *table = amaf_table(tree, node, 0)
    cdef int32_t i
    amaf_end(tree, node).updates = 0
    for i in range(AMAF_BLOCK * tree.amaf_blocks * tree.num_players):
        table[i] *= <float> 0.5
