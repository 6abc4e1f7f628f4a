"""The sequential test of a generation, and the Elo that its games show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cext.game_info import RETURNS, WINS

from ...arena.ratings.blocks import score_of
from ...arena.ratings.elo import EloEstimate, estimate_elo, estimate_normalized
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


def sequential_verdict(shares: Sequence[float], score: str = WINS) -> bool | None:
    """Return True if a net is better than another one, False if it is not, None if more games are needed.

    Args:
        shares: as for `counts_of`.
        score: what counts, `wins` or `returns`.
    """
    llr = _TEST.llr_of_scores(_scores_of(shares), 2) if score == RETURNS else _TEST.llr(counts_of(shares))
    accepted = _TEST.verdict(llr)
    return None if accepted is None else accepted == "H1"


def elo_of(shares: Sequence[float], score: str = WINS) -> EloEstimate | None:
    """Return the Elo of a net against another one, normalized Elo where returns count; None if the games set none."""
    return estimate_normalized(_scores_of(shares), 2) if score == RETURNS else estimate_elo(counts_of(shares))


def _scores_of(shares: Sequence[float]) -> Counter[float]:
    """Return the number of pairs of games by their mean share."""
    return Counter(round((first + second) / 2, 12) for first, second in zip(shares[::2], shares[1::2], strict=True))
