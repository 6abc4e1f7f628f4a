"""How a simulation chooses an arm, and what it leaves behind there: one function a policy and kind of node.

Inline: included by the search kernel alone. A node knows nothing of policies; all it has is arms.
"""
from libc.math cimport cos, exp, log, sqrt
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t

from .game cimport MAX_PLAYERS
from .rng cimport rng_below, rng_t, rng_unit
from .tree cimport (NO_NODE, PROVEN, arm_child, arm_mean, arm_prior, arm_square, arm_value, arm_visits, arm_waiting,
                    arm_width, block_t, cell_sums, cell_t, find_cell, joint_regret, joint_square, joint_strategy,
                    joint_value, joint_visits, node_actions, node_at, node_lower, node_priors, node_sums, node_t,
                    record_t, tree_t)

cdef extern from "arms.h" nogil:
    int32_t highest_bound "playout_ucb1"(const float *mean, const float *width, int32_t count,
                                         float weight) noexcept
    float root_log "playout_root_log"(uint32_t visits) noexcept     # float32 of sqrt(ln(visits)), visits > 0
    void prefetch_node "playout_prefetch_node"(const void *node) noexcept
    const double VALUE_SCALE "PLAYOUT_VALUE_SCALE"     # a value of 1 in the units of value sums
    const double VALUE_UNIT "PLAYOUT_VALUE_UNIT"       # one such unit
    const double GRAVE_BIAS "PLAYOUT_GRAVE_BIAS"       # how fast a node's own mean outweighs what is known elsewhere
    const double LEAST_EXPLORATION "PLAYOUT_LEAST_EXPLORATION"  # least gamma of regret matching

cdef enum selection_t:          # where one player decides
    UCB1
    UCB1_TUNED
    PUCT
    THOMPSON
    GRAVE

cdef enum:
    MOST_CELLS = 1024           # joint actions looked at to update one player's regrets

cdef enum joint_selection_t:    # where several decide
    REGRET_MATCHING
    EXP3
    DUCB1
    DUCB1_TUNED


cdef inline int32_t select_untried(const tree_t *tree, node_t *node, rng_t *rng) noexcept nogil:
    """A random arm that has never been visited, made the last of those that have; there must be room for it."""
    return take_untried(tree, node, node.used + rng_below(rng, node.joints - node.used))


cdef inline int32_t take_untried(const tree_t *tree, node_t *node, uint32_t other) noexcept nogil:
    """Make an arm that has never been visited the last of those that have; there must be room for it."""
    cdef uint16_t *action = node_actions(tree, node)
    cdef uint32_t arm = node.used
    action[arm], action[other] = action[other], action[arm]
    arm_value(tree, node)[arm] = 0
    arm_visits(tree, node)[arm] = 0
    arm_child(tree, node)[arm] = NO_NODE
    arm_mean(tree, node)[arm] = arm_width(tree, node)[arm] = 0.0
    if tree.squared:
        arm_square(tree, node)[arm] = 0.0
    elif tree.shared:
        arm_waiting(tree, node)[arm] = 0
    if tree.priors:
        node_priors(tree, node)[arm], node_priors(tree, node)[other] = (node_priors(tree, node)[other],
                                                                        node_priors(tree, node)[arm])
        arm_prior(tree, node)[arm] = node_priors(tree, node)[arm]
        arm_waiting(tree, node)[arm] = 0
    node.used += 1
    return <int32_t> arm


cdef inline int32_t select_ucb1(const tree_t *tree, node_t *node, float exploration) noexcept nogil:
    """The arm of highest mean + exploration * sqrt(ln N / n) (UCB1: Auer, Cesa-Bianchi and Fischer 2002)."""
    return highest_bound(arm_mean(tree, node), arm_width(tree, node), <int32_t> node.used,
                         exploration * root_log(node.visits))


cdef inline int32_t select_ucb1_shared(const tree_t *tree, node_t *node, double exploration) noexcept nogil:
    """UCB1 where other threads search too: mean + exploration * sqrt(ln(N + O) / (n + o)).

    O and o count the simulations that wait for their value, so that threads part (Liu et al. 2020). Arms whose first
    visit waits have no mean yet: they are taken only where no arm has one, the least awaited first.
    """
    cdef float *mean = arm_mean(tree, node)
    cdef int32_t *visits = arm_visits(tree, node)
    cdef int32_t *waiting = arm_waiting(tree, node)
    cdef double highest = -1e18, score, total = 0.0
    cdef uint32_t arm, best = 0
    for arm in range(node.used):
        total += visits[arm] + waiting[arm]
    total = log(max(total, 1.0))
    for arm in range(node.used):
        if mean[arm] < 0.0:
            continue
        if visits[arm] == 0:
            score = -1e9 - waiting[arm]
        else:
            score = mean[arm] + exploration * sqrt(total / (visits[arm] + waiting[arm]))
        if score > highest:
            highest = score
            best = arm
    return <int32_t> best


cdef inline double tuned_bound(double mean, double squares, double visits, double log_visits,
                               double exploration) noexcept nogil:
    """Upper bound of UCB1-tuned, which measures each arm's variance (Auer, Cesa-Bianchi and Fischer 2002).

    In a graph the mean is of other simulations than the squares, and the variance measured may be negative.
    """
    cdef double variance = squares / visits - mean * mean + sqrt(2.0 * log_visits / visits)
    return mean + exploration * sqrt(log_visits / visits * max(0.0, min(0.25, variance)))


