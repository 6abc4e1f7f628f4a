"""Searches of a position for the persons of a match."""

from __future__ import annotations

from typing import Any

from mcts import MCTS, DoubleOracle, Game, Searcher
from mcts.registry import searcher_class

ANALYST_MB = 256
"""Memory limit of an analysis in MB, unless another one is given."""


def analyst_of(game: Game, memory_mb: int = ANALYST_MB) -> Searcher:
    """Return a new searcher for analyses of a game, the strongest one, with a memory limit where its tree needs one.

    The first one of a game may take a second, for an estimate of the number of states.

    Sealed bids are analysed without naive opponents, so that the values of both players are opposite.
    """
    kind = searcher_class(game)
    options: dict[type[Searcher], dict[str, Any]] = {MCTS: {"memory_mb": memory_mb}, DoubleOracle: {"naive": 0.0}}
    return kind(game, **options.get(kind, {}))
