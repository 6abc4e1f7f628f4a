"""The phase of a simulation that adds its value to every node on its path.

Inline functions take `features` as the walk does (see simulation.pyx). All other functions stay out of it.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from ..game.game_table cimport MAX_PLAYERS
from .arm_selection cimport inverse_root
from .search_state cimport (BY_TABLE, GRAVE, GUIDED, HAS_CHANCE, LEAF, PREFER_UNPROVEN, RECORD, SELECTION, SETS,
                            TRANSPOSITIONS, WIDE, clamp_to_bounds, keeps_amaf, search_t, step_t)
from .select_grave cimport amaf_add_set, grave_set, has_arms_by_action
from .select_single cimport width_of
from .transpositions cimport visit_arm
from .tree cimport (CHANCE_NODE, NO_NODE, amaf_end, amaf_table, arm_mean, arm_square, arm_value, arm_visits, arm_width,
                    arms_by_action, node_actions, node_at, node_sums, node_t, store_in_group, tree_t)
from .values cimport VALUE_UNIT, load_alone

cdef enum:
    MOST_UPDATES = 1 << 20      # simulations after which AMAF statistics are halved: float32 counts up to 2^24

cdef void update_joint(search_t *search, node_t *node, uint32_t index, bint unproven) noexcept nogil
cdef void halve_amaf(const tree_t *tree, node_t *node) noexcept nogil


cdef inline bint is_counted(const search_t *search, uint32_t features) noexcept nogil:
    """Return True if the visits of the simulation are counted already, where one player decides."""
    return features & LEAF == WIDE and search.counted


cdef inline void update_single(search_t *search, uint32_t features, node_t *node, uint32_t arm) noexcept nogil:
    """Add the value of the simulation to an arm where one player decides."""
    cdef int64_t gain = search.value[node.mover]
    cdef int64_t *values = arm_value(search.tree, node)
    cdef int32_t *visits = arm_visits(search.tree, node)
    cdef float *means = arm_mean(search.tree, node)
    cdef float *widths = arm_width(search.tree, node)
    cdef int64_t value = values[arm] + gain
    cdef int32_t count = visits[arm] + 1 - is_counted(search, features)
    if features & TRANSPOSITIONS:
        visit_arm(search, node, arm)
    else:
        values[arm] = value
        visits[arm] = count
        if not features or means[arm] >= 0.0:   # may have been pruned while the simulation waited
            store_in_group(means, arm, <float> (<double> value * VALUE_UNIT / count))
    # The policies of the others do not read them.
    if (features & SELECTION != GRAVE and features & LEAF != GUIDED) or features & TRANSPOSITIONS:
        store_in_group(widths, arm, width_of(inverse_root, <uint32_t> count))
    if features & SELECTION == GRAVE and has_arms_by_action(search.tree, node):
        grave_set(arms_by_action(search.tree, node), node_actions(search.tree, node)[arm], means[arm], <float> count)
    if features & SELECTION == BY_TABLE and search.tree.squared:
        arm_square(search.tree, node)[arm] += (<double> gain * VALUE_UNIT) * (<double> gain * VALUE_UNIT)


cdef inline void update_chance(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    """Count a visit of an outcome. The values of outcomes are those of their nodes."""
    arm_visits(search.tree, node)[arm] += 1


cdef inline void update_amaf(search_t *search, node_t *node) noexcept nogil:
    """Add the value of the simulation to the AMAF statistics of the actions from a node on, once for each."""
    cdef const tree_t *tree = search.tree
    cdef int32_t player
    for player in range(search.game.num_players):
        amaf_add_set(amaf_table(tree, node, player), tree.amaf_blocks, search.played + player * search.played_words,
                     <float> (<double> search.value[player] * VALUE_UNIT))
    amaf_end(tree, node).updates += 1
    if amaf_end(tree, node).updates == MOST_UPDATES:
        halve_amaf(tree, node)


cdef inline void add_to_set(search_t *search, int32_t player, int32_t action) noexcept nogil:
    """Add an action to those that a player took in the simulation."""
    search.played[player * search.played_words + action // 64] |= <uint64_t> 1 << (action % 64)


cdef inline void add_recorded_to_sets(search_t *search, int32_t first, int32_t end) noexcept nogil:
    """Add the recorded actions from `first` to before `end` to the sets of the simulation."""
    cdef int32_t i
    for i in range(first, end):
        add_to_set(search, search.recorded[i].player, search.recorded[i].action)


cdef inline void add_step_to_sets(search_t *search, uint32_t features, node_t *node, const step_t *step,
                                  int32_t end) noexcept nogil:
    """Add the actions of a step on the path to the sets of the playout. end: actions recorded after the step."""
    if features & HAS_CHANCE and node.flags & CHANCE_NODE:
        return
    if node.blocks == 1:
        add_to_set(search, node.mover, node_actions(search.tree, node)[step.arm])
        return
    add_recorded_to_sets(search, step.recorded, end)


cdef inline void update_path(search_t *search, uint32_t features, int32_t depth) noexcept nogil:
    """Add the value of the simulation to every node on its path, from the last to the root.

    Step 5 of docs/architecture.md.
    """
    cdef int64_t within[MAX_PLAYERS]
    cdef int64_t *value = search.value
    cdef int32_t player, end = search.num_recorded
    cdef node_t *node
    cdef step_t *step
    if features & PREFER_UNPROVEN:
        value = within
    if features & SETS and depth:
        add_recorded_to_sets(search, search.path[depth - 1].recorded, end)
    while depth > 0:
        depth -= 1
        step = &search.path[depth]
        node = node_at(search.tree, step.node)
        # Step 5a. Clamp the value to the bounds of the node.
        if features & PREFER_UNPROVEN:
            clamp_to_bounds(search, node, within)
        # Step 5b. Add it to the node.
        if not features & TRANSPOSITIONS:
            node.visits += 1 - (is_counted(search, features) and node.blocks == 1 and not node.flags & CHANCE_NODE)
            for player in range(search.game.num_players):
                node_sums(node)[player] += load_alone(value + player)
        # Step 5c. Add it to the arm, or to the arm of each player who decides.
        if features & HAS_CHANCE and node.flags & CHANCE_NODE:
            update_chance(search, node, step.arm)
        elif node.blocks == 1:
            update_single(search, features, node, step.arm)
        else:
            update_joint(search, node, step.arm, features and step.unproven)
        # Step 5d. Add it to the statistics of all actions that followed.
        if features & SETS:
            add_step_to_sets(search, features, node, step, end)
            end = step.recorded
        if keeps_amaf(search, features) and node.side != NO_NODE:
            update_amaf(search, node)
        if features & PREFER_UNPROVEN:
            for player in range(search.game.num_players):
                search.value[player] = within[player]
    if features & RECORD and search.config.playout.learn != NULL:
        search.config.playout.learn(search.playout_memory, search.game, search.recorded, search.num_recorded,
                                    search.value)
