"""Games of a search against itself, as examples for a net: states with improved policies and values."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cext.arguments import whole_number_in
from cext.game.actions import Action
from cext.game.game import NOOP, Game, State

from ..errors import UnsupportedGameError
from ..nets.training import EPOCHS, HIDDEN, RATE, Epoch, Fitted, fit
from ..nets.value_net import ValueNet
from ..primitives.failures import failures_named
from ..random_steps import is_simultaneous
from ..results.result import SearchResult
from ..searchers.mcts import MCTS
from ..seeds import seed_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy import float32
    from numpy.typing import NDArray

Row = tuple[Any, Any, Any]
NOISE = 0.25
"""Default share of noise in the priors of the root."""
TEMPERATURE_PLIES = 12
"""Default number of plies of a game in which actions are drawn in proportion to their visits."""


@dataclass(frozen=True)
class Examples:
    """States with what a net learns of them. The images of a state under the symmetries of the game follow it.

    Attributes:
        inputs: float32 [N, encoding_size], the encodings.
        values: float32 [N, outputs] in [0, 1], as the outputs of a `ValueNet`.
        policies: float32 [N, heads * num_actions], for each policy the probability of each legal action, and -1 for the
            other ones.
        images: rows of each state, the number of symmetries of the game.
        heads: number of policies, one for each player if several decide at once in some states, else one.
    """

    inputs: NDArray[float32]
    values: NDArray[float32]
    policies: NDArray[float32]
    images: int
    heads: int = 1

    @property
    def states(self) -> int:
        """Number of states, without their images."""
        return len(self.inputs) // self.images

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """Return the examples of several parts, at least one, of the same game."""
        return cls(
            np.concatenate([part.inputs for part in parts]),
            np.concatenate([part.values for part in parts]),
            np.concatenate([part.policies for part in parts]),
            parts[0].images,
            parts[0].heads,
        )

    def drawn_images(self, most: int, seed: int) -> Examples:
        """Return the examples with at most some images of each state, which are drawn."""
        if self.images <= most:
            return self
        places = np.random.default_rng(seed).random((self.states, self.images)).argsort(axis=1)[:, :most]
        rows = (places + self.images * np.arange(self.states)[:, None]).ravel()
        return Examples(self.inputs[rows], self.values[rows], self.policies[rows], most, self.heads)

    def to_bytes(self) -> bytes:
        """Return the examples as compressed bytes."""
        sizes = [*self.inputs.shape, self.values.shape[1], self.images, self.heads]
        arrays = [np.ascontiguousarray(array, "<f4") for array in (self.inputs, self.values, self.policies)]
        return zlib.compress(b"".join([np.array(sizes, "<i8").tobytes(), *(array.tobytes() for array in arrays)]), 1)

    @classmethod
    def from_bytes(cls, content: bytes) -> Examples:
        """Return the examples of bytes that `to_bytes` has made.

        Raises:
            ValueError: other bytes.
        """
        with failures_named("the bytes are not examples", ValueError, zlib.error):
            data = zlib.decompress(content)
        count, inputs, values, images, heads = np.frombuffer(data, "<i8", 5).tolist()
        numbers = np.frombuffer(data, "<f4", offset=40)
        x, y, p = np.split(numbers, [count * inputs, count * (inputs + values)])
        return cls(x.reshape(count, inputs), y.reshape(count, values), p.reshape(count, -1), images, heads)


def check_learnable(game: Game) -> None:
    """Raise UnsupportedGameError if no net can learn from games of a search against itself."""
    if game.encoding_size == 0 or game.has_hidden_information:
        raise UnsupportedGameError(f"no net can be trained for {game.spec}: it has no encoding, or hidden information")


def self_play(
    game: Game,
    net: ValueNet | None = None,
    *,
    games: int,
    simulations: int = 200,
    seed: int = 0,
    noise: float = NOISE,
    temperature_plies: int = TEMPERATURE_PLIES,
    **options: Any,
) -> Examples:
    """Play games of a search against itself.

    A game ends when a search proves the value of its state. The value of a state is the mean of what the search found
    and of how the game ended, or the proven value. Its policy has the visits of the search, or what is proven.

    Args:
        game: a game with an encoding, in which nothing is hidden and whose actions can be listed.
        net: guides the search; None: random playouts.
        games: number of games, at least 1.
        simulations: of each decision.
        seed: of all games. Equal arguments give equal examples.
        noise: share of noise in the priors of the root, with a net that has a policy.
        temperature_plies: plies of a game in which actions are drawn in proportion to their visits; the best one later.
        options: further options of `mcts.MCTS`.

    Raises:
        UnsupportedGameError: the game does not fit.
        PlayoutError: as `mcts.MCTS`.
        ValueError: `games` is out of range.
    """
    whole_number_in("games", games, 1, 1 << 31, ValueError)
    player = SelfPlay(game, net, simulations=simulations, noise=noise, temperature_plies=temperature_plies, **options)
    return player.examples(row for number in range(games) for row in player.game(seed_for(seed, number)))


class SelfPlay:
    """Plays games of a search against itself.

    Args:
        game, net, noise, temperature_plies, options: as for `self_play`.
        simulations: of a decision whose policy is learnt.
        short_simulations: of the other decisions, without noise, of which only the value is learnt.
        full_share: share of decisions whose policy is learnt (Wu 2019).
        opening_plies: most random plies at the beginning of a game; their number is drawn.
        gumbel_actions: with a net that has a policy, the actions that a decision whose policy is learnt considers, by
            sequential halving; the improved policy is learnt (Danihelka et al. 2022). 0: visits are, with noise.

    Raises:
        UnsupportedGameError: the game does not fit.
        PlayoutError: as `mcts.MCTS`.
    """

    def __init__(
        self,
        game: Game,
        net: ValueNet | None = None,
        *,
        simulations: int,
        short_simulations: int = 1,
        full_share: float = 1.0,
        opening_plies: int = 0,
        noise: float = NOISE,
        gumbel_actions: int = 0,
        temperature_plies: int = TEMPERATURE_PLIES,
        **options: Any,
    ) -> None:
        check_learnable(game)
        given = options if net is None else {"net": net, **options}
        drawn = {"temperature": 1.0, "temperature_plies": temperature_plies, **given}
        self._game = game
        self._full = self._short = MCTS(game, **drawn)
        if net is not None and net.policy is not None:
            noisy = {**given, "gumbel_actions": gumbel_actions} if gumbel_actions else {**drawn, "root_noise": noise}
            self._full = MCTS(game, **noisy)
        self._simulations, self._short_simulations = simulations, short_simulations
        self._full_share, self._opening_plies = full_share, opening_plies
        self._heads = game.num_players if is_simultaneous(game) else 1

    def examples(self, rows: Iterable[Row]) -> Examples:
        """Return rows of games, at least one, as examples."""
        inputs, values, policies = (np.array(column, np.float32) for column in zip(*rows, strict=True))
        return Examples(inputs, values, policies, self._game.num_symmetries, self._heads)

    def some(self, states: int, seed: int) -> Examples:
        """Play whole games until there are some states. Return their examples.

        Args:
            states: least number of states, without images; at least 1.
            seed: of all games.
        """
        rows: list[Row] = []
        number = 0
        while len(rows) < states * self._game.num_symmetries:
            rows += self.game(seed_for(seed, number))
            number += 1
        return self.examples(rows)

    def game(self, seed: int) -> Iterator[Row]:
        """Play a game. Yield (encoding, values, policy) of the states that are examples, and of their images."""
        game, state, decided = self._game, self._game.new_initial_state(), []
        luck = random.Random(seed)
        opening = luck.randint(0, self._opening_plies)
        found = None
        while not state.is_terminal() and not (found and found.proven):
            draw = seed_for(seed, len(state.history()))
            if state.is_chance():
                state.apply_action(state.sample_outcome(draw))
                continue
            if len(state.history()) < opening:
                steps: list[Action] = [NOOP] * game.num_players
                for number, player in enumerate(state.acting_players()):
                    steps[player] = state.sample_action(player, draw + number)
                state.apply_actions(steps)
                continue
            is_full = luck.random() < self._full_share
            search = self._full if is_full else self._short
            search.seed = draw
            found = search.run(state, simulations=self._simulations if is_full else self._short_simulations)
            decided.append((state.clone(), found, is_full or found.proven))
            state.apply_actions([_drawn(found, player) for player in range(game.num_players)])
        end = _shares(game, found.values if found and found.proven else state.returns())
        none = np.full(self._heads * game.num_actions, -1.0, np.float32)
        for before, result, has_policy in decided:
            values = (_shares(game, result.values) + end) / 2
            for symmetry in range(game.num_symmetries):
                policy = _policy(game, before, result, symmetry, self._heads) if has_policy else none
                yield before.transform(symmetry).encode(), values, policy


def learn(
    game: Game,
    examples: Examples,
    *,
    hidden: Sequence[int] = HIDDEN,
    epochs: int = EPOCHS,
    rate: float = RATE,
    seed: int = 0,
    start: ValueNet | None = None,
    on_epoch: Callable[[Epoch], object] | None = None,
) -> ValueNet:
    """Return a net with values and a policy that has learnt from examples.

    Args:
        game: of the examples.
        examples: at least 10.
        hidden, epochs, rate, seed, on_epoch: as for `mcts.nets.training.fit`.
        start: net with these hidden layers to begin with; None: random weights.

    Raises:
        ValueError: as for `fit`.
    """
    found = fit(
        examples.inputs,
        examples.values,
        examples.policies,
        hidden=hidden,
        epochs=epochs,
        rate=rate,
        group=examples.images,
        heads=examples.heads,
        seed=seed,
        start=None if start is None else Fitted(start.layers, start.policy),
        on_epoch=on_epoch,
    )
    return ValueNet(game, found.layers, policy=found.policy)


def _drawn(result: SearchResult, player: int) -> int:
    return result.for_player(player).action if player in result.arms else NOOP


def _shares(game: Game, values: Sequence[float]) -> NDArray[np.float64]:
    """Return values on the scale of the game as the outputs of a net."""
    shares = (np.array(values) - game.min_utility) / (game.max_utility - game.min_utility)
    return shares[:1] if game.is_zero_sum else shares


def _policy(game: Game, state: State, result: SearchResult, symmetry: int, heads: int) -> NDArray[float32]:
    """Return the probabilities of the actions of the image of a state, -1 for those that are not legal there."""
    found = np.full(heads * game.num_actions, -1.0, np.float32)
    for player in result.arms if heads > 1 or not result.is_mixed else ():
        policy = result.for_player(player).policy
        chances = found.reshape(heads, -1)[player if heads > 1 else 0]
        for action in state.legal_actions(player):
            chances[game.transform_action(symmetry, player, action)] = policy.get(action, 0.0)
    return found
