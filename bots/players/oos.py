"""Online outcome sampling, for games of two players with hidden information."""

from __future__ import annotations

from mcts import Game
from mcts.searchers.oos import OOS

from ..search_bot import SearchBot


class OosBot(SearchBot):
    """A search by `mcts.searchers.oos.OOS` at every decision, which continues with what it learnt in the same game."""

    NAME = "oos"
    SEARCHER = OOS
    DEFAULT_SIMULATIONS = 50_000

    def new_game(self, game: Game, player: int, seed: int) -> None:
        self._searcher = None  # so that a game does not depend on those before
        super().new_game(game, player, seed)


BOT = OosBot
