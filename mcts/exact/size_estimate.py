"""How many states a game has, guessed in a moment: so that nobody waits for what cannot be done."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cext.exact.random_walks import RandomWalks
from cext.game import Game

WALKERS = 1 << 16
MOST_STEPS = 300


@dataclass(frozen=True)
class SizeEstimate:
    """About how many states random play can reach, states that are images of each other counted once."""

    states: float
    is_least: bool
    """True where there are more: some steps have so many states that no two games met, or counting has stopped."""

    def __str__(self) -> str:
        return f"{'more than' if self.is_least else 'about'} {self.states:.1e}"


def estimate_size(game: Game, *, reduces: bool = True, enough: float = math.inf) -> SizeEstimate:
    """The number of a game's states, guessed from how often random games meet in one.

    Of M games at the same step, two by two, a share of 1/N meets if all N states of that step are as likely as each
    other, and a larger one if not: so the guess M (M - 1) / 2 / (pairs that met) is rather too low than too high.

    Args:
        game: whose states are plain data.
        reduces: whether to count states once that differ only in what has no influence any more.
        enough: there is no need to tell apart what is above this.
    """
    walkers = RandomWalks(game, WALKERS, seed=1, reduces=reduces)
    total, is_least = 1.0, False
    for _ in range(MOST_STEPS):
        hashes = walkers.step()
        if len(hashes) == 0:
            return SizeEstimate(total, is_least)
        counts = np.unique(hashes, return_counts=True)[1].astype(float)
        pairs = float((counts * (counts - 1)).sum()) / 2
        games = len(hashes)
        is_least |= pairs == 0 and games > WALKERS / 2
        total += max(len(counts), games * (games - 1) / 2 / max(pairs, 1.0))
        if total > enough:
            break
    return SizeEstimate(total, True)
