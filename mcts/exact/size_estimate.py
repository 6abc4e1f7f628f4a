"""An estimate of the number of states of a game, made in a moment: `solve` refuses games that are too large at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cext.exact.random_walks import RandomWalks
from cext.game import Game

WALKS = 1 << 16
"""Number of random games."""
MOST_STEPS = 300
"""Joint actions after which counting stops."""


@dataclass(frozen=True)
class SizeEstimate:
    """Estimated number of canonical states that random play can reach."""

    states: float
    is_least: bool
    """True if there are more: at some steps no two games met, or counting stopped."""

    def __str__(self) -> str:
        return f"{'more than' if self.is_least else 'about'} {self.states:.1e}"


def estimate_size(game: Game, *, reduces: bool = True, enough: float = math.inf) -> SizeEstimate:
    """Estimate the number of canonical states of a game from how often random games meet in one.

    Of M games at the same step, a share 1/N of all pairs meets if the N states of that step are equally likely, and a
    larger share if not. So the estimate M (M - 1) / 2 / (pairs that met) tends to be low.

    Args:
        game: a game whose states are plain data.
        reduces: reduce states before they are compared, if the game offers it.
        enough: counting stops above this number.

    Raises:
        TypeError: the states of the game are not plain data.
    """
    walks = RandomWalks(game, WALKS, seed=1, reduces=reduces)
    total, is_least = 1.0, False
    for _ in range(MOST_STEPS):
        hashes = walks.step()
        if len(hashes) == 0:
            return SizeEstimate(total, is_least)
        counts = np.unique(hashes, return_counts=True)[1].astype(float)
        pairs = float((counts * (counts - 1)).sum()) / 2
        games = len(hashes)
        is_least |= pairs == 0 and games > WALKS / 2
        total += max(len(counts), games * (games - 1) / 2 / max(pairs, 1.0))
        if total > enough:
            break
    return SizeEstimate(total, True)
