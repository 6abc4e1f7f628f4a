"""The interface of exact solutions, which `solve` returns for games with and without hidden information."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cext.actions import Action
from cext.arguments import whole_number
from cext.game import Game, State, View

from ..limits import Limit
from .best_responses import BestResponses

Where = State | View
"""A position: a state, or what one player sees of it. Where nothing is hidden, a view says as much as its state."""


@dataclass(frozen=True)
class BidClass:
    """Bids that differ only in tiles that are all alike to the player."""

    example: Action
    """One of them."""
    count: int
    """How many there are."""
    probability: float
    """With which the optimal policy bids any of them, each with an equal part of it."""
    value: float | None
    """Return of the player if it bids one of them and then plays best against the optimal rival; None where that rival
    never lets the game come here, so that nothing is known about its hidden bids."""


class Solution(ABC):
    """Optimal play of both players of a game, and what any other play gives away against it. `solve` makes it.

    Values are on the game's own scale. Wherever a method takes a position with a player, a view alone will do: it is of
    one player. Where bids are hidden a position is worth something only as a player knows it, so that `value` wants a
    view; a state together with a player stands for the view of that player.

    A *policy* is a function of a view, or of a position (a state, or a view where something is hidden) and a player,
    that returns action -> probability; or a bot, an object with `choose(view, limit)`.

    Methods that make no sense for a game raise UnsupportedGameError: `bid_classes`, `mean_loss` and
    `expected_returns` are for hidden bids.
    """

    game: Game
    """The game that is solved."""
    path: Path | None = None
    """The file that keeps the solution; None where there is none."""
    num_histories: int | None = None
    """Finished games, tiles renamed, where bids are hidden; else None."""
    linear_program_size: tuple[int, int] | None = None
    """Rows and columns of the linear program for the first player's strategy, where bids are hidden; else None."""

    @property
    @abstractmethod
    def num_states(self) -> int:
        """How many states play can reach, ends among them; where bids are hidden, `num_information_states`."""

    @property
    @abstractmethod
    def num_canonical_states(self) -> int:
        """How many of them are kept: one for all that are images of each other, or differ in what matters no more."""

    @property
    @abstractmethod
    def num_information_states(self) -> int | None:
        """What the players can know when they decide, both together, tiles renamed; None where nothing is hidden."""

    @property
    @abstractmethod
    def num_simultaneous_stages(self) -> int:
        """At how many kept states both players decide."""

    @property
    @abstractmethod
    def num_mixed_stages(self) -> int:
        """At how many of these the solution mixes actions."""

    @property
    @abstractmethod
    def max_error(self) -> float:
        """How far a value may be off at most by rounding, in points."""

    @abstractmethod
    def value(self, where: Where | None = None) -> list[float]:
        """Return what each player gets from a position on when all play optimally, [2].

        Args:
            where: a position of this game; the first state where None. Where bids are hidden: a view after any number
                of rounds, of which it is what its player can expect if the rival has played optimally; or the initial
                state, or a finished one.

        Raises:
            StateError: a position of another game, or one that no play leads to; where bids are hidden, another state,
                or a view that an optimal rival never lets come about.
        """

    @abstractmethod
    def policy(self, where: Where, player: int | None = None) -> dict[Action, float]:
        """Return action -> probability of an optimal strategy at a position; probability 0 is left out.

        Where one player decides, all its optimal actions are equally likely. Where both do, it is the first action that
        is optimal alone, and where there is none a mixture whose guarantee is the value. Where bids are hidden it is
        optimal from the start of the game on, and makes the most of a rival's errors that it can without risk. A player
        who has nothing to decide has NOOP.

        Args:
            where: a position that is not over.
            player: who decides; a view's own player if left out.

        Raises:
            StateError: as of `value`, or the game is over, or a state is given without a player.
            ValueError: no such player.
        """

    @abstractmethod
    def optimal_actions(self, where: Where, player: int | None = None) -> list[Action]:
        """Return the actions that give nothing away, ascending.

        Where both players decide, these are the actions that alone secure the value, whatever the other does; where
        there is none, those that `policy` mixes. Where bids are hidden: all that are worth most against an optimal
        rival.

        Raises:
            StateError, ValueError: as of `policy`; where bids are hidden, an optimal rival never lets the view come
                about.
        """

    @abstractmethod
    def loss(self, where: Where, player: int | None, choice: Any) -> float:
        """Return how much a player's choice at one position gives away against optimal play: 0 for an optimal one.

        It is the value of the position less what the choice brings against the reply that hurts it most, if both play
        optimally from then on; where bids are hidden, less what it brings against the optimal rival.

        Args:
            where, player: as of `policy`.
            choice: an action, or action -> probability, or a policy that is a function.

        Raises:
            StateError, ValueError: as of `optimal_actions`.
            IllegalActionError, PolicyError: the choice is not legal.
        """

    @abstractmethod
    def best_responses(
        self,
        policy: Any,
        state: State | None = None,
        *,
        samples: int | None = None,
        seed: int = 0,
        limit: Limit | None = None,
    ) -> BestResponses:
        """Return what each player gets by its best response to a policy, exactly, over all that can follow a state.

        Where bids are hidden, the policy is asked with the tiles renamed at random. The answer is exact for a function
        that treats alike what is alike; for others it is that of the policy behind randomly renamed tiles, which nobody
        can exploit more than the policy itself. For a bot it is that of its answers counted: too high with few samples.

        Args:
            policy: as the class describes it.
            state: where play begins; the first state where None. Where bids are hidden, only the first.
            samples: how often it is asked at each decision, 1 to 1,000,000. By default a function once, and a bot 16
                times, or once where bids are hidden.
            seed: root of what is drawn, and of the seeds that a bot is given.
            limit: what one answer of a bot may cost.

        Raises:
            StateError: as of `value`.
            LimitError: samples out of range.
            PolicyError, IllegalActionError: an answer that is not legal.
        """

    @abstractmethod
    def bid_classes(self, where: Where, player: int | None = None) -> tuple[BidClass, ...]:
        """Return all different bids of a player who knows what a position shows it, and their optimal probabilities.

        Raises:
            UnsupportedGameError: no bids are hidden in this game.
            StateError: as of `policy`.
        """

    @abstractmethod
    def mean_loss(self, policy: Any, *, samples: int | None = None, seed: int = 0, limit: Limit | None = None) -> float:
        """Return the points that a policy loses per decision against the optimal rival, mean of both seats.

        A decision loses what the best bid would have been worth more. Decisions count as often as they come up; those
        of a player without chips, who has one legal bid, do not. Arguments as of `best_responses`.

        Raises:
            UnsupportedGameError: no bids are hidden in this game; `loss` is for single states.
        """

    @abstractmethod
    def expected_returns(
        self, first: Any, second: Any, *, samples: int | None = None, seed: int = 0, limit: Limit | None = None
    ) -> tuple[float, float]:
        """Return the mean returns of both players when each follows a policy; arguments as of `best_responses`.

        Raises:
            UnsupportedGameError: no bids are hidden in this game.
        """

    def exploitability(
        self,
        policy: Any,
        state: State | None = None,
        *,
        samples: int | None = None,
        seed: int = 0,
        limit: Limit | None = None,
    ) -> float:
        """Return how much a policy can be exploited: NashConv, 0 for an optimal policy.

        It is the sum over players of what a player gets by its best response, while the other follows the policy, less
        the exact value of the state to it; half of it is the mean of a seat, which is also called exploitability.
        `best_responses` has the parts, and describes the arguments and errors.
        """
        return self.best_responses(policy, state, samples=samples, seed=seed, limit=limit).nash_conv

    def sample(self, where: Where, player: int | None = None, *, seed: int) -> Action:
        """Return an action drawn from `policy`; the same seed draws the same one. Errors as of `policy`."""
        found = self.policy(where, player)
        return random.Random(whole_number("seed", seed)).choices(list(found), list(found.values()))[0]

    def __repr__(self) -> str:
        return f"<Solution of {self.game.spec}: {self.num_states} states>"
