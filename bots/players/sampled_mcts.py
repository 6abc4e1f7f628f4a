"""Search over sampled actions, by the player's view alone: for games whose actions are too many to list."""

from __future__ import annotations

from mcts import Game, SampledMCTS

from ..search_bot import SearchBot


class SampledMctsBot(SearchBot):
    """A new search by `mcts.SampledMCTS` at every decision."""

    NAME = "sampled_mcts"
    SEARCHER = SampledMCTS
    DEFAULT_SIMULATIONS = 20_000

    def why_unsupported(self, game: Game) -> str | None:
        reason = super().why_unsupported(game)
        if reason is None:  # raises ParameterError before the game if the parameters do not go together
            self.make_searcher(game, {name: self.parameters[name] for name in SampledMCTS.PARAMETERS})
        return reason


BOT = SampledMctsBot
