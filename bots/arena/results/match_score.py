"""The score of a match between two bots: a mean over whole blocks, with its error."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..ratings.blocks import Block, BlockCounts
from ..ratings.confidence import half_width


@dataclass(frozen=True)
class MatchScore:
    """Mean points of the first bot in a block."""

    mean: float
    """Mean over all blocks."""
    standard_error: float
    """Standard error of the mean, from mean squares that are not corrected for the mean; 0 if all blocks are equal."""
    blocks: int
    """Number of whole blocks, 1 and up."""

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval, by Student's distribution where blocks are few; inf for one block."""
        width = half_width(self.blocks - 1)
        return math.inf if width is None else width * self.standard_error


def match_score(blocks: BlockCounts, points: Callable[[Block], float]) -> MatchScore | None:
    """Return the score of the first of two bots; None without blocks.

    Args:
        blocks: counts of whole blocks of one size.
        points: the points of the first bot in a block: `Scoring.of`, `mean_return` or `return_difference`.
    """
    found = sorted((points(block), times) for block, times in blocks.items())
    count = blocks.total()
    if not count:
        return None
    mean = math.fsum(times * value for value, times in found) / count
    squares = math.fsum(times * (value - mean) ** 2 for value, times in found)
    spread = squares if squares > 1e-18 * count * mean**2 else 0.0
    return MatchScore(mean, math.sqrt(spread) / count, count)
