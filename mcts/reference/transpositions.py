"""Merged states: nodes by state, and statistics computed from those of the children (Czech, Korus, Kersting 2021)."""

from __future__ import annotations

import numpy as np

from cext.game.game import State

from .search_state import SearchState, Step, clamp_to_bounds, end_of_game, exact_value, value_of_returns
from .tree import Arm, Cell, JointNode, Node, SingleNode
from .values import VALUE_UNIT

VISITS = 4
"""Visits for each arm, where one player decides, after which all arms are refreshed."""
REFRESHED = 16
"""Joint actions that are refreshed at a visit, on average, where several players decide."""


def representative(search: SearchState, state: State) -> State:
    """Return the state that shares its node with a state: the canonical one, if symmetric states are merged."""
    return state.canonical()[0] if search.symmetries else state


def known_successor(search: SearchState, state: State, actions: list[int], in_graph: bool = True) -> Node | None:
    """Return the node after a joint action: an end of the game, or with `in_graph` a merged state's; else None."""
    after = state.clone()
    after.apply_actions(actions)
    if after.is_terminal():
        return end_of_game(search, value_of_returns(search, after.returns()))
    return search.index.get(representative(search, after).key()) if search.transpositions and in_graph else None


def open_node(search: SearchState, node: Node, state: State, step: Step | None = None) -> None:
    """Give a new node the value of its first visit, within its bounds, and make it known by its state.

    step: that leads to it. The node begins with what its arm, or joint action, knows from visits without a node.
    """
    search.value = clamp_to_bounds(search, node, search.value)
    node.visits = 1
    node.sums = list(search.value)
    search.index[state.key()] = node
    if step is not None and isinstance(step.node, SingleNode):
        arm = step.node.arms[step.chosen[0]]
        node.visits += arm.visits
        node.sums = [total + share * arm.visits for total, share in zip(node.sums, arm.share, strict=True)]
    elif step is not None and isinstance(step.node, JointNode) and step.chosen in step.node.cells:
        cell = step.node.cells[step.chosen]
        node.visits += cell.visits
        node.sums = [total + known for total, known in zip(node.sums, cell.sums, strict=True)]


def mean_values(search: SearchState, node: Node) -> list[int]:
    """Return the mean values of a node, within its bounds; the exact ones if it is proven."""
    if node.proven:
        return exact_value(search, node)
    means = [int(total / node.visits + 0.5) for total in node.sums]
    if search.solver:
        bounds = zip(means, node.lower, node.upper, strict=True)
        means = [min(max(mean, low), high) for mean, low, high in bounds]
    return means


def change_share(search: SearchState, node: SingleNode, arm: Arm, counted: int, means: list[int]) -> None:
    """Let an arm count with other means; its old ones have been counted for so many visits."""
    old = zip(node.sums, means, arm.share, strict=True)
    node.sums = [total + mean * arm.visits - share * counted for total, mean, share in old]
    arm.share = means
    mean = means[node.mover]
    arm.value = mean * arm.visits
    if arm.mean >= 0.0:
        arm.mean = np.float32(mean * VALUE_UNIT)


def refresh_arm(search: SearchState, node: SingleNode, arm: Arm) -> None:
    """Let an arm count with the means of its child, which other paths may have visited."""
    if arm.child is not None:
        change_share(search, node, arm, arm.visits, mean_values(search, arm.child))


def is_full_visit(node: SingleNode) -> bool:
    """Return True at the visits after which all arms are looked at, where one player decides."""
    return bool(node.arms) and node.visits % (VISITS * len(node.arms)) == 0


def visit_arm(search: SearchState, node: SingleNode, arm: Arm) -> None:
    """Count the simulation at an arm where one player decides. From time to time, refresh all of them."""
    node.visits += 1
    arm.visits += 1
    if arm.child is not None:
        means = mean_values(search, arm.child)
    else:
        known = zip(arm.share, search.value, strict=True)
        means = [(share * (arm.visits - 1) + value + arm.visits // 2) // arm.visits for share, value in known]
    change_share(search, node, arm, arm.visits - 1, means)
    if is_full_visit(node):
        refresh_node(search, node)


def refresh_cell(search: SearchState, node: JointNode, cell: Cell) -> None:
    """Let a joint action count with the means of its child, if it has one."""
    if cell.child is not None:
        totals = [mean * cell.visits for mean in mean_values(search, cell.child)]
        old = zip(node.sums, totals, cell.sums, strict=True)
        node.sums = [total + new - counted for total, new, counted in old]
        cell.sums = totals


def visit_cell(search: SearchState, node: JointNode, cell: Cell) -> None:
    """Count the simulation at a joint action, where several players decide. From time to time, refresh all of them."""
    node.visits += 1
    cell.visits += 1
    if cell.child is not None:
        refresh_cell(search, node, cell)
    else:
        node.sums = [total + value for total, value in zip(node.sums, search.value, strict=True)]
        cell.sums = [total + value for total, value in zip(cell.sums, search.value, strict=True)]
    if node.visits % -(-len(node.cells) // REFRESHED) == 0:
        refresh_node(search, node)


def refresh_node(search: SearchState, node: SingleNode | JointNode) -> None:
    """Let all arms, or all joint actions, count with the means of their children."""
    if isinstance(node, SingleNode):
        for arm in node.arms:
            refresh_arm(search, node, arm)
    else:
        for cell in node.cells.values():
            refresh_cell(search, node, cell)
