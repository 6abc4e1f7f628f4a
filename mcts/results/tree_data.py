"""Search trees as plain data, as DOT and as networkx graphs."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cext.arguments import counted
from cext.game.actions import Action
from cext.game.game import CHANCE, NOOP, State

from ..errors import IllegalActionError, StateError
from ..primitives.failures import needed_by

if TYPE_CHECKING:
    import networkx

MOST_DEPTH = 100
"""Greatest depth of a tree: JSON readers refuse deeper nesting."""

Tree = dict[str, Any]
"""One state of a tree; `SearchResult.tree` describes it."""


_EDGE = ("joint", "probability", "visits", "values")
"""Attributes of an edge in a networkx graph. Outcomes of chance alone have a probability."""


class _Edge(NamedTuple):
    number: int
    """Number of the state below; the root has 0, and more visited states come first."""
    parent: int
    arm: dict[str, Any]


def joint_of(state: State, texts: Mapping[str, str]) -> list[Action]:
    """Return the joint action in a dict of player -> text for those who decide; of `chance` where chance decides.

    Raises:
        IllegalActionError: it has other players, or an action that is not legal.
    """
    names = {state.game.players[player]: player for player in state.acting_players()} or {"chance": CHANCE}
    if state.is_terminal() or set(texts) != set(names):
        raise IllegalActionError(f"expected one action for each of {', '.join(names)}, got {dict(texts)}")
    return list(state.joint_action({player: texts[name] for name, player in names.items()}))


def follow_path(state: State, path: Sequence[Mapping[str, str]], symmetries: bool) -> list[list[Action]]:
    """Play a path of texts on a state, and return its joint actions as they stand in the tree.

    Raises:
        IllegalActionError: a step is not one from its state.
    """
    image, num_players = state.game.transform_action, state.game.num_players
    found = []
    for depth, texts in enumerate(path):
        joint = joint_of(state, texts)
        _, symmetry = state.canonical() if symmetries and depth else (state, 0)
        state.apply_actions(joint)
        for player in range(num_players if symmetry else 0):  # symmetries keep the outcomes of chance
            if joint[player] != NOOP:
                joint[player] = image(symmetry, player, joint[player])
        found.append(joint)
    return found


def readable_tree(raw: Tree, root: State, *, is_below: bool = False) -> Tree:
    """Return a tree with player names, action texts and values on the game's own scale.

    Args:
        raw: a tree as `cext.search.search.Search.tree` returns it.
        root: the state at its root.
        is_below: True if that is not the root of the search.

    Returns:
        A tree as `SearchResult.tree` describes it.
    """
    found: Tree = {} if is_below else {"game": root.game.spec}
    todo = [(raw, root, found)]
    while todo:
        node, state, entry = todo.pop()
        if raw["symmetries"] and (is_below or node is not raw):
            node = _with_own_actions(node, state)
        entry.update(_readable_state(node, state))
        for arm in node["arms"]:
            readable = _readable_arm(arm, state)
            entry["arms"].append(readable)
            if arm["child"] is not None:
                below = state.clone()
                below.apply_actions(arm["joint"])
                readable["child"] = {}
                todo.append((arm["child"], below, readable["child"]))
    return found


def _with_own_actions(node: Tree, state: State) -> Tree:
    """Return a node of the canonical form of a state with the actions of the state itself."""
    _, symmetry = state.canonical()
    if symmetry == 0:
        return node
    image = state.game.transform_action
    actions = {
        player: {image(symmetry, player, action): action for action in state.legal_actions(player)}
        for player in node["acting"]
    }
    return {
        **node,
        "blocks": [
            (player, [(actions[player][action], *row) for action, *row in rows]) for player, rows in node["blocks"]
        ],
        "arms": [
            {
                **arm,
                "joint": [
                    actions[player][action] if player in actions else action
                    for player, action in enumerate(arm["joint"])
                ],
            }
            for arm in node["arms"]
        ],
    }


def _scaled(value: float, state: State) -> float:
    """Return a value in [0, 1] on the game's own scale."""
    low, high = state.game.min_utility, state.game.max_utility
    return float(low + value * (high - low))


def _readable_state(node: Tree, state: State) -> Tree:
    players = state.game.players
    values, bounds = node["values"], node["bounds"]
    return {
        "visits": node["visits"],
        "acting": [players[player] for player in node["acting"]],
        "values": None
        if values is None
        else {name: _scaled(value, state) for name, value in zip(players, values, strict=True)},
        "bounds": None
        if bounds is None
        else {name: [_scaled(end, state) for end in pair] for name, pair in zip(players, bounds, strict=True)},
        "strategies": {players[player]: _readable_strategy(player, rows, state) for player, rows in node["blocks"]},
        "arms": [],
        "left_out": node["left_out"],
    }


def _readable_strategy(player: int, rows: Sequence[tuple[int, int, float]], state: State) -> list[dict[str, Any]]:
    total = sum(weight for _, _, weight in rows)
    return [
        {
            "action": state.action_to_string(player, action),
            "visits": visits,
            "probability": weight / total if total > 0.0 else 1.0 / len(rows),
        }
        for action, visits, weight in sorted(rows)
    ]


def _readable_arm(arm: dict[str, Any], state: State) -> dict[str, Any]:
    players, acting = state.game.players, state.acting_players()
    if state.is_chance():
        return {
            "joint": {"chance": state.action_to_string(CHANCE, arm["joint"][CHANCE])},
            "probability": arm["probability"],
            "visits": arm["visits"],
            "values": {},
            "child": None,
        }
    return {
        "joint": {players[player]: state.action_to_string(player, arm["joint"][player]) for player in acting},
        "visits": arm["visits"],
        "values": {
            name: _scaled(value, state) for name, value in zip(players, arm["values"], strict=True) if value is not None
        },
        "child": None,
    }


