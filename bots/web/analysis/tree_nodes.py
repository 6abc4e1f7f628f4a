"""Nodes of a search tree as data, for a client that opens one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcts import PlayoutError, SearchResult

Path = tuple[tuple[tuple[str, str], ...], ...]
"""Steps from the root: each is the items of a dict of player -> action."""

LONGEST_PATH = 12
_MOST_CHILDREN = 400


def nodes_of(found: SearchResult, paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the nodes at the ends of some paths, each with its children, as the tree has them now.

    A node without enough visits, or that was removed, has `node` None.
    """
    return [{"path": [dict(step) for step in path], "node": _node(found, path)} for path in paths]


def _node(found: SearchResult, path: Path) -> dict[str, Any] | None:
    try:
        node = found.subtree([dict(step) for step in path], 1, _MOST_CHILDREN + 1)
    except PlayoutError:  # an illegal step, or the searcher has gone on
        return None
    if node is None:
        return None
    shown = {key: value for key, value in node.items() if key not in ("arms", "game")}
    arms = [{key: value for key, value in arm.items() if key != "child"} | _child(arm["child"]) for arm in node["arms"]]
    return {**shown, "arms": arms}


def _child(child: dict[str, Any] | None) -> dict[str, Any]:
    return {"has_node": child is not None, "bounds": None if child is None else child["bounds"]}
