"""Nodes of a search tree as data, for a client that opens one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcts import PlayoutError, SearchResult

Path = tuple[tuple[tuple[str, str], ...], ...]
"""Steps from the root: each is the items of a dict of player -> action."""

LONGEST_PATH = 12
_MOST_NODES = 4000


def nodes_of(found: SearchResult, paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the nodes at the ends of some paths, each with its children, as the tree has them now.

    A node without enough visits, or that was removed, has `node` None.
    """
    try:
        root = found.tree(min(max(map(len, paths)) + 1, LONGEST_PATH + 1), _MOST_NODES)
    except PlayoutError:  # the searcher has gone on
        return []
    return [{"path": [dict(step) for step in path], "node": _node(root, path)} for path in paths]


def _node(root: dict[str, Any], path: Path) -> dict[str, Any] | None:
    node: dict[str, Any] | None = root
    for step in path:
        arms = [] if node is None else node["arms"]
        node = next((arm["child"] for arm in arms if tuple(arm["joint"].items()) == step), None)
    if node is None:
        return None
    shown = {key: value for key, value in node.items() if key not in ("arms", "game")}
    arms = [{key: value for key, value in arm.items() if key != "child"} | _child(arm["child"]) for arm in node["arms"]]
    return {**shown, "arms": arms}


def _child(child: dict[str, Any] | None) -> dict[str, Any]:
    return {"has_node": child is not None, "bounds": None if child is None else child["bounds"]}
