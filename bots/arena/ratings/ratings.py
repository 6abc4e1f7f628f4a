"""Ratings of the bots of a tournament from its whole blocks, or why there are none.

Games for two are rated by Bradley-Terry, games for more by Plackett-Luce, both on the Elo scale: 400 / ln 10 Elo for a
unit of log worth. Where results do not flow both ways between all bots, the likelihood has no maximum, and whatever
number were shown would be made up: only a group of more than half of the bots, within which results do flow both ways,
is then rated, and the others get a bound, which is marked as one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mcts.errors import ParameterError

from .blocks import BlockCounts
from .bradley_terry import fit_bradley_terry, score
from .confidence import half_width, least_share, probability_above_zero
from .elo import ELO_PER_UNIT
from .plackett_luce import fit_plackett_luce
from .rankings import Place, Rankings, rankings_of
from .rating_model import Fitted
from .result_graph import Group, ResultGraph, result_graph

Rows = tuple[tuple[float, ...], ...]
BRADLEY_TERRY = "Bradley-Terry"
PLACKETT_LUCE = "Plackett-Luce"
_NO_SPREAD = 1e-9
"""Parts of the variance of independent games: blocks that spread less than this do not spread at all."""


@dataclass(frozen=True)
class SeatEffect:
    """What a seat is worth."""

    elo: float
    """Against the mean of all seats."""
    error: float | None
    """Half the width of the 95 % interval."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of bots, in the order of their indices.

    The zero of the scale is where the anchors put it, and without anchors at the mean of the bots that are rated.
    """

    model: str
    """BRADLEY_TERRY or PLACKETT_LUCE."""
    elo: tuple[float | None, ...]
    """None for those that are not rated; for bots that have an anchor, the anchor."""
    errors: tuple[float | None, ...]
    """Half the width of the 95 % interval, against the zero of the scale; None where there is too little to tell."""
    covariance: Rows | None
    """Of `elo`, in Elo squared [bots, bots], from the spread of whole blocks; 0 for those that are not rated."""
    differences: tuple[tuple[float | None, ...], ...]
    """Half the width of the 95 % interval of the difference of two bots [bots, bots]; None where unknown."""
    los: tuple[tuple[float | None, ...], ...]
    """How likely a bot (row) is to be better than another (column); None where unknown."""
    marks: tuple[str | None, ...]
    """`>` where no result keeps a bot's rating from being higher, `<` lower, `<>` both; None where neither."""
    bounds: tuple[float | None, ...]
    """For bots with a mark, where their rating would be if every one-sided pairing were at the near end of its 95 %
    interval. Not a rating."""
    seats: tuple[SeatEffect, ...] | None
    """None where the results do not determine it."""
    ties: dict[int, float]
    """Plackett-Luce: log strength of ties, by how many are tied."""
    graph: ResultGraph
    """Who can be compared with whom."""
    rated: Group
    """The bots that are rated."""
    anchors: dict[int, float]
    """Elo that was given."""
    blocks: int
    """Whole blocks in which bots were compared."""

    def notes(self, labels: Sequence[str]) -> list[str]:
        """What a reader of the ratings must know.

        Args:
            labels: names of the bots.
        """
        if len(labels) < 2:
            return ["One bot alone has no Elo: ratings compare."]
        if not self.blocks:
            return ["No Elo: no block is whole yet."]
        notes = []
        refusal = self.graph.explain(labels)
        if refusal is not None:
            names = ", ".join(labels[bot] for bot in self.rated)
            notes.append(f"{refusal} {f'Rated is only {{{names}}}.' if self.rated else 'Nobody is rated.'}")
        if any(bound is not None for bound in self.bounds):
            notes.append(
                "Marked with > or < are bounds, not ratings: there, every pairing that went one way only is put at the "
                "near end of its 95 % interval."
            )
        without = [labels[bot] for bot in self.rated if self.errors[bot] is None]
        if without:
            notes.append(f"No error bars for {', '.join(without)}: too few blocks, or all of them ended alike.")
        if self.rated and self.seats is None:
            notes.append("The results do not determine a seat effect: the ratings are without one.")
        if self.anchors:
            given = ", ".join(f"{labels[bot]} = {elo:g}" for bot, elo in sorted(self.anchors.items()))
            notes.append(f"Anchored: {given}; errors are relative to that.")
        return notes


def rate(
    num_bots: int, counts: BlockCounts, anchors: Mapping[int, float] | None = None, seat_effect: bool = True
) -> Ratings:
    """Rate bots.

    Args:
        num_bots: indices are in [0, num_bots).
        counts: whole blocks; games of a bot with itself alone say nothing.
        anchors: Elo of bots that have one.
        seat_effect: whether to look for one.

    Returns:
        The ratings; nothing is raised for want of data.

    Raises:
        ParameterError: an anchor is of no bot, or no number.
    """
    given = dict(anchors or {})
    _check_anchors(given, num_bots)
    num_seats = max((len(game.seats) for block in counts for game in block), default=2)
    every = rankings_of(counts, range(num_bots))
    graph = result_graph(num_bots, every, given)
    rated = _rated(graph, given, num_bots)
    own = every if len(rated) == num_bots else rankings_of(counts, rated)
    if not own.games:
        rated = ()  # nobody has played, or only bots that anchors connect
    fitted = None
    if rated:
        fit = fit_bradley_terry if num_seats == 2 else fit_plackett_luce
        worths = {bot: elo / ELO_PER_UNIT for bot, elo in given.items()}
        fitted = fit(own, num_bots, num_seats, rated, worths, seat_effect)
    bounds, marks = _bounds(num_bots, num_seats, every, graph, rated, given)
    errors, differences, los = _certainty(num_bots, own, rated, given, fitted)
    return Ratings(
        BRADLEY_TERRY if num_seats == 2 else PLACKETT_LUCE,
        tuple(
            float(ELO_PER_UNIT * fitted.theta[bot]) if fitted is not None and bot in rated else given.get(bot)
            for bot in range(num_bots)
        ),
        errors,
        None if fitted is None else _rows(ELO_PER_UNIT**2 * fitted.covariance),
        differences,
        los,
        marks,
        bounds,
        None if fitted is None else _seats(fitted, own),
        {} if fitted is None else fitted.ties,
        graph,
        rated,
        given,
        every.num_blocks,
    )


