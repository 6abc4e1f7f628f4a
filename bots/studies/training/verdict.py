"""The sequential test of a generation, and the Elo that its games show."""

from __future__ import annotations

from collections.abc import Sequence

from ...arena.ratings.blocks import score_of
from ...arena.ratings.elo import EloEstimate, estimate_elo
from ...arena.ratings.sprt import Sprt

_TEST = Sprt(0.0, 100.0, alpha=0.1, beta=0.1)


def counts_of(shares: Sequence[float]) -> list[int]:
    """Return the numbers of pairs of games by their points, as `Sprt` and `estimate_elo` take them.

    Args:
        shares: shares of the points of a net in games that follow each other in pairs.
    """
    counts = [0] * 5
    for first, second in zip(shares[::2], shares[1::2], strict=True):
        counts[int(2 * (score_of(first, 0.5) + score_of(second, 0.5)))] += 1
    return counts


def sequential_verdict(shares: Sequence[float]) -> bool | None:
    """Return True if a net is better than another one, False if it is not, None if more games are needed."""
    accepted = _TEST.decide(counts_of(shares))
    return None if accepted is None else accepted == "H1"


def elo_of(shares: Sequence[float]) -> EloEstimate | None:
    """Return the Elo of a net against another one; None without games."""
    return estimate_elo(counts_of(shares))
