"""GRAVE: highest mean, mixed with the mean of the arm's action wherever it was played (Cazenave 2015).

An exploration term as that of UCB1, c * sqrt(ln N / n), may be added to a score. Compiled into the simulation, as
UCB1 is; `grave.h` has its loops.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from ..primitives.bits cimport likely
from .tree cimport (CHANCE_NODE, NO_NODE, amaf_end, arm_mean, arm_visits, arms_by_action, node_actions, node_t, tree_t)

cdef extern from "search/grave.h" nogil:
    const float UNTRIED "PLAYOUT_GRAVE_UNTRIED"     # mean of an untried arm
    const float ILLEGAL "PLAYOUT_GRAVE_ILLEGAL"     # mean of an action that cannot be chosen
    float amaf_sum "playout_amaf_sum"(const float *table, int32_t action) noexcept
    float amaf_visits "playout_amaf_visits"(const float *table, int32_t action) noexcept
    void amaf_add "playout_amaf_add"(float *table, int32_t action, float sum, float visits) noexcept
    void amaf_inherit "playout_amaf_inherit"(float *table, const float *above, int32_t action) noexcept
    uint64_t set_of_actions "playout_set_of_actions"(const uint16_t *action, int32_t begin, int32_t end) noexcept
    void amaf_add_set "playout_amaf_add_set"(float *table, int32_t blocks, const uint64_t *set, float value) noexcept
    float grave_score "playout_grave_score"(float mean, float n, float sum, float p, float weight) noexcept
    int32_t grave_tried "playout_grave_tried"(const float *mean, const int32_t *visits, const uint16_t *action,
                                              int32_t count, const float *table, float weight,
                                              float *highest) noexcept
    int32_t grave_untried "playout_grave_untried"(const float *table, int32_t blocks, uint64_t set, float weight,
                                                  float *highest) noexcept
    void grave_set "playout_grave_set"(float *arms, int32_t action, float mean, float visits) noexcept
    int32_t grave_own "playout_grave_own"(const float *table, const float *arms, int32_t blocks,
                                          float weight) noexcept
    int32_t find_action "playout_find_action"(const uint16_t *action, int32_t arm, int32_t wanted) noexcept

    enum:
        MOST_BLOCKS "PLAYOUT_AMAF_MOST_BLOCKS"  # up to which the arms of a node are kept by action
        NONE "PLAYOUT_GRAVE_NONE"               # in place of an action


cdef inline bint has_arms_by_action(const tree_t *tree, const node_t *node) noexcept nogil:
    """Return True if a node keeps its arms by action as well. In a graph, other nodes change them."""
    return (node.side != NO_NODE and node.blocks == 1 and not tree.graph and tree.amaf_blocks <= MOST_BLOCKS
            and not node.flags & CHANCE_NODE)


cdef inline void fill_arms_by_action(const tree_t *tree, node_t *node) noexcept nogil:
    """Write means and visits of the arms of a node by action, where one player decides."""
    cdef const uint16_t *action = node_actions(tree, node)
    cdef float *arms = arms_by_action(tree, node)
    cdef uint32_t arm
    for arm in range(8 * <uint32_t> tree.amaf_blocks):
        grave_set(arms, arm, ILLEGAL, 0.0)
    for arm in range(node.num_choices):
        if arm < node.num_tried:
            grave_set(arms, action[arm], arm_mean(tree, node)[arm], <float> arm_visits(tree, node)[arm])
        else:
            grave_set(arms, action[arm], UNTRIED, 0.0)


cdef inline void change_mean(const tree_t *tree, node_t *node, uint32_t arm, float mean) noexcept nogil:
    """Set the mean of an arm where one player decides, outside of the inner loop."""
    arm_mean(tree, node)[arm] = mean
    if tree.amaf_blocks and has_arms_by_action(tree, node):
        grave_set(arms_by_action(tree, node), node_actions(tree, node)[arm], mean,
                  <float> arm_visits(tree, node)[arm])


cdef inline int32_t best_untried(const tree_t *tree, node_t *node, const float *table, float weight,
                                 float *highest) noexcept nogil:
    """Return the action of highest score whose arm is untried; the lowest of several. There must be one."""
    cdef const uint16_t *action = node_actions(tree, node)
    cdef uint32_t arm
    cdef int32_t best = 0
    cdef float score
    if tree.amaf_blocks <= MOST_BLOCKS:
        return grave_untried(table, tree.amaf_blocks, set_of_actions(action, <int32_t> node.num_tried,
                                                                     <int32_t> node.num_choices), weight, highest)
    highest[0] = -1.0
    for arm in range(node.num_tried, node.num_choices):
        score = grave_score(UNTRIED, 0.0, amaf_sum(table, action[arm]), amaf_visits(table, action[arm]), weight)
        if score > highest[0] or (score == highest[0] and action[arm] < best):
            highest[0] = score
            best = action[arm]
    return best


cdef inline int32_t select_own(const tree_t *tree, node_t *node, const float *table, float weight) noexcept nogil:
    """Return the arm as `select_grave`, at a node with arms by action and capacity for all.

    It is mostly that of the last time. The processor guesses so, and goes on to the child before the scores are known.
    """
    cdef int32_t action = grave_own(table, arms_by_action(tree, node), tree.amaf_blocks, weight)
    cdef uint32_t *last = &amaf_end(tree, node).last_arm
    cdef uint32_t arm = last[0]
    if likely(node_actions(tree, node)[arm] == action):
        return <int32_t> arm
    if action == NONE:
        return 0
    last[0] = <uint32_t> find_action(node_actions(tree, node), 0, action)
    return <int32_t> last[0]


cdef inline int32_t select_grave(const tree_t *tree, node_t *node, bint room, const float *table,
                                 float weight) noexcept nogil:
    """Return the arm of the highest score; of several, that of the lowest action. It may be an untried one.

    room: untried arms may be taken. Their score is the AMAF mean of their action; an action without one comes first.
    table: the AMAF statistics of the player who decides. weight: c * sqrt(ln N), or 0.
    """
    cdef float highest, other
    cdef const uint16_t *action = node_actions(tree, node)
    cdef int32_t untried, best = grave_tried(arm_mean(tree, node), arm_visits(tree, node), action,
                                             <int32_t> node.num_tried, table, weight, &highest)
    if room:
        untried = best_untried(tree, node, table, weight, &other)
        if other > highest or (other == highest and untried < best):
            return find_action(action, <int32_t> node.num_tried, untried)
    return find_action(action, 0, best) if highest >= 0.0 else 0
