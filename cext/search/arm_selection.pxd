"""The phase of a simulation that selects an arm, or a joint action, at a node of its walk.

Inline functions take `features` as the walk does (see simulation.pyx). All other functions stay out of it.
"""
from libc.stdint cimport int32_t, uint32_t

from .bounds cimport tighten
from .descent cimport descent_t
from .proofs cimport link_arm, make_exact
from .search_state cimport BY_TABLE, GRAVE, HAS_CHANCE, PREFER_UNPROVEN, SELECTION, TRANSPOSITIONS, search_t
from .select_grave cimport has_arms_by_action, select_grave, select_own
from .select_single cimport ROOTS, WIDTHS, root_log, select_ucb1, select_untried, take_untried
from .transpositions cimport is_full_visit
from .tree cimport (CHANCE_NODE, HAS_BOUNDED_CELLS, NO_NODE, PROVEN, amaf_table, arm_child, arm_mean, more_arms,
                    node_at, node_lower, node_t, node_upper, tree_t)

cdef float sqrt_log[ROOTS]         # sqrt(ln N), for the exploration terms of UCB1 and GRAVE
cdef float inverse_root[WIDTHS]     # 1 / sqrt(n), the width of an arm

cdef uint32_t select_by_policy(search_t *search, node_t *node, bint room, uint32_t amaf_node) noexcept nogil
cdef void fill_arm_widths(const tree_t *tree, node_t *node) noexcept nogil
cdef uint32_t select_outcome(search_t *search, node_t *node) noexcept nogil
cdef uint32_t select_joint(search_t *search, node_t *node, int32_t *joint) noexcept nogil
cdef uint32_t select_unproven_joint(search_t *search, node_t *node, int32_t *joint, bint *unproven,
                                    bint *moved) noexcept nogil


cdef inline float grave_weight(const search_t *search, const node_t *node) noexcept nogil:
    """Return the weight of GRAVE's exploration term at a node."""
    cdef bint is_root = node == node_at(search.tree, search.root)
    cdef float weight = search.config.root_exploration if is_root else search.config.grave_exploration
    return 0.0 if weight == 0.0 else weight * root_log(sqrt_log, node.visits)


cdef inline uint32_t select_single(search_t *search, uint32_t features, node_t *node,
                                   uint32_t amaf_node) noexcept nogil:
    """Return the arm of the one deciding player: every arm once, then by the policy."""
    cdef bint room = (node.num_tried < node.num_choices
                      and (node.num_tried < node.capacity or more_arms(search.tree, node)))
    cdef int32_t arm
    cdef float *table
    cdef float weight
    if features & SELECTION == BY_TABLE:
        return select_by_policy(search, node, room, amaf_node)
    if features & SELECTION == GRAVE and amaf_node != NO_NODE:
        table = amaf_table(search.tree, node_at(search.tree, amaf_node), node.mover)
        weight = grave_weight(search, node)
        if has_arms_by_action(search.tree, node) and (room or node.num_tried == node.num_choices):
            arm = select_own(search.tree, node, table, weight)
        else:
            arm = select_grave(search.tree, node, room, table, weight)
        return arm if arm < <int32_t> node.num_tried else take_untried(search.tree, node, arm)
    if room:
        return select_untried(search.tree, node, &search.rng)
    if features & SELECTION == GRAVE and not features & TRANSPOSITIONS:
        fill_arm_widths(search.tree, node)
    return select_ucb1(search.tree, node, sqrt_log, <float> search.config.exploration)


cdef inline bint changes_bounds(const tree_t *tree, node_t *node, node_t *child) noexcept nogil:
    """Return True if a child's bounds, moved on other paths, raise the value of a node or rule its arm out.

    One player decides at the node, and its opponent has opposite interests. The other bounds wait for a full visit:
    to look at all children at every visit would take more time than all else.
    """
    return (node_lower(tree, child)[node.mover] > node_lower(tree, node)[node.mover]
            or node_upper(tree, child)[node.mover] <= node_lower(tree, node)[node.mover])


cdef inline uint32_t select_unproven_arm(search_t *search, uint32_t features, uint32_t index, uint32_t amaf_node,
                                         bint *moved) noexcept nogil:
    """Select as `select_single`, and pass over arms that have been proven on other paths.

    What has been proven tightens the node's bounds, which may prove the node itself and ends the selection. At the
    memory cap all tried arms may be proven while others cannot be tried: then a proven arm is returned.
    moved: set when its bounds move.
    """
    cdef node_t *node = node_at(search.tree, index)
    cdef uint32_t arm
    cdef bint pruned, looked = False
    cdef node_t *child
    while True:
        arm = select_single(search, features, node, amaf_node)
        if arm_child(search.tree, node)[arm] == NO_NODE:
            if not features & TRANSPOSITIONS or not link_arm(search, node, arm):
                return arm
        child = node_at(search.tree, arm_child(search.tree, node)[arm])
        pruned = arm_mean(search.tree, node)[arm] < 0.0
        if child.flags & PROVEN:
            make_exact(search, node, arm, child)
        elif not features & TRANSPOSITIONS or looked or not changes_bounds(search.tree, node, child):
            return arm
        else:
            looked = True       # once is enough: all arms are ruled out at once
        if tighten(&search.solver, search.tree, node):
            moved[0] = True
        if pruned or node.flags & PROVEN:
            return arm


cdef inline bint reads_all_bounds(const node_t *node) noexcept nogil:
    """Return True at a visit that begins with the bounds of all children, which other paths may have moved."""
    if node.blocks == 1:
        return is_full_visit(node)
    return node.flags & HAS_BOUNDED_CELLS != 0


cdef inline uint32_t select(search_t *search, uint32_t features, uint32_t index, int32_t *joint,
                            descent_t *descent) noexcept nogil:
    """Select an arm, or a joint action, at a node of the walk; with the solver the node may turn out to be proven."""
    cdef node_t *node = node_at(search.tree, index)
    cdef bint moved
    cdef uint32_t arm = 0
    if features & HAS_CHANCE and node.flags & CHANCE_NODE:
        return select_outcome(search, node)
    if not features & PREFER_UNPROVEN:
        if node.blocks == 1:
            return select_single(search, features, node, descent.amaf_node)
        return select_joint(search, node, joint)
    moved = features & TRANSPOSITIONS and reads_all_bounds(node) and tighten(&search.solver, search.tree, node)
    if not node.flags & PROVEN:
        if node.blocks == 1:
            arm = select_unproven_arm(search, features, index, descent.amaf_node, &moved)
        else:
            arm = select_unproven_joint(search, node, joint, &descent.unproven, &moved)
    if moved:
        descent.moved_depth = descent.depth
    return arm
