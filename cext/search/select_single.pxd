"""Selection where one player decides: one function per policy. Each returns the arm that a simulation takes.

Inline: included by the simulation alone. A node knows no policies; it has arms.
"""
from libc.math cimport cos, log, sqrt
from libc.stdint cimport int32_t, uint16_t, uint32_t

from ..rng cimport rng_below, rng_t, rng_unit
from .tree cimport (NO_NODE, amaf_t, arm_child, arm_mean, arm_prior, arm_square, arm_value, arm_visits, arm_waiting,
                    arm_width, node_actions, node_priors, node_sums, node_t, tree_t)
from .values cimport VALUE_UNIT

cdef extern from "search/ucb1.h" nogil:
    enum:
        ROOTS "PLAYOUT_ROOTS"   # length of the table of roots
    int32_t highest_bound "playout_ucb1"(const float *mean, const float *width, int32_t count,
                                         float weight) noexcept
    void fill_roots "playout_fill_roots"(float *roots) noexcept
    float root_log "playout_root_log"(const float *roots, uint32_t visits) noexcept     # sqrt(ln(visits)), visits > 0
    void prefetch_node "playout_prefetch_node"(const void *node) noexcept

cdef extern from "search/values.h" nogil:
    const double GRAVE_BIAS "PLAYOUT_GRAVE_BIAS"       # how fast a node's own mean outweighs its AMAF statistics

cdef enum selection_t:
    UCB1
    UCB1_TUNED
    PUCT
    THOMPSON
    GRAVE


cdef inline int32_t select_untried(const tree_t *tree, node_t *node, rng_t *rng) noexcept nogil:
    """A random arm that has never been visited, made the last of those that have; there must be room for it."""
    return take_untried(tree, node, node.num_tried + rng_below(rng, node.num_choices - node.num_tried))


cdef inline int32_t take_untried(const tree_t *tree, node_t *node, uint32_t other) noexcept nogil:
    """Make an arm that has never been visited the last of those that have; there must be room for it."""
    cdef uint16_t *action = node_actions(tree, node)
    cdef uint32_t arm = node.num_tried
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
    node.num_tried += 1
    return <int32_t> arm


cdef inline int32_t select_ucb1(const tree_t *tree, node_t *node, const float *roots, float exploration) noexcept nogil:
    """The arm of highest mean + exploration * sqrt(ln N / n) (UCB1: Auer, Cesa-Bianchi and Fischer 2002)."""
    return highest_bound(arm_mean(tree, node), arm_width(tree, node), <int32_t> node.num_tried,
                         exploration * root_log(roots, node.visits))


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
    for arm in range(node.num_tried):
        total += visits[arm] + waiting[arm]
    total = log(max(total, 1.0))
    for arm in range(node.num_tried):
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
    for arm in range(node.num_tried):
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
    for arm in range(node.num_tried):
        total += visits[arm] + waiting[arm]
    total = exploration * sqrt(total)
    for arm in range(node.num_tried):
        if mean[arm] < 0.0:
            continue
        score = mean[arm] if visits[arm] or arm_child(tree, node)[arm] != NO_NODE else unknown
        score += prior[arm] * total / (1.0 + visits[arm] + waiting[arm])
        if score > highest:
            highest = score
            best = arm
    if room and unknown + node_priors(tree, node)[node.num_tried] * total > highest:
        return take_untried(tree, node, node.num_tried)
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
    for arm in range(node.num_tried):
        if arm_mean(tree, node)[arm] < 0.0:
            continue
        mean = (1.0 + <double> arm_value(tree, node)[arm] * VALUE_UNIT) / (2.0 + visits[arm])
        score = mean + sqrt(mean * (1.0 - mean) / (3.0 + visits[arm])) * normal(rng)
        if score > highest:
            highest = score
            best = arm
    return <int32_t> best


cdef inline int32_t select_grave(const tree_t *tree, node_t *node, bint room, const amaf_t *known) noexcept nogil:
    """The arm of the highest mean, mixed with what is known of its action wherever it was played.

    GRAVE (Cazenave 2015). known: [num_actions], the mover's records at the nearest node that keeps them. Actions of
    which nothing is known come first; room: untried arms may be chosen.
    """
    cdef uint16_t *action = node_actions(tree, node)
    cdef float *mean = arm_mean(tree, node)
    cdef int32_t *visits = arm_visits(tree, node)
    cdef double highest = -1.0, score, played, weight
    cdef uint32_t arm, best = 0
    for arm in range(node.num_choices if room else node.num_tried):
        if arm < node.num_tried and mean[arm] < 0.0:
            continue
        played = <double> known[action[arm]].visits
        score = <double> known[action[arm]].value * VALUE_UNIT / played if played > 0.0 else 2.0
        if arm < node.num_tried:
            weight = played / (played + visits[arm] + GRAVE_BIAS * played * visits[arm])
            score = (1.0 - weight) * mean[arm] + weight * score if played > 0.0 else mean[arm]
        if score > highest:
            highest = score
            best = arm
    return <int32_t> best if best < node.num_tried else take_untried(tree, node, best)
