"""Nodes of a graph, to which several ways may lead: how they are found, and what is computed from their children."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from .search_state cimport (PARANOID, PREFER_UNPROVEN, clamp_to_bounds, exact_value, link_on_path, search_t)
from .tree cimport (NO_NODE, PROVEN, arm_child, arm_mean, arm_value, arm_visits, cell_in_slot, cell_sums, cell_t,
                    find_node, first_value, index_node, node_at, node_graph, node_lower, node_sums, node_t, node_upper,
                    tree_t)
from .values cimport ONE, VALUE_UNIT


cdef inline double child_mean(search_t *search, node_t *child, int32_t player) noexcept nogil:
    """Return the mean value of a child to a player, clamped to its bounds, in units of 2^-30."""
    cdef double mean
    if child.flags & PROVEN:
        return <double> exact_value(search, child, player)
    mean = <double> node_sums(child)[player] / child.visits
    if search.features & PREFER_UNPROVEN:
        mean = min(max(mean, <double> node_lower(search.tree, child)[player]),
                   <double> node_upper(search.tree, child)[player])
    return mean


cdef double mean_for_mover(search_t *search, const node_t *node, uint32_t child) noexcept nogil:
    """Return the mean value of a child to the player who decides at a node, in units of 2^-30."""
    if not search.features & PARANOID or node.mover == search.config.paranoid:
        return child_mean(search, node_at(search.tree, child), node.mover)
    return ONE - child_mean(search, node_at(search.tree, child), search.config.paranoid)


cdef void begin_refresh(search_t *search, node_t *node) noexcept nogil:
    """Set a node's statistics back to its first visit."""
    cdef int32_t player
    node.visits = 1
    for player in range(search.game.num_players):
        node_sums(node)[player] = first_value(search.tree, node)[player]


cdef void refresh_single(search_t *search, node_t *node) noexcept nogil:
    """Compute a node's statistics from its children, which may have been visited on other paths.

    A node counts its own first visit, and every child as often as the arm to it was chosen, with the child's own mean.
    """
    cdef tree_t *tree = search.tree
    cdef int32_t *visits = arm_visits(tree, node)
    cdef uint32_t *children = arm_child(tree, node)
    cdef uint32_t arm
    cdef int32_t player
    cdef node_t *child
    cdef double mean
    begin_refresh(search, node)
    for arm in range(node.num_tried):
        if children[arm] == NO_NODE:
            if visits[arm]:
                arm_mean(tree, node)[arm] = <float> (<double> arm_value(tree, node)[arm] * VALUE_UNIT / visits[arm])
            continue
        child = node_at(tree, children[arm])
        node.visits += <uint32_t> visits[arm]
        if visits[arm]:
            for player in range(search.game.num_players):
                node_sums(node)[player] += <int64_t> (child_mean(search, child, player) * visits[arm] + 0.5)
        mean = mean_for_mover(search, node, children[arm])
        arm_value(tree, node)[arm] = <int64_t> (mean * visits[arm] + 0.5)
        if arm_mean(tree, node)[arm] >= 0.0:        # an arm that the solver has ruled out stays so
            arm_mean(tree, node)[arm] = <float> (mean * VALUE_UNIT)


cdef void refresh_joint(search_t *search, node_t *node) noexcept nogil:
    """The same where several decide."""
    cdef uint32_t slot
    cdef int32_t player
    cdef cell_t *cell
    cdef node_t *child
    begin_refresh(search, node)
    for slot in range(node.capacity):
        cell = cell_in_slot(search.tree, node, slot)
        if cell.key == 0 or cell.child == NO_NODE:
            continue
        child = node_at(search.tree, cell.child)
        node.visits += cell.visits
        for player in range(search.game.num_players):
            cell_sums(cell)[player] = <int64_t> (child_mean(search, child, player) * cell.visits + 0.5)
            node_sums(node)[player] += cell_sums(cell)[player]


cdef uint32_t known_node(search_t *search, int32_t depth) noexcept nogil:
    """In graph mode, the node of the state where the simulation stands, linked to the way it came, or NO_NODE.

    A state that the simulation has already passed (possible in games that can repeat) counts as unknown.
    """
    cdef uint32_t index = find_node(search.tree, search.game.hash(search.game, search.state))
    cdef uint32_t *link
    if index == NO_NODE or node_graph(search.tree, node_at(search.tree, index)).stamp == search.simulation:
        return NO_NODE
    link = link_on_path(search, depth - 1, True)
    if link != NULL:
        link[0] = index
    return index


cdef void open_node(search_t *search, uint32_t index, uint64_t hash) noexcept nogil:
    """Give a new node of a graph its first value, that of the running simulation within its bounds, and a name."""
    cdef node_t *node = node_at(search.tree, index)
    cdef int32_t player
    if search.features & PREFER_UNPROVEN:
        clamp_to_bounds(search, node, search.value)
    node.visits = 1
    for player in range(search.game.num_players):
        node_sums(node)[player] = search.value[player]
        first_value(search.tree, node)[player] = <int32_t> search.value[player]
    node_graph(search.tree, node).stamp = search.simulation
    index_node(search.tree, index, hash)
