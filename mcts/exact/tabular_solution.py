"""The solution of a game without hidden information: a table of state values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cext.actions import Action
from cext.arguments import require
from cext.exact.solved_states import SolvedStates
from cext.game import Game, State, View
from cext.matrix_game import matrix_game

from ..errors import IllegalActionError, StateError, UnsupportedGameError
from ..limits import Limit
from .best_responses import BestResponses, Response
from .policies import as_policy, checked
from .solution import BidClass, Solution, Where
from .solution_file import SolutionStatistics

BOT_SAMPLES = 16
"""Default number of times that a bot is asked at each decision."""
TOLERANCE = 1e-9
"""Values that differ by less, as a share of the game's range of returns, count as equal."""


class TabularSolution(Solution):
    """The solution of a game in which nothing is hidden.

    Nothing but a key and a value is kept for each state, mapped from a file where there is one; policies are computed
    when they are asked for.
    """

    def __init__(self, game: Game, solved: SolvedStates, statistics: SolutionStatistics, path: Path | None) -> None:
        self.game = game
        self.path = path
        self._solved = solved
        self._statistics = statistics
        self._tolerance = TOLERANCE * (game.max_utility - game.min_utility)
        self._sum = float(game.utility_sum or 0.0)

    @property
    def num_states(self) -> int:
        return self._statistics.num_states

    @property
    def num_canonical_states(self) -> int:
        return len(self._solved)

    @property
    def num_information_states(self) -> None:
        return None

    @property
    def num_simultaneous_stages(self) -> int:
        return self._statistics.num_saddle + self._statistics.num_mixed

    @property
    def num_mixed_stages(self) -> int:
        return self._statistics.num_mixed

    @property
    def max_error(self) -> float:
        """0 where no stage has to be mixed."""
        return self._statistics.max_error

    def value(self, where: Where | None = None) -> list[float]:
        first = self._solved.value(self.game.new_initial_state() if where is None else _state_of(where))
        return [first, self._sum - first]

    def policy(self, where: Where, player: int | None = None) -> dict[Action, float]:
        state, player = self._decision(where, player)
        actions = self._actions(state, player)
        payoffs = self._payoffs(state, player)
        if len(state.acting_players()) < 2:
            best = self.optimal_actions(state, player)
            return dict.fromkeys(best, 1.0 / len(best))
        alone = self._optimal_alone(payoffs)
        if alone:
            return {actions[alone[0]]: 1.0}
        strategy = matrix_game(payoffs)[1]
        strategy[strategy < self._tolerance / 1000] = 0.0
        strategy /= strategy.sum()
        return {action: float(share) for action, share in zip(actions, strategy, strict=True) if share > 0}

    def optimal_actions(self, where: Where, player: int | None = None) -> list[Action]:
        state, player = self._decision(where, player)
        actions = self._actions(state, player)
        if player not in state.acting_players():
            return list(actions)
        alone = self._optimal_alone(self._payoffs(state, player))
        if alone:
            return [actions[i] for i in alone]
        return sorted(self.policy(state, player))

    def loss(self, where: Where, player: int | None, choice: Any) -> float:
        state, player = self._decision(where, player)
        actions = self._actions(state, player)
        payoffs = self._payoffs(state, player)
        mixture = as_policy(choice, 1, 0, Limit())(state, player) if callable(choice) else choice
        if not callable(choice) and not isinstance(choice, Mapping):
            if not state.is_legal(player, choice):
                raise IllegalActionError(f"{choice!r} is illegal at {state!r}; valid: {actions}")
            mixture = {choice: 1.0}
        strategy = np.zeros(len(actions))
        for action, probability in checked(mixture, state, player).items():
            strategy[actions.index(action)] = probability
        return max(0.0, self.value(state)[player] - float((strategy @ payoffs).min()))

    def best_responses(
        self,
        policy: Any,
        state: State | None = None,
        *,
        samples: int | None = None,
        seed: int = 0,
        limit: Limit | None = None,
    ) -> BestResponses:
        start = self.game.new_initial_state() if state is None else _state_of(state)
        values = self.value(start)
        play = as_policy(policy, BOT_SAMPLES if samples is None else samples, seed, limit or Limit())
        responses = [Response(play, player) for player in range(self.game.num_players)]
        found = tuple(response.value(start) for response in responses)
        gains = tuple(max(0.0, best - value) for best, value in zip(found, values, strict=True))
        return BestResponses(found, gains, sum(response.asked for response in responses))

    def bid_classes(self, where: Where, player: int | None = None) -> tuple[BidClass, ...]:
        raise self._for_hidden_bids("bid_classes", "policy")

    def mean_loss(self, policy: Any, *, samples: int | None = None, seed: int = 0, limit: Limit | None = None) -> float:
        raise self._for_hidden_bids("mean_loss", "loss")

    def expected_returns(
        self, first: Any, second: Any, *, samples: int | None = None, seed: int = 0, limit: Limit | None = None
    ) -> tuple[float, float]:
        raise self._for_hidden_bids("expected_returns", "best_responses")

    def _for_hidden_bids(self, name: str, instead: str) -> UnsupportedGameError:
        return UnsupportedGameError(f"{name} is for hidden bids, and {self.game.spec} has none; valid: {instead}")

    def _decision(self, where: Where, player: int | None) -> tuple[State, int]:
        """The state of a position and the player who decides there."""
        if isinstance(where, View):
            if player is not None and player != where.player:
                raise StateError(f"the view is of player {where.player}, not of player {player}")
            return where.state(), where.player
        if player is None:
            raise StateError("a state does not say who decides; valid: a view, or a state together with a player")
        return where, player

    def _actions(self, state: State, player: int) -> list[int]:
        """What a player can do at a state of the solution. Raises as policy does."""
        require(State, state, "a state, as game.new_initial_state() returns it")
        self._solved.value(state)
        actions = state.legal_actions(player)
        if not actions:
            raise StateError(f"the game {self.game.name} is over: there is nothing to decide")
        return actions

    def _payoffs(self, state: State, player: int) -> NDArray[np.float64]:
        """What a player gets, rows for its own actions, columns for the other's."""
        payoffs = self._solved.payoffs(state)
        return payoffs if player == 0 else self._sum - payoffs.T

    def _optimal_alone(self, payoffs: NDArray[np.float64]) -> list[int]:
        """Rows that secure the value of a stage, as far as it has a saddle point."""
        secured = payoffs.min(axis=1)
        if secured.max() < payoffs.max(axis=0).min() - self._tolerance:
            return []
        return [int(row) for row in np.flatnonzero(secured >= secured.max() - self._tolerance)]


def _state_of(where: Where) -> State:
    """The state of a position of a game in which nothing is hidden."""
    return where.state() if isinstance(where, View) else where
