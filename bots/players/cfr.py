"""Counterfactual regret minimisation, for small games with hidden information."""

from __future__ import annotations

from mcts import Action, Game, Limit, View
from mcts.searchers.cfr import CFR, check_size

from ..base import NO_LIMIT
from ..search_bot import SearchBot


class CfrBot(SearchBot):
    """Plays by strategies for the whole game from `mcts.searchers.cfr.CFR`, which improve from decision to decision."""

    NAME = "cfr"
    SEARCHER = CFR

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        return super().strategy(view, limit, 1)  # no seed changes it

    def check_game(self, game: Game) -> None:
        """Check the game, and explore it for some seconds, so that one that is too large is refused before it begins.

        Raises:
            UnsupportedGameError: it is.
        """
        super().check_game(game)
        check_size(game, self.parameters["memory_mb"])


BOT = CfrBot
