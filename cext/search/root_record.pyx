"""Copies of the statistics of a root, which stay as they are while the search continues.

A copy costs less than a microsecond. Its numbers become Python objects when they are asked for.
"""
cimport cython
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free, malloc, qsort

from ..game.game_table cimport NO_ACTION, game_t
from .halving cimport improved_policy
from .search_state cimport OUT_OF_MEMORY, search_t
from .statistics cimport copy_weights, find_line, line_joints, row_of, row_t
from .tree cimport (CHANCE_NODE, block_t, first_block, joint_action, joint_value, joint_visits, next_block, node_at,
                    node_lower, node_sums, node_t, node_upper, tree_t)
from .values cimport ONE, VALUE_UNIT

from collections import namedtuple

ArmRow = namedtuple("ArmRow", "action visits value weight lower upper")
ArmRow.__doc__ = """The statistics of one action at the root.

    action: the action.
    visits: simulations that chose it.
    value: sum of their values to the player who decides, in [0, 1] each.
    weight: share in the mixed strategy, not normalised.
    lower, upper: proven bounds of the value to the player who decides; 0 and 1 where nothing is proven.
    """


@cython.final
cdef class RootRecord:
    """The statistics of a root at one time. It never changes, so that any number of threads may read it.

    Attributes:
        visits: simulations through the root.
        nodes: nodes in the tree.
        memory_bytes: bytes of the pool in use.
        num_deciding: players who decide at the root; 0 where chance decides.
    """

    def __init__(self):
        raise TypeError("records come from Search.root_record()")

    def __dealloc__(self):
        free(self.rows)
        free(self.principal.steps)

    def root_arms(self):
        """Return the rows of the deciding players, as `Search.root_arms`."""
        cdef row_t *row = self.rows
        cdef int32_t seat, _
        found = {}
        for seat in range(self.num_deciding):
            rows = []
            for _ in range(self.seats[seat].count):
                rows.append(ArmRow(row.action, row.visits, row.value * VALUE_UNIT, row.weight, row.lower * VALUE_UNIT,
                                   row.upper * VALUE_UNIT))
                row += 1
            found[self.seats[seat].player] = sorted(rows)
        return found

    def value_sums(self):
        """Return the sum over simulations of values in [0, 1], per player."""
        cdef int32_t player
        return [<double> self.sums[player] * VALUE_UNIT for player in range(self.num_players)]

    def bounds(self):
        """Return the proven (lower, upper) bounds of the root's value in [0, 1], per player."""
        cdef int32_t player
        return [(self.lower[player] * VALUE_UNIT, self.upper[player] * VALUE_UNIT)
                for player in range(self.num_players)]

    def line(self):
        """Return the principal variation; [] if the record was made without it."""
        return line_joints(&self.principal, self.num_players)


cdef int32_t rows_of(RootRecord record) noexcept:
    """Return the number of rows of all seats."""
    cdef int32_t seat, total = 0
    for seat in range(record.num_deciding):
        total += record.seats[seat].count
    return total


cdef int by_action(const void *first, const void *second) noexcept nogil:
    """Compare the actions of two rows, for `qsort`."""
    cdef int32_t one = (<const row_t *> first).action, other = (<const row_t *> second).action
    return (one > other) - (one < other)


cdef void sort_rows(RootRecord record) noexcept:
    """Sort the rows of each seat by their actions."""
    cdef row_t *row = record.rows
    cdef int32_t seat
    for seat in range(record.num_deciding):
        qsort(row, record.seats[seat].count, sizeof(row_t), by_action)
        row += record.seats[seat].count


