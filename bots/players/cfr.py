"""Counterfactual regret minimisation, for small games with hidden information."""

from __future__ import annotations

from mcts.searchers.cfr import CFR

from ..search_bot import SearchBot


class CfrBot(SearchBot):
    """Plays by strategies for the whole game from `mcts.searchers.cfr.CFR`, which improve from decision to decision."""

    NAME = "cfr"
    SEARCHER = CFR


BOT = CfrBot
