"""Estimates of the size of a game, made in a moment: `solve` refuses games that are too large at once."""

from __future__ import annotations

import math
import random
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from cext.exact.random_walks import RandomWalks
from cext.game.game import NOOP, Game, State

WALKS = 1 << 16
"""Number of random games."""
FEW_WALKS = WALKS >> 3
"""Number that is enough to see that most large games are large."""
_PIECE = 128
"""Random games between two questions whether it is late."""
_FEW = 10_000
"""Hashes up to which Python counts them."""
MOST_STEPS = 300
"""Joint actions after which counting stops."""
_PATHS = 100
"""Random games of an estimate of the number of ends."""
_END_BYTES = 40
"""Memory of an end of the game in a sequence form, at least."""
_SURELY = 10
"""A game exceeds the limit if its estimated number of ends is at least this multiple of it."""


@dataclass(frozen=True)
class SizeEstimate:
    """Estimated number of canonical states that random play can reach."""

    states: float
    is_least: bool
    """True if there are more: at some steps no two games met, or counting stopped."""
    is_late: bool = False
    """True if counting stopped because it was late."""

    def __str__(self) -> str:
        return f"{'more than' if self.is_least else 'about'} {self.states:.1e}"


def estimate_size(
    game: Game,
    *,
    reduces: bool = True,
    enough: float = math.inf,
    walks: int = WALKS,
    is_late: Callable[[], bool] = lambda: False,
) -> SizeEstimate:
    """Estimate the number of canonical states of a game from how often random games meet in one.

    Of M games at the same step, a share 1/N of all pairs meets if the N states of that step are equally likely, and a
    larger share if not. So the estimate M (M - 1) / 2 / (pairs that met) tends to be low.

    Args:
        game: a game whose states are plain data.
        reduces: reduce states before they are compared, if the game offers it.
        enough: counting stops above this number.
        walks: number of random games. With fewer, states that random play seldom reaches are missed.
        is_late: asked now and then; counting stops when it returns True.

    Raises:
        TypeError: the states of the game are not plain data.
    """
    played = RandomWalks(game, walks, seed=1, reduces=reduces)
    total, is_least = 1.0, False
    for _ in range(MOST_STEPS):
        pieces = []
        for first in range(0, walks, _PIECE):
            if is_late():
                return SizeEstimate(total, True, True)
            pieces.append(played.step(first, min(first + _PIECE, walks)))
        hashes = array("Q", b"".join(pieces))
        games = len(hashes)
        if games == 0:
            return SizeEstimate(total, is_least)
        different, pairs = _meetings(hashes)
        is_least |= pairs == 0 and games > walks / 2
        total += max(different, games * (games - 1) / 2 / max(pairs, 1.0))
        if total > enough:
            break
    return SizeEstimate(total, True)


def _meetings(hashes: array[int]) -> tuple[int, float]:
    """Return the number of different hashes, and of pairs of equal ones.

    NumPy counts many faster; its import takes longer than counting few.
    """
    if len(hashes) <= _FEW:
        few = Counter(hashes).values()
        return len(few), sum(count * (count - 1) for count in few) / 2
    import numpy as np

    counts = np.unique(np.frombuffer(hashes, dtype=np.uint64), return_counts=True)[1].astype(float)
    return len(counts), float((counts * (counts - 1)).sum()) / 2


def estimate_ends(start: State, enough: float = math.inf) -> float:
    """Estimate how many ways of play, with chance, lead from a state to an end.

    It is the mean product of the numbers of choices in a random game (Knuth 1975), whose expectation is that number.

    Args:
        start: a state of a game whose actions are listed.
        enough: counting stops above this number.
    """
    draw = random.Random(1)
    total = 0.0
    for _ in range(_PATHS):
        state, product = start.clone(), 1.0
        while total + product <= _PATHS * enough and not state.is_terminal():
            joint = [NOOP] * state.game.num_players
            choices = [(player, state.legal_actions(player)) for player in state.acting_players()]
            if not choices:
                choices = [(len(joint), [outcome for outcome, _ in state.chance_outcomes()])]
                joint.append(NOOP)
            for entry, actions in choices:
                product *= len(actions)
                joint[entry] = draw.choice(actions)
            state.apply_actions(joint)
        total += product
    return total / _PATHS


def too_many_ends(start: State, memory_mb: int) -> str | None:
    """Return why the sequence form from a state on surely does not fit into memory, as half a sentence, or None."""
    most = (memory_mb << 20) // _END_BYTES
    if estimate_ends(start, _SURELY * most) <= _SURELY * most:
        return None
    return f"more than {_SURELY * most:,} ways of play lead to an end; valid: up to {most:,}, by memory_mb={memory_mb}"
