"""The parameters that Bradley-Terry and Plackett-Luce share, and their estimates with covariances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from .bias_reduction import PenalisedLikelihood
from .logit import (
    Choices,
    FreeParameters,
    Option,
    fit,
    information,
    is_identified,
    of_games,
    pseudo_inverse,
    robust_covariance,
)
from .rankings import RankedSeat, Rankings
from .separation import Separation, separate

Matrix = NDArray[np.float64]
Component = tuple[int, ...]
"""Bots that met, by way of others if need be."""


@dataclass(frozen=True)
class Layout:
    """Positions of the parameters, all in log worth: bots, seats, ties by their order, ghosts."""

    num_bots: int
    num_seats: int
    tie_orders: tuple[int, ...] = ()
    """How many were tied with each other, ascending."""
    num_ghosts: int = 0
    """Bots that do not exist, against which pseudo-games are added; one for each component."""

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.num_bots + self.num_seats + len(self.tie_orders) + self.num_ghosts

    @property
    def seats(self) -> slice:
        """The parameters of seats."""
        return slice(self.num_bots, self.num_bots + self.num_seats)

    def option(self, ranked: Collection[RankedSeat]) -> Option:
        """A set of seats that may come next: the mean of their worths, and the strength of a tie of so many."""
        found: Counter[int] = Counter()
        for place in ranked:
            found[place.bot] += 1
            found[self.num_bots + place.seat] += 1
        mean = {parameter: times / len(ranked) for parameter, times in found.items()}
        return mean if len(ranked) == 1 else {**mean, **self.tie(len(ranked))}

    def against_ghost(self, bot: int, component: int) -> list[Option]:
        """The options of a pseudo-game: the bot, the ghost of its component, and where ties of two occur, both."""
        ghost = self.size - self.num_ghosts + component
        options: list[Option] = [{bot: 1}, {ghost: 1}]
        return [*options, {bot: 0.5, ghost: 0.5, **self.tie(2)}] if 2 in self.tie_orders else options

    def tie(self, order: int) -> dict[int, float]:
        """The strength alone of a tie of so many."""
        return {self.num_bots + self.num_seats + self.tie_orders.index(order): 1}

    def free_parameters(
        self, components: Sequence[Component], anchored: Collection[int], with_seats: bool, with_ghosts: bool
    ) -> FreeParameters:
        """Which parameters are estimated."""
        free = np.zeros(self.size, dtype=bool)
        free[[bot for component in components for bot in component if bot not in anchored]] = True
        free[self.seats] = with_seats
        free[self.seats.stop : self.seats.stop + len(self.tie_orders)] = True
        if self.num_ghosts:
            free[-self.num_ghosts :] = with_ghosts
        nulls = []
        for number, component in enumerate(components):
            if any(bot in anchored for bot in component):
                continue
            of_bots = np.zeros(self.size)
            of_bots[list(component)] = 1
            if self.num_ghosts:
                of_bots[self.size - self.num_ghosts + number] = with_ghosts
            nulls.append(of_bots)
        if with_seats:
            of_seats = np.zeros(self.size)
            of_seats[self.seats] = 1
            nulls.append(of_seats)
        rows = [null / np.linalg.norm(null) for null in nulls]
        return FreeParameters(free, np.array(rows).reshape(len(rows), self.size))


@dataclass(frozen=True)
class Fitted:
    """A fitted model, in log worth."""

    layout: Layout
    beta: Matrix
    """[parameters], determined up to null directions."""
    parameters: FreeParameters
    """Which were estimated, ghosts left out."""
    played: Choices
    """The choices of games."""
    separation: Separation | None
    """None where the likelihood of the games has a maximum."""
    covariance: Matrix
    """[parameters, parameters], from the spread of whole blocks. Along the directions of `separation`, where blocks
    do not spread, from the information, as if a block were one game."""
    naive_covariance: Matrix
    """[parameters, parameters], as if every game were independent of all others."""
    determining: NDArray[np.bool_]
    """[games], True for those that determine contrasts from both sides."""
    has_seats: bool
    """Whether there is a seat effect."""
    tie_errors: dict[int, float] = field(default_factory=dict)
    """Standard errors of `ties` as if every game were independent."""

    @property
    def theta(self) -> Matrix:
        """Log worths [bots], each component's determined up to a constant."""
        return self.beta[: self.layout.num_bots]

    @property
    def seats(self) -> Matrix | None:
        """[seats], what sitting there adds, of mean 0; None where the results do not determine it."""
        return self.beta[self.layout.seats] if self.has_seats else None

    @property
    def ties(self) -> dict[int, float]:
        """Log strength of ties, by how many are tied."""
        begin = self.layout.seats.stop
        return {order: float(self.beta[begin + index]) for index, order in enumerate(self.layout.tie_orders)}

    @property
    def dimension(self) -> int:
        """How many numbers were fitted to games that determine them."""
        return self.parameters.dimension - (0 if self.separation is None else len(self.separation.directions))

    def determines(self, contrast: Matrix) -> bool:
        """True where the results bound a contrast [parameters] from both sides."""
        return self.separation is None or self.separation.determines(contrast)

    def bounds_above(self, contrast: Matrix) -> bool:
        """True where the results bound a contrast [parameters] from above."""
        return self.separation is None or self.separation.bounds_above(contrast)

    @cached_property
    def block_likelihood(self) -> PenalisedLikelihood:
        """The penalised likelihood of all parameters, in which the games of a block count as much as one game."""
        origin = np.where(self.parameters.free, 0.0, self.beta)
        return PenalisedLikelihood(self.played, origin, self.parameters.basis, self.block_weight)

    block_weight: float = 1.0
    """What a game counts for where a block counts for one."""


