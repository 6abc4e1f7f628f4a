"""Search over sampled actions, by the player's view alone: for games whose actions are too many to list."""

from __future__ import annotations

from mcts import SampledMCTS

from ..search_bot import SearchBot


class SampledMctsBot(SearchBot):
    """A new search by `mcts.SampledMCTS` at every decision."""

    NAME = "sampled_mcts"
    SEARCHER = SampledMCTS
    DEFAULT_SIMULATIONS = 20_000


BOT = SampledMctsBot
