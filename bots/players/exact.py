"""Exact play, for games small enough to be solved."""

from __future__ import annotations

from mcts import Action, Game, Limit, Solution, UnsupportedGameError, View, check_solvable, solve

from ..base import NO_LIMIT, Bot

_solutions: dict[Game, Solution] = {}
"""Of this process; what they hold is mapped from disk where it can be, and so shared."""


def solution_of(game: Game) -> Solution:
    """The solution of a game, solved or read from disk at the first call in this process.

    Raises:
        UnsupportedGameError: the game is too large to be solved.
    """
    if game not in _solutions:
        _solutions[game] = solve(game)
    return _solutions[game]


class ExactBot(Bot):
    """Plays by the exact solution; where the best play is a mixture, it draws from that."""

    NAME = "exact"
    SUMMARY = "exact play, for games small enough to be solved"

    _view: View | None = None
    """Of the last decision."""

    def why_unsupported(self, game: Game) -> str | None:
        try:
            check_solvable(game)
        except UnsupportedGameError as error:
            return f"{error}; or use {'sampled_mcts' if game.has_hidden_information else 'mcts'}"
        return None

    def check_game(self, game: Game) -> None:
        """As for every bot; and the game is solved, so that no worker has to do it while its opponent waits."""
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
