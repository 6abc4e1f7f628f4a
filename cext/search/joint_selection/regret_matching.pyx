"""Regret matching plus, the default: strategies in proportion to regrets, with linear averaging (Tammelin 2014)."""
from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint32_t

from ...game.game_table cimport MAX_PLAYERS
from ...primitives.rng cimport rng_below, rng_unit
from .. cimport always_inline     # no-cython-lint: for its effect
from ..graph cimport refresh_cell_if_stale
from ..policies.joint_selection_table cimport HAS_STRATEGY, LEARNS_FROM_ANY, TAKES_PRIORS, joint_t, new_joint_selection
from ..tree cimport (NO_NODE, PROVEN, block_t, cell_sums, cell_t, find_cell, first_block, joint_regret, joint_strategy,
                     next_block, node_at, node_lower, node_sums, node_t, tree_t)
from ..values cimport VALUE_UNIT

cdef extern from "search/values.h" nogil:
    const double LEAST_EXPLORATION "PLAYOUT_LEAST_EXPLORATION"  # least gamma
    const double LED_EXPLORATION "PLAYOUT_LED_EXPLORATION"      # share of gamma with priors

cdef enum:
    MOST_CELLS = 1024           # joint actions looked at to update one player's regrets


cdef int32_t select(const joint_t *joint, block_t *block) noexcept nogil:
    """Return an arm in proportion to its positive regret (Hart and Mas-Colell 2000), or any with probability gamma.

    gamma = max(.005, share * t^-1/2) at the t-th visit: it must fall for the average strategy to converge, and must not
    fall to nothing for the regrets to stay estimates of every arm.
    """
    cdef double *regret = joint_regret(block)
    cdef double share = LED_EXPLORATION if joint.has_priors else 1.0
    cdef double total = 0.0, gamma, draw
    cdef int32_t arm, last = 0
    for arm in range(block.count):
        total += regret[arm]
    gamma = max(LEAST_EXPLORATION, share / sqrt(<double> joint.node.visits + 1.0))
    draw = rng_unit(joint.rng)
    if total <= 0.0 or draw < gamma:
        return rng_below(joint.rng, <uint32_t> block.count)
    draw = (draw - gamma) / (1.0 - gamma) * total
    for arm in range(block.count):
        if regret[arm] > 0.0:
            last = arm
            draw -= regret[arm]
            if draw < 0.0:
                break
    return last


cdef struct mixture_t:          # how the arms of one block are played at a node, reduced to those that are
    block_t *block
    uint32_t stride             # how far the index of the joint action moves from one arm to the next
    int32_t chosen              # the arm of the running simulation
    int32_t size                # arms in the mixture
    int32_t *arm                # [size]
    double *weight              # [size], their probabilities
    double *expected            # [count], receives the expected value of every arm


cdef inline void read_strategy(mixture_t *mixture) noexcept nogil:
    """Write the strategy of regret matching: in proportion to regrets (which are never negative here), else uniform."""
    cdef block_t *block = mixture.block
    cdef double *regret = joint_regret(block)
    cdef double total = 0.0
    cdef int32_t arm
    for arm in range(block.count):
        total += regret[arm]
    mixture.size = 0
    for arm in range(block.count):
        if total <= 0.0 or regret[arm] > 0.0:
            mixture.arm[mixture.size] = arm
            mixture.weight[mixture.size] = regret[arm] / total if total > 0.0 else 1.0 / block.count
            mixture.size += 1


cdef inline double cell_mean(const tree_t *tree, node_t *node, uint32_t joint, int32_t player,
                             double unknown) noexcept nogil:
    """Return the mean value of a joint action; if it was never visited, its proven value, else `unknown`.

    In a graph the mean is made that of the child, which other paths may have visited.
    """
    cdef cell_t *cell = find_cell(tree, node, joint)
    cdef node_t *child
    if cell == NULL:
        return unknown
    if cell.visits == 0:
        child = node_at(tree, cell.child)
        if tree.bounded and cell.child != NO_NODE and child.flags & PROVEN:
            return <double> node_lower(tree, child)[player] * VALUE_UNIT
        return unknown
    if tree.graph and cell.child != NO_NODE:
        refresh_cell_if_stale(tree, node, cell)
    return <double> cell_sums(cell)[player] * VALUE_UNIT / cell.visits


