"""Monte Carlo tree search, for every game whose actions can be listed and where nothing is hidden."""

from __future__ import annotations

from functools import cache
from typing import Any

from mcts import MCTS, Action, Game, Limit, SearchResult, View
from mcts.exact.size_estimate import estimate_size
from mcts.parameters import Flag

from ..base import NO_LIMIT, tighter_limit
from ..search_bot import SearchBot

WARM_UP_SECONDS = 0.02
"""Time limit of the search that a new searcher runs before the game."""

FEW_STATES = 500_000
"""Number of states, symmetric ones counted once, up to which transpositions are merged by default. A search that merges
is a few times slower, but what it proves of a state holds wherever the state occurs."""


class MctsBot(SearchBot):
    """A new search by `mcts.MCTS` at every decision.

    Two defaults differ from those of the searcher, for strength: the solver is on, and transpositions are merged by
    default if a game has so few states that a search meets most of them again.
    """

    NAME = "mcts"
    SUMMARY = "Monte Carlo tree search, for games in which nothing is hidden"
    SEARCHER = MCTS
    PARAMETERS = {"solver": Flag(True), "transpositions": Flag(None)}  # noqa: RUF012 (declared a ClassVar by the base)

    _first_limit: Limit = NO_LIMIT
    """Limit of the first decision of the next game."""

    def why_unsupported(self, game: Game) -> str | None:
        if game.is_enumerable and game.has_hidden_information:
            return "it searches the true state, and here a player does not see it; use greedy or random"
        return super().why_unsupported(game)

    def set_limit(self, limit: Limit) -> None:
        self._first_limit = limit

    def new_game(self, game: Game, player: int, seed: int) -> None:
        super().new_game(game, player, seed)
        if self.supports(game):  # so that the first decision takes no longer than the others
            self.searcher_for(game, tighter_limit(self._first_limit, self.parameters).memory_mb)

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        result = self.search(view, limit)
        return result.strategy if isinstance(result, SearchResult) else {view.legal_actions()[0]: 1.0}

    def make_searcher(self, game: Game, given: dict[str, Any]) -> MCTS:
        if given["transpositions"] is None:
            given["transpositions"] = given["parallel"] != "tree" and _has_few_states(game)
        searcher = MCTS(game, **given)
        # Makes the memory and the code of a search resident. It has no influence on later runs.
        searcher.run(game.new_initial_state(), simulations=self.DEFAULT_SIMULATIONS, seconds=WARM_UP_SECONDS)
        return searcher


@cache
def _has_few_states(game: Game) -> bool:
    try:
        return estimate_size(game, enough=FEW_STATES).states <= FEW_STATES
    except TypeError:  # a game written in Python: an estimate would take too long
        return False


BOT = MctsBot
