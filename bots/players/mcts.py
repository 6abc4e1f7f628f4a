"""Monte Carlo tree search, for every game whose actions can be listed and where nothing is hidden."""

from __future__ import annotations

from functools import cache
from typing import Any

from mcts import MCTS, Game, Limit, SearchResult, View
from mcts.exact.size_estimate import estimate_size
from mcts.parameters import Flag, Integer, Real

from ..base import NO_LIMIT, Bot, tighter_limit
from ..clocks import decision_limit

DEFAULT_SIMULATIONS = 1000
"""What a decision is given where neither the bot's parameters nor the limit say anything."""

WARM_UP_SECONDS = 0.02
"""How long a new searcher is tried before the game."""

FEW_STATES = 500_000
"""States that are no images of each other, up to which merging brings more than it costs: a search that merges is a few
times slower, but what it proves of a state serves wherever the state turns up."""


class MctsBot(Bot):
    """A new search for every decision; its parameters are those of `mcts.MCTS`, and the limits of a decision.

    Two defaults are other than a searcher's, for strength: the solver is on, and unless it is said, transpositions are
    merged where a game has few enough states for a search to meet most of them again.
    """

    NAME = "mcts"
    SUMMARY = (
        "Monte Carlo tree search, for games in which nothing is hidden; "
        f"{DEFAULT_SIMULATIONS:,} simulations a decision unless told otherwise"
    )
    PARAMETERS = {  # noqa: RUF012 (declared a ClassVar by the base)
        "simulations": Integer(None, 1, 2**31 - 1),
        "seconds": Real(None, 1e-6, 1e6),
        **MCTS.PARAMETERS,
        "solver": Flag(True),
        "transpositions": Flag(None),
    }

    _search: MCTS | None = None
    _memory_mb: int | None = None
    """Of `_search`."""
    _first_limit: Limit = NO_LIMIT
    """Of the first decision of the game that is about to begin."""

    def why_unsupported(self, game: Game) -> str | None:
        if not game.is_enumerable:
            return "its actions are too many to list; use sampled_mcts"
        if game.has_hidden_information:
            return "it searches the true state, and here a player does not see it; use greedy or random"
        return None

    def set_limit(self, limit: Limit) -> None:
        self._first_limit = limit

    def new_game(self, game: Game, player: int, seed: int) -> None:
        super().new_game(game, player, seed)
        if self.supports(game):  # the first decision shall take no longer than those after it
            self._search_for(game, tighter_limit(self._first_limit, self.parameters).memory_mb)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Any:
        self.search_info = self._search_view(view, limit)
        return view.legal_actions()[0] if self.search_info is None else self.search_info.action

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Any, float]:
        found = self._search_view(view, limit)
        return {view.legal_actions()[0]: 1.0} if found is None else found.strategy

    def _search_view(self, view: View, limit: Limit) -> SearchResult | None:
        """What a search finds; None where there is but one action."""
        search = self._search_for(view.game, tighter_limit(limit, self.parameters).memory_mb)
        if len(view.legal_actions()) == 1:
            return None
        mine = decision_limit(view, limit, self.parameters)
        search.seed = self.random.getrandbits(64)
        simulations = mine.simulations
        if simulations is None and mine.seconds is None:
            simulations = DEFAULT_SIMULATIONS
        state = view.resample(0)  # nothing is hidden: it is the state
        return search.run(
            state, simulations=simulations, seconds=mine.seconds, player=view.player, on_progress=self.on_progress
        )

    def stop(self) -> None:
        if self._search is not None:
            self._search.stop()

    def _search_for(self, game: Game, memory_mb: int | None) -> MCTS:
        """The searcher of this game, kept from decision to decision for the memory it holds."""
        if self._search is None or self._search.game != game or self._memory_mb != memory_mb:
            self.check_game(game)
            given = {name: self.parameters[name] for name in MCTS.PARAMETERS} | {"memory_mb": memory_mb}
            if given["transpositions"] is None:
                given["transpositions"] = given["parallel"] != "tree" and _has_few_states(game)
            self._search = MCTS(game, **given)
            self._memory_mb = memory_mb
            # Makes the memory and all code resident that a search needs. It has no influence on later runs.
            self._search.run(game.new_initial_state(), simulations=DEFAULT_SIMULATIONS, seconds=WARM_UP_SECONDS)
        return self._search


@cache
def _has_few_states(game: Game) -> bool:
    try:
        return estimate_size(game, enough=FEW_STATES).states <= FEW_STATES
    except TypeError:  # of a game written in Python nobody can tell in a moment
        return False


BOT = MctsBot
