"""SPSA: simultaneous perturbation stochastic approximation (Spall 1992), in the form that tests of chess engines use.

Each iteration moves all numbers at once by a step c up or down at random, plays the two settings on both sides of the
present one against each other, and moves the present one towards the winner. The steps fall as in Spall (1998). Numbers
are places in their ranges, from 0 to 1. Options have no two sides: both settings draw theirs from a distribution, whose
weights move towards the winner's option by the gradient of the expected score (Williams 1992).
"""

from __future__ import annotations

import math
import random
from statistics import fmean

from mcts.seeds import seed_for

from ..space import Options, Setting, Space

ALPHA, GAMMA = 0.602, 0.101
"""Exponents by which the gain and the perturbation fall (Spall 1998)."""
PERTURBATION = 0.15
"""First perturbation, as a share of the range."""
GAIN = 0.045
"""First gain: a score of 1 moves a number by GAIN / PERTURBATION of its range."""
STABILITY = 0.1
"""Number of iterations, as a share of all, that delay the fall of the gain."""
OPTION_GAIN = 0.5
"""First gain of the logarithmic weights of options."""
AVERAGED = 0.5
"""Share of the last iterations whose mean is the best setting (Polyak and Juditsky 1992)."""


class Spsa:
    """One run of SPSA.

    Args:
        space: the parameters.
        iterations: number of iterations, which determines how the steps fall.
        seed: root of the random numbers.
    """

    def __init__(self, space: Space, iterations: int, seed: int) -> None:
        self._space = space
        self._delay = STABILITY * iterations
        self._seed = seed
        start = space.start
        self._units = [[part.unit(start[part.name]) for part in space.ranges]]
        self._weights = [[[0.0] * len(part.values) for part in space.options]]
        self._asked: tuple[list[float], list[tuple[int, int]]] = ([], [])

    def ask(self) -> tuple[Setting, Setting]:
        done = len(self._units) - 1
        drawn = random.Random(seed_for(self._seed, done))
        units = self._units[-1]
        steps = []
        for part, unit in zip(self._space.ranges, units, strict=True):
            step = max(PERTURBATION / (done + 1) ** GAMMA, part.least_step(unit))
            steps.append(step if drawn.random() < 0.5 else -step)
        pairs = []
        for weights in self._weights[-1]:
            shares = _shares(weights)
            first, second = drawn.choices(range(len(weights)), shares, k=2)
            pairs.append((first, second))
        self._asked = steps, pairs
        sides = []
        for side, sign in enumerate((1.0, -1.0)):
            moved = [unit + sign * step for unit, step in zip(units, steps, strict=True)]  # `Range.value` clips it
            sides.append(self._setting(moved, [pair[side] for pair in pairs]))
        return sides[0], sides[1]

    def tell(self, score: float) -> None:
        done = len(self._units) - 1
        fall = ((self._delay + 1) / (self._delay + done + 1)) ** ALPHA
        steps, pairs = self._asked
        moved = [_clipped(unit + GAIN * fall * score / step) for unit, step in zip(self._units[-1], steps, strict=True)]
        weights = [list(old) for old in self._weights[-1]]
        for own, (first, second) in zip(weights, pairs, strict=True):
            own[first] += OPTION_GAIN * fall * score
            own[second] -= OPTION_GAIN * fall * score
        self._units.append(moved)
        self._weights.append(weights)

    def best(self) -> Setting:
        """Return the mean of the last iterations: of the numbers, and the option with the greatest mean weight."""
        count = max(1, math.ceil(AVERAGED * (len(self._units) - 1)))
        units = [fmean(column) for column in zip(*self._units[-count:], strict=True)]
        chosen = []
        for number, part in enumerate(self._space.options):
            means = [fmean(column) for column in zip(*(w[number] for w in self._weights[-count:]), strict=True)]
            chosen.append(_first_best(means, part, self._space.start))
        return self._setting(units, chosen)

    def _setting(self, units: list[float], chosen: list[int]) -> Setting:
        numbers = {part.name: part.value(unit) for part, unit in zip(self._space.ranges, units, strict=True)}
        words = {part.name: part.values[index] for part, index in zip(self._space.options, chosen, strict=True)}
        return {**numbers, **words}


def _clipped(unit: float) -> float:
    return min(max(unit, 0.0), 1.0)


def _shares(weights: list[float]) -> list[float]:
    highest = max(weights)
    return [math.exp(weight - highest) for weight in weights]


def _first_best(means: list[float], part: Options, start: Setting) -> int:
    """Return the index of the greatest weight; of the start among equals."""
    own = part.values.index(start[part.name])
    return max(range(len(means)), key=lambda index: (means[index], index == own))


METHOD = Spsa
