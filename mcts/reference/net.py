"""A net, in the order of adding of `cext/nets/inference.h`: the results are equal to the last bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
F = np.float32
LIMIT = F(30.0)
POLYNOMIAL = [F(1.9875691500e-4), F(1.3981999507e-3), F(8.3334519073e-3), F(4.1665795894e-2), F(1.6666665459e-1)]
POLYNOMIAL += [F(5.0000001201e-1)]


def logistic(x: np.float32) -> np.float32:
    """Return 1 / (1 + exp(-x)), 0.5 for NaN."""
    if np.isnan(x):
        return F(0.5)
    return F(1.0) / (F(1.0) + exponential(F(max(-LIMIT, min(LIMIT, -x)))))


def exponential(y: np.float32) -> np.float32:
    """Return exp(y) for y from -30 to 30."""
    n = int(y * F(1.44269504) + F(-0.5 if y < 0 else 0.5))
    y = y - F(n) * F(0.693359375)
    y = y + F(n) * F(2.12194440e-4)
    power = POLYNOMIAL[0]
    for factor in POLYNOMIAL[1:]:
        power = power * y + factor
    power = power * (y * y) + y + F(1.0)
    return power * F(2.0**n)


def net_values(layers: Sequence[Layer], inputs: NDArray[np.float32]) -> list[np.float32]:
    """Return the outputs of a net, in [0, 1]. The arguments are those of `hidden_units`."""
    units = hidden_units(layers, inputs)
    with np.errstate(over="ignore", invalid="ignore"):
        biases, weights = layers[-1]
        return [logistic(biases[output] + _sum_by_8(units, weights[:, output])) for output in range(len(biases))]


def net_policy(units: NDArray[np.float32], policy: Layer, actions: Sequence[int]) -> list[np.float32]:
    """Return the weights of some actions in the policy: exp(sum - greatest sum), at least exp(-30).

    Args:
        units: of the last hidden layer.
        policy: (biases, weights), as in `mcts.ValueNet`.
        actions: at least one.
    """
    biases, weights = policy
    with np.errstate(over="ignore", invalid="ignore"):
        sums = [biases[action] + _sum_by_8(units, weights[:, action]) for action in actions]
        greatest = np.fmax.reduce([-np.finfo(F).max, *sums])
        less = [total - greatest for total in sums]
    return [exponential(share if share >= -LIMIT else -LIMIT) for share in less]


def hidden_units(layers: Sequence[Layer], inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the units of the last hidden layer.

    Args:
        layers: (biases, weights) of each layer, as in `mcts.ValueNet`.
        inputs: float32 [inputs].
    """
    with np.errstate(over="ignore", invalid="ignore"):
        biases, weights = layers[0]
        total = np.zeros_like(biases)
        for row, number in enumerate(inputs):
            total += number * weights[row]
        units = _positive(biases + total)
        for biases, weights in layers[1:-1]:
            even, odd = biases.copy(), np.zeros_like(biases)
            for row, unit in enumerate(units):
                part = odd if row % 2 else even
                part += unit * weights[row]
            units = _positive(even + odd)
        return units


def _positive(units: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.where(units > 0, units, F(0.0))


def _sum_by_8(units: NDArray[np.float32], weights: NDArray[np.float32]) -> np.float32:
    lanes = [F(0.0)] * 8
    for row, unit in enumerate(units):
        lanes[row % 8] += unit * weights[row]
    pairs = [lanes[lane] + lanes[lane + 4] for lane in range(4)]
    total: np.float32 = (pairs[0] + pairs[2]) + (pairs[1] + pairs[3])
    return total