def _edges(tree: Tree) -> Iterator[_Edge]:
    """Yield all arms of a tree, breadth first."""
    todo = [(0, tree)]
    number = 0
    for parent, node in todo:
        for arm in node["arms"]:
            number += 1
            yield _Edge(number, parent, arm)
            if arm["child"] is not None:
                todo.append((number, arm["child"]))


def tree_to_dot(tree: Tree) -> str:
    """Return a tree as text for Graphviz, for instance for `dot -Tsvg`.

    Args:
        tree: a tree as `SearchResult.tree` returns it.

    Returns:
        A digraph in the DOT language. A box is a state, with its visits and the mean or proven return of each player. A
        rounded box is a state without a node. The width of a line is its share of the visits.
    """
    lines = [
        "digraph tree {",
        '  node [shape=box, fontname="sans-serif", fontsize=10];',
        '  edge [fontname="sans-serif", fontsize=9];',
        f"  0 [label={_quoted(tree['game'] + chr(10) + _state_label(tree))}];",
    ]
    for number, parent, arm in _edges(tree):
        child = arm["child"]
        label = _arm_label(arm) if child is None else _state_label(child)
        style = ", style=rounded" if child is None else ""
        joint = "\n".join(text if len(arm["joint"]) == 1 else f"{name} {text}" for name, text in arm["joint"].items())
        width = 0.5 + 4.5 * arm["visits"] / max(tree["visits"], arm["visits"], 1)
        lines.append(f"  {number} [label={_quoted(label)}{style}];")
        lines.append(f"  {parent} -> {number} [label={_quoted(joint)}, penwidth={width:.2f}];")
    return "\n".join([*lines, "}"]) + "\n"


def tree_to_networkx(tree: Tree) -> networkx.DiGraph:
    """Return a tree as a networkx graph.

    Args:
        tree: a tree as `SearchResult.tree` returns it.

    Returns:
        A DiGraph of int nodes; the root is 0. A node has `visits`, `values`, `acting`, `bounds` and `strategies`, an
        edge has `joint`, `visits` and `values`, and `probability` for an outcome of chance, as in the tree. A state
        without a node has the arm's `visits` and `values`, and None for the rest. The graph has `game`.

    Raises:
        ImportError: networkx is not installed; `pip install playout[graph]`.
    """
    with needed_by("tree_to_networkx needs", "networkx", "graph"):
        import networkx
    graph = networkx.DiGraph(game=tree["game"])
    graph.add_node(0, **_attributes(tree))
    for number, parent, arm in _edges(tree):
        graph.add_node(number, **_attributes(arm if arm["child"] is None else arm["child"]))
        graph.add_edge(parent, number, **{name: arm[name] for name in _EDGE if name in arm})
    return graph


def _attributes(node: Tree) -> dict[str, Any]:
    return {name: node.get(name) for name in ("visits", "values", "acting", "bounds", "strategies")}


def _state_label(node: Tree) -> str:
    bounds, lines = node["bounds"], [_visits_text(node["visits"])]
    for name, value in (node["values"] or dict.fromkeys(bounds or {})).items():
        lower, upper = bounds[name] if bounds else (None, None)
        if lower is not None and lower == upper:
            lines.append(f"{name} {lower:g} proven")
        elif value is not None:
            lines.append(f"{name} {value:.1f}")
    return "\n".join(lines)


def _arm_label(arm: dict[str, Any]) -> str:
    return "\n".join([_visits_text(arm["visits"]), *(f"{name} {value:.1f}" for name, value in arm["values"].items())])


def _visits_text(visits: int) -> str:
    return counted(visits, "visit")


def _quoted(text: str) -> str:
    """Return a DOT string: quotes, backslashes and line breaks are escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


_GONE = (
    "the tree of this result is gone with its searcher (or the result has been pickled or copied); "
    "keep the searcher, as in search = mcts.MCTS(game); r = search.run(state, simulations=1000); r.tree()"
)


class Changing(Protocol):
    """A searcher that counts the changes of its trees."""

    @property
    def generation(self) -> int:
        """Number of changes of the trees."""

    def raw_tree(self, number: int, depth: int, max_nodes: int, path: Sequence[list[Action]]) -> dict[str, Any] | None:
        """Return one of the trees as `cext.search.search.Search.tree` does."""


class LiveTree:
    """A weak reference to the tree of a searcher as it is now. It does not keep the searcher alive; a copy has no tree.

    Args:
        searcher: the searcher, or None for no tree.
        number: index of the tree among those of the searcher.
        generation: the searcher's number of changes now.
    """

    def __init__(self, searcher: Changing | None = None, number: int = 0, generation: int = 0) -> None:
        self._searcher = None if searcher is None else weakref.ref(searcher)
        self._number = number
        self._generation = generation

    def __reduce__(self) -> tuple[type[LiveTree], tuple[()]]:
        return LiveTree, ()

    def read(self, depth: int, max_nodes: int, path: Sequence[list[Action]]) -> dict[str, Any] | None:
        """Return `Search.tree` of the tree. Raise StateError if it has changed or no longer exists."""
        searcher = None if self._searcher is None else self._searcher()
        if searcher is None:
            raise StateError(_GONE)
        if searcher.generation != self._generation:
            raise StateError(
                "the searcher has run or advanced since this result: its tree is another one now; "
                "call tree() before the next run or advance"
            )
        found = searcher.raw_tree(self._number, depth, max_nodes, path)
        if (found is None and not path) or searcher.generation != self._generation:
            raise StateError(_GONE)
        return found


NO_TREE = LiveTree()
