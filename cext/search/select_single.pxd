"""Selection where one player decides: untried arms, and UCB1, the default. Both are inlined in the simulation.

All other policies are in the folder `selection`.
"""
from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint16_t, uint32_t

from ..primitives.rng cimport rng_below, rng_t
from .tree cimport (NO_NODE, arm_child, arm_mean, arm_square, arm_value, arm_visits, arm_waiting, arm_width,
                    node_actions, node_priors, node_t, store_in_group, tree_t)

cdef extern from "search/ucb1.h" nogil:
    enum:
        ROOTS "PLAYOUT_ROOTS"   # length of the table of roots
        WIDTHS "PLAYOUT_WIDTHS"  # length of the table of widths
    int32_t highest_bound "playout_ucb1"(const float *mean, const float *width, int32_t count,
                                         float weight) noexcept
    void fill_widths "playout_fill_widths"(float *widths) noexcept
    float width_of "playout_width"(const float *widths, uint32_t visits) noexcept               # 1 / sqrt(visits)
    void fill_roots "playout_fill_roots"(float *roots) noexcept
    float root_log "playout_root_log"(const float *roots, uint32_t visits) noexcept     # sqrt(ln(visits)), visits > 0
    void prefetch_node "playout_prefetch_node"(const void *node) noexcept


cdef inline int32_t select_untried(const tree_t *tree, node_t *node, rng_t *rng) noexcept nogil:
    """Take a random untried arm. The node must have capacity for it. Return its new number."""
    return take_untried(tree, node, node.num_tried + rng_below(rng, node.num_choices - node.num_tried))


cdef inline int32_t take_untried(const tree_t *tree, node_t *node, uint32_t other) noexcept nogil:
    """Make an untried arm the last of the tried ones. The node must have capacity for it. Return its new number."""
    cdef uint16_t *action = node_actions(tree, node)
    cdef uint32_t arm = node.num_tried
    action[arm], action[other] = action[other], action[arm]
    arm_value(tree, node)[arm] = 0
    arm_visits(tree, node)[arm] = 0
    arm_child(tree, node)[arm] = NO_NODE
    store_in_group(arm_mean(tree, node), arm, 0.0)
    store_in_group(arm_width(tree, node), arm, 0.0)
    if tree.squared:
        arm_square(tree, node)[arm] = 0.0
    elif tree.priors:
        arm_waiting(tree, node)[arm] = 0
        node_priors(tree, node)[arm], node_priors(tree, node)[other] = (node_priors(tree, node)[other],
                                                                        node_priors(tree, node)[arm])
    node.num_tried += 1
    return <int32_t> arm


cdef inline int32_t select_ucb1(const tree_t *tree, node_t *node, const float *roots, float exploration) noexcept nogil:
    """Return the arm of highest mean + exploration * sqrt(ln N / n) (UCB1: Auer, Cesa-Bianchi and Fischer 2002).

    roots: the table that `fill_roots` has filled.
    """
    return highest_bound(arm_mean(tree, node), arm_width(tree, node), <int32_t> node.num_tried,
                         exploration * root_log(roots, node.visits))
