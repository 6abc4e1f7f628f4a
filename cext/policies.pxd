"""How a simulation chooses an arm, and what it leaves behind there: one function a policy and kind of node.

Inline: included by the search kernel alone. A node knows nothing of policies; all it has is arms.
"""
from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t

from .rng cimport rng_below, rng_t, rng_unit
from .tree cimport (NO_NODE, arm_child, arm_mean, arm_value, arm_visits, arm_width, block_t, cell_sums, cell_t,
                    find_cell, joint_regret, joint_strategy, joint_value, joint_visits, node_actions, node_sums, node_t,
                    tree_t)

cdef extern from "arms.h" nogil:
    int32_t highest_bound "playout_ucb1"(const float *mean, const float *width, int32_t count,
                                         float weight) noexcept
    float root_log "playout_root_log"(uint32_t visits) noexcept     # float32 of sqrt(ln(visits)), visits > 0
    void prefetch "PLAYOUT_PREFETCH"(const void *address) noexcept
    const double VALUE_SCALE "PLAYOUT_VALUE_SCALE"     # a value of 1 in the units of value sums
    const double VALUE_UNIT "PLAYOUT_VALUE_UNIT"       # one such unit
    const double LEAST_EXPLORATION "PLAYOUT_LEAST_EXPLORATION"  # least gamma of regret matching

cdef enum selection_t:          # where one player decides
    UCB1

cdef enum joint_selection_t:    # where several decide
    REGRET_MATCHING
    DUCB1


cdef inline int32_t select_untried(const tree_t *tree, node_t *node, rng_t *rng) noexcept nogil:
    """A random arm that has never been visited, made the last of those that have; there must be room for it."""
    cdef uint16_t *action = node_actions(tree, node)
    cdef uint32_t arm = node.used, other = arm + rng_below(rng, node.joints - arm)
    action[arm], action[other] = action[other], action[arm]
    arm_value(tree, node)[arm] = 0
    arm_visits(tree, node)[arm] = 0
    arm_child(tree, node)[arm] = NO_NODE
    node.used += 1
    return <int32_t> arm


cdef inline int32_t select_ucb1(const tree_t *tree, node_t *node, float exploration) noexcept nogil:
    """The arm of highest mean + exploration * sqrt(ln N / n) (UCB1: Auer, Cesa-Bianchi and Fischer 2002)."""
    return highest_bound(arm_mean(tree, node), arm_width(tree, node), <int32_t> node.used,
                         exploration * root_log(node.visits))


cdef inline int32_t select_regret_matching(node_t *node, block_t *block, rng_t *rng) noexcept nogil:
    """An arm in proportion to its positive regret (Hart and Mas-Colell 2000), or any with probability gamma.

    gamma = max(.005, t^-1/2) at the t-th visit: it must fall for the average strategy to converge, and must not fall
    to nothing for the regrets to stay estimates of every arm.
    """
    cdef double *regret = joint_regret(block)
    cdef double total = 0.0, gamma, draw
    cdef int32_t arm, last = 0
    if block.count == 1:
        return 0
    for arm in range(block.count):
        if regret[arm] > 0.0:
            total += regret[arm]
    gamma = max(LEAST_EXPLORATION, 1.0 / sqrt(<double> node.visits + 1.0))
    draw = rng_unit(rng)
    if total <= 0.0 or draw < gamma:
        return rng_below(rng, <uint32_t> block.count)
    draw = (draw - gamma) / (1.0 - gamma) * total
    for arm in range(block.count):
        if regret[arm] > 0.0:
            last = arm
            draw -= regret[arm]
            if draw < 0.0:
                break
    return last


cdef inline int32_t select_decoupled_ucb1(node_t *node, block_t *block, rng_t *rng, double exploration) noexcept nogil:
    """UCB1 over a player's own arms as if the others were part of chance; untried arms first, in random order."""
    cdef int32_t *visits = joint_visits(block)
    cdef int64_t *value = joint_value(block)
    cdef int32_t arm, best = 0, untried = 0
    cdef double score, highest = -1.0, log_total
    if block.count == 1:
        return 0
    for arm in range(block.count):
        untried += visits[arm] == 0
    if untried:
        untried = <int32_t> rng_below(rng, <uint32_t> untried)
        for arm in range(block.count):
            if visits[arm] == 0:
                if untried == 0:
                    return arm
                untried -= 1
    log_total = log(<double> node.visits)
    for arm in range(block.count):
        score = <double> value[arm] * VALUE_UNIT / visits[arm] + exploration * sqrt(log_total / visits[arm])
        if score > highest:
            highest = score
            best = arm
    return best


cdef inline void update_regret_matching(const tree_t *tree, node_t *node, block_t *block, int32_t chosen,
                                        uint32_t joint, uint32_t stride, double outcome) noexcept nogil:
    """Add to every arm's regret what it would have brought against the others' arms, less what was got.

    joint: index of the joint action; stride: how far the index moves from one of this block's arms to the next;
    outcome: this player's value of the simulation. Must run before the simulation is added to the node's statistics.
    """
    cdef double *regret = joint_regret(block)
    cdef double *strategy = joint_strategy(block)
    cdef int32_t arm, player = block.player
    cdef double total = 0.0, mean = outcome
    cdef uint32_t other = joint - <uint32_t> chosen * stride
    cdef cell_t *cell
    for arm in range(block.count):
        if regret[arm] > 0.0:
            total += regret[arm]
    if total > 0.0:
        for arm in range(block.count):
            if regret[arm] > 0.0:
                strategy[arm] += regret[arm] / total
    else:
        for arm in range(block.count):
            strategy[arm] += 1.0 / block.count
    if node.visits:
        mean = <double> node_sums(node)[player] * VALUE_UNIT / node.visits
    for arm in range(block.count):
        if arm != chosen:
            cell = find_cell(tree, node, other)
            if cell == NULL or cell.visits == 0:
                regret[arm] += mean - outcome
            else:
                regret[arm] += <double> cell_sums(cell)[player] * VALUE_UNIT / cell.visits - outcome
        other += stride
