"""The statistics of one tree, or of several trees with the same root, on the scale of the game's returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from cext.search.search import Search
from cext.search.statistics import ArmRow

from .confidence import CONFIDENCE_95
from .final_action import Arm


class RootStatistics(NamedTuple):
    """The statistics of a root."""

    arms: dict[int, tuple[Arm, ...]]
    """Deciding player -> its arms, by ascending action."""
    values: tuple[float, ...]
    """Mean return per player, within the bounds."""
    bounds: tuple[tuple[float, float], ...]
    """Proven (lower, upper) bounds of the return per player."""


def read_root(trees: Sequence[Search], low: float, high: float) -> RootStatistics:
    """Read the statistics of trees with the same root; those of several trees are added.

    Args:
        trees: at least one.
        low, high: the least and the greatest return of the game.
    """
    rows, sums, bounds, visits = trees[0].root_arms(), trees[0].value_sums(), trees[0].bounds(), trees[0].visits
    if len(trees) > 1:
        rows = _merge_rows([tree.root_arms() for tree in trees])
        sums = [math.fsum(column) for column in zip(*(tree.value_sums() for tree in trees), strict=True)]
        bounds = [_tightest(pairs) for pairs in zip(*(tree.bounds() for tree in trees), strict=True)]
        visits = sum(tree.visits for tree in trees)
    span, count = high - low, max(visits, 1)
    scaled = tuple([(low + lower * span, low + upper * span) for lower, upper in bounds])
    means = [total / count * span + low for total in sums]
    return RootStatistics(
        {player: tuple([_arm(row, low, span) for row in found]) for player, found in rows.items()},
        tuple([min(max(mean, lower), upper) for mean, (lower, upper) in zip(means, scaled, strict=True)]),
        scaled,
    )


def _tightest(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the tightest (lower, upper) of some bounds of one value."""
    return max(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def _merge_rows(trees: Sequence[dict[int, list[ArmRow]]]) -> dict[int, list[ArmRow]]:
    """Add the rows of the same actions of several trees."""
    return {
        player: [_merged(rows) for rows in zip(*(tree[player] for tree in trees), strict=True)] for player in trees[0]
    }


def _merged(rows: Sequence[ArmRow]) -> ArmRow:
    visits, value = sum(row.visits for row in rows), math.fsum(row.value for row in rows)
    weight = math.fsum(row.weight for row in rows)
    lower, upper = _tightest([(row.lower, row.upper) for row in rows])
    return ArmRow(rows[0].action, visits, value, weight, lower, upper)


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
