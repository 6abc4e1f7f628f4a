"""The statistics of a search at its root, as `cext.search.search.Search` gives them."""

from __future__ import annotations

from . import select_joint
from .bounds import solve_cells
from .search_state import SearchState
from .transpositions import mean_values
from .tree import ChanceNode, InnerNode, SingleNode
from .values import VALUE_UNIT

Row = tuple[int, int, float, float, float, float]
"""Of one action: action, visits, sum of values, weight, lower bound, upper bound."""


def root_arms(search: SearchState, root: InnerNode) -> dict[int, list[Row]]:
    """Return the statistics of the root: player -> rows by ascending action; {} where chance decides."""
    if isinstance(root, ChanceNode):
        return {}
    if isinstance(root, SingleNode):
        return {root.mover: sorted(_single_rows(search, root))}
    weights: list[list[float]] = []
    for block in root.blocks:
        averaged = select_joint.policy_of(search).HAS_STRATEGY
        weights.append(block.strategy if averaged else [float(visits) for visits in block.visits])
    if root.proven:
        weights = [solve_cells(root, upper=False).rows, solve_cells(root, upper=True).columns]
    return {
        block.player: sorted(
            (action, block.visits[arm], block.value[arm] * VALUE_UNIT, weight[arm], 0.0, 1.0)
            for arm, action in enumerate(block.actions)
        )
        for block, weight in zip(root.blocks, weights, strict=True)
    }


def _single_rows(search: SearchState, node: SingleNode) -> list[Row]:
    rows: list[Row] = [(action, 0, 0.0, 0.0, 0.0, 1.0) for action in node.actions]
    for number, arm in enumerate(node.arms):
        lower, upper = 0.0, 1.0
        if search.solver and arm.child is not None:
            lower, upper = arm.child.lower[node.mover] * VALUE_UNIT, arm.child.upper[node.mover] * VALUE_UNIT
        value = arm.value * VALUE_UNIT
        if search.transpositions and arm.child is not None:
            value = mean_values(search, arm.child)[node.mover] * arm.visits * VALUE_UNIT
        rows[number] = (node.actions[number], arm.visits, value, float(arm.visits), lower, upper)
    if search.halving is not None:
        rows = [(*row[:3], weight, *row[4:]) for row, weight in zip(rows, search.halving.policy(), strict=True)]
    return rows
