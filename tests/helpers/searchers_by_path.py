"""A searcher and a bot of another package: flat Monte Carlo, like the recipe in docs/extending/searches.md."""

from dataclasses import dataclass, field
from typing import Any

from waiting import stopwatch

import mcts
from bots import SearchBot
from mcts.limits import search_limit
from mcts.parameters import Integer
from mcts.searchers.base import state_of

NOT_A_SEARCHER = object()


@dataclass(frozen=True)
class FlatResult:
    action: int
    policy: dict[int, float]
    values: tuple[float, ...]
    simulations: int
    seconds: float
    interrupted: bool = False
    extra: dict[str, Any] = field(default_factory=dict)

    def to_dict(self):
        return {"action": self.action, "values": list(self.values)}


class FlatMonteCarlo(mcts.Searcher):
    """Random playouts of each action, the same number each; plays the action with the best mean return."""

    SUMMARY = "random playouts of each action"
    PARAMETERS = {"most_actions": Integer(100, 1, 1000)}  # noqa: RUF012 (declared a ClassVar by the base)

    @classmethod
    def why_unsupported(cls, game):
        return None if game.is_enumerable else "its actions are too many to list; use double_oracle"

    def run(self, position, limit=None, seconds=None, *, simulations=None, player=None, on_progress=None):
        elapsed = stopwatch()
        most = search_limit(limit, simulations, seconds).simulations or 1000
        self.check_position(position)
        state = state_of(position)
        player = state.acting_players()[0] if player is None else player
        legal = state.legal_actions(player)[: self.parameters["most_actions"]]
        share = max(1, most // len(legal))
        means = {}
        for action in legal:
            after = state.clone()
            after.apply_actions([action if other == player else -1 for other in range(self.game.num_players)])
            over = after.is_terminal()
            means[action] = after.returns() if over else mcts.playouts(after, share, seed=self.seed)
        best = max(legal, key=lambda action: means[action][player])
        return FlatResult(best, {best: 1.0}, tuple(means[best]), share * len(legal), elapsed())


class NamedFlatMonteCarlo(FlatMonteCarlo):
    NAME = "flat"


class FlatBot(SearchBot):
    SEARCHER = FlatMonteCarlo
