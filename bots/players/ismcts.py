"""Information set MCTS, for games with hidden information whose actions can be listed."""

from __future__ import annotations

from mcts.searchers.ismcts import ISMCTS

from ..search_bot import SearchBot


class IsmctsBot(SearchBot):
    """A new search by `mcts.searchers.ismcts.ISMCTS` at every decision."""

    NAME = "ismcts"
    SEARCHER = ISMCTS
    DEFAULT_SIMULATIONS = 10_000


BOT = IsmctsBot