def estimate(
    layout: Layout,
    choices: Choices,
    rankings: Rankings,
    components: Sequence[Component],
    anchors: Mapping[int, float],
    seat_effect: bool,
) -> Fitted:
    """Fit a model by maximum likelihood, and by bias reduction where no likelihood is the greatest.

    What the results determine from both sides is estimated by maximum likelihood of the games that determine it; the
    distances beyond are then estimated by Firth's penalised likelihood of all games. The seat effect is left out where
    the results do not determine it.

    Args:
        layout: the parameters.
        choices: of all games, and of pseudo-games, whose game is -1.
        rankings: the games.
        components: the bots to be rated; those of two components never met.
        anchors: log worths of bots that have them.
        seat_effect: whether to look for one.
    """
    start = np.zeros(layout.size)
    for bot, value in anchors.items():
        start[bot] = value
    played = of_games(choices)
    has_seats = seat_effect and is_identified(played, layout.free_parameters(components, anchors, True, False))
    separation = None
    if has_seats:
        separation = _separation(layout, played, rankings, components, anchors, True)
        has_seats = separation is None or not np.abs(separation.directions[:, layout.seats]).max() > 1e-7
    if not has_seats:
        separation = _separation(layout, played, rankings, components, anchors, False)
    own = layout.free_parameters(components, anchors, has_seats, with_ghosts=False)
    weight = rankings.num_blocks / float(rankings.times.sum())
    if separation is None:
        beta = fit(choices, start, layout.free_parameters(components, anchors, has_seats, with_ghosts=True))
        limit, determined = played, own
    else:
        limit = separation.limit
        nulls = np.vstack([own.null_directions, separation.directions])
        determined = FreeParameters(own.free, nulls)
        beta = fit(limit, start, determined)
        # Where nothing is determined, a basis of unit vectors spans the same, and is faster.
        basis = separation.directions if determined.dimension else own.basis
        beta = beta + PenalisedLikelihood(played, beta, basis).maximum() @ basis
    covariance = robust_covariance(limit, beta, determined, rankings.contains, rankings.block_times)
    naive = pseudo_inverse(information(limit, beta), determined)
    if separation is not None:
        covariance = _with_directions(covariance, information(played, beta), separation.directions, 1 / weight)
        naive = _with_directions(naive, information(played, beta), separation.directions, 1.0)
    at_tie = {order: layout.seats.stop + index for index, order in enumerate(layout.tie_orders)}
    return Fitted(
        layout,
        beta,
        own,
        played,
        separation,
        covariance,
        naive,
        np.isin(np.arange(len(rankings.games)), limit.games[limit.present.sum(axis=1) > 1]),
        has_seats,
        {order: float(np.sqrt(naive[at, at])) for order, at in at_tie.items()},
        weight,
    )


def _with_directions(covariance: Matrix, level: Matrix, directions: Matrix, factor: float) -> Matrix:
    """Covariance of all parameters from that of what is determined, and the information along other directions, which
    are estimated after it."""
    inverse = np.linalg.inv(directions @ level @ directions.T)
    follows = np.eye(len(level)) - level @ directions.T @ inverse @ directions
    found: Matrix = follows.T @ covariance @ follows + factor * directions.T @ inverse @ directions
    return found


def _separation(
    layout: Layout,
    played: Choices,
    rankings: Rankings,
    components: Sequence[Component],
    anchors: Collection[int],
    with_seats: bool,
) -> Separation | None:
    """Where the likelihood has no maximum; None where it has one."""
    if _flows_both_ways(rankings, layout.tie_orders, with_seats):
        return None
    found = separate(played, layout.free_parameters(components, anchors, with_seats, with_ghosts=False))
    return None if found.has_maximum else found


def _flows_both_ways(rankings: Rankings, tie_orders: Sequence[int], with_seats: bool) -> bool:
    """True where results flow both ways between all bots that met (in all their seats): then the likelihood has a
    maximum, and one need not look further. Where ties have a strength of their own, only wins count as results."""
    index: dict[tuple[int, int], int] = {}
    edges = set()
    untied = 0  # the most seats among which one was alone at the top
    for game in rankings.games:
        for one, other in permutations(game, 2):
            ends = [
                index.setdefault((place.bot, place.seat if with_seats else 0), len(index)) for place in (one, other)
            ]
            alone = one.rank < other.rank and sum(place.rank == one.rank for place in game) == 1
            if alone:
                untied = max(untied, sum(place.rank >= one.rank for place in game))
            if alone if tie_orders else one.rank <= other.rank:
                edges.add((ends[0], ends[1]))
    if not edges or untied < max(tie_orders, default=0):
        return False
    sources, targets = zip(*edges, strict=True)
    graph = csr_array((np.ones(len(edges)), (sources, targets)), shape=(len(index), len(index)))
    strong, _ = connected_components(graph, connection="strong")
    weak, _ = connected_components(graph, connection="weak")
    return bool(strong == weak)
