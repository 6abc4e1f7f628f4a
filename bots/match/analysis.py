"""Searches of a position for the persons of a match."""

from __future__ import annotations

from mcts import MCTS, DoubleOracle, Game, SampledMCTS, Searcher

ANALYST_MB = 256
"""Memory limit of an analysis in MB, unless another one is given."""


def analyst_of(game: Game, memory_mb: int = ANALYST_MB) -> Searcher:
    """Return a new searcher for analyses of a game, the strongest one, with a memory limit where its tree needs one.

    Sealed bids are analysed without naive rivals, so that the values of both players are opposite.
    """
    if MCTS.why_unsupported(game) is None:
        return MCTS(game, solver=True, memory_mb=memory_mb)
    if DoubleOracle.why_unsupported(game) is None:
        return DoubleOracle(game, naive=0.0)
    return SampledMCTS(game)
