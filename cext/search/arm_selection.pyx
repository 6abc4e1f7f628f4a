from libc.stdint cimport int32_t, uint32_t

from ..game.game_table cimport draw_weighted
from . cimport always_inline     # no-cython-lint: for its effect
from .bounds cimport tighten
from .halving cimport select_considered
from .policies.joint_selection_table cimport LEARNS_FROM_ANY
from .proofs cimport choose_unproven, link_cells
from .search_state cimport LEAF, NODE_AT_ONCE, TRANSPOSITIONS, search_t
from .select_single cimport (fill_roots, fill_widths, select_ucb1, select_untried, take_untried,
                             width_of)
from .policies.selection_table cimport CHOOSES_UNTRIED, NEEDS_AMAF, NEEDS_PRIORS, NEEDS_SQUARES, arms_t
from .tree cimport (HAS_BOUNDED_CELLS, NO_NODE, PROVEN, amaf_table, arm_child, arm_mean, arm_square, arm_value,
                    arm_visits, arm_waiting, arm_width, block_t, child_of_cell, first_block, joint_action, next_block,
                    node_actions, node_at, node_priors, node_sums, node_t, node_weights, tree_t)

cdef enum:
    MOST_LINKED = 16            # joint actions that a simulation links to known states

fill_roots(sqrt_log)
fill_widths(inverse_root)


cdef uint32_t ask_policy(search_t *search, node_t *node, bint room, uint32_t amaf_node) noexcept nogil:
    """Return the arm that the selection policy chooses. An untried arm is made a tried one."""
    cdef const tree_t *tree = search.tree
    cdef uint32_t needs = search.config.selection.needs
    cdef int32_t arm
    cdef arms_t arms
    arms.visits = node.visits
    arms.value_sum = node_sums(node)[node.mover]
    arms.num_tried = <int32_t> node.num_tried
    arms.num_choices = <int32_t> node.num_choices if room else arms.num_tried
    arms.action = node_actions(tree, node)
    arms.arm_value = arm_value(tree, node)
    arms.arm_visits = arm_visits(tree, node)
    arms.mean = arm_mean(tree, node)
    arms.child = arm_child(tree, node)
    arms.square = arm_square(tree, node) if needs & NEEDS_SQUARES else NULL
    arms.prior = node_priors(tree, node) if needs & NEEDS_PRIORS else NULL
    arms.waiting = arm_waiting(tree, node) if needs & NEEDS_PRIORS else NULL
    arms.amaf = NULL
    if needs & NEEDS_AMAF and amaf_node != NO_NODE:
        arms.amaf = amaf_table(tree, node_at(tree, amaf_node), node.mover)
    arms.exploration = search.config.exploration
    arms.urgency = search.config.urgency
    arms.reduction = search.config.reduction
    arms.rng = &search.rng
    arm = search.config.selection.select(&arms)
    return arm if arm < arms.num_tried else take_untried(tree, node, arm)


cdef uint32_t select_by_policy(search_t *search, node_t *node, bint room, uint32_t amaf_node) noexcept nogil:
    """Return the arm of the one deciding player by a policy other than UCB1; room: untried arms may be taken.

    The policy is asked when it has something to go by and, unless it chooses untried arms itself, all arms are tried.
    """
    cdef uint32_t needs = search.config.selection.needs
    cdef bint ready = node.num_tried or search.features & LEAF >= NODE_AT_ONCE
    if search.halving.most and node == node_at(search.tree, search.root):
        return <uint32_t> select_considered(search, node, room)
    if needs & NEEDS_AMAF:
        ready = amaf_node != NO_NODE
    if ready and (not room or needs & CHOOSES_UNTRIED):
        return ask_policy(search, node, room, amaf_node)
    if room:
        return select_untried(search.tree, node, &search.rng)
    return select_ucb1(search.tree, node, sqrt_log, <float> search.config.exploration)


cdef void fill_arm_widths(const tree_t *tree, node_t *node) noexcept nogil:
    """Write the widths of the arms of a node, which GRAVE does not keep: it needs them near the root, at the start."""
    cdef uint32_t arm
    for arm in range(node.num_tried):
        arm_width(tree, node)[arm] = width_of(inverse_root, <uint32_t> arm_visits(tree, node)[arm])


cdef uint32_t select_outcome(search_t *search, node_t *node) noexcept nogil:
    """Return a random arm where chance decides, by the weights of the outcomes."""
    return <uint32_t> draw_weighted(node_weights(search.tree, node), <int32_t> node.num_choices, &search.rng)


cdef uint32_t select_joint(search_t *search, node_t *node, int32_t *joint) noexcept nogil:
    """Select an arm for every deciding player. Write their actions, return the index of the joint action."""
    cdef block_t *block = first_block(search.tree, node)
    cdef uint32_t index = 0
    cdef int32_t arm, _
    search.joint.node = node
    for _ in range(node.blocks):
        arm = search.config.joint_selection.select(&search.joint, block) if block.count > 1 else 0
        joint[block.player] = joint_action(block)[arm]
        index = index * <uint32_t> block.count + <uint32_t> arm
        block = next_block(block)
    return index


cdef bint select_unproven_cell(search_t *search, node_t *node, int32_t *joint, uint32_t *arm,
                               bint *moved) noexcept nogil:
    """Select a joint action that no path has proven.

    Returns False if there is none left, which may prove the node, or after MOST_LINKED that lead to known states: a
    simulation takes a bounded time in a stage with thousands of joint actions.
    """
    cdef int32_t _
    for _ in range(MOST_LINKED):
        if not choose_unproven(search, node, joint, arm):
            return False
        if (not search.features & TRANSPOSITIONS or child_of_cell(search.tree, node, arm[0]) != NULL
                or not link_cells(search, node, arm[0], joint)):
            return True
        if tighten(&search.solver, search.tree, node):
            moved[0] = True
        if node.flags & PROVEN:
            return False
    return False


cdef inline bint is_closed(search_t *search, node_t *node, uint32_t joint) noexcept nogil:
    """Return True when a joint action is proven."""
    cdef node_t *child = child_of_cell(search.tree, node, joint)
    return child != NULL and child.flags & PROVEN != 0


cdef uint32_t select_unproven_joint(search_t *search, node_t *node, int32_t *joint, bint *unproven,
                                    bint *moved) noexcept nogil:
    """Select as `select_joint`, or at every second visit of a node with bounded cells, a joint action not yet proven.

    A policy that learns from any joint action need not visit proven ones again. unproven: set when the
    joint action was selected for not being proven. moved: set when the node's bounds move; it may become proven.
    """
    cdef uint32_t arm = 0
    unproven[0] = (node.flags & HAS_BOUNDED_CELLS and node.visits & 1
                   and select_unproven_cell(search, node, joint, &arm, moved))
    if unproven[0] or node.flags & PROVEN:
        return arm
    arm = select_joint(search, node, joint)
    if search.config.joint_selection.needs & LEARNS_FROM_ANY:
        if search.features & TRANSPOSITIONS and child_of_cell(search.tree, node, arm) == NULL:
            link_cells(search, node, arm, joint)
        if is_closed(search, node, arm):
            unproven[0] = select_unproven_cell(search, node, joint, &arm, moved)
            if not unproven[0] and not node.flags & PROVEN:
                arm = select_joint(search, node, joint)
    return arm
