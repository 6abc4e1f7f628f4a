"""The solution of a game without hidden information: a table of state values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cext.arguments import require
from cext.exact.solved_states import SolvedStates
from cext.game.actions import Action
from cext.game.game import Game, State, View
from cext.matrix_game import matrix_game

from ..errors import StateError
from .best_responses import BestResponses, Response
from .policies import Sampling, as_policy, distribution_of
from .solution import Position, Solution
from .solution_file import SolutionStatistics

TOLERANCE = 1e-9
"""Values that differ by less, as a share of the game's range of returns, count as equal."""


class TabularSolution(Solution):
    """The solution of a game without hidden information.

    It stores a key and a value for each canonical state, mapped from a file if there is one. Policies are computed on
    demand.
    """

    def __init__(self, game: Game, solved: SolvedStates, statistics: SolutionStatistics, *, path: Path | None) -> None:
        self.game = game
        self.path = path
        self._solved = solved
        self._statistics = statistics
        self._tolerance = TOLERANCE * (game.max_utility - game.min_utility)
        self._sum = float(game.utility_sum or 0.0)
        self.num_states, self.num_canonical_states = statistics.num_states, len(solved)
        self.num_mixed_stages, self.max_error = statistics.num_mixed, statistics.max_error

    @property
    def num_simultaneous_stages(self) -> int:
        return self._statistics.num_saddle + self._statistics.num_mixed

    def value(self, position: Position | None = None) -> list[float]:
        first = self._solved.value(self.game.new_initial_state() if position is None else _state_of(position))
        return [first, self._sum - first]

    def policy(self, position: Position, player: int | None = None) -> dict[Action, float]:
        state, player, actions = self._decision(position, player)
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

    def optimal_actions(self, position: Position, player: int | None = None) -> list[Action]:
        state, player, actions = self._decision(position, player)
        if player not in state.acting_players():
            return list(actions)
        alone = self._optimal_alone(self._payoffs(state, player))
        if alone:
            return [actions[i] for i in alone]
        return sorted(self.policy(state, player))

    def loss(self, position: Position, player: int | None, choice: Any) -> float:
        state, player, actions = self._decision(position, player)
        payoffs = self._payoffs(state, player)
        strategy = np.zeros(len(actions))
        for action, probability in distribution_of(choice, state, state.view(player)).items():
            strategy[actions.index(action)] = probability
        return max(0.0, self.value(state)[player] - float((strategy @ payoffs).min()))

    def _best_responses(self, policy: Any, state: State | None, sampling: Sampling) -> BestResponses:
        start = self.game.new_initial_state() if state is None else _state_of(state)
        values = self.value(start)
        play = as_policy(policy, sampling)
        responses = [Response(play, player) for player in range(self.game.num_players)]
        found = tuple(response.value(start) for response in responses)
        gains = tuple(max(0.0, best - value) for best, value in zip(found, values, strict=True))
        return BestResponses(found, gains, sum(response.asked for response in responses))

    def _decision(self, position: Position, player: int | None) -> tuple[State, int, list[int]]:
        """Return the state of a position, the deciding player and its legal actions. For errors see `policy`."""
        player, state = self._decider(position, player), _state_of(position)
        require(State, state, "a state, as game.new_initial_state() returns it")
        self._solved.value(state)
        actions = state.legal_actions(player)
        if not actions:
            raise StateError(f"the game {self.game.name} is over: nobody decides")
        if state.is_chance():
            raise StateError(f"chance decides in this state of {self.game.name}; valid: one in which a player decides")
        return state, player, actions

    def _payoffs(self, state: State, player: int) -> NDArray[np.float64]:
        """Return the values of the successors to a player, [own actions, actions of the other player]."""
        payoffs = self._solved.payoffs(state)
        return payoffs if player == 0 else self._sum - payoffs.T

    def _optimal_alone(self, payoffs: NDArray[np.float64]) -> list[int]:
        """Return the rows that guarantee the value of a stage alone; [] if the stage has no saddle point."""
        secured = payoffs.min(axis=1)
        if secured.max() < payoffs.max(axis=0).min() - self._tolerance:
            return []
        return [int(row) for row in np.flatnonzero(secured >= secured.max() - self._tolerance)]


def _state_of(position: Position) -> State:
    """Return the state of a position without hidden information."""
    return position.state() if isinstance(position, View) else position
