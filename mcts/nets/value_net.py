"""`ValueNet`, a net that estimates the values of the states of a game, and which actions are good."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cext.arguments import shown
from cext.game.game import Game, State
from cext.nets.net import Net

from ..errors import NetFileError, UnsupportedGameError
from ..primitives.failures import failures_named
from ..primitives.files import write_whole
from .net_file import NetParts, from_bytes, read_file, to_bytes

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import ArrayLike, NDArray

    from .net_file import Layers, Numbers


class ValueNet:
    """A net that estimates the values of the states of a game from their encodings.

    It has one to four hidden layers, whose units are max(0, sum), and outputs 1 / (1 + exp(-sum)) in [0, 1]. In a game
    of two players with opposite interests the one output is the value of the first player; in other games there is one
    output for each player. With a policy, the last hidden layer also gives each action of the game a sum; the prior of
    a legal action is exp(sum), divided by the total of the legal ones. Results are the same to the last bit on every
    machine. A net for a game in which several players decide at once has a policy for each player. The object does not
    change, and any number of threads can use it.

    `mcts.MCTS(game, net=net)` searches with the net in place of playouts. The net is also a `mcts.Evaluator`,
    with equal priors unless it has one policy.

    Args:
        game: a game with an encoding.
        layers: (biases float32 [units], weights float32 [inputs, units]) of each layer, the outputs last.
        policy: (biases float32 [P], weights float32 [units of the last hidden layer, P]) of the actions; None: no
            policy. P is num_actions, the actions of the player who decides, or num_players * num_actions: those of
            player 0, then those of player 1, and so on.

    Raises:
        UnsupportedGameError: the game has no encoding.
        ValueError: sizes that do not fit the game or are out of range; numbers that are not finite.

    Attributes:
        game: the game.
        core: the net in compiled code.
    """

    def __init__(
        self,
        game: Game,
        layers: Iterable[tuple[ArrayLike, ArrayLike]],
        *,
        policy: tuple[ArrayLike, ArrayLike] | None = None,
    ) -> None:
        head = None if policy is None else _read_only([policy])[0]
        self._set(game, NetParts(game.spec, _read_only(layers), head))

    def _set(self, game: Game, parts: NetParts) -> None:
        """Set all attributes, from arrays or from the content of a file."""
        if game.encoding_size == 0:
            raise UnsupportedGameError(f"{game.spec} has no encoding: a net cannot judge its states")
        self.game = game
        self._parts = parts
        self.core = Net(parts.layers, parts.policy)
        outputs = 1 if game.is_zero_sum else game.num_players
        if (self.core.num_inputs, self.core.num_outputs) != (game.encoding_size, outputs):
            raise ValueError(
                f"a net with {self.core.num_inputs} inputs and {self.core.num_outputs} outputs does not fit "
                f"{game.spec}; valid: {game.encoding_size} inputs, {outputs} outputs"
            )
        if self.core.num_actions not in (0, game.num_actions, game.num_players * game.num_actions):
            raise ValueError(
                f"a policy of {self.core.num_actions} actions does not fit {game.spec}; valid: {game.num_actions}, or "
                f"{game.num_players * game.num_actions} for all players"
            )

    @cached_property
    def layers(self) -> tuple[tuple[NDArray[float32], NDArray[float32]], ...]:
        """(biases float32 [units], weights float32 [inputs, units]) of each layer, read-only, the outputs last."""
        return _read_only(self._parts.layers)

    @cached_property
    def policy(self) -> tuple[NDArray[float32], NDArray[float32]] | None:
        """(biases, weights) of the policy, read-only, or None."""
        return None if self._parts.policy is None else _read_only([self._parts.policy])[0]

    @classmethod
    def load(cls, game: Game, path: str | os.PathLike[str]) -> ValueNet:
        """Read a net from a file. The file need not be trusted.

        Args:
            game: that the net is for.
            path: of the file. It may end with "#" and the digest that the net must have, as `with_digest` returns it.

        Raises:
            NetFileError: the file cannot be read, is damaged, has another digest, or is not for this game.
            UnsupportedGameError: the game has no encoding.
        """
        path, digest = _split(os.fspath(path))
        parts, found = describe(path)
        if digest not in (None, found):
            raise NetFileError(f"{path} has the digest {found}; valid: {digest}")
        if game.spec != parts.spec:
            raise NetFileError(f"{path} is not a net for {game.spec}; valid: {shown(parts.spec)}")
        with failures_named(f"{path} is not a net for {game.spec}", NetFileError, ValueError):
            return net_of(game, parts)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the net to a file, which appears as a whole or not at all. Equal nets give equal files."""
        write_whole(Path(path), self.to_bytes())

    def to_bytes(self) -> bytes:
        """Return the content of a file of this net."""
        return to_bytes(self._parts)

    @property
    def digest(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the file."""
        return _digest(self.to_bytes())

    def outputs(self, batch: ArrayLike) -> NDArray[float32]:
        """Return the outputs of the net, in [0, 1].

        Args:
            batch: [B, encoding_size], states as `State.encode` returns them.

        Returns:
            float32 [B, outputs].

        Raises:
            ValueError: an array of another shape.
        """
        return self._evaluate(batch)[0]

    def values(self, batch: ArrayLike) -> NDArray[float64]:
        """Return the values of states to each player on the scale of the game, float64 [B, num_players].

        Args:
            batch: as for `outputs`.

        Raises:
            ValueError: an array of another shape.

        Example:
            >>> import numpy as np
            >>> game = mcts.load_game("mnk")
            >>> net = mcts.ValueNet(game, [(np.zeros(8), np.zeros((20, 8))), (np.zeros(1), np.zeros((8, 1)))])
            >>> net.values([game.new_initial_state().encode()])
            array([[50., 50.]])
        """
        return self._on_scale(self.outputs(batch))

    def _on_scale(self, outputs: NDArray[float32]) -> NDArray[float64]:
        import numpy as np

        shares = outputs.astype(np.float64)
        if self.game.is_zero_sum:
            shares = np.hstack([shares, 1.0 - shares])
        return self.game.min_utility + (self.game.max_utility - self.game.min_utility) * shares

    def evaluate(self, batch: NDArray[float32]) -> tuple[NDArray[float32], NDArray[float64]]:
        """Return the priors of all actions and the values of states, as `mcts.Evaluator` describes.

        Unless the net has one policy, all priors are 1.
        """
        outputs, priors = self._evaluate(batch, with_priors=True)
        return priors, self._on_scale(outputs)

    def _evaluate(self, batch: ArrayLike, with_priors: bool = False) -> tuple[NDArray[float32], NDArray[float32]]:
        import numpy as np

        inputs = np.ascontiguousarray(batch, dtype=np.float32)
        if inputs.ndim != 2 or inputs.shape[1] != self.core.num_inputs:
            raise ValueError(f"a batch of shape {inputs.shape}; valid: (states, {self.core.num_inputs})")
        outputs = np.zeros((len(inputs), self.core.num_outputs), np.float32)
        priors = np.ones((len(inputs), self.game.num_actions if with_priors else 0), np.float32)
        has_priors = with_priors and self.core.num_actions == self.game.num_actions
        self.core.evaluate(inputs, outputs, priors if has_priors else None)
        return outputs, priors

    def priors(self, state: State, player: int = -1) -> dict[int, float]:
        """Return the policy of the net in a state. It needs no NumPy.

        Args:
            state: a state of the game in which the player decides.
            player: may be omitted if exactly one player decides.

        Returns:
            Legal action -> prior, above 0; they add up to 1. Empty for a net without a policy.

        Raises:
            UnsupportedGameError: the state is of another game.
            ValueError: the player does not decide, or is omitted and several decide.
        """
        if state.game.spec != self.game.spec:
            raise UnsupportedGameError(f"the net is for {self.game.spec}, not for {state.game.spec}")
        acting = state.acting_players()
        if player == -1 and len(acting) == 1:
            player = acting[0]
        if player not in acting:
            raise ValueError(f"player {player} does not decide here; valid: {acting or 'none'}")
        if not self.core.num_actions:
            return {}
        actions = state.legal_actions(player)
        first = player * self.game.num_actions if self.core.num_actions > self.game.num_actions else 0
        return dict(zip(actions, self.core.priors(state, actions, first), strict=True))

    def __reduce__(self) -> tuple[Callable[[Game, bytes], ValueNet], tuple[Game, bytes]]:
        return _restored, (self.game, self.to_bytes())

    def __repr__(self) -> str:
        sizes = [self.core.num_inputs, *(len(biases) for biases, _ in self._parts.layers)]
        policy = " with a policy" if self.core.num_actions else ""
        return f"<ValueNet {'-'.join(map(str, sizes))}{policy} for {self.game.spec}>"


def _restored(game: Game, content: bytes) -> ValueNet:
    return net_of(game, from_bytes(content, "a pickle"))


def net_of(game: Game, parts: NetParts) -> ValueNet:
    """Return the net with the content of a file. It needs no NumPy. Raises as `ValueNet`."""
    net = ValueNet.__new__(ValueNet)
    net._set(game, parts)
    return net


def describe(path: str) -> tuple[NetParts, str]:
    """Return the content of a file of a net, for any game, and its digest. Raises NetFileError."""
    content = read_file(Path(path))
    return from_bytes(content, path), _digest(content)


def with_digest(path: str) -> str:
    """Return the path of a net with "#" and its digest, so that the text stands for this very net.

    A path that has a digest is returned as it is. Raises NetFileError.
    """
    return path if _split(path)[1] is not None else f"{path}#{describe(path)[1]}"


def without_digest(path: str) -> str:
    """Return the path of a net without "#" and a digest."""
    return _split(path)[0]


def _split(path: str) -> tuple[str, str | None]:
    """Return a path, and the digest after it or None."""
    found = re.fullmatch(r"(.+)#([0-9a-f]{16})", path, re.DOTALL)
    return (path, None) if found is None else (found[1], found[2])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _read_only(layers: Iterable[tuple[ArrayLike, ArrayLike] | Numbers]) -> Layers:
    import numpy as np

    found = []
    for biases, weights in layers:
        pair = np.array(biases, np.float32, order="C"), np.array(weights, np.float32, order="C")
        if pair[0].ndim != 1 or pair[1].ndim != 2:
            raise ValueError(f"a layer has arrays of {pair[0].ndim} and {pair[1].ndim} dimensions; valid: 1 and 2")
        for array in pair:
            array.flags.writeable = False
        found.append(pair)
    return tuple(found)
