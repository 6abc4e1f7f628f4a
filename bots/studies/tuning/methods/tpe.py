"""The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kegl 2011) of the package optuna.

Each iteration plays a suggested setting against the start. The scores are noisy, so the best setting is not that of the
luckiest match: it is the one with the greatest mean score of all settings near it.
"""

from __future__ import annotations

import math
from typing import Any

import optuna

from ..space import Range, Setting, Space

BANDWIDTH = 0.1
"""Distance, as a share of the range, at which another setting counts exp(-1/2) times. Another option counts as 1."""


class Tpe:
    """One run of optuna's TPE sampler.

    Args:
        space: the parameters.
        iterations: number of iterations.
        seed: root of the random numbers.
    """

    def __init__(self, space: Space, iterations: int, seed: int) -> None:
        self._space = space
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        sampler = optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=max(5, iterations // 5))
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        self._trial: Any = None
        self._places: list[list[float]] = []
        self._settings: list[Setting] = []
        self._scores: list[float] = []

    def ask(self) -> tuple[Setting, Setting]:
        trial = self._trial = self._study.ask()
        units = [trial.suggest_float(part.name, 0.0, 1.0) for part in self._space.ranges]
        chosen = [trial.suggest_categorical(part.name, list(range(len(part.values)))) for part in self._space.options]
        numbers = {part.name: part.value(unit) for part, unit in zip(self._space.ranges, units, strict=True)}
        words = {part.name: part.values[index] for part, index in zip(self._space.options, chosen, strict=True)}
        setting = {**numbers, **words}
        self._settings.append(setting)
        self._places.append(self._place(setting))
        return setting, self._space.start

    def tell(self, score: float) -> None:
        self._study.tell(self._trial, score)
        self._scores.append(score)

    def best(self) -> Setting:
        if not self._scores:
            return self._space.start
        # The start is known to score 0 against itself.
        places = [*self._places[: len(self._scores)], self._place(self._space.start)]
        settings = [*self._settings[: len(self._scores)], self._space.start]
        scores = [*self._scores, 0.0]
        means = [_mean_near(place, places, scores) for place in places]
        return settings[means.index(max(means))]

    def _place(self, setting: Setting) -> list[float]:
        """Return a setting as a point: its units, and a coordinate for each option."""
        found = []
        for part in self._space.parts:
            value = setting[part.name]
            if isinstance(part, Range):
                found.append(part.unit(value))
            else:
                found += [math.sqrt(0.5) * (option == value) for option in part.values]
        return found


def _mean_near(place: list[float], places: list[list[float]], scores: list[float]) -> float:
    weights = [math.exp(-0.5 * math.dist(place, other) ** 2 / BANDWIDTH**2) for other in places]
    return math.fsum(w * score for w, score in zip(weights, scores, strict=True)) / math.fsum(weights)


METHOD = Tpe
