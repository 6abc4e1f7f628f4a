"""The interface of exact solutions, which `solve` returns for games with and without hidden information."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cext.arguments import whole_number
from cext.game.actions import Action
from cext.game.game import Game, State, View

from ..errors import StateError, UnsupportedGameError
from ..limits import Limit
from .best_responses import BestResponses
from .policies import BOT_SAMPLES, Sampling

Position = State | View
"""A state, or a player's view of one. Without hidden information a view determines the state."""


@dataclass(frozen=True)
class SolvedAction:
    """A legal action of a player, with hidden information."""

    action: Action
    """The action."""
    probability: float
    """Its probability in the optimal policy."""
    value: float | None
    """Return of the player if it plays this and then plays best against the optimal opponent; None if that opponent
    never lets the game come to this decision, so that what it hides is not determined."""


class Solution(ABC):
    """Optimal play of both players of a game, and the loss of any other play. `solve` makes it.

    Values are on the game's own scale. A position is a state together with a player, or a view, which is of one player.
    With hidden information only a view has a value; a state together with a player stands for that player's view.

    A *policy* is one of these:

    - a function of a view that returns action -> probability;
    - a function of a position (a state; a view if something is hidden) and a player that returns the same;
    - a bot: an object with `choose(view, limit)`.

    Methods that make no sense for a game raise UnsupportedGameError: `action_values_at`, `mean_loss` and
    `expected_returns` are for hidden information.
    """

    game: Game
    """The solved game."""
    path: Path | None = None
    """The file of the solution; None if there is none."""
    num_histories: int | None = None
    """Number of finished games, with hidden information; else None."""
    linear_program_size: tuple[int, int] | None = None
    """Rows and columns of the linear program for the first player's strategy, with hidden information; else None."""
    num_states: int
    """Number of states that play can reach, terminal ones included; with hidden information
    `num_information_states`."""
    num_canonical_states: int
    """Number of stored states: symmetric states, and states that differ only in a dropped context, are one."""
    num_information_states: int | None = None
    """Number of information sets of both players; None without hidden information."""
    num_mixed_stages: int
    """Number of stored states in which the optimal policy is mixed."""
    max_error: float
    """Greatest error of a value by rounding, in points: 0 if no stage is mixed; with hidden information, the returns of
    best responses to both policies minus the sum of returns, computed without linear programs."""

    @property
    @abstractmethod
    def num_simultaneous_stages(self) -> int:
        """Number of stored states in which both players decide."""

    @abstractmethod
    def value(self, position: Position | None = None) -> list[float]:
        """Return the returns of both players under optimal play from a position on, [2].

        Args:
            position: a position of this game; None for the initial state. With hidden information: the initial state, a
                terminal state, or a view. The value of a view is the expected return of its player if the opponent has
                played optimally.

        Raises:
            StateError: the position is of another game, or no play leads to it. With hidden information: it is another
                state, or a view that an optimal opponent never lets come about.
        """

    @abstractmethod
    def policy(self, position: Position, player: int | None = None) -> dict[Action, float]:
        """Return action -> probability of an optimal policy at a position, without probabilities of 0.

        Where one player decides, all optimal actions have the same probability. Where both decide, the policy is the
        first action that is optimal alone; if there is none, a mixed strategy that guarantees the value. With
        hidden information, the policy is optimal from the start of the game on, and among such policies it punishes
        errors of the opponent. A player who does not decide has NOOP.

        Args:
            position: a position that is not terminal.
            player: the deciding player; None for the player of a view.

        Raises:
            StateError: see `value`; or the position is terminal, or a state is given without a player.
            ValueError: the game has no such player.
        """

    @abstractmethod
    def optimal_actions(self, position: Position, player: int | None = None) -> list[Action]:
        """Return the actions that lose nothing, ascending.

        Where both players decide, these are the actions that alone guarantee the value; if there are none, the actions
        of `policy`. With hidden information, these are the bids of the greatest value against an optimal opponent.

        Raises:
            StateError, ValueError: see `policy`; with hidden information, also for a view that an optimal opponent
                never lets come about.
        """

    @abstractmethod
    def loss(self, position: Position, player: int | None, choice: Any) -> float:
        """Return the loss of a player's choice at one position: 0 for an optimal choice.

        The loss is the value of the position minus the return of the choice against the worst response, with optimal
        play afterwards; with hidden information, minus its return against the optimal opponent.

        Args:
            position, player: see `policy`.
            choice: an action, a mapping action -> probability, or a policy that is a function.

        Raises:
            StateError, ValueError: see `optimal_actions`.
            IllegalActionError: the action is not legal.
            PolicyError: the choice is not a distribution over legal actions.
        """

    def best_responses(
        self,
        policy: Any,
        state: State | None = None,
        *,
        samples: int = BOT_SAMPLES,
        seed: int = 0,
        limit: Limit | None = None,
    ) -> BestResponses:
        """Return the best responses to a policy, exactly, over all states that can follow.

        A bot without a method `strategy` is asked `samples` times at each decision, and its answers are counted. A bot
        that searches at each decision, such as `ismcts` and `oos`, returns the mean strategy of `samples` searches with
        hidden information, and of one without. Best responses also win what is only noise of the samples, so that
        few samples make the values too high; `BestResponses.bias` bounds by how much.

        Args:
            policy: see the class.
            state: first state of play; None for the initial state, the only one with hidden information.
            samples: number of times that a bot is asked at each decision, 1 to 1,000,000; no more than once if it knows
                its strategy.
            seed: root of all random numbers and of the bot's seeds.
            limit: limit of one answer of a bot.

        Raises:
            StateError: see `value`.
            LimitError: `samples` is out of range.
            PolicyError: an answer is not a distribution over legal actions, or not a legal action.
            TypeError: `policy` is not a policy.
        """
        return self._best_responses(policy, state, Sampling(samples, seed, limit))

    def exploitability(
        self,
        policy: Any,
        state: State | None = None,
        *,
        samples: int = BOT_SAMPLES,
        seed: int = 0,
        limit: Limit | None = None,
    ) -> float:
        """Return the exploitability of a policy as NashConv: 0 for an optimal policy.

        NashConv is the sum over both players of the return of a best response minus the exact value. Some authors call
        half of it, the mean of a player, exploitability. For arguments, errors and the bias of samples see
        `best_responses`.
        """
        return self._best_responses(policy, state, Sampling(samples, seed, limit)).nash_conv

    def mean_loss(self, policy: Any, *, samples: int = BOT_SAMPLES, seed: int = 0, limit: Limit | None = None) -> float:
        """Return the mean loss of a policy per decision against the optimal opponent, over both seats.

        A decision loses the value of the best action minus the value of its own. Decisions are weighted by how often
        they occur. Decisions with one legal action do not count. For arguments see `best_responses`.

        Raises:
            UnsupportedGameError: the game has no hidden information; use `loss` for single positions.
        """
        return self._mean_loss(policy, Sampling(samples, seed, limit))

    def expected_returns(
        self, first: Any, second: Any, *, samples: int = BOT_SAMPLES, seed: int = 0, limit: Limit | None = None
    ) -> tuple[float, float]:
        """Return the expected returns of both players if each follows a policy. For arguments see `best_responses`.

        Raises:
            UnsupportedGameError: the game has no hidden information.
        """
        return self._expected_returns(first, second, Sampling(samples, seed, limit))

    def action_values_at(self, position: Position, player: int | None = None) -> tuple[SolvedAction, ...]:
        """Return the legal actions of a player at a position, with their optimal probabilities and values.

        Raises:
            UnsupportedGameError: the game has no hidden information.
            StateError: see `policy`.
        """
        raise self._only_hidden("action_values_at", "policy")

    def sample(self, position: Position, player: int | None = None, *, seed: int) -> Action:
        """Return an action drawn from `policy`, the same one for the same seed. For errors see `policy`."""
        found = self.policy(position, player)
        return random.Random(whole_number("seed", seed)).choices(list(found), list(found.values()))[0]

    @abstractmethod
    def _best_responses(self, policy: Any, state: State | None, sampling: Sampling) -> BestResponses: ...

    def _mean_loss(self, policy: Any, sampling: Sampling) -> float:
        raise self._only_hidden("mean_loss", "loss")

    def _expected_returns(self, first: Any, second: Any, sampling: Sampling) -> tuple[float, float]:
        raise self._only_hidden("expected_returns", "best_responses")

    def _only_hidden(self, name: str, instead: str) -> UnsupportedGameError:
        return UnsupportedGameError(
            f"{name} is for hidden information, and {self.game.spec} has none; valid: {instead}"
        )

    def _decider(self, position: Position, player: int | None) -> int:
        """Return the player of a position. Raise StateError if it is missing, or not the player of the view."""
        if isinstance(position, View):
            if player is not None and player != position.player:
                raise StateError(f"the view is of player {position.player}, not of player {player}")
            return position.player
        if player is None:
            raise StateError("a state has no deciding player; valid: a view, or a state together with a player")
        return player

    def __repr__(self) -> str:
        return f"<Solution of {self.game.spec}: {self.num_states} states>"
