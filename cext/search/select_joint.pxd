"""Selection where several players decide at once, and how their strategies learn: one function per policy.

Inline: included by the simulation alone. Each deciding player has a block of arms of its own.
"""
from libc.math cimport exp, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t

from ..game.game_table cimport MAX_PLAYERS
from ..primitives.rng cimport rng_below, rng_t, rng_unit
from .graph cimport refresh_cell_if_stale
from .tree cimport (NO_NODE, PROVEN, block_t, cell_sums, cell_t, find_cell, joint_regret, joint_strategy,
                    joint_value, joint_visits, node_at, node_lower, node_sums, node_t, tree_t)
from .values cimport VALUE_UNIT

cdef extern from "search/values.h" nogil:
    const double LEAST_EXPLORATION "PLAYOUT_LEAST_EXPLORATION"  # least gamma of regret matching
    const double PRIOR_REGRET "PLAYOUT_PRIOR_REGRET"            # of all arms together in a new node with priors
    const double LED_EXPLORATION "PLAYOUT_LED_EXPLORATION"      # share of gamma with priors

cdef enum joint_selection_t:
    REGRET_MATCHING
    EXP3
    DUCB1

cdef enum:
    MOST_CELLS = 1024           # joint actions looked at to update one player's regrets


cdef inline int32_t select_regret_matching(node_t *node, block_t *block, rng_t *rng, double share) noexcept nogil:
    """Return an arm in proportion to its positive regret (Hart and Mas-Colell 2000), or any with probability gamma.

    gamma = max(.005, share * t^-1/2) at the t-th visit: it must fall for the average strategy to converge, and must not
    fall to nothing for the regrets to stay estimates of every arm.
    """
    cdef double *regret = joint_regret(block)
    cdef double total = 0.0, gamma, draw
    cdef int32_t arm, last = 0
    if block.count == 1:
        return 0
    for arm in range(block.count):
        total += regret[arm]
    gamma = max(LEAST_EXPLORATION, share / sqrt(<double> node.visits + 1.0))
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


cdef inline int32_t select_decoupled(node_t *node, block_t *block, rng_t *rng, double exploration) noexcept nogil:
    """Return the arm of UCB1, as if the other players were chance; untried arms first, at random."""
    cdef int32_t *visits = joint_visits(block)
    cdef int64_t *value = joint_value(block)
    cdef int32_t arm, best = 0, untried = 0
    cdef double score, mean, highest = -1.0, log_total
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
        mean = <double> value[arm] * VALUE_UNIT / visits[arm]
        score = mean + exploration * sqrt(log_total / visits[arm])
        if score > highest:
            highest = score
            best = arm
    return best


cdef inline double exp3_weights(block_t *block, double t, double *weights) noexcept nogil:
    """Exponential weights [count] of the estimated gains, adding up to one, and returns the share of uniform play.

    Exp3 (Auer, Cesa-Bianchi, Freund and Schapire 2002) with the share falling as if t were the horizon.
    """
    cdef double *gain = joint_regret(block)
    cdef double arms = block.count, share, total = 0.0, highest = gain[0]
    cdef int32_t arm
    share = min(1.0, sqrt(arms * log(arms) / (1.718281828459045 * t)))
    for arm in range(1, block.count):
        highest = max(highest, gain[arm])
    for arm in range(block.count):
        weights[arm] = exp(share / arms * (gain[arm] - highest))
        total += weights[arm]
    for arm in range(block.count):
        weights[arm] /= total
    return share


cdef inline int32_t select_exp3(node_t *node, block_t *block, rng_t *rng, double *weights) noexcept nogil:
    cdef double share, draw
    cdef int32_t arm
    if block.count == 1:
        return 0
    share = exp3_weights(block, <double> node.visits + 1.0, weights)
    draw = rng_unit(rng)
    for arm in range(block.count - 1):
        draw -= (1.0 - share) * weights[arm] + share / block.count
        if draw < 0.0:
            return arm
    return block.count - 1


cdef inline void update_exp3(node_t *node, block_t *block, int32_t chosen, double gain, double *weights) noexcept nogil:
    """Estimate the chosen arm's gain by importance, and add the strategy without its uniform share to the average."""
    cdef double share
    cdef int32_t arm
    if block.count == 1:
        joint_strategy(block)[0] += 1.0
        return
    share = exp3_weights(block, <double> node.visits, weights)
    joint_regret(block)[chosen] += gain / ((1.0 - share) * weights[chosen] + share / block.count)
    for arm in range(block.count):
        joint_strategy(block)[arm] += weights[arm]


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


cdef inline void update_regret_matching(const tree_t *tree, node_t *node, mixture_t *mixtures) noexcept nogil:
    """Regrets against what every arm is worth now, and the average strategy. The simulation must have been added.

    Regret matching plus with linear averaging (Tammelin 2014): regrets stop at zero, and the strategy of the t-th visit
    counts t times. What an arm is worth is its expectation over the others' strategies with the means of the joint
    actions, not its mean against their one sampled answer, which would leave the sampling's noise in every regret.
    """
    cdef int32_t own, i, arm
    cdef double mean
    cdef double *regret
    cdef double *strategy
    for own in range(node.blocks):
        read_strategy(&mixtures[own])
    for own in range(node.blocks):
        expect_arms(tree, node, mixtures, own)
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
