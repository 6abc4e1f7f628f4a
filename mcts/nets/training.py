"""Fits the layers of a net to states with their values and, if wanted, policies, with NumPy alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cext.arguments import whole_number_in
from cext.nets.net import MOST_ACTIONS, check_sizes

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import ArrayLike, NDArray

    from .net_file import Layer, Layers

HIDDEN = (64, 32)
"""Default units of the hidden layers."""
EPOCHS = 60
"""Default most passes over the examples."""
_BATCHES = 50
"""Least number of steps in a pass, if a batch then has `_LEAST_BATCH` examples."""
_LEAST_BATCH, _MOST_BATCH = 16, 256
RATE = 2e-3
"""Default step of Adam at the beginning."""
_DECAYS = (0.9, 0.999)
_TINY = 1e-8
_PATIENCE = 10
"""Passes without a better loss on held-out examples after which training ends."""
_LEAST_SPREAD = 1e-6
"""Standard deviation below which an input is taken to be constant."""
_SUM_ERROR = 1e-3
"""Most difference from 1 of the total of the probabilities of a policy."""


@dataclass(frozen=True)
class Epoch:
    """The losses after one pass over the examples: mean cross entropies of the outputs and of the policies, if any.

    Attributes:
        number: 1 for the first pass.
        loss: mean over the batches of the pass, of both together.
        held_out_loss: the same of the examples that are not trained on.
        held_out_policy_loss: the part of the policy in it.
    """

    number: int
    loss: float
    held_out_loss: float
    held_out_policy_loss: float


class Fitted(NamedTuple):
    """The layers that `fit` returns.

    Attributes:
        layers: (biases float32 [units], weights float32 [inputs, units]) of each layer, the outputs last.
        policy: (biases float32 [actions], weights float32 [units of the last hidden layer, actions]); None without one.
    """

    layers: Layers
    policy: Layer | None


def fit(
    inputs: ArrayLike,
    targets: ArrayLike,
    policies: ArrayLike | None = None,
    *,
    hidden: Sequence[int] = HIDDEN,
    epochs: int = EPOCHS,
    rate: float = RATE,
    held_out: float = 0.1,
    group: int = 1,
    heads: int = 1,
    seed: int = 0,
    start: Fitted | None = None,
    on_epoch: Callable[[Epoch], object] | None = None,
) -> Fitted:
    """Fit the layers of a net to examples, by Adam (Kingma and Ba 2015) on the cross entropy.

    Training ends after `epochs` passes, or when the loss on held-out examples has not fallen for ten passes. The layers
    are those with the least loss on held-out examples. Equal arguments give equal layers on the same machine.

    Args:
        inputs: [N, inputs], encodings of states.
        targets: [N] or [N, outputs], values in [0, 1].
        policies: [N, heads * actions], for each policy the probabilities of the legal actions, which add up to 1, and a
            number below 0 for each other action. A state whose numbers are all below 0 has no policy. None: the net
            gets none.
        hidden: units of the hidden layers.
        epochs: most passes over the examples.
        rate: step of Adam at the beginning; it falls to 0 along a cosine.
        held_out: share of the examples that is not trained on, the last ones of a random order.
        group: examples that follow each other and are held out together, such as mirror images; their number is a
            multiple.
        heads: number of policies, one for each player or one for all.
        seed: of the first weights and of the order of the examples.
        start: layers of the same sizes to begin with; None: random weights.
        on_epoch: called after each pass.

    Returns:
        The layers, and the layer of the policy, for `ValueNet`.

    Raises:
        ValueError: arrays of a wrong shape, not finite or out of range, or fewer than 10 examples; sizes out of range.
    """
    x, y, p = _examples(inputs, targets, policies, heads)
    actions = p[0].size
    check_sizes(x.shape[1], (*hidden, y.shape[1]), actions)
    whole_number_in("epochs", epochs, 1, 1_000_000, ValueError)
    if not 0.0 < rate <= 1.0:
        raise ValueError(f"rate={rate}; valid: above 0 and up to 1")
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
    net = _Trained((x.shape[1], *hidden, y.shape[1]), actions, rng)
    if start is not None:
        biases, weights = start.layers[0]
        later = (*start.layers[1:], *(() if start.policy is None else (start.policy,)))
        net.begin_with(((biases + mean @ weights, weights * scale[:, None]), *later))
    best, best_loss, since = net.copy(), math.inf, 0
    batch = min(_MOST_BATCH, max(_LEAST_BATCH, split // _BATCHES))
    steps = epochs * math.ceil(split / batch)
    for number in range(1, epochs + 1):
        rng.shuffle(trained)
        losses = []
        for begin in range(0, split, batch):
            part = trained[begin : begin + batch]
            step = rate * 0.5 * (1.0 + math.cos(math.pi * net.steps / steps))
            losses.append(net.step(x[part], y[part], p[part], step) * len(part))
        value_loss, policy_loss = net.losses(x[held], y[held], p[held])
        loss = value_loss + policy_loss
        if on_epoch is not None:
            on_epoch(Epoch(number, sum(losses) / split, loss, policy_loss))
        if loss < best_loss:
            best, best_loss, since = net.copy(), loss, 0
        else:
            since += 1
            if since >= _PATIENCE:
                break
    (biases, weights), *others = best
    weights = (weights / scale[:, None]).astype(np.float32)
    policy = others.pop() if actions else None
    return Fitted((((biases - mean @ weights).astype(np.float32), weights), *others), policy)


def _examples(
    inputs: ArrayLike, targets: ArrayLike, policies: ArrayLike | None, heads: int
) -> tuple[NDArray[float32], NDArray[float32], NDArray[float32]]:
    """Return checked arrays, the last one [N, heads, actions]: [N, 1, 0] without policies."""
    x, y = np.asarray(inputs, np.float32), np.asarray(targets, np.float32)
    if y.ndim == 1:
        y = y[:, None]
    if x.ndim != 2 or y.ndim != 2 or len(x) != len(y) or len(x) < 10:
        raise ValueError(
            f"inputs of shape {x.shape} and targets of shape {y.shape}; valid: (N, inputs) and (N, outputs), N from 10"
        )
    if not np.isfinite(x).all() or not ((y >= 0.0) & (y <= 1.0)).all():
        raise ValueError("an input is not finite, or a target is not from 0 to 1")
    if policies is None:
        return x, y, np.zeros((len(x), 1, 0), np.float32)
    p = np.asarray(policies, np.float32)
    whole_number_in("heads", heads, 1, MOST_ACTIONS, ValueError)
    if p.ndim != 2 or len(p) != len(x) or p.shape[1] == 0 or p.shape[1] % heads:
        times = "" if heads == 1 else f"{heads} * "
        raise ValueError(f"policies of shape {p.shape}; valid: ({len(x)}, {times}actions)")
    p = p.reshape(len(x), heads, -1)
    totals = np.maximum(p, 0).sum(axis=-1)
    if not (np.isfinite(p).all() and (np.abs(totals[(p >= 0).any(axis=-1)] - 1.0) < _SUM_ERROR).all()):
        raise ValueError("the probabilities of a policy do not add up to 1")
    return x, y, p


def _value_loss(outputs: NDArray[float32], targets: NDArray[float32]) -> float:
    """Return the mean cross entropy, from the sums before the logistic function."""
    return float((np.logaddexp(0.0, outputs) - targets * outputs).mean())


def _priors(sums: NDArray[float32], policies: NDArray[float32]) -> NDArray[float32]:
    """Return the priors of the legal actions, 0 for the others and for states without a policy: [N, heads, actions]."""
    legal = policies >= 0
    sums = sums.reshape(policies.shape)
    highest = np.where(legal, sums, -np.inf).max(axis=-1, keepdims=True)
    found = np.where(legal, np.exp(np.where(legal, sums - np.maximum(highest, -1e30), 0)), 0)
    priors: NDArray[float32] = (found / np.maximum(found.sum(axis=-1, keepdims=True), _TINY)).astype(np.float32)
    return priors


def _policy_loss(priors: NDArray[float32], policies: NDArray[float32]) -> float:
    """Return the mean cross entropy of the policies of those who decide."""
    return float(-(np.maximum(policies, 0) * np.log(np.maximum(priors, 1e-30))).sum() / _with_policy(policies))


def _with_policy(policies: NDArray[float32]) -> int:
    """Return the number of policies of all states, at least 1."""
    return max(1, int((policies >= 0).any(axis=-1).sum()))


class _Trained:
    """The layers of a net in training, that of the policy last, with the moments of Adam."""

    def __init__(self, sizes: Sequence[int], actions: int, rng: np.random.Generator) -> None:
        heads = [(sizes[-2], actions)] if actions else []
        self._last = len(sizes) - 2
        self._arrays: list[NDArray[float32]] = []
        for before, after in [*pairwise(sizes), *heads]:
            self._arrays.append(np.zeros(after, np.float32))
            self._arrays.append(rng.normal(0.0, (2.0 / before) ** 0.5, (before, after)).astype(np.float32))
        for weights in self._arrays[2 * self._last + 1 :: 2]:
            weights *= np.float32(0.1)
        self._means = [np.zeros_like(array) for array in self._arrays]
        self._squares = [np.zeros_like(array) for array in self._arrays]
        self.steps = 0

    def begin_with(self, layers: Layers) -> None:
        """Take the values of other layers. Raises ValueError: they have other sizes."""
        found = [array for pair in layers for array in pair]
        sizes = [[array.shape for array in arrays] for arrays in (found, self._arrays)]
        if sizes[0] != sizes[1]:
            raise ValueError(f"start has arrays of shape {sizes[0]}; valid: {sizes[1]}")
        for mine, other in zip(self._arrays, found, strict=True):
            mine[:] = other

    def copy(self) -> Layers:
        """Return copies of the layers."""
        return tuple((b.copy(), w.copy()) for b, w in zip(self._arrays[::2], self._arrays[1::2], strict=True))

    def _sums(self, layer: int, units: NDArray[float32]) -> NDArray[float32]:
        return units @ self._arrays[2 * layer + 1] + self._arrays[2 * layer]

    def _units(self, x: NDArray[float32]) -> list[NDArray[float32]]:
        """Return the inputs and the units of each hidden layer."""
        found = [x]
        for layer in range(self._last):
            found.append(np.maximum(self._sums(layer, found[-1]), 0))
        return found

    def _heads(self, units: NDArray[float32], p: NDArray[float32]) -> tuple[NDArray[float32], NDArray[float32]]:
        """Return the sums of the outputs, before the logistic function, and the priors [N, heads, actions]."""
        return self._sums(self._last, units), _priors(self._sums(self._last + 1, units), p) if p.size else p

    def losses(self, x: NDArray[float32], y: NDArray[float32], p: NDArray[float32]) -> tuple[float, float]:
        """Return the losses of the values and of the policy."""
        outputs, priors = self._heads(self._units(x)[-1], p)
        return _value_loss(outputs, y), _policy_loss(priors, p)

    def step(self, x: NDArray[float32], y: NDArray[float32], p: NDArray[float32], rate: float) -> float:
        """Learn from a batch. Return its loss before the step."""
        units = self._units(x)
        outputs, priors = self._heads(units[-1], p)
        loss = _value_loss(outputs, y) + _policy_loss(priors, p)
        heads = [(1.0 / (1.0 + np.exp(-np.clip(outputs, -60, 60))) - y).astype(np.float32) / np.float32(y.size)]
        if p.size:
            heads.append(((priors - np.maximum(p, 0)) / np.float32(_with_policy(p))).reshape(len(p), -1))
        gradients: list[NDArray[float32]] = []
        for errors in heads:
            gradients += [errors.sum(axis=0), units[-1].T @ errors]
        weights = self._arrays[2 * self._last + 1 :: 2]
        errors = np.add.reduce([head @ array.T for head, array in zip(heads, weights, strict=True)])
        for layer in range(self._last - 1, -1, -1):
            errors *= units[layer + 1] > 0
            gradients[:0] = [errors.sum(axis=0), units[layer].T @ errors]
            if layer:
                errors = errors @ self._arrays[2 * layer + 1].T
        self.steps += 1
        first, second = _DECAYS
        size = rate * math.sqrt(1.0 - second**self.steps) / (1.0 - first**self.steps)
        for array, mean, square, gradient in zip(self._arrays, self._means, self._squares, gradients, strict=True):
            mean += np.float32(1.0 - first) * (gradient - mean)
            square += np.float32(1.0 - second) * (gradient * gradient - square)
            array -= np.float32(size) * mean / (np.sqrt(square) + np.float32(_TINY))
        return loss
