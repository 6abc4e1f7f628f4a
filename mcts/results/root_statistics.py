"""The statistics of one tree, or of several trees with the same root, on the scale of the game's returns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cext.game.game import NOOP
from cext.search.root_record import ArmRow, RootRecord

from ..primitives.confidence import CONFIDENCE_95
from .final_action import Arm, without_dominated


class RootStatistics:
    """The statistics of a root as a copied record, which is read when it is asked for.

    Args:
        record: of one tree, or the sum of several trees with the same root.
        low, high: the least and the greatest return of the game.
        exclude_dominated: move the weights of dominated arms to the safest one, where one player decides.

    Attributes:
        line: the principal variation, if it is not that of the record.
    """

    line: Sequence[tuple[int, ...]] | None = None

    def __init__(self, record: RootRecord, low: float, high: float, exclude_dominated: bool) -> None:
        self._record = record
        self._low = low
        self._span = high - low
        self._exclude_dominated = exclude_dominated

    @property
    def action(self) -> int | None:
        """The action of most visits among undominated ones, if the record has it."""
        return None if self._record.action == NOOP else self._record.action

    def arms(self) -> dict[int, tuple[Arm, ...]]:
        """Return the arms of each deciding player, by ascending action."""
        rows = self._record.root_arms()
        arms = {player: tuple([_arm(row, self._low, self._span) for row in found]) for player, found in rows.items()}
        if self._exclude_dominated and len(arms) == 1:
            return {player: without_dominated(found) for player, found in arms.items()}
        return arms

    def bounds(self) -> tuple[tuple[float, float], ...]:
        """Return the proven (lower, upper) bounds of the return, per player."""
        bounds = self._record.bounds()
        return tuple([(self._low + lower * self._span, self._low + upper * self._span) for lower, upper in bounds])

    def values(self) -> tuple[float, ...]:
        """Return the mean return per player, within the bounds."""
        count = max(self._record.visits, 1)
        means = [total / count * self._span + self._low for total in self._record.value_sums()]
        return tuple([min(max(mean, lower), upper) for mean, (lower, upper) in zip(means, self.bounds(), strict=True)])

    def pv(self) -> tuple[tuple[int, ...], ...]:
        """Return the principal variation."""
        return tuple(self._record.line() if self.line is None else self.line)


def _arm(row: ArmRow, low: float, span: float) -> Arm:
    """Convert a row to the scale of the game, [low, low + span]."""
    action, visits, value, weight, lower, upper = row
    lower, upper = low + lower * span, low + upper * span
    if visits == 0:
        return Arm(action, 0, lower if lower >= upper else None, weight, math.inf, lower, upper)
    mean = min(max(value / visits, 0.0), 1.0)
    # Of all distributions on [0, 1] with this mean, the variance is at most mean * (1 - mean) (Bhatia and Davis 2000).
    half_width = CONFIDENCE_95 * math.sqrt(max(mean * (1.0 - mean), 0.25 / visits) / visits)
    return Arm(action, visits, low + mean * span, weight, half_width * span, lower, upper)
