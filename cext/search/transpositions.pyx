"""Nodes of a graph, to which several ways may lead: how they are found, and what is computed from their children."""
from libc.stdint cimport int32_t, int64_t, uint32_t

from .graph cimport change_share, mean_of_node, refresh_cell, refresh_cell_if_stale
from .search_state cimport PREFER_UNPROVEN, clamp_to_bounds, link_on_path, search_t
from .tree cimport (NO_NODE, arm_child, arm_mean, arm_share, arm_value, arm_visits, cell_in_slot, cell_sums, cell_t,
                    find_cell, find_node, index_node, node_at, node_graph, node_sums, node_t, store_in_group, tree_t)
from .values cimport VALUE_UNIT

cdef enum:
    VISITS = 4                  # where one player decides, all shares are renewed after this number of visits per arm
    REFRESHED = 16              # where several decide, joint actions that are renewed a visit, at most on average


cdef bint is_full_visit(const node_t *node) noexcept nogil:
    """Return True at the visits after which all arms are looked at, where one player decides."""
    return node.num_tried and node.visits % (VISITS * node.num_tried) == 0


cdef inline void value_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    """Give an arm the value of its share."""
    cdef int32_t mean = arm_share(search.tree, node, arm)[node.mover]
    arm_value(search.tree, node)[arm] = <int64_t> mean * arm_visits(search.tree, node)[arm]
    if arm_mean(search.tree, node)[arm] >= 0.0:     # an arm that the solver has ruled out stays so
        store_in_group(arm_mean(search.tree, node), arm, <float> (mean * VALUE_UNIT))


cdef inline void refresh(search_t *search, node_t *node, uint32_t arm, int32_t counted,
                         int32_t players) noexcept nogil:
    """Renew the share of an arm that has a child; its old share has been counted for so many visits."""
    cdef tree_t *tree = search.tree
    cdef node_t *child = node_at(tree, arm_child(tree, node)[arm])
    cdef int32_t player
    for player in range(players):
        change_share(tree, node, arm, counted, player, mean_of_node(tree, child, player))
    value_arm(search, node, arm)


cdef void refresh_node(search_t *search, node_t *node) noexcept nogil:
    """Renew the shares of all arms, or of all joint actions, that have a child."""
    cdef cell_t *cell
    cdef uint32_t i
    if node.blocks == 1:
        for i in range(node.num_tried):
            if arm_child(search.tree, node)[i] != NO_NODE:
                refresh_arm(search, node, i)
        return
    for i in range(node.capacity):
        cell = cell_in_slot(search.tree, node, i)
        if cell.key and cell.child != NO_NODE and cell.visits:
            refresh_cell_if_stale(search.tree, node, cell)


cdef void refresh_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    """Renew the share of an arm that has a child."""
    refresh(search, node, arm, arm_visits(search.tree, node)[arm], search.game.num_players)


cdef inline void count_at_arm(search_t *search, node_t *node, uint32_t arm, int32_t players) noexcept nogil:
    cdef tree_t *tree = search.tree
    cdef int32_t visits = arm_visits(tree, node)[arm] + 1, player, mean
    node.visits += 1
    arm_visits(tree, node)[arm] = visits
    if arm_child(tree, node)[arm] != NO_NODE:
        refresh(search, node, arm, visits - 1, players)
        return
    for player in range(players):
        mean = <int32_t> ((arm_share(tree, node, arm)[player] * <int64_t> (visits - 1) + search.value[player]
                           + visits // 2) // visits)
        change_share(tree, node, arm, visits - 1, player, mean)
    value_arm(search, node, arm)


cdef void visit_arm(search_t *search, node_t *node, uint32_t arm) noexcept nogil:
    """Count the simulation at an arm where one player decides. Renew its share, and from time to time all shares."""
    if search.game.num_players == 2:
        count_at_arm(search, node, arm, 2)          # the compiler unrolls the loops
    else:
        count_at_arm(search, node, arm, search.game.num_players)
    if is_full_visit(node):
        refresh_node(search, node)


cdef void visit_cell(search_t *search, node_t *node, cell_t *cell) noexcept nogil:
    """Count the simulation at a joint action, where several decide; NULL for one that is not kept.

    From time to time all shares are renewed.
    """
    cdef int32_t player
    node.visits += 1
    if cell != NULL:
        cell.visits += 1
    if cell != NULL and cell.child != NO_NODE:
        refresh_cell(search.tree, node, cell)
    else:
        for player in range(search.game.num_players):
            node_sums(node)[player] += search.value[player]
            if cell != NULL:
                cell_sums(cell)[player] += search.value[player]
    if node.num_tried and node.visits % ((node.num_tried + REFRESHED - 1) // REFRESHED) == 0:
        refresh_node(search, node)


cdef uint32_t known_node(search_t *search, int32_t depth) noexcept nogil:
    """In graph mode, the node of the state where the simulation stands, linked to the way it came, or NO_NODE.

    A state that the simulation has already passed (possible in games that can repeat) counts as unknown. Notes the
    hash of the state, and whether it has a node.
    """
    cdef uint32_t index
    cdef uint32_t *link
    search.hash = search.game.hash(search.game, search.state)
    index = find_node(search.tree, search.hash)
    search.repeated = False
    if index == NO_NODE:
        return NO_NODE
    if node_graph(search.tree, node_at(search.tree, index)).stamp == search.simulation:
        search.repeated = True
        return NO_NODE
    link = link_on_path(search, depth - 1, True)
    if link != NULL:
        link[0] = index
    return index


cdef void open_node(search_t *search, uint32_t index, int32_t depth) noexcept nogil:
    """Give a new node of a graph its first value, that of the running simulation within its bounds, and a name.

    It begins with what the arm or the joint action above it, the last of the `depth` steps, knows from visits without a
    node: from those of a node that was removed, or of simulations that had passed the state before.
    """
    cdef tree_t *tree = search.tree
    cdef node_t *node = node_at(tree, index)
    cdef node_t *above
    cdef cell_t *cell
    cdef uint32_t arm
    cdef int32_t player
    if search.features & PREFER_UNPROVEN:
        clamp_to_bounds(search, node, search.value)
    node.visits = 1
    for player in range(search.game.num_players):
        node_sums(node)[player] = search.value[player]
    if depth:
        above = node_at(tree, search.path[depth - 1].node)
        arm = search.path[depth - 1].arm
        if above.blocks == 1:
            node.visits += <uint32_t> arm_visits(tree, above)[arm]
            for player in range(search.game.num_players):
                node_sums(node)[player] += <int64_t> arm_share(tree, above, arm)[player] * arm_visits(tree, above)[arm]
        else:
            cell = find_cell(tree, above, arm)
            if cell != NULL:
                node.visits += cell.visits
                for player in range(search.game.num_players):
                    node_sums(node)[player] += cell_sums(cell)[player]
    node_graph(tree, node).stamp = search.simulation
    index_node(tree, index, search.hash)
