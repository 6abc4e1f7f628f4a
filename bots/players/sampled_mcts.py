"""Search over sampled actions, by the player's view alone: for games whose actions are too many to list."""

from __future__ import annotations

from typing import Any

from mcts import Game, Limit, UnsupportedGameError, View
from mcts.parameters import Integer, Real
from mcts.searchers.sampled_mcts import SampledMCTS

from ..base import NO_LIMIT, Bot
from ..clocks import decision_limit

DEFAULT_SIMULATIONS = 20_000
"""What a decision is given where neither the bot's parameters nor the limit say anything."""


class SampledMctsBot(Bot):
    """A new search for every decision; its parameters are those of `SampledMCTS`, and the limits of a decision."""

    NAME = "sampled_mcts"
    SUMMARY = (
        "search over sampled actions against sampled replies, for games with too many actions to list; "
        f"{DEFAULT_SIMULATIONS:,} simulations a decision unless told otherwise"
    )
    PARAMETERS = {  # noqa: RUF012 (declared a ClassVar by the base)
        "simulations": Integer(None, 1, 2**31 - 1),
        "seconds": Real(None, 1e-6, 1e6),
        **SampledMCTS.PARAMETERS,
    }

    _search: SampledMCTS | None = None

    def why_unsupported(self, game: Game) -> str | None:
        try:
            self._searcher(game, 0)
        except UnsupportedGameError:
            return "it is for two players, constant sums, and actions too many to list; use mcts"
        return None

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Any:
        mine = decision_limit(view, limit, self.parameters)
        simulations = mine.simulations
        if simulations is None and mine.seconds is None:
            simulations = DEFAULT_SIMULATIONS
        self._search = self._searcher(view.game, self.random.getrandbits(64))
        self.search_info = self._search.run(
            view, simulations=simulations, seconds=mine.seconds, on_progress=self.on_progress
        )
        return self.search_info.action

    def stop(self) -> None:
        if self._search is not None:
            self._search.stop()

    def _searcher(self, game: Game, seed: int) -> SampledMCTS:
        return SampledMCTS(game, seed=seed, **{name: self.parameters[name] for name in SampledMCTS.PARAMETERS})


BOT = SampledMctsBot
