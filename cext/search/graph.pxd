"""Statistics in a graph, where the value of a node is that of its children, which other paths may have visited.

A node counts its own first visit, and every child as often as the arm to it was taken, with the child's mean. The share
of an arm in the sums of its node is renewed when the arm is taken, as Czech, Korus and Kersting (2021) do it. To renew
all of them at every visit would read all children, and does not make the search stronger. They are renewed from time to
time, or an arm might never be taken again whose child has turned out good on other paths. Where several players decide,
this is done more often, since old shares would keep the values of the first visits for long, and the joint actions
whose means are read have their shares renewed at once.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t

from .tree cimport (PROVEN, arm_share, arm_visits, cell_sums, cell_t, node_at, node_graph, node_lower, node_sums,
                    node_t, node_upper, tree_t)


cdef inline int32_t mean_of_node(const tree_t *tree, node_t *node, int32_t player) noexcept nogil:
    """Return the mean value of a node to a player, within its bounds, in units of 2^-30."""
    cdef int64_t mean
    if tree.bounded and node.flags & PROVEN:
        return node_lower(tree, node)[player]
    mean = <int64_t> (<double> node_sums(node)[player] / node.visits + 0.5)
    if tree.bounded:
        mean = min(max(mean, <int64_t> node_lower(tree, node)[player]), <int64_t> node_upper(tree, node)[player])
    return <int32_t> mean


cdef inline void change_share(const tree_t *tree, node_t *node, uint32_t arm, int32_t counted, int32_t player,
                              int32_t mean) noexcept nogil:
    """Let an arm count with another mean of a player; its old one has been counted for so many visits."""
    cdef int32_t *share = arm_share(tree, node, arm) + player
    node_sums(node)[player] += <int64_t> mean * arm_visits(tree, node)[arm] - <int64_t> share[0] * counted
    share[0] = mean


cdef inline void refresh_cell_of(const tree_t *tree, node_t *node, cell_t *cell, int32_t players) noexcept nogil:
    cdef node_t *child = node_at(tree, cell.child)
    cdef int32_t player
    cdef int64_t total
    cell.refreshed = <uint32_t> node_graph(tree, node).stamp
    for player in range(players):
        total = <int64_t> mean_of_node(tree, child, player) * cell.visits
        node_sums(node)[player] += total - cell_sums(cell)[player]
        cell_sums(cell)[player] = total


cdef inline void refresh_cell(const tree_t *tree, node_t *node, cell_t *cell) noexcept nogil:
    """Renew the share of a joint action that has a child, where several decide; the simulation has passed the node."""
    if tree.num_players == 2:
        refresh_cell_of(tree, node, cell, 2)    # the compiler unrolls the loop
    else:
        refresh_cell_of(tree, node, cell, tree.num_players)


cdef inline bint is_fresh(const tree_t *tree, node_t *node, const cell_t *cell) noexcept nogil:
    """Return True if the share of a joint action that has a child is that of the child's present mean.

    A node changes only in a simulation that passes it. The same simulation may still have proven the child after it
    renewed the share. The numbers of simulations are compared modulo 2^32.
    """
    if cell.refreshed == 0:
        return False
    if cell.refreshed == <uint32_t> node_graph(tree, node).stamp:
        return True
    return <int32_t> (<uint32_t> node_graph(tree, node_at(tree, cell.child)).stamp - cell.refreshed) < 0


cdef inline void refresh_cell_if_stale(const tree_t *tree, node_t *node, cell_t *cell) noexcept nogil:
    if not is_fresh(tree, node, cell):
        refresh_cell(tree, node, cell)
