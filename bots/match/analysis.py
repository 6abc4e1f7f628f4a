"""Searches of a position for the persons of a match."""

from __future__ import annotations

from typing import Any

from mcts import DoubleOracle, Game, Searcher
from mcts.options import MEMORY_MB
from mcts.registry import searcher_class


def analyst_of(game: Game, memory_mb: int | None = None) -> Searcher:
    """Return a new searcher for analyses of a game, the strongest one, with a memory limit if it takes one.

    The first one of a game may take a second, for an estimate of the number of states.

    Sealed bids are analysed without naive opponents, so that the values of both players are opposite.
    """
    memory_mb = memory_mb or MEMORY_MB
    kind = searcher_class(game, memory_mb)
    options: dict[str, Any] = {"naive": 0.0} if kind is DoubleOracle else {}
    if "memory_mb" in kind.PARAMETERS:
        options["memory_mb"] = memory_mb
    return kind(game, **options)
