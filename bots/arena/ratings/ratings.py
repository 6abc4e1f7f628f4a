"""Ratings of the bots of a tournament from its whole blocks.

Games for two are rated by Bradley-Terry, games for more by Plackett-Luce, both on the Elo scale: 400 / ln 10 Elo for a
unit of log worth. Where results go one way only, the likelihood has no maximum: estimates are then bias-reduced (Firth
1993) and always finite, and intervals have an end on the side that the results bound. Bots that never met, not even by
way of others, are rated in separate lists.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mcts.errors import ParameterError

from .blocks import BlockCounts
from .bradley_terry import fit_bradley_terry
from .elo import ELO_PER_UNIT
from .intervals import ContrastIntervals, Interval, unit
from .logit import Matrix
from .plackett_luce import fit_plackett_luce
from .rankings import rankings_of
from .rating_model import Fitted
from .result_graph import Group, ResultGraph, result_graph

Rows = tuple[tuple[float, ...], ...]
Maybe = float | None
BRADLEY_TERRY = "Bradley-Terry"
PLACKETT_LUCE = "Plackett-Luce"


@dataclass(frozen=True)
class SeatEffect:
    """Advantage of a seat."""

    elo: float
    """Against the mean of all seats."""
    error: float
    """Half the width of the 95 % interval."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of bots, in the order of their indices.

    The zero of a list's scale is where its anchors put it. Without anchors it is the mean of the bots of the list;
    where results are one-sided, the mean of its largest group in which they are not.
    """

    model: str
    """BRADLEY_TERRY or PLACKETT_LUCE."""
    elo: tuple[float | None, ...]
    """None for those that are not rated; for bots that have an anchor, the anchor."""
    errors: tuple[float | None, ...]
    """Half the width of the 95 % interval, against the zero of the scale; None for bots that are not rated, and where
    the interval is not symmetric."""
    lower: tuple[float | None, ...]
    """Lower end of the 95 % interval; None for bots that are not rated, and where the results bound a rating from above
    alone."""
    upper: tuple[float | None, ...]
    """Upper end of the 95 % interval; None for bots that are not rated, and where the results bound a rating from below
    alone."""
    covariance: Rows | None
    """Of `elo`, in Elo squared [bots, bots], from the spread of whole blocks; 0 for those that are not rated, and for
    bots of different lists."""
    differences: tuple[tuple[float | None, ...], ...]
    """Half the width of the 95 % interval of the difference of two bots [bots, bots]; None where it is not symmetric,
    and for bots of different lists."""
    los: tuple[tuple[float | None, ...], ...]
    """How likely a bot (row) is to be better than another (column); None for bots of different lists."""
    leads: dict[tuple[int, int], Interval]
    """Intervals of the differences between bots next to each other in their list, the better one first."""
    seats: tuple[SeatEffect, ...] | None
    """None where the results do not determine it."""
    ties: dict[int, float]
    """Plackett-Luce: log strength of ties, by how many are tied."""
    graph: ResultGraph
    """Who scored against whom."""
    lists: tuple[Group, ...]
    """The bots that are rated, best first, in one list for each component of the graph; the longest list first."""
    anchors: dict[int, float]
    """Elo that was given."""
    blocks: int
    """Whole blocks in which bots were compared."""
    scarce: Group
    """Rated bots with too few blocks to take an error from their spread."""

    @property
    def rated(self) -> Group:
        """All bots that are rated, ascending."""
        return tuple(sorted(bot for some in self.lists for bot in some))

    def notes(self, labels: Sequence[str]) -> list[str]:
        """Remarks that a reader of the ratings needs.

        Args:
            labels: names of the bots.
        """
        if len(labels) < 2:
            return ["A single bot has no rating: ratings compare bots."]
        if not self.blocks:
            return ["No ratings yet: no block is whole yet."]
        notes = self.graph.remarks(labels)
        if self.scarce:
            names = ", ".join(labels[bot] for bot in self.scarce)
            notes.append(f"Few blocks for {names}: their error bars count each block as one game.")
        if self.lists and self.seats is None:
            notes.append("The results do not determine a seat effect; the ratings leave it out.")
        if self.anchors:
            given = ", ".join(f"{labels[bot]} = {elo:g}" for bot, elo in sorted(self.anchors.items()))
            notes.append(f"Anchors: {given}; errors are relative to them.")
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
        The ratings; bots without games against others have none.

    Raises:
        ParameterError: an anchor is of no bot, or no number.
    """
    given = dict(anchors or {})
    _check_anchors(given, num_bots)
    num_seats = max((len(game.seats) for block in counts for game in block), default=2)
    rankings = rankings_of(counts, range(num_bots))
    graph = result_graph(num_bots, rankings, given)
    played = {place.bot for game in rankings.games for place in game}
    components = [component for component in graph.components if played & set(component)]
    model = BRADLEY_TERRY if num_seats == 2 else PLACKETT_LUCE
    nothing = (None,) * num_bots
    elo = [given.get(bot) for bot in range(num_bots)]
    if not components:
        rows = (nothing,) * num_bots
        anchored = tuple(None if value is None else 0.0 for value in elo)
        ends = tuple(elo)
        return Ratings(
            model, ends, anchored, ends, ends, None, rows, rows, {}, None, {}, graph, (), given, rankings.num_blocks, ()
        )
    fit = fit_bradley_terry if num_seats == 2 else fit_plackett_luce
    worths = {bot: value / ELO_PER_UNIT for bot, value in given.items()}
    fitted = fit(rankings, num_bots, num_seats, components, worths, seat_effect)
    intervals = ContrastIntervals(fitted, rankings)
    contrasts = _contrasts(fitted, graph, components, given)
    for bot in contrasts:
        if bot not in given:
            elo[bot] = float(ELO_PER_UNIT * (contrasts[bot] @ fitted.beta))
    lists = sorted(
        (tuple(sorted(component, key=lambda bot: (-(elo[bot] or 0.0), bot))) for component in components),
        key=lambda some: (-len(some), min(some)),
    )
    errors, lower, upper = _intervals(num_bots, contrasts, intervals, given)
    differences, los, leads = _comparisons(num_bots, lists, fitted, intervals)
    rows_of = np.array([contrasts.get(bot, np.zeros(fitted.layout.size)) for bot in range(num_bots)])
    return Ratings(
        model,
        tuple(elo),
        errors,
        lower,
        upper,
        tuple(map(tuple, (ELO_PER_UNIT**2 * rows_of @ fitted.covariance @ rows_of.T).tolist())),
        differences,
        los,
        leads,
        _seats(fitted, intervals),
        fitted.ties,
        graph,
        tuple(lists),
        given,
        rankings.num_blocks,
        tuple(
            bot
            for bot in sorted(contrasts)
            if bot not in given and errors[bot] is not None and intervals.is_scarce(intervals.freedom(bot))
        ),
    )


