"""What Bradley-Terry and Plackett-Luce share: their parameters, and how these are found with their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from .logit import (
    Choices,
    Freedom,
    Option,
    fit,
    has_maximum,
    information,
    is_identified,
    of_games,
    pseudo_inverse,
    robust_covariance,
)
from .rankings import Place, Rankings

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """Where each parameter stands: bots, seats, ties by their order, and the ghost, all in log worth."""

    num_bots: int
    num_seats: int
    tie_orders: tuple[int, ...] = ()
    """How many were tied with each other, ascending."""
    has_ghost: bool = False
    """Whether pseudo-games against a bot that does not exist are added."""

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.num_bots + self.num_seats + len(self.tie_orders) + self.has_ghost

    def option(self, places: Collection[Place]) -> Option:
        """What consists of these places: the mean of their worths, and the strength of a tie of so many."""
        found: Counter[int] = Counter()
        for place in places:
            found[place.bot] += 1
            found[self.num_bots + place.seat] += 1
        mean = {parameter: times / len(places) for parameter, times in found.items()}
        return mean if len(places) == 1 else {**mean, **self.tie(len(places))}

    def against_ghost(self, bot: int) -> list[Option]:
        """The options of a pseudo-game: the bot, the ghost, and where ties of two occur, both."""
        ghost = self.size - 1
        options: list[Option] = [{bot: 1}, {ghost: 1}]
        return [*options, {bot: 0.5, ghost: 0.5, **self.tie(2)}] if 2 in self.tie_orders else options

    def tie(self, order: int) -> dict[int, float]:
        """The strength alone of a tie of so many."""
        return {self.num_bots + self.num_seats + self.tie_orders.index(order): 1}

    def freedom(self, bots: Collection[int], anchored: Collection[int], with_seats: bool, with_ghost: bool) -> Freedom:
        """Which parameters are to be found."""
        free = np.zeros(self.size, dtype=bool)
        free[[bot for bot in bots if bot not in anchored]] = True
        seats = slice(self.num_bots, self.num_bots + self.num_seats)
        free[seats] = with_seats
        free[seats.stop : seats.stop + len(self.tie_orders)] = True
        shifts = []
        if self.has_ghost:
            free[-1] = with_ghost
        if not any(bot in anchored for bot in bots):
            of_bots = np.zeros(self.size)
            of_bots[list(bots)] = 1
            if self.has_ghost:
                of_bots[-1] = with_ghost
            shifts.append(of_bots)
        if with_seats:
            of_seats = np.zeros(self.size)
            of_seats[seats] = 1
            shifts.append(of_seats)
        rows = [shift / np.linalg.norm(shift) for shift in shifts]
        return Freedom(free, np.array(rows).reshape(len(rows), self.size))


@dataclass(frozen=True)
class Fitted:
    """A model that was fitted, in log worth. Without anchors, the mean of the bots that were rated is 0."""

    theta: Matrix
    """[bots], 0 for those that were not rated."""
    covariance: Matrix
    """[bots, bots], from the spread of whole blocks, relative to the anchors or the mean."""
    naive_covariance: Matrix
    """[bots, bots], as if every game were independent of all others."""
    seats: Matrix | None
    """[seats], what sitting there adds, of mean 0; None where the results do not determine it."""
    seat_covariance: Matrix | None
    dimension: int
    """How many numbers were fitted."""
    ties: dict[int, float] = field(default_factory=dict)
    """Log strength of ties, by how many are tied."""
    tie_errors: dict[int, float] = field(default_factory=dict)
    """Standard errors of `ties` as if every game were independent."""


def estimate(
    layout: Layout,
    choices: Choices,
    rankings: Rankings,
    bots: Collection[int],
    anchors: Mapping[int, float],
    seat_effect: bool,
) -> Fitted:
    """Fit a model. The seat effect is left out where the results do not determine it.

    Args:
        layout: the parameters.
        choices: of all games, and of pseudo-games, whose game is -1.
        rankings: the games.
        bots: those to be rated, all in one group of the result graph.
        anchors: log worths of bots that have them.
        seat_effect: whether to look for one.
    """
    start = np.zeros(layout.size)
    for bot, value in anchors.items():
        start[bot] = value
    played = of_games(choices)
    has_seats = (
        seat_effect
        and is_identified(played, layout.freedom(bots, anchors, True, False))
        and (_flows_both_ways(rankings) or has_maximum(choices, layout.freedom(bots, anchors, True, layout.has_ghost)))
    )
    beta = fit(choices, start, layout.freedom(bots, anchors, has_seats, layout.has_ghost))
    own = layout.freedom(bots, anchors, has_seats, with_ghost=False)
    covariance = robust_covariance(played, beta, own, rankings.contains, rankings.block_times)
    naive = pseudo_inverse(information(played, beta), own)
    theta = beta[: layout.num_bots].copy()
    if not any(bot in anchors for bot in bots):
        theta[list(bots)] -= theta[list(bots)].mean()
    n, s = layout.num_bots, layout.num_seats
    at_tie = {order: n + s + index for index, order in enumerate(layout.tie_orders)}
    return Fitted(
        theta,
        covariance[:n, :n],
        naive[:n, :n],
        beta[n : n + s] if has_seats else None,
        covariance[n : n + s, n : n + s] if has_seats else None,
        own.dimension,
        {order: float(beta[at]) for order, at in at_tie.items()},
        {order: float(np.sqrt(naive[at, at])) for order, at in at_tie.items()},
    )


def _flows_both_ways(rankings: Rankings) -> bool:
    """True where results flow both ways between all bots in all their seats: then no seat effect is without limit, and
    one need not look further."""
    index: dict[tuple[int, int], int] = {}
    edges = set()
    for game in rankings.games:
        for one, other in permutations(game, 2):
            if one.rank <= other.rank:
                ends = [index.setdefault((place.bot, place.seat), len(index)) for place in (one, other)]
                edges.add((ends[0], ends[1]))
    sources, targets = zip(*edges, strict=True)
    graph = csr_array((np.ones(len(edges)), (sources, targets)), shape=(len(index), len(index)))
    parts, _ = connected_components(graph, connection="strong")
    return bool(parts == 1)