cdef inline int32_t select_ucb1_tuned(const tree_t *tree, node_t *node, double exploration) noexcept nogil:
    cdef float *mean = arm_mean(tree, node)
    cdef int32_t *visits = arm_visits(tree, node)
    cdef double *square = arm_square(tree, node)
    cdef double highest = -1.0, score, log_total = log(<double> node.visits)
    cdef uint32_t arm, best = 0
    for arm in range(node.used):
        if mean[arm] < 0.0:
            continue
        score = tuned_bound(mean[arm], square[arm], max(visits[arm], 1), log_total, exploration)
        if score > highest:
            highest = score
            best = arm
    return <int32_t> best


cdef inline int32_t select_puct(const tree_t *tree, node_t *node, bint room, double exploration) noexcept nogil:
    """The arm of the highest mean + exploration * prior * sqrt(N) / (1 + n) (Rosin 2011, as in Silver et al. 2017).

    Simulations that wait for an evaluation count as visits, but have no value yet. An arm without a value is taken to
    be worth what the node is. Actions stand in the order of falling priors: only the first untried one matters.
    """
    cdef float *mean = arm_mean(tree, node)
    cdef float *prior = arm_prior(tree, node)
    cdef int32_t *visits = arm_visits(tree, node)
    cdef int32_t *waiting = arm_waiting(tree, node)
    cdef double unknown = 0.5, total = 1.0, highest = -1.0, score
    cdef uint32_t arm, best = 0
    if node.visits:
        unknown = <double> node_sums(node)[node.mover] * VALUE_UNIT / node.visits
    for arm in range(node.used):
        total += visits[arm] + waiting[arm]
    total = exploration * sqrt(total)
    for arm in range(node.used):
        if mean[arm] < 0.0:
            continue
        score = mean[arm] if visits[arm] or arm_child(tree, node)[arm] != NO_NODE else unknown
        score += prior[arm] * total / (1.0 + visits[arm] + waiting[arm])
        if score > highest:
            highest = score
            best = arm
    if room and unknown + node_priors(tree, node)[node.used] * total > highest:
        return take_untried(tree, node, node.used)
    return <int32_t> best


cdef inline double normal(rng_t *rng) noexcept nogil:
    """A standard normal deviate from two draws (Box and Muller 1958)."""
    cdef double radius = sqrt(-2.0 * log(1.0 - rng_unit(rng)))
    return radius * cos(6.283185307179586 * rng_unit(rng))


cdef inline int32_t select_thompson(const tree_t *tree, node_t *node, rng_t *rng) noexcept nogil:
    """The arm of the highest draw from what may be believed of its mean (Thompson 1933).

    The belief is Beta(1 + s, 1 + n - s) after n visits with sum s, by the normal deviate of the same mean and variance.
    """
    cdef int32_t *visits = arm_visits(tree, node)
    cdef double highest = -1e18, score, mean
    cdef uint32_t arm, best = 0
    for arm in range(node.used):
        if arm_mean(tree, node)[arm] < 0.0:
            continue
        mean = (1.0 + <double> arm_value(tree, node)[arm] * VALUE_UNIT) / (2.0 + visits[arm])
        score = mean + sqrt(mean * (1.0 - mean) / (3.0 + visits[arm])) * normal(rng)
        if score > highest:
            highest = score
            best = arm
    return <int32_t> best


cdef inline int32_t select_grave(const tree_t *tree, node_t *node, bint room, const record_t *known) noexcept nogil:
    """The arm of the highest mean, mixed with what is known of its action wherever it was played.

    GRAVE (Cazenave 2015). known: [num_actions], the mover's records at the nearest node that keeps them. Actions of
    which nothing is known come first; room: untried arms may be chosen.
    """
    cdef uint16_t *action = node_actions(tree, node)
    cdef float *mean = arm_mean(tree, node)
    cdef int32_t *visits = arm_visits(tree, node)
    cdef double highest = -1.0, score, played, weight
    cdef uint32_t arm, best = 0
    for arm in range(node.joints if room else node.used):
        if arm < node.used and mean[arm] < 0.0:
            continue
        played = <double> known[action[arm]].visits
        score = <double> known[action[arm]].value * VALUE_UNIT / played if played > 0.0 else 2.0
        if arm < node.used:
            weight = played / (played + visits[arm] + GRAVE_BIAS * played * visits[arm])
            score = (1.0 - weight) * mean[arm] + weight * score if played > 0.0 else mean[arm]
        if score > highest:
            highest = score
            best = arm
    return <int32_t> best if best < node.used else take_untried(tree, node, best)


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


cdef inline int32_t select_decoupled(node_t *node, block_t *block, rng_t *rng, double exploration,
                                     bint tuned) noexcept nogil:
    """UCB1 or UCB1-tuned over a player's own arms as if the others were chance; untried arms first, at random."""
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
        if tuned:
            score = tuned_bound(mean, joint_square(block)[arm], visits[arm], log_total, exploration)
        else:
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
    double *expected            # [count], room for the expected value of every arm


cdef inline void read_strategy(mixture_t *mixture) noexcept nogil:
    """The strategy of regret matching: in proportion to regrets (which are never negative here), else uniform."""
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


cdef inline double cell_mean(const tree_t *tree, const node_t *node, uint32_t joint, int32_t player,
                             double unknown) noexcept nogil:
    """Mean value of a joint action; where it has never been visited the proven one, else `unknown`."""
    cdef cell_t *cell = find_cell(tree, node, joint)
    cdef node_t *child
    if cell == NULL:
        return unknown
    if cell.visits == 0:
        child = node_at(tree, cell.child)
        if tree.bounded and cell.child != NO_NODE and child.flags & PROVEN:
            return <double> node_lower(tree, child)[player] * VALUE_UNIT
        return unknown
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
