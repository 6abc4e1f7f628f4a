"""A way from a result to the tree it came from, for as long as the tree stands as it was."""

from __future__ import annotations

import weakref
from typing import Any, Protocol

from .errors import StateError

_GONE = (
    "the tree of this result is gone with its searcher (or the result has been pickled or copied); "
    "keep the searcher, as in search = mcts.MCTS(game); r = search.run(state, simulations=1000); r.tree()"
)


class Changing(Protocol):
    """A searcher that counts the changes of its trees."""

    @property
    def generation(self) -> int:
        """How often the trees have been changed."""

    def raw_tree(self, number: int, depth: int, max_nodes: int) -> dict[str, Any] | None:
        """One of the trees, as `cext.search.search.Search.tree` gives it."""


class LiveTree:
    """The tree of a searcher at one generation. It keeps neither alive, and does not survive pickling.

    Args:
        searcher: whose tree it is, or None for no tree at all.
        number: of the tree among the searcher's.
        generation: of the searcher when the result was made.
    """

    def __init__(self, searcher: Changing | None = None, number: int = 0, generation: int = 0) -> None:
        self._searcher = None if searcher is None else weakref.ref(searcher)
        self._number = number
        self._generation = generation

    def __reduce__(self) -> tuple[type[LiveTree], tuple[()]]:
        return LiveTree, ()

    def read(self, depth: int, max_nodes: int) -> dict[str, Any]:
        """`Search.tree` of the tree. Raises StateError when it has changed or is gone."""
        searcher = None if self._searcher is None else self._searcher()
        if searcher is None:
            raise StateError(_GONE)
        if searcher.generation != self._generation:
            raise StateError(
                "the searcher has run or advanced since this result: its tree is another one now; "
                "call tree() before the next run or advance"
            )
        found = searcher.raw_tree(self._number, depth, max_nodes)
        if found is None or searcher.generation != self._generation:
            raise StateError(_GONE)
        return found


NO_TREE = LiveTree()
