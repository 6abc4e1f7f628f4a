"""Information set MCTS: tree search by a player's view, for games with hidden information whose actions are listed."""

from __future__ import annotations

from typing import Any, ClassVar

from cext.game.actions import Action
from cext.game.game import Game, View
from cext.parameters import Choice, Integer, Parameter, Real
from cext.search.information_set_search import SELECTIONS, InformationSetSearch

from ..options import MEMORY_MB
from .base import TOO_MANY_ACTIONS, SampledSearchResult, ViewSearcher, with_signature


@with_signature
class ISMCTS(ViewSearcher):
    """Information set MCTS with several observers (Cowling, Powley and Whitehouse 2012), for any number of players.

    Each simulation draws a state that looks the same to the player. Nothing but the player's view is used.

    Args:
        game: a game whose actions are listed.
        selection: `ucb1`, whose answer is the most visited action; `exp3` or `regret_matching`, whose answer is drawn
            from their average strategy.
        exploration: weight of the exploration term of `ucb1`, for values in [0, 1], 0 to 100.
        memory_mb: limit of the tree in megabytes, 1 to 32,000; at the limit it does not grow further.
        seed: root of the random streams; the same seed, view and simulations give the same result.

    Raises:
        ParameterError: a parameter is out of range.
        UnsupportedGameError: the actions of the game cannot be listed.
    """

    NAME = "ismcts"
    SUMMARY = "information set MCTS, for hidden information where actions can be listed"
    PARAMETERS: ClassVar[dict[str, Parameter]] = {
        "selection": Choice("ucb1", SELECTIONS),
        "exploration": Real(0.7, 0, 100),
        "memory_mb": Integer(MEMORY_MB, 1, 32_000),
    }

    def __init__(self, game: Game, *, seed: int = 0, **parameters: Any) -> None:
        super().__init__(game, seed=seed, **parameters)

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        return None if game.is_enumerable else TOO_MANY_ACTIONS

    def _open_search(self, view: View) -> InformationSetSearch:
        given = self.parameters
        return InformationSetSearch(view, self.seed, given["selection"], given["exploration"], given["memory_mb"])

    def _simulate(self, search: InformationSetSearch, count: int) -> None:
        search.simulate(count)

    def _result_of(
        self, view: View, search: InformationSetSearch, seconds: float, interrupted: bool
    ) -> SampledSearchResult:
        found = search.arms()
        policy: dict[Action, float]
        low, span = self.game.min_utility, self.game.max_utility - self.game.min_utility
        if self.parameters["selection"] == "ucb1":
            policy = {max(found, key=lambda each: found[each][0]): 1.0}
        else:
            weight = sum(strategy for _, _, strategy in found.values())
            policy = {each: arm[2] / weight if weight else 1 / len(found) for each, arm in found.items()}
        return self._drawn(
            view,
            policy,
            {each: visits for each, (visits, _, _) in found.items()},
            {each: low + span * total / visits if visits else None for each, (visits, total, _) in found.items()},
            tuple(low + span * value for value in search.values()),
            search.simulations,
            seconds,
            interrupted,
        )

    def _values(self, view: View, value: float) -> tuple[float, ...]:
        """Return the value of every player where nothing was searched: the middle of the range."""
        return ((self.game.min_utility + self.game.max_utility) / 2,) * self.game.num_players


SEARCHER = ISMCTS
