"""Solutions of games with hidden information, in sequence form: what all of them share."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from cext.game.game import Game, State, View

from ..errors import StateError
from .best_responses import BestResponses
from .policies import Sampling
from .sequence_form import Decisions, Vector
from .solution import Position, Solution

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_NOTHING = 1e-9
"""Probabilities below this are rounding errors."""
SAME = 1e-7
"""Values that differ by less, in points, count as equal."""


class HiddenSolution(Solution):
    """A strategy for each player by information set, with the values of its actions.

    Args:
        game: a two-player constant-sum game.
        decisions: the information sets of both players, in sequence form.
        chances: [sequences of player 0, of player 1]: probability that chance ends the game there if both play
            towards it.
        payoffs: for each player, of the same shape: its returns there, multiplied by that probability.
        behaviour: for each player the probabilities [actions] of each information set.
    """

    def __init__(
        self,
        game: Game,
        decisions: tuple[Decisions, Decisions],
        chances: csr_matrix,
        payoffs: tuple[csr_matrix, csr_matrix],
        behaviour: list[list[Vector]],
    ) -> None:
        self.game = game
        self._decisions = decisions
        self._chances = chances
        self._payoffs = payoffs
        self._behaviour = behaviour
        self._sum = game.min_utility + game.max_utility
        self._weights = [decisions[player].weights(behaviour[player]) for player in (0, 1)]
        responses = [self._best_response(player, self._weights[1 - player]) for player in (0, 1)]
        self._worth = [response[1] for response in responses]
        self._reaches = [self._reaches_of(player) for player in (0, 1)]
        self._max_error = max(0.0, responses[0][0] + responses[1][0] - self._sum)
        middle = (responses[0][0] + self._sum - responses[1][0]) / 2
        self._value = (middle, self._sum - middle)

    @property
    def num_information_states(self) -> int:
        return sum(len(own.parents) for own in self._decisions)

    @property
    def num_states(self) -> int:
        return self.num_information_states

    @property
    def num_canonical_states(self) -> int:
        return self.num_information_states

    @property
    def num_mixed_stages(self) -> int:
        return sum(int((chances > 0).sum() > 1) for behaviour in self._behaviour for chances in behaviour)

    @property
    def max_error(self) -> float:
        """Greatest error of a value, in points: the returns of best responses to both policies minus the sum of
        returns. Best responses are computed without linear programs."""
        return self._max_error

    def value(self, position: Position | None = None) -> list[float]:
        if position is None:
            return list(self._value)
        self._check_game(position)
        if isinstance(position, State):
            if position.is_terminal():
                return position.returns()
            if position != self.game.new_initial_state():
                raise StateError(
                    "a state with hidden information has no value of its own; valid: a view of it, state.view(player)"
                )
            return list(self._value)
        own = 0.0
        for each in self.bid_classes(position):
            if each.value is None:
                raise StateError(
                    f"an optimal opponent never lets {position.game.players[position.player]} see this, so its value "
                    "depends on the rest of the opponent's policy; valid: views that optimal play of the opponent can "
                    "lead to"
                )
            own += each.probability * each.value
        other = self._sum - own
        return [own, other] if position.player == 0 else [other, own]

    @abstractmethod
    def _number(self, view: View) -> int:
        """Return the number of the information set of a view. Raise StateError if no play leads there."""

    @abstractmethod
    def _weights_of(self, policy: Any, player: int, sampling: Sampling) -> Vector:
        """Return the weights of a player's sequences under a policy, found by asking it."""

    def _best_responses(self, policy: Any, state: State | None, sampling: Sampling) -> BestResponses:
        if state is not None:
            self._check_game(state)
            if state != self.game.new_initial_state():
                raise StateError("with hidden information, best responses are known from the first state on only")
        weights = [self._weights_of(policy, player, sampling) for player in (0, 1)]
        found = tuple(self._best_response(player, weights[1 - player])[0] for player in (0, 1))
        gains = tuple(max(0.0, best - value) for best, value in zip(found, self._value, strict=True))
        return BestResponses(found, gains, self.num_information_states)

    def _expected_returns(self, first: Any, second: Any, sampling: Sampling) -> tuple[float, float]:
        one, two = self._weights_of(first, 0, sampling), self._weights_of(second, 1, sampling)
        earned = [float(one @ (payoff @ two)) for payoff in self._payoffs]
        return (earned[0], earned[1])

    def _mean_loss(self, policy: Any, sampling: Sampling) -> float:
        losses, decisions = 0.0, 0.0
        for player in (0, 1):
            own, worth = self._decisions[player], self._worth[player]
            weights = self._weights_of(policy, player, sampling)
            rows = zip(own.parents, own.sequences, self._reaches[player], strict=True)
            for parent, sequences, reach in rows:
                if len(sequences) > 1:
                    part = slice(sequences.start, sequences.stop)
                    decisions += weights[parent] * reach
                    losses += weights[parent] * worth[part].max() - float(weights[part] @ worth[part])
        return float(losses / decisions) if decisions else 0.0

    def _reaches_of(self, player: int) -> Vector:
        """Return the probability that the optimal opponent and chance lead to each information set, [information sets].

        The player itself is assumed to play towards it.
        """
        chances = self._chances if player == 0 else self._chances.T
        own = self._decisions[player]
        passing = np.asarray(chances @ self._weights[1 - player])
        # each action of an information set has the same probability to be passed, that of the information set
        for parent, sequences in zip(reversed(own.parents), reversed(own.sequences), strict=True):
            passing[parent] += passing[sequences.start]
        return passing[[sequences.start for sequences in own.sequences]]

    def _values(self, player: int, number: int) -> list[float | None]:
        """Return the value of each action of an information set; None if the optimal opponent never leads there."""
        sequences = self._decisions[player].sequences[number]
        reach = self._reaches[player][number]
        if reach < _NOTHING:
            return [None] * len(sequences)
        return [float(worth / reach) for worth in self._worth[player][sequences.start : sequences.stop]]

    def _determined_values(self, player: int, number: int) -> list[float]:
        """Return `_values`. Raise StateError if they are not determined."""
        values = [value for value in self._values(player, number) if value is not None]
        if not values:
            raise StateError("an optimal opponent never lets this come about: the values of actions are not determined")
        return values

    def _best_response(self, player: int, other: Vector) -> tuple[float, Vector]:
        """Return the value of a player's best response to the other's weights, and of best play after sequences."""
        payoff = self._payoffs[player] if player == 0 else self._payoffs[player].T
        total, worth, _ = self._decisions[player].best_response(payoff @ other)
        return total, worth

    def _view(self, position: Position, player: int | None) -> View:
        self._check_game(position)
        player = self._decider(position, player)
        view = position.view(player) if isinstance(position, State) else position
        if view.is_terminal():
            raise StateError(f"the game {self.game.spec} is over: nobody decides")
        return view

    def _check_game(self, position: Position) -> None:
        if position.game != self.game:
            raise StateError(f"this solution is of {self.game.spec}, the position of {position.game.spec}")
