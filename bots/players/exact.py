"""Exact play, for games that are small enough to be solved."""

from __future__ import annotations

from functools import lru_cache

from mcts import Action, Game, Limit, Solution, UnsupportedGameError, View, solve
from mcts.exact.solve import check_solvable
from mcts.registry import searcher_class

from ..base import NO_LIMIT, Bot


@lru_cache(maxsize=8)
def solution_of(game: Game) -> Solution:
    """Return the solution of a game. The first call in a process solves the game or reads its solution from disk.

    The last eight stay in memory. Their data is mapped from disk if possible, so processes share it.

    Raises:
        UnsupportedGameError: the game is too large to be solved.
    """
    return solve(game)


class ExactBot(Bot):
    """Plays an optimal strategy from the exact solution. If it is mixed, actions are drawn from it."""

    NAME = "exact"
    SUMMARY = "exact play, for games that are small enough to be solved"

    _view: View | None = None
    """View of the last decision."""

    def why_unsupported(self, game: Game) -> str | None:
        try:
            check_solvable(game)
        except UnsupportedGameError as error:
            return f"{error}; or use {searcher_class(game).NAME}"
        return None

    def check_game(self, game: Game) -> None:
        """Check the game, and solve it now, so that no worker solves it while its opponent waits."""
        super().check_game(game)
        solution_of(game)

    def new_game(self, game: Game, player: int, seed: int) -> None:
        super().new_game(game, player, seed)
        solution_of(game)  # read before the first decision, in each process

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        self._view = view
        strategy = self.strategy(view, limit)
        return self.random.choices(list(strategy), weights=list(strategy.values()))[0]

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        return solution_of(view.game).policy(view)

    def expected_return(self, player: int) -> float | None:
        if self._view is None:
            return None
        return solution_of(self._view.game).value(self._view)[player]


BOT = ExactBot
