from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t, uint32_t

from ..game.game_table cimport NO_ACTION
from ..primitives.rng cimport rng_unit
from .search_state cimport halving_t, search_t
from .select_single cimport take_untried
from .tree cimport (CHANCE_NODE, NO_NODE, PROVEN, arm_child, arm_mean, arm_value, arm_visits, node_actions, node_at,
                    node_lower, node_priors, node_t)
from .values cimport VALUE_UNIT

cdef double VALUE_SCALE = 0.1        # of the weight of values
cdef double FIRST_VISITS = 50.0     # added to the visits of the most visited action in it


cdef void begin_round(halving_t *halving) noexcept nogil:
    """Begin a round, in which each considered action gets a share of the simulations."""
    halving.levels = max(<int64_t> 1, halving.simulations // (halving.rounds * <int64_t> halving.considered))


cdef void begin_halving(search_t *search, int64_t simulations) noexcept nogil:
    """Begin a run of so many simulations at a root where one player decides.

    The value of the simulation is that of the net for the root.
    """
    cdef halving_t *halving = &search.halving
    cdef node_t *root = node_at(search.tree, search.root)
    cdef int32_t i, action
    halving.is_open = root.blocks == 1 and not root.flags & CHANCE_NODE
    if not halving.is_open:
        return
    halving.value = search.value[root.mover] * VALUE_UNIT
    halving.simulations = simulations
    halving.considered = min(halving.most, <int32_t> root.num_choices)
    halving.least = min(2, halving.considered)
    halving.rounds = 1
    while 1 << halving.rounds < halving.considered:
        halving.rounds += 1
    halving.visited = halving.level = 0
    begin_round(halving)
    for i in range(<int32_t> root.num_choices):
        action = node_actions(search.tree, root)[i]
        halving.chosen[action] = 0
        halving.base[action] = (log(<double> node_priors(search.tree, root)[i])
                                - halving.noise * log(-log(1.0 - rng_unit(&search.rng))))


cdef void count_choice(search_t *search) noexcept nogil:
    """Count a simulation that has ended."""
    cdef halving_t *halving = &search.halving
    if not halving.is_open:
        return
    halving.chosen[node_actions(search.tree, node_at(search.tree, search.root))[search.path[0].arm]] += 1
    halving.visited += 1
    if halving.visited < halving.considered:
        return
    halving.visited = 0
    halving.level += 1
    halving.levels -= 1
    if halving.levels == 0:
        halving.considered = max(halving.least, halving.considered // 2)
        begin_round(halving)


cdef double value_of_untried(search_t *search, node_t *root) noexcept nogil:
    """Return the value of the actions without visits."""
    cdef double priors = 0.0, values = 0.0
    cdef int64_t visits = 0
    cdef uint32_t arm
    cdef int32_t count
    for arm in range(root.num_tried):
        count = arm_visits(search.tree, root)[arm]
        if count:
            visits += count
            priors += node_priors(search.tree, root)[arm]
            values += node_priors(search.tree, root)[arm] * (arm_value(search.tree, root)[arm] * VALUE_UNIT / count)
    if visits == 0:
        return search.halving.value
    return (search.halving.value + visits * (values / priors)) / (1.0 + visits)


cdef double completed_value(search_t *search, node_t *root, uint32_t arm, double untried) noexcept nogil:
    """Return the value of an action: what is proven, else the mean of its visits, else `untried`."""
    cdef node_t *child
    if arm >= root.num_tried:
        return untried
    child = node_at(search.tree, arm_child(search.tree, root)[arm])
    if arm_child(search.tree, root)[arm] != NO_NODE and child.flags & PROVEN and search.tree.bounded:
        return node_lower(search.tree, child)[root.mover] * VALUE_UNIT
    if arm_visits(search.tree, root)[arm] == 0:
        return untried
    return arm_value(search.tree, root)[arm] * VALUE_UNIT / arm_visits(search.tree, root)[arm]


cdef double value_weight(search_t *search, node_t *root) noexcept nogil:
    cdef int32_t i, most = 0
    for i in range(<int32_t> root.num_choices):
        most = max(most, search.halving.chosen[node_actions(search.tree, root)[i]])
    return VALUE_SCALE * (FIRST_VISITS + most)


cdef int32_t find_arm(search_t *search, node_t *root, uint32_t end, int32_t wanted) noexcept nogil:
    """Return the arm of the greatest score among those before `end` that may be chosen; first by visits of this run.

    wanted: these visits come before others; -1: the more the better. Returns -1 if no arm may be chosen.
    """
    cdef halving_t *halving = &search.halving
    cdef double weight = value_weight(search, root), untried = value_of_untried(search, root), score, highest = 0.0
    cdef int32_t best = -1, action, rank, top = -1
    cdef uint32_t arm
    for arm in range(end):
        if arm < root.num_tried and arm_mean(search.tree, root)[arm] < 0.0:
            continue
        action = node_actions(search.tree, root)[arm]
        rank = halving.chosen[action] if wanted < 0 else halving.chosen[action] == wanted
        score = halving.base[action] + weight * completed_value(search, root, arm, untried)
        if rank > top or (rank == top and score > highest):
            best = <int32_t> arm
            highest = score
            top = rank
    return best


cdef int32_t select_considered(search_t *search, node_t *root, bint room) noexcept nogil:
    """Return the arm that the schedule takes next. room: untried arms may be taken; it becomes a tried one."""
    cdef int32_t arm = find_arm(search, root, root.num_choices if room else root.num_tried, search.halving.level)
    if arm < 0:
        return 0
    return arm if arm < <int32_t> root.num_tried else take_untried(search.tree, root, arm)


cdef int32_t best_considered(search_t *search, node_t *root) noexcept nogil:
    """Return the action to play: of those of most visits the one of the greatest score; NO_ACTION without a run."""
    cdef int32_t arm
    if not search.halving.is_open:
        return NO_ACTION
    arm = find_arm(search, root, root.num_tried, -1)
    return NO_ACTION if arm < 0 else node_actions(search.tree, root)[arm]


cdef void improved_policy(search_t *search, node_t *root, double *weights) noexcept nogil:
    """Write a weight for each action, in the order of the arms: exp(log prior + weight * value), the greatest is 1."""
    cdef double weight = value_weight(search, root), untried = value_of_untried(search, root), highest = -1e300
    cdef uint32_t arm
    for arm in range(root.num_choices):
        weights[arm] = (log(<double> node_priors(search.tree, root)[arm])
                        + weight * completed_value(search, root, arm, untried))
        highest = max(highest, weights[arm])
    for arm in range(root.num_choices):
        weights[arm] = exp(weights[arm] - highest)
