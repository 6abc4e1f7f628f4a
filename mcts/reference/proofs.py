"""Proofs: what a new node knows at once, joint actions that are not proven yet, and bounds carried upwards."""

from __future__ import annotations

import math

import numpy as np

from cext.game.game import State

from .bounds import cell_bounds, tighten
from .search_state import SearchState, Step
from .transpositions import known_successor, mean_values, refresh_arm, refresh_cell
from .tree import Block, ChanceNode, InnerNode, JointNode, Node, SingleNode, actions_of, child_of, claim_cell
from .values import ONE, PRUNED, VALUE_UNIT

MOST_LOOKS = 256
"""Joint actions up to which all are looked at when a node is made."""
MOST_ARMS = 9
"""Actions of the one who decides up to which all are looked at in a graph."""
OPEN_EXPLORATION = 0.2
"""Weight of the exploration term among joint actions that are not proven."""
UNTRIED = 100.0
"""Score of an arm that has never been chosen."""
CANDIDATE = 10_000.0
"""Added to the score of an arm that may yet be best."""


def look_ahead(search: SearchState, node: InnerNode, state: State) -> None:
    """Link a new node to the known nodes one action or outcome ahead."""
    if isinstance(node, ChanceNode):
        for number, arm in enumerate(node.arms):
            arm.child = known_successor(search, state, actions_of(node, (number,)))
        known = True
    elif isinstance(node, SingleNode):
        link_arms(search, node, state)
        known = bool(node.arms)
    else:
        if math.prod(len(block.actions) for block in node.blocks) <= MOST_LOOKS:
            link_all_cells(search, node, state)
        known = bool(node.cells)
    if known:
        tighten(node, search.zero_sum, search.transpositions)


def link_arms(search: SearchState, node: SingleNode, state: State) -> None:
    """Take the arms with known successors: ends of the game, and merged states if there are few arms.

    Stop at an arm that is proven to win.
    """
    joint = [-1] * search.game.num_players
    for other in range(len(node.actions)):
        joint[node.mover] = node.actions[other]
        child = known_successor(search, state, joint, in_graph=len(node.actions) <= MOST_ARMS)
        if child is None:
            continue
        arm = node.arms[node.take_untried(other)]
        arm.child, arm.width = child, np.float32(1.0)
        arm.mean = PRUNED
        if not child.proven:
            arm.mean = np.float32(mean_values(search, child)[node.mover] * VALUE_UNIT)
        if child.proven and child.lower[node.mover] == ONE:
            return


def link_all_cells(search: SearchState, node: JointNode, state: State) -> None:
    """Link the joint actions of two players to their known successors."""
    rows, columns = node.blocks
    for i, row in enumerate(rows.actions):
        for j, column in enumerate(columns.actions):
            if child_of(node, (i, j))[1] is not None:
                continue
            child = known_successor(search, state, [row, column])
            if child is not None:
                claim_cell(node, (i, j)).child = child
                node.has_bounded_cells = node.has_bounded_cells or child.lower[0] > 0 or child.upper[0] < ONE


def link_cells(search: SearchState, node: JointNode, state: State, chosen: tuple[int, ...]) -> bool:
    """Link a joint action to its successor if that is known, and all others if they are few. Return True if it is."""
    child = known_successor(search, state, actions_of(node, chosen))
    if child is None:
        return False
    if math.prod(len(block.actions) for block in node.blocks) <= MOST_LOOKS:
        link_all_cells(search, node, state)
    else:
        claim_cell(node, chosen).child = child
    return True


def optimistic_value(node: JointNode, block: Block, arm: int) -> float:
    """Return UCB1's bound of one player's arm, as if the other player were chance."""
    visits = block.visits[arm]
    if visits == 0:
        return UNTRIED
    return block.value[arm] * VALUE_UNIT / visits + OPEN_EXPLORATION * math.sqrt(math.log(node.visits) / visits)


def is_closed(node: JointNode, chosen: tuple[int, ...]) -> bool:
    """Return True when a joint action is proven."""
    cell = node.cells.get(chosen)
    return cell is not None and cell.child is not None and cell.child.proven


def choose_unproven(node: JointNode) -> tuple[int, ...] | None:
    """Return a joint action that is not proven, or None where all are.

    Best is a row that secures the most by the upper bounds, in a column that concedes the least by the lower ones.
    """
    lows, highs = cell_bounds(node, upper=False), cell_bounds(node, upper=True)
    row_bounds = [min(row) for row in highs]
    column_bounds = [max(column) for column in zip(*lows, strict=True)]
    rows, columns = node.blocks
    row_scores = [
        optimistic_value(node, rows, i) + (CANDIDATE if bound == max(row_bounds) else 0.0)
        for i, bound in enumerate(row_bounds)
    ]
    column_scores = [
        optimistic_value(node, columns, j) + (CANDIDATE if bound == min(column_bounds) else 0.0)
        for j, bound in enumerate(column_bounds)
    ]
    best, highest = None, -1.0
    for i, row_score in enumerate(row_scores):
        for j, column_score in enumerate(column_scores):
            if row_score + column_score > highest and not is_closed(node, (i, j)):
                best, highest = (i, j), row_score + column_score
    return best


def keep_exact(search: SearchState, node: InnerNode, chosen: tuple[int, ...], child: Node) -> None:
    """Replace the statistics of an arm or cell by its proven value. Prune the arm if it need not be chosen again."""
    if isinstance(node, SingleNode):
        arm, exact = node.arms[chosen[0]], child.lower[node.mover]
        if search.transpositions:
            refresh_arm(search, node, arm)
        arm.value = exact * arm.visits
        if search.prefer_unproven:
            arm.mean = PRUNED
        elif arm.mean >= 0.0:
            arm.mean = np.float32(exact * VALUE_UNIT)
        arm.square = arm.visits * ((exact * VALUE_UNIT) * (exact * VALUE_UNIT))
    elif isinstance(node, JointNode):
        cell = node.cells[chosen]
        if search.transpositions:
            refresh_cell(search, node, cell)
        cell.sums = [exact * cell.visits for exact in child.lower]


def prove(search: SearchState, path: list[Step]) -> None:
    """Tighten the bounds along a path that ends at a proven node, from the last node upwards as far as they move."""
    for step in reversed(path):
        _, child = child_of(step.node, step.chosen)
        if child is None:
            return
        if child.proven:
            keep_exact(search, step.node, step.chosen, child)
        if isinstance(step.node, JointNode):
            step.node.has_bounded_cells = True
        if not tighten(step.node, search.zero_sum, search.transpositions):
            return