cdef inline void expect_arms(const tree_t *tree, node_t *node, mixture_t *mixtures, int32_t own) noexcept nogil:
    """Expected value of every arm of one block against the mixtures of the others.

    Where there would be more than MOST_CELLS joint actions to look at, the others' arms of this simulation stand for
    their mixtures.
    """
    cdef int32_t at[MAX_PLAYERS]
    cdef block_t *block = mixtures[own].block
    cdef double *expected = mixtures[own].expected
    cdef double unknown = <double> node_sums(node)[block.player] * VALUE_UNIT / node.visits, weight
    cdef int32_t arm, other, cells = block.count
    cdef uint32_t joint
    cdef bint sampled
    for other in range(node.blocks):
        at[other] = 0
        if other != own and cells <= MOST_CELLS:
            cells *= mixtures[other].size
    sampled = cells > MOST_CELLS
    for arm in range(block.count):
        expected[arm] = 0.0
    while True:
        weight = 1.0
        joint = 0
        for other in range(node.blocks):
            if other == own:
                continue
            if sampled:
                joint += <uint32_t> mixtures[other].chosen * mixtures[other].stride
            else:
                joint += <uint32_t> mixtures[other].arm[at[other]] * mixtures[other].stride
                weight *= mixtures[other].weight[at[other]]
        for arm in range(block.count):
            expected[arm] += weight * cell_mean(tree, node, joint, block.player, unknown)
            joint += mixtures[own].stride
        if sampled:
            return
        for other in range(node.blocks):        # the next combination of the others' arms
            if other == own:
                continue
            at[other] += 1
            if at[other] < mixtures[other].size:
                break
            at[other] = 0
        else:
            return


cdef void update(const joint_t *joint) noexcept nogil:
    """Regrets against what every arm is worth now, and the average strategy.

    Regret matching plus with linear averaging (Tammelin 2014): regrets stop at zero, and the strategy of the t-th visit
    counts t times. What an arm is worth is its expectation over the others' strategies with the means of the joint
    actions, not its mean against their one sampled answer, which would leave the sampling's noise in every regret.
    """
    cdef mixture_t mixtures[MAX_PLAYERS]
    cdef node_t *node = joint.node
    cdef block_t *block = first_block(joint.tree, node)
    cdef uint32_t stride = node.num_choices
    cdef int32_t own, i, arm, room = 0
    cdef double mean
    cdef double *regret
    cdef double *strategy
    for own in range(node.blocks):
        stride //= <uint32_t> block.count
        mixtures[own].block = block
        mixtures[own].stride = stride
        mixtures[own].chosen = joint.chosen[own]
        mixtures[own].arm = joint.numbers + room
        mixtures[own].weight = joint.weights + room
        mixtures[own].expected = joint.expected + room
        room += block.count
        block = next_block(block)
    for own in range(node.blocks):
        read_strategy(&mixtures[own])
    for own in range(node.blocks):
        expect_arms(joint.tree, node, mixtures, own)
    for own in range(node.blocks):
        regret = joint_regret(mixtures[own].block)
        strategy = joint_strategy(mixtures[own].block)
        mean = 0.0
        for i in range(mixtures[own].size):
            arm = mixtures[own].arm[i]
            mean += mixtures[own].weight[i] * mixtures[own].expected[arm]
            strategy[arm] += <double> node.visits * mixtures[own].weight[i]
        for arm in range(mixtures[own].block.count):
            regret[arm] = max(0.0, regret[arm] + mixtures[own].expected[arm] - mean)


JOINT_SELECTION = new_joint_selection("regret_matching", HAS_STRATEGY | LEARNS_FROM_ANY | TAKES_PRIORS, select, update)