cdef int add_record(RootRecord total, RootRecord record) except -1:
    """Add the statistics of another tree. The rows of both are sorted. Raises ValueError for another root."""
    cdef int32_t i, player
    cdef row_t *into
    cdef const row_t *row
    cdef bint same = total.num_players == record.num_players and total.num_deciding == record.num_deciding
    for i in range(total.num_deciding):
        same = (same and total.seats[i].player == record.seats[i].player
                and total.seats[i].count == record.seats[i].count)
    if same:
        for i in range(rows_of(total)):
            same = same and total.rows[i].action == record.rows[i].action
    if not same:
        raise ValueError("the searches have different roots; valid: searches of one state")
    total.visits += record.visits
    total.nodes += record.nodes
    total.memory_bytes += record.memory_bytes
    for player in range(total.num_players):
        total.sums[player] += record.sums[player]
        total.lower[player] = max(total.lower[player], record.lower[player])
        total.upper[player] = min(total.upper[player], record.upper[player])
    for i in range(rows_of(total)):
        into = &total.rows[i]
        row = &record.rows[i]
        into.visits += row.visits
        into.value += row.value
        into.weight += row.weight
        into.lower = max(into.lower, row.lower)
        into.upper = min(into.upper, row.upper)
    return 0


cdef RootRecord sum_of(list records):
    """Add the new records of several trees with the same root, without lines, to the first of them, and return it.

    Its rows are sorted. Raises ValueError if their actions differ.
    """
    cdef RootRecord total = records[0], record
    sort_rows(total)
    for record in records[1:]:
        sort_rows(record)
        add_record(total, record)
    return total


cdef void copy_single(search_t *search, node_t *root, row_t *rows) noexcept:
    """Copy the rows of the one deciding player, in the order of its arms."""
    cdef uint32_t arm
    cdef bint is_improved = search.halving.most and search.halving.is_open
    if is_improved:
        improved_policy(search, root, search.weights)
    for arm in range(root.num_choices):
        rows[arm] = row_of(search, root, arm)
        if is_improved:
            rows[arm].weight = search.weights[arm]


cdef int copy_joint(search_t *search, node_t *root, row_t *row) except -1:
    """Copy the rows of several deciding players, in the order of the blocks and their arms."""
    cdef block_t *block = first_block(search.tree, root)
    cdef int32_t seat, arm
    for seat in range(root.blocks):
        if copy_weights(search, root, block, seat, search.weights) != 0:
            raise MemoryError
        for arm in range(block.count):
            row.action = joint_action(block)[arm]
            row.visits = joint_visits(block)[arm]
            row.value = joint_value(block)[arm]
            row.weight = search.weights[arm]
            row.lower = 0
            row.upper = ONE
            row += 1
        block = next_block(block)
    return 0


cdef RootRecord copy_root(search_t *search, bint with_line):
    """Return the statistics of the root as they are now. with_line: with the principal variation.

    The caller must call `Game.reraise`, as a game may fail while its line is found.
    """
    cdef RootRecord record = RootRecord.__new__(RootRecord)
    cdef tree_t *tree = search.tree
    cdef const game_t *game = search.game
    cdef node_t *root = node_at(tree, search.root)
    cdef block_t *block = first_block(tree, root)
    cdef int32_t total = 0, seat, player
    record.visits = root.visits
    record.nodes = tree.nodes
    record.memory_bytes = 8 * tree.used
    record.num_players = game.num_players
    record.num_deciding = 0 if root.flags & CHANCE_NODE else root.blocks
    for seat in range(record.num_deciding):
        record.seats[seat].player = root.mover if root.blocks == 1 else block.player
        record.seats[seat].count = <int32_t> root.num_choices if root.blocks == 1 else block.count
        total += record.seats[seat].count
        if root.blocks > 1:
            block = next_block(block)
    for player in range(game.num_players):
        record.sums[player] = node_sums(root)[player]
        record.lower[player] = node_lower(tree, root)[player] if tree.bounded else 0
        record.upper[player] = node_upper(tree, root)[player] if tree.bounded else ONE
    record.rows = <row_t *> malloc(sizeof(row_t) * max(total, 1))
    if record.rows == NULL:
        raise MemoryError
    if record.num_deciding == 1:
        copy_single(search, root, record.rows)
    elif record.num_deciding > 1:
        copy_joint(search, root, record.rows)
    if with_line and find_line(search, NO_ACTION, &record.principal) == OUT_OF_MEMORY:
        raise MemoryError
    return record
