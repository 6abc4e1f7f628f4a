"""Proven bounds on the values of nodes, from the bounds of their children (Cazenave and Saffidine 2010)."""

from __future__ import annotations

import itertools
import math

from .matrix import Solution, matrix_game
from .nodes import ONE, PRUNED, JointNode, Node, SingleNode

MOST_ERROR = 16.0
"""Of the value of a matrix game that counts as exact."""


def tighten(node: Node, zero_sum: bool) -> bool:
    """Tighten the bounds of a node from its children's; True when any bound moved.

    zero_sum: two players whose values always add up to one.
    """
    if node.proven:
        return False
    if isinstance(node, SingleNode):
        return _tighten_single(node, zero_sum)
    if isinstance(node, JointNode) and zero_sum:
        return _tighten_joint(node)
    return False


def _settle(node: Node, lower: list[int], upper: list[int]) -> bool:
    """Take over new bounds where they are tighter. True when any was."""
    before = node.lower, node.upper
    node.lower = [max(pair) for pair in zip(node.lower, lower, strict=True)]
    node.upper = [min(pair) for pair in zip(node.upper, upper, strict=True)]
    node.proven = all(low >= high for low, high in zip(node.lower, node.upper, strict=True))
    return before != (node.lower, node.upper)


def _tighten_single(node: SingleNode, zero_sum: bool) -> bool:
    """The mover reaches the best of its arms' lower bounds, and no more than the best of their upper bounds."""
    mover = node.mover
    complete = len(node.arms) == len(node.actions)
    lows = [0 if arm.child is None else arm.child.lower[mover] for arm in node.arms]
    highs = [ONE if arm.child is None else arm.child.upper[mover] for arm in node.arms]
    best = max(lows)
    leader = lows.index(best)
    highest = max(highs) if complete else ONE
    lower, upper = [0] * len(node.sums), [ONE] * len(node.sums)
    lower[mover], upper[mover] = best, highest
    if zero_sum:
        lower[1 - mover], upper[1 - mover] = ONE - highest, ONE - best
    elif complete and all(arm.child is not None for arm in node.arms):
        # What the others get holds for every arm that the mover might prefer, ties included.
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


def cell_bounds(node: JointNode, upper: bool) -> list[list[int]]:
    """The first player's lower or upper bounds of all joint actions of two players, a row for each of its arms."""
    rows, columns = (range(len(block.actions)) for block in node.blocks)

    def bound(row: int, column: int) -> int:
        cell = node.cells.get((row, column))
        if cell is None or cell.child is None:
            return ONE if upper else 0
        return cell.child.upper[0] if upper else cell.child.lower[0]

    return [[bound(row, column) for column in columns] for row in rows]


def solve_cells(node: JointNode, upper: bool) -> Solution:
    """The matrix game of the joint actions' lower or upper bounds."""
    return matrix_game([[float(bound) for bound in row] for row in cell_bounds(node, upper)])


def _tighten_joint(node: JointNode) -> bool:
    """The pure maximin and minimax of the cells' bounds; where all cells are exact, the value of the matrix game."""
    low = max(map(min, cell_bounds(node, upper=False)))
    high = min(max(column) for column in zip(*cell_bounds(node, upper=True), strict=True))
    joints = itertools.product(*(range(len(block.actions)) for block in node.blocks))
    cells = [node.cells.get(joint) for joint in joints]
    if low < high and all(cell is not None and cell.child is not None and cell.child.proven for cell in cells):
        value, _, _, error = solve_cells(node, upper=False)
        if error <= MOST_ERROR:
            low = high = min(max(math.floor(value + 0.5), low), high)
        else:
            low, high = max(low, math.floor(value - error)), min(high, math.ceil(value + error))
    return _settle(node, [low, ONE - high], [high, ONE - low])
