"""Where the solver sends simulations when two players with opposite interests decide at once."""

from __future__ import annotations

import math

from .bounds import cell_bounds
from .nodes import UNIT, Block, JointNode

OPEN_EXPLORATION = 0.2
"""Weight of the exploration term."""
UNTRIED = 100.0
"""Score of an arm that has never been chosen."""
CANDIDATE = 10_000.0
"""Added for an arm that may yet be best."""


def _promise(node: JointNode, block: Block, arm: int) -> float:
    """UCB1's bound, as if the other player were chance."""
    visits = block.visits[arm]
    if visits == 0:
        return UNTRIED
    return block.value[arm] * UNIT / visits + OPEN_EXPLORATION * math.sqrt(math.log(node.visits) / visits)


def is_closed(node: JointNode, chosen: tuple[int, ...]) -> bool:
    """True when a joint action is proven."""
    cell = node.cells.get(chosen)
    return cell is not None and cell.child is not None and cell.child.proven


def choose_open(node: JointNode) -> tuple[int, ...] | None:
    """A joint action that is not proven, or None where all are.

    Best is a row that secures the most by the upper bounds, in a column that concedes the least by the lower ones.
    """
    lows, highs = cell_bounds(node, upper=False), cell_bounds(node, upper=True)
    row_bounds = [min(row) for row in highs]
    column_bounds = [max(column) for column in zip(*lows, strict=True)]
    rows, columns = node.blocks
    row_scores = [
        _promise(node, rows, i) + (CANDIDATE if bound == max(row_bounds) else 0.0) for i, bound in enumerate(row_bounds)
    ]
    column_scores = [
        _promise(node, columns, j) + (CANDIDATE if bound == min(column_bounds) else 0.0)
        for j, bound in enumerate(column_bounds)
    ]
    best, highest = None, -1.0
    for i, row_score in enumerate(row_scores):
        for j, column_score in enumerate(column_scores):
            if row_score + column_score > highest and not is_closed(node, (i, j)):
                best, highest = (i, j), row_score + column_score
    return best