def _check_anchors(anchors: Mapping[int, float], num_bots: int) -> None:
    for bot, elo in anchors.items():
        if not 0 <= bot < num_bots:
            raise ParameterError(f"anchor of bot {bot}: there is no such bot; valid: 0 to {num_bots - 1}")
        if not math.isfinite(elo):
            raise ParameterError(f"anchor {elo} of bot {bot} is not finite; valid: a number such as 0 or 2500")


def _contrasts(
    fitted: Fitted, graph: ResultGraph, components: Sequence[Group], anchors: Mapping[int, float]
) -> dict[int, Matrix]:
    """The rating of each bot as a contrast of the parameters: the bot against the zero of its list's scale."""
    found = {}
    for component in components:
        zero: Group = ()
        if not any(bot in anchors for bot in component):
            inside = sorted((group for group in graph.groups if group[0] in component), key=len, reverse=True)
            has_largest = len(inside) == 1 or len(inside[0]) > len(inside[1])
            zero = inside[0] if has_largest else component
        for bot in component:
            found[bot] = unit(fitted.layout.size, (bot, 1.0), *((other, -1 / len(zero)) for other in zero))
    return found


def _intervals(
    num_bots: int, contrasts: Mapping[int, Matrix], intervals: ContrastIntervals, anchors: Mapping[int, float]
) -> tuple[tuple[float | None, ...], tuple[float | None, ...], tuple[float | None, ...]]:
    """Errors, lower ends and upper ends."""
    found = []
    for bot in range(num_bots):
        if bot in anchors:
            found.append(Interval(anchors[bot], anchors[bot], 0.0))
        elif bot in contrasts:
            found.append(intervals.interval(contrasts[bot], intervals.freedom(bot)))
        else:
            found.append(Interval(None, None, None))
    return tuple(x.error for x in found), tuple(x.lower for x in found), tuple(x.upper for x in found)


def _comparisons(
    num_bots: int, lists: Sequence[Group], fitted: Fitted, intervals: ContrastIntervals
) -> tuple[tuple[tuple[Maybe, ...], ...], tuple[tuple[Maybe, ...], ...], dict[tuple[int, int], Interval]]:
    """Errors of differences, likelihoods of superiority, and leads over the next."""
    differences: list[list[float | None]] = [[None] * num_bots for _ in range(num_bots)]
    los: list[list[float | None]] = [[None] * num_bots for _ in range(num_bots)]
    leads = {}
    for bots in lists:
        for place, one in enumerate(bots):
            for other in bots[place + 1 :]:
                contrast = unit(fitted.layout.size, (one, 1.0), (other, -1.0))
                freedom = intervals.freedom(one, other)
                if fitted.determines(contrast) or other == bots[place + 1]:
                    interval = intervals.interval(contrast, freedom)
                    differences[one][other] = differences[other][one] = interval.error
                    if other == bots[place + 1]:
                        leads[one, other] = interval
                likely = intervals.probability_above_zero(contrast, freedom)
                if likely is not None:
                    los[one][other], los[other][one] = likely, 1 - likely
    return tuple(map(tuple, differences)), tuple(map(tuple, los)), leads


def _seats(fitted: Fitted, intervals: ContrastIntervals) -> tuple[SeatEffect, ...] | None:
    if fitted.seats is None:
        return None
    found = []
    first = fitted.layout.seats.start
    for seat, worth in enumerate(fitted.seats):
        contrast = unit(fitted.layout.size, (first + seat, 1.0))
        contrast[fitted.layout.seats] -= 1 / len(fitted.seats)
        interval = intervals.interval(contrast, intervals.freedom())
        assert interval.error is not None  # a seat effect that is not determined is left out
        found.append(SeatEffect(float(ELO_PER_UNIT * worth), interval.error))
    return tuple(found)