def _check_anchors(anchors: Mapping[int, float], num_bots: int) -> None:
    for bot, elo in anchors.items():
        if not 0 <= bot < num_bots:
            raise ParameterError(f"anchor of bot {bot}: there is none; valid: 0 to {num_bots - 1}")
        if not math.isfinite(elo):
            raise ParameterError(f"anchor {elo} of bot {bot} is no Elo; valid: a number such as 0 or 2500")


def _rated(graph: ResultGraph, anchors: Mapping[int, float], num_bots: int) -> Group:
    """The group that is rated: that of the anchors, or that of more than half of the bots."""
    if num_bots < 2 or len(graph.components) > 1:
        return ()
    if anchors:
        found = graph.group_of(min(anchors))
        return found if len(found) > 1 else ()
    largest = max(graph.groups, key=len)
    return largest if 2 * len(largest) > num_bots else ()


def _bounds(
    num_bots: int,
    num_seats: int,
    rankings: Rankings,
    graph: ResultGraph,
    rated: Group,
    anchors: Mapping[int, float],
) -> tuple[tuple[float | None, ...], tuple[str | None, ...]]:
    """Numbers and marks of those that are not rated, and are connected with the others."""
    nothing = (None,) * num_bots
    if len(graph.components) > 1 or len(graph.groups) < 2:
        return nothing, nothing
    group_of = {bot: group for group in graph.groups for bot in group}
    shares: dict[frozenset[int], float] = {}

    def scored(one: Place, other: Place) -> float:
        pair = frozenset((one.bot, other.bot))
        if group_of[one.bot] == group_of[other.bot]:
            return score(one, other)
        if pair not in shares:
            shares[pair] = least_share(rankings.blocks_of(pair))
        return shares[pair] if one.rank < other.rank else 1 - shares[pair]

    worths = {bot: elo / ELO_PER_UNIT for bot, elo in anchors.items()}
    fitted = fit_bradley_terry(rankings, num_bots, num_seats, range(num_bots), worths, False, scored)
    elo = ELO_PER_UNIT * fitted.theta
    if rated and not anchors:
        elo -= elo[list(rated)].mean()

    def mark(bot: int) -> str | None:
        if bot in rated or bot in anchors:
            return None
        if group_of[bot] in graph.above:
            return ">"
        return "<" if group_of[bot] in graph.below else "<>"

    marks = tuple(mark(bot) for bot in range(num_bots))
    return tuple(None if marks[bot] is None else float(elo[bot]) for bot in range(num_bots)), marks


def _certainty(
    num_bots: int, rankings: Rankings, rated: Group, anchors: Mapping[int, float], fitted: Fitted | None
) -> tuple[tuple[float | None, ...], tuple[tuple[float | None, ...], ...], tuple[tuple[float | None, ...], ...]]:
    """Errors, errors of differences, and how likely who is better than whom."""
    errors: list[float | None] = [0.0 if bot in anchors else None for bot in range(num_bots)]
    differences: list[list[float | None]] = [[None] * num_bots for _ in range(num_bots)]
    los: list[list[float | None]] = [[None] * num_bots for _ in range(num_bots)]
    if fitted is not None:
        spare = rankings.num_blocks - fitted.dimension
        freedom = {bot: min(spare, rankings.blocks_of((bot,)) - 1) for bot in rated}
        for bot in rated:
            contrast = np.zeros(num_bots)
            contrast[bot] = 1
            if bot not in anchors:
                errors[bot] = _error(_deviation(fitted, contrast), freedom[bot])
            for other in rated:
                if other == bot:
                    continue
                against = contrast.copy()
                against[other] = -1
                deviation, least = _deviation(fitted, against), min(freedom[bot], freedom[other])
                differences[bot][other] = _error(deviation, least)
                gap = float(fitted.theta[bot] - fitted.theta[other])
                los[bot][other] = None if deviation is None else probability_above_zero(gap, deviation, least)
    return tuple(errors), tuple(map(tuple, differences)), tuple(map(tuple, los))


def _deviation(fitted: Fitted, contrast: NDArray[np.float64]) -> float | None:
    """Standard error of a sum of log worths; None where blocks do not spread."""
    variance = float(contrast @ fitted.covariance @ contrast)
    if variance <= _NO_SPREAD * float(contrast @ fitted.naive_covariance @ contrast):
        return None
    return math.sqrt(variance)


def _error(deviation: float | None, freedom: int) -> float | None:
    """Half the width of a 95 % interval in Elo."""
    width = half_width(freedom)
    return None if deviation is None or width is None else ELO_PER_UNIT * width * deviation


def _seats(fitted: Fitted, rankings: Rankings) -> tuple[SeatEffect, ...] | None:
    if fitted.seats is None or fitted.seat_covariance is None:
        return None
    variances = np.diag(fitted.seat_covariance)
    spare = rankings.num_blocks - fitted.dimension
    return tuple(
        SeatEffect(float(ELO_PER_UNIT * worth), _error(math.sqrt(variance) if variance > 0 else None, spare))
        for worth, variance in zip(fitted.seats, variances, strict=True)
    )


def _rows(matrix: NDArray[np.float64]) -> Rows:
    return tuple(map(tuple, matrix.tolist()))
