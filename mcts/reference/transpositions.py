"""Merged states: nodes by state, and statistics computed from those of the children (Czech, Korus, Kersting 2021)."""

from __future__ import annotations

import numpy as np

from cext.game import State

from .search_state import SearchState, clamp_to_bounds, end_of_game, exact_value, value_of_returns, value_to
from .tree import JointNode, Node, SingleNode
from .values import VALUE_UNIT


def representative(search: SearchState, state: State) -> State:
    """Return the state that shares its node with a state: the canonical one, if symmetric states are merged."""
    return state.canonical()[0] if search.symmetries else state


def known_successor(search: SearchState, state: State, actions: list[int]) -> Node | None:
    """Return the node after a joint action: an end of the game, or a merged state with a node; else None."""
    after = state.clone()
    after.apply_actions(actions)
    if after.is_terminal():
        return end_of_game(search, value_of_returns(search, after.returns()))
    return search.index.get(representative(search, after)) if search.transpositions else None


def open_node(search: SearchState, node: Node, state: State, values: list[int]) -> None:
    """Give a new node the value of its first visit, and make it known by its state."""
    node.visits = 1
    node.sums = clamp_to_bounds(search, node, values)
    node.first_value = list(node.sums)
    search.index[state] = node


def mean_values(search: SearchState, node: Node) -> list[float]:
    """Return the mean values of a node; the exact ones if it is proven."""
    if node.proven:
        return [float(value) for value in exact_value(search, node)]
    means = [total / node.visits for total in node.sums]
    if search.prefer_unproven:
        bounds = zip(means, node.lower, node.upper, strict=True)
        means = [min(max(mean, float(low)), float(high)) for mean, low, high in bounds]
    return means


def refresh_single(search: SearchState, node: SingleNode) -> None:
    """Compute a node's statistics from its children, which may have been visited on other paths."""
    node.visits, node.sums = 1, list(node.first_value)
    for arm in node.arms:
        if arm.child is None:
            if arm.visits:
                arm.mean = np.float32(arm.value * VALUE_UNIT / arm.visits)
            continue
        means = mean_values(search, arm.child)
        node.visits += arm.visits
        node.sums = [total + int(mean * arm.visits + 0.5) for total, mean in zip(node.sums, means, strict=True)]
        mean = value_to(search, means, node.mover)
        arm.value = int(mean * arm.visits + 0.5)
        if arm.mean >= 0.0:
            arm.mean = np.float32(mean * VALUE_UNIT)


def refresh_joint(search: SearchState, node: JointNode) -> None:
    """As `refresh_single`, where several players decide."""
    node.visits, node.sums = 1, list(node.first_value)
    for cell in node.cells.values():
        if cell.child is not None:
            node.visits += cell.visits
            cell.sums = [int(mean * cell.visits + 0.5) for mean in mean_values(search, cell.child)]
            node.sums = [total + value for total, value in zip(node.sums, cell.sums, strict=True)]
