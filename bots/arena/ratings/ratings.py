"""Ratings of the bots of a tournament from its whole blocks.

Where wins count, games for two players are rated by Bradley-Terry by default, games for more players by Plackett-Luce.
These ratings are on the Elo scale: 400 / ln 10 Elo for a unit of log worth. Where returns count, ratings are
differences of mean returns in points, by least squares. Where results are one-sided, the likelihood has no maximum:
estimates are then bias-reduced (Firth 1993) and always finite, and intervals have an end only on the side that the
results bound. Bots that never met, not even through other bots, are rated in separate lists.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cext.game_info import RETURNS, WINS
from mcts.errors import ParameterError

from .blocks import BlockCounts
from .fitting import Matrix, RatedGames, vector_of
from .intervals import ContrastIntervals, Interval
from .model_registry import default_rating_model
from .rankings import rankings_of
from .rating_model import FittedModel, RatingModel
from .result_graph import Group, ResultGraph, result_graph

Vector = tuple[float | None, ...]
Table = tuple[Vector, ...]

MOST_ANCHOR = 1e6
"""Largest rating of an anchor; rounding would spoil the differences of larger ones."""


@dataclass(frozen=True)
class SeatEffect:
    """Advantage of a seat."""

    value: float
    """In the unit of the ratings, relative to the mean of all seats."""
    error: float | None
    """Half the width of the 95 % interval; None where the results set none."""


@dataclass(frozen=True)
class Ratings:
    """Ratings of bots, in the order of their indices.

    Anchors set the zero of the scale of their list. Without anchors, zero is the mean of the bots of the list, or where
    results are one-sided, the mean of the largest group of bots whose results are not.
    """

    model: str
    """Title of the rating model, such as `Bradley-Terry`."""
    score: str
    """`wins` for ratings in Elo; `returns` for differences of mean returns in points."""
    values: Vector
    """Ratings in `unit`; None for bots that are not rated. The rating of an anchored bot is its anchor."""
    errors: Vector
    """Half the width of the 95 % interval, relative to the zero of the scale; None for bots that are not rated, and
    where the interval is not symmetric."""
    lower: Vector
    """Lower end of the 95 % interval; None for bots that are not rated, and where the results bound a rating only from
    above."""
    upper: Vector
    """Upper end of the 95 % interval; None for bots that are not rated, and where the results bound a rating only from
    below."""
    differences: Table
    """Half the width of the 95 % interval of the difference of two bots [bots, bots]; None where it is not symmetric,
    and for bots of different lists."""
    los: Table
    """Likelihood of superiority of a bot (row) over another (column); None for bots of different lists."""
    graph: ResultGraph
    """The graph of results between bots."""
    anchors: dict[int, float]
    """Given ratings by index of the bot."""
    blocks: int
    """Number of whole blocks that compare bots."""
    covariance: tuple[tuple[float, ...], ...] | None = None
    """Covariance of `values` [bots, bots], from the spread of whole blocks; 0 for bots that are not rated, and for bots
    of different lists."""
    leads: dict[tuple[int, int], Interval] = field(default_factory=dict)
    """Intervals of the differences between bots next to each other in their list, the better one first."""
    seats: tuple[SeatEffect, ...] | None = None
    """None where the results do not determine it."""
    ties: dict[int, float] = field(default_factory=dict)
    """Log strength of ties, by the number of tied players; empty for models without such parameters."""
    lists: tuple[Group, ...] = ()
    """The rated bots, best first, in one list for each component of the graph; the longest list first."""
    scarce: Group = ()
    """Rated bots with too few blocks to take an error from their spread."""

    @property
    def unit(self) -> str:
        """The unit of the ratings: `Elo` or `points`."""
        return "points" if self.score == RETURNS else "Elo"

    @property
    def rated(self) -> Group:
        """All rated bots, ascending."""
        return tuple(sorted(bot for some in self.lists for bot in some))

    def notes(self, labels: Sequence[str]) -> list[str]:
        """Return sentences that a reader of the ratings needs.

        Args:
            labels: labels of the bots.
        """
        if len(labels) < 2:
            return ["A single bot has no rating: ratings compare bots."]
        if not self.blocks:
            return ["No ratings yet: no block is whole yet."]
        notes = self.graph.notes(labels)
        if self.scarce:
            names = ", ".join(labels[bot] for bot in self.scarce)
            notes.append(f"Few blocks for {names}: their error bars count each block as one game.")
        if self.score == RETURNS and (bare := [labels[bot] for bot in self.rated if self.lower[bot] is None]):
            notes.append(f"No error bars for {', '.join(bare)}: their blocks show no spread.")
        if self.lists and self.seats is None:
            notes.append("The results do not determine a seat effect; the ratings leave it out.")
        if self.anchors:
            given = ", ".join(f"{labels[bot]} = {value:g}" for bot, value in sorted(self.anchors.items()))
            notes.append(f"Anchors: {given}; errors are relative to them.")
        return notes


def rate(
    num_bots: int,
    counts: BlockCounts,
    anchors: Mapping[int, float] | None = None,
    seat_effect: bool = True,
    model: RatingModel | None = None,
    score: str = WINS,
) -> Ratings:
    """Rate bots.

    Args:
        num_bots: indices are in [0, num_bots).
        counts: counts of whole blocks.
        anchors: given ratings by index of the bot.
        seat_effect: True to estimate the advantage of each seat, if the results determine it.
        model: the rating model; by default, least squares for returns, Bradley-Terry for wins of two players and
            Plackett-Luce for wins of more.
        score: of the default model, `wins` or `returns`.

    Returns:
        The ratings. Bots without games against others are not rated.

    Raises:
        ParameterError: an anchor belongs to no bot or is not a number from -1,000,000 to 1,000,000, or the model does
            not fit these games.
    """
    given = dict(anchors or {})
    _check_anchors(given, num_bots)
    num_seats = max((len(game.seats) for block in counts for game in block), default=2)
    if model is None:
        model = default_rating_model(num_seats, score)
    rankings = rankings_of(counts, range(num_bots), model.SCORE == RETURNS)
    graph = result_graph(num_bots, rankings, given, model.SCORE == RETURNS)
    played = {seat.bot for game in rankings.games for seat in game}
    components = [component for component in graph.components if played & set(component)]
    nothing = (None,) * num_bots
    values = [given.get(bot) for bot in range(num_bots)]
    if not components:
        rows = (nothing,) * num_bots
        anchored = tuple(None if value is None else 0.0 for value in values)
        ends = tuple(values)
        return Ratings(
            model.TITLE, model.SCORE, ends, anchored, ends, ends, rows, rows, graph, given, rankings.num_blocks
        )
    worths = {bot: value / model.unit for bot, value in given.items()}
    fitted = model.fit(RatedGames(rankings, num_bots, num_seats, components, worths, seat_effect))
    intervals = ContrastIntervals(fitted, rankings, model.unit)
    contrasts = _contrasts(fitted, graph, components, given)
    for bot in contrasts:
        if bot not in given:
            values[bot] = float(model.unit * (contrasts[bot] @ fitted.beta))
    lists = sorted(
        (tuple(sorted(component, key=lambda bot: (-(values[bot] or 0.0), bot))) for component in components),
        key=lambda some: (-len(some), min(some)),
    )
    errors, lower, upper = _intervals(num_bots, contrasts, intervals, given)
    differences, los, leads = _comparisons(num_bots, lists, fitted, intervals)
    rows_of = np.array([contrasts.get(bot, np.zeros(fitted.layout.size)) for bot in range(num_bots)])
    covariance = (model.unit**2 * rows_of @ fitted.covariance @ rows_of.T).tolist()
    known = [bot for bot in sorted(contrasts) if bot not in given and errors[bot] is not None]
    return Ratings(
        model.TITLE,
        model.SCORE,
        tuple(values),
        errors,
        lower,
        upper,
        differences,
        los,
        graph,
        given,
        rankings.num_blocks,
        tuple(map(tuple, covariance)),
        leads,
        _seats(fitted, intervals, model.unit),
        fitted.ties,
        tuple(lists),
        tuple(bot for bot in known if intervals.is_scarce(intervals.freedom(bot))),
    )


def _check_anchors(anchors: Mapping[int, float], num_bots: int) -> None:
    for bot, value in anchors.items():
        if not 0 <= bot < num_bots:
            raise ParameterError(f"anchor of bot {bot}: no such bot; valid: 0 to {num_bots - 1}")
        if not math.isfinite(value):
            raise ParameterError(f"anchor {value} of bot {bot} is not finite; valid: a number such as 0 or 2500")
        if abs(value) > MOST_ANCHOR:
            raise ParameterError(
                f"anchor {value:g} of bot {bot} is out of range; valid: {-MOST_ANCHOR:,.0f} to {MOST_ANCHOR:,.0f}"
            )


def _contrasts(
    fitted: FittedModel, graph: ResultGraph, components: Sequence[Group], anchors: Mapping[int, float]
) -> dict[int, Matrix]:
    """Return the rating of each bot as a contrast of the parameters: the bot minus the zero of its list."""
    found = {}
    for component in components:
        origin: Group = ()
        if not any(bot in anchors for bot in component):
            inside = sorted((group for group in graph.groups if group[0] in component), key=len, reverse=True)
            has_largest = len(inside) == 1 or len(inside[0]) > len(inside[1])
            origin = inside[0] if has_largest else component
        for bot in component:
            found[bot] = vector_of(fitted.layout.size, (bot, 1.0), *((other, -1 / len(origin)) for other in origin))
    return found


def _intervals(
    num_bots: int, contrasts: Mapping[int, Matrix], intervals: ContrastIntervals, anchors: Mapping[int, float]
) -> tuple[Vector, Vector, Vector]:
    """Return errors, lower ends and upper ends."""
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
    num_bots: int, lists: Sequence[Group], fitted: FittedModel, intervals: ContrastIntervals
) -> tuple[Table, Table, dict[tuple[int, int], Interval]]:
    """Return errors of differences, likelihoods of superiority, and leads over the next bot of the list."""
    differences: list[list[float | None]] = [[None] * num_bots for _ in range(num_bots)]
    los: list[list[float | None]] = [[None] * num_bots for _ in range(num_bots)]
    leads = {}
    for bots in lists:
        for place, one in enumerate(bots):
            for other in bots[place + 1 :]:
                contrast = vector_of(fitted.layout.size, (one, 1.0), (other, -1.0))
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


def _seats(fitted: FittedModel, intervals: ContrastIntervals, unit: float) -> tuple[SeatEffect, ...] | None:
    if fitted.seats is None:
        return None
    found = []
    first = fitted.layout.seats.start
    for seat, worth in enumerate(fitted.seats):
        contrast = vector_of(fitted.layout.size, (first + seat, 1.0))
        contrast[fitted.layout.seats] -= 1 / len(fitted.seats)
        error = intervals.interval(contrast, intervals.freedom()).error
        found.append(SeatEffect(float(unit * worth), error))
    return tuple(found)
