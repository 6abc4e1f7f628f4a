"""Training of value nets from pairs of a state and its value, with NumPy alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cext.arguments import whole_number_in
from cext.game import Game, State
from cext.nets.net import check_sizes

from ..errors import UnsupportedGameError
from ..game import playouts
from .value_net import ValueNet

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import ArrayLike, NDArray

    from .net_file import Layers

    Labeller = Callable[[Sequence[State], int], ArrayLike]

HIDDEN = (64, 32)
"""Default units of the hidden layers."""
EPOCHS = 60
"""Default most passes over the examples."""
_BATCHES = 50
"""Least number of steps in a pass, if a batch then has `_LEAST_BATCH` examples."""
_LEAST_BATCH, _MOST_BATCH = 16, 256
_RATE = 2e-3
"""Step of Adam at the beginning; it falls to 0 along a cosine."""
_DECAYS = (0.9, 0.999)
_TINY = 1e-8
_PATIENCE = 10
"""Passes without a better loss on held-out examples after which training ends."""
_LEAST_SPREAD = 1e-6
"""Standard deviation below which an input is taken to be constant."""


@dataclass(frozen=True)
class Epoch:
    """The losses after one pass over the examples: mean cross entropies of all outputs.

    Attributes:
        number: 1 for the first pass.
        loss: mean over the batches of the pass.
        held_out_loss: on the examples that are not trained on.
    """

    number: int
    loss: float
    held_out_loss: float


def fit(
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    hidden: Sequence[int] = HIDDEN,
    epochs: int = EPOCHS,
    held_out: float = 0.1,
    group: int = 1,
    seed: int = 0,
    on_epoch: Callable[[Epoch], object] | None = None,
) -> Layers:
    """Fit the layers of a net to examples, by Adam (Kingma and Ba 2015) on the cross entropy.

    Training ends after `epochs` passes, or when the loss on held-out examples has not fallen for ten passes. The layers
    are those with the least loss on held-out examples. Equal arguments give equal layers on the same machine.

    Args:
        inputs: [N, inputs], encodings of states.
        targets: [N] or [N, outputs], values in [0, 1].
        hidden: units of the hidden layers.
        epochs: most passes over the examples.
        held_out: share of the examples that is not trained on, the last ones of a random order.
        group: examples that follow each other and are held out together, such as mirror images; their number is a
            multiple.
        seed: of the first weights and of the order of the examples.
        on_epoch: called after each pass.

    Returns:
        (biases float32 [units], weights float32 [inputs, units]) of each layer, for `ValueNet`.

    Raises:
        ValueError: arrays of a wrong shape, not finite or out of range, or fewer than 10 examples; sizes out of range.
    """
    x, y = _examples(inputs, targets)
    check_sizes((x.shape[1],), (*hidden, y.shape[1]))
    whole_number_in("epochs", epochs, 1, 1_000_000, ValueError)
    if not 0.0 < held_out < 1.0:
        raise ValueError(f"held_out={held_out}; valid: above 0 and below 1")
    rng = np.random.default_rng(seed)
    whole_number_in("group", group, 1, len(x) // 2, ValueError)
    groups = len(x) // group
    if groups * group != len(x):
        raise ValueError(f"{len(x)} examples are not a multiple of group={group}")
    order = (rng.permutation(groups)[:, None] * group + np.arange(group)).ravel()
    split = group * min(groups - 1, max(1, round(groups * (1.0 - held_out))))
    mean, scale = x[order[:split]].mean(axis=0), x[order[:split]].std(axis=0)
    scale = np.where(scale < _LEAST_SPREAD, np.float32(1.0), scale)
    x = ((x - mean) / scale).astype(np.float32)
    trained, held = order[:split], order[split:]
    net = _Trained((x.shape[1], *hidden, y.shape[1]), rng)
    best, best_loss, since = net.copy(), math.inf, 0
    batch = min(_MOST_BATCH, max(_LEAST_BATCH, split // _BATCHES))
    steps = epochs * math.ceil(split / batch)
    for number in range(1, epochs + 1):
        rng.shuffle(trained)
        losses = []
        for begin in range(0, split, batch):
            part = trained[begin : begin + batch]
            rate = _RATE * 0.5 * (1.0 + math.cos(math.pi * net.steps / steps))
            losses.append(net.step(x[part], y[part], rate) * len(part))
        loss = _loss(net.outputs(x[held]), y[held])
        if on_epoch is not None:
            on_epoch(Epoch(number, sum(losses) / split, loss))
        if loss < best_loss:
            best, best_loss, since = net.copy(), loss, 0
        else:
            since += 1
            if since >= _PATIENCE:
                break
    (biases, weights), *others = best
    weights = (weights / scale[:, None]).astype(np.float32)
    return ((biases - mean @ weights).astype(np.float32), weights), *others


def train(
    game: Game,
    states: Iterable[State],
    label: Labeller,
    *,
    blocks: Sequence[int] | None = None,
    hidden: Sequence[int] = HIDDEN,
    epochs: int = EPOCHS,
    seed: int = 0,
    on_epoch: Callable[[Epoch], object] | None = None,
) -> ValueNet:
    """Train a net on states of a game.

    Args:
        game: a game with an encoding.
        states: of this game, not over.
        label: called with the states and a seed. Returns the values to be learnt, in [0, 1]: of the first player in a
            game of two players with opposite interests, else [N, num_players]. `playout_values` is one.
        blocks: inputs of each block of the net, as for `ValueNet`.
        hidden, epochs, seed, on_epoch: as for `fit`.

    Raises:
        UnsupportedGameError: the game has no encoding.
        ValueError: as for `fit`.
    """
    if game.encoding_size == 0:
        raise UnsupportedGameError(f"{game.spec} has no encoding: a net cannot judge its states")
    states = list(states)
    inputs = np.array([state.encode() for state in states], np.float32).reshape(len(states), game.encoding_size)
    layers = fit(inputs, label(states, seed), hidden=hidden, epochs=epochs, seed=seed, on_epoch=on_epoch)
    return ValueNet(game, layers, blocks=blocks)


def playout_values(states: Sequence[State], seed: int, count: int = 200) -> NDArray[float64]:
    """Return the mean results of random playouts of states of one game, in [0, 1]; a labeller for `train`.

    Args:
        states: not over.
        seed: of the playouts.
        count: playouts from each state.

    Returns:
        [N] for two players with opposite interests, the first player's; else [N, num_players].
    """
    shares = []
    for number, state in enumerate(states):
        game = state.game
        means = playouts(state, count, seed=seed + number)
        shares.append((means - game.min_utility) / (game.max_utility - game.min_utility))
    found = np.array(shares, np.float64)
    return found[:, 0] if len(found) and states[0].game.is_zero_sum else found


def _examples(inputs: ArrayLike, targets: ArrayLike) -> tuple[NDArray[float32], NDArray[float32]]:
    x, y = np.asarray(inputs, np.float32), np.asarray(targets, np.float32)
    if y.ndim == 1:
        y = y[:, None]
    if x.ndim != 2 or y.ndim != 2 or len(x) != len(y) or len(x) < 10:
        raise ValueError(
            f"inputs of shape {x.shape} and targets of shape {y.shape}; valid: (N, inputs) and (N, outputs), N from 10"
        )
    if not np.isfinite(x).all() or not ((y >= 0.0) & (y <= 1.0)).all():
        raise ValueError("an input is not finite, or a target is not from 0 to 1")
    return x, y


def _loss(outputs: NDArray[float32], targets: NDArray[float32]) -> float:
    """Return the mean cross entropy, from the sums before the logistic function."""
    return float((np.logaddexp(0.0, outputs) - targets * outputs).mean())


class _Trained:
    """The layers of a net in training, with the moments of Adam."""

    def __init__(self, sizes: Sequence[int], rng: np.random.Generator) -> None:
        self._arrays: list[NDArray[float32]] = []
        for before, after in pairwise(sizes):
            self._arrays.append(np.zeros(after, np.float32))
            self._arrays.append(rng.normal(0.0, (2.0 / before) ** 0.5, (before, after)).astype(np.float32))
        self._arrays[-1] *= np.float32(0.1)
        self._means = [np.zeros_like(array) for array in self._arrays]
        self._squares = [np.zeros_like(array) for array in self._arrays]
        self.steps = 0

    def copy(self) -> Layers:
        """Return copies of the layers."""
        return tuple((b.copy(), w.copy()) for b, w in zip(self._arrays[::2], self._arrays[1::2], strict=True))

    def _units(self, x: NDArray[float32]) -> list[NDArray[float32]]:
        """Return the inputs, the units of each hidden layer, and the sums of the outputs."""
        found = [x]
        for number in range(0, len(self._arrays), 2):
            total = found[-1] @ self._arrays[number + 1] + self._arrays[number]
            found.append(total if number == len(self._arrays) - 2 else np.maximum(total, 0))
        return found

    def outputs(self, x: NDArray[float32]) -> NDArray[float32]:
        """Return the sums of the outputs, before the logistic function."""
        return self._units(x)[-1]

    def step(self, x: NDArray[float32], y: NDArray[float32], rate: float) -> float:
        """Learn from a batch. Return its loss before the step."""
        units = self._units(x)
        loss = _loss(units[-1], y)
        errors = (1.0 / (1.0 + np.exp(-np.clip(units[-1], -60, 60))) - y).astype(np.float32) / np.float32(y.size)
        gradients: list[NDArray[float32]] = []
        for number in range(len(self._arrays) - 2, -1, -2):
            before = units[number // 2]
            gradients[:0] = [errors.sum(axis=0), before.T @ errors]
            if number:
                errors = (errors @ self._arrays[number + 1].T) * (before > 0)
        self.steps += 1
        first, second = _DECAYS
        size = rate * math.sqrt(1.0 - second**self.steps) / (1.0 - first**self.steps)
        for array, mean, square, gradient in zip(self._arrays, self._means, self._squares, gradients, strict=True):
            mean += np.float32(1.0 - first) * (gradient - mean)
            square += np.float32(1.0 - second) * (gradient * gradient - square)
            array -= np.float32(size) * mean / (np.sqrt(square) + np.float32(_TINY))
        return loss
