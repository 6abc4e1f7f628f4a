"""Proven bounds on the values of nodes, from the bounds of their children (Cazenave and Saffidine 2010)."""

from __future__ import annotations

import math

from .matrix_game import Solution, matrix_game
from .tree import ChanceNode, JointNode, Node, SingleNode
from .values import ONE, PRUNED

MOST_ERROR = 16.0
"""Error of the value of a matrix game up to which it counts as exact."""
MOST_SOLVED = 256
"""Joint actions up to which matrices are solved whenever a bound has moved."""
SOLVED_VISITS = 16
"""Visits after which larger ones are solved in a graph, beside powers of two."""
ROUNDING = 2
"""Bounds that differ by no more are taken to meet."""


def tighten(node: Node, zero_sum: bool, in_graph: bool) -> bool:
    """Tighten the bounds of a node from its children's. Return True if any bound moved.

    zero_sum: two players whose values always add up to one. in_graph: transpositions are merged.
    """
    if node.proven:
        return False
    if isinstance(node, SingleNode):
        return _tighten_single(node, zero_sum)
    if isinstance(node, ChanceNode):
        return _tighten_chance(node)
    if isinstance(node, JointNode) and zero_sum:
        return _tighten_joint(node, in_graph)
    return False


def _settle(node: Node, lower: list[int], upper: list[int]) -> bool:
    """Replace bounds by tighter ones. Return True if any bound moved."""
    before = node.lower, node.upper
    node.lower = [max(pair) for pair in zip(node.lower, lower, strict=True)]
    node.upper = [min(pair) for pair in zip(node.upper, upper, strict=True)]
    node.proven = all(low >= high for low, high in zip(node.lower, node.upper, strict=True))
    return before != (node.lower, node.upper)


def _tighten_single(node: SingleNode, zero_sum: bool) -> bool:
    """Tighten bounds where one player decides.

    The mover reaches the best of its arms' lower bounds, and at most the best of their upper bounds.
    """
    mover = node.mover
    complete = len(node.arms) == len(node.actions)
    lows = [0 if arm.child is None else arm.child.lower[mover] for arm in node.arms]
    highs = [ONE if arm.child is None else arm.child.upper[mover] for arm in node.arms]
    best = max(lows, default=0)
    leader = lows.index(best) if lows else -1
    highest = max(highs) if complete else ONE
    lower, upper = [0] * len(node.sums), [ONE] * len(node.sums)
    lower[mover], upper[mover] = best, highest
    if zero_sum:
        lower[1 - mover], upper[1 - mover] = ONE - highest, ONE - best
    elif complete and all(arm.child is not None for arm in node.arms):
        # The bounds of the others hold for every arm that the mover might prefer, ties included.
        likely = [arm.child for arm in node.arms if arm.child is not None and arm.child.upper[mover] >= best]
        for player in range(len(node.sums)):
            if player != mover:
                lower[player] = min(child.lower[player] for child in likely)
                upper[player] = max(child.upper[player] for child in likely)
    for number, arm in enumerate(node.arms):
        worse = highs[number] < best or (zero_sum and highs[number] == best)
        if arm.child is not None and number != leader and worse:
            arm.mean = PRUNED
    return _settle(node, lower, upper)


def _tighten_chance(node: ChanceNode) -> bool:
    """Tighten bounds where chance decides: the expectation, rounded outwards unless both bounds are the same number."""
    lower, upper, total = [0] * len(node.sums), [ONE] * len(node.sums), sum(node.weights)
    for player in range(len(node.sums)):
        low = high = 0
        for weight, arm in zip(node.weights, node.arms, strict=True):
            low += weight * (0 if arm.child is None else arm.child.lower[player])
            high += weight * (ONE if arm.child is None else arm.child.upper[player])
        lower[player], upper[player] = low // total, -(-high // total)
        if low == high:
            lower[player] = upper[player] = (2 * low + total) // (2 * total)
    return _settle(node, lower, upper)


def cell_bounds(node: JointNode, upper: bool) -> list[list[int]]:
    """Return the first player's lower or upper bounds of all joint actions, [arms of the first, arms of the second]."""
    rows, columns = (range(len(block.actions)) for block in node.blocks)

    def bound(row: int, column: int) -> int:
        cell = node.cells.get((row, column))
        if cell is None or cell.child is None:
            return ONE if upper else 0
        return cell.child.upper[0] if upper else cell.child.lower[0]

    return [[bound(row, column) for column in columns] for row in rows]


def solve_cells(node: JointNode, upper: bool) -> Solution:
    """Solve the matrix game of the joint actions' lower or upper bounds."""
    return matrix_game([[float(bound) for bound in row] for row in cell_bounds(node, upper)])


def _value_of_cells(node: JointNode, upper: bool) -> int:
    """Return the value of the matrix of lower or upper bounds: rounded if it is exact, else on the safe side."""
    value, _, _, error = solve_cells(node, upper)
    if error <= MOST_ERROR:
        return math.floor(value + 0.5)
    return math.ceil(value + error) if upper else math.floor(value - error)


def _is_solved_now(node: JointNode, in_graph: bool) -> bool:
    """Return True if the matrices of a node are solved at this visit."""
    small = math.prod(len(block.actions) for block in node.blocks) <= MOST_SOLVED
    return not in_graph or small or node.visits % SOLVED_VISITS == 0 or node.visits & (node.visits - 1) == 0


def _tighten_joint(node: JointNode, in_graph: bool) -> bool:
    """Tighten bounds where two decide, to the values of the matrices of lower and of upper bounds.

    Pure maximin and minimax give most of these values without a matrix game.
    """
    solves = _is_solved_now(node, in_graph)
    lows, highs = cell_bounds(node, upper=False), cell_bounds(node, upper=True)
    low, low_at_most = max(map(min, lows)), min(map(max, zip(*lows, strict=True)))
    high, high_at_least = min(map(max, zip(*highs, strict=True))), max(map(min, highs))
    if solves and low < low_at_most and low < high:
        low = min(max(low, _value_of_cells(node, upper=False)), high)
    if solves and high_at_least < high and low < high:
        high = max(min(high, _value_of_cells(node, upper=True)), low)
    if high - low <= ROUNDING:
        high = low
    return _settle(node, [low, ONE - high], [high, ONE - low])
