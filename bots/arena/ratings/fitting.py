"""The parameters that all rating models share, and their estimates with covariances.

Estimates are those of maximum likelihood. Where results are one-sided, the likelihood has no maximum; the estimates are
then bias-reduced (Firth, "Bias reduction of maximum likelihood estimates", 1993). Covariances come from the spread of
whole blocks (White, "Maximum likelihood estimation of misspecified models", 1982).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from .bias_reduction import PenalisedLikelihood
from .logit import (
    Choices,
    FreeParameters,
    Matrix,
    Option,
    fit,
    gradients_of,
    information,
    is_identified,
    of_games,
    pseudo_inverse,
    robust_covariance,
)
from .rankings import RankedSeat, Rankings
from .separation import TOLERANCE, Separation, separate

Component = tuple[int, ...]
"""Bots that met each other, directly or through other bots."""
RankedBot = tuple[int, int]
"""A bot and its seat, or 0 for all seats."""


@dataclass(frozen=True)
class RatedGames:
    """The games that a model is fitted to."""

    rankings: Rankings
    """The games as orders of bots in seats, and the blocks that contain them."""
    num_bots: int
    """Indices of bots are in [0, num_bots)."""
    num_seats: int
    """Players of the game."""
    components: Sequence[Component]
    """The bots to rate, in groups: bots of different groups never met."""
    anchors: Mapping[int, float]
    """Given log worths, or points for a model of returns, by index of the bot."""
    seat_effect: bool = True
    """True to estimate the advantage of each seat, if the results determine it."""


@dataclass(frozen=True)
class ParameterLayout:
    """Positions of the parameters: bots, seats, ties by their order, ghosts."""

    num_bots: int
    """Number of bots; their parameters come first."""
    num_seats: int
    """Number of seats; their parameters follow those of the bots."""
    tie_orders: tuple[int, ...] = ()
    """Sizes of the ties that have a parameter, ascending."""
    num_ghosts: int = 0
    """Ghosts are bots that do not exist, against which pseudo-games are added; one for each component."""

    @property
    def size(self) -> int:
        """Number of parameters."""
        return self.num_bots + self.num_seats + len(self.tie_orders) + self.num_ghosts

    @property
    def seats(self) -> slice:
        """The parameters of seats."""
        return slice(self.num_bots, self.num_bots + self.num_seats)

    def option(self, ranked: Collection[RankedSeat]) -> Option:
        """Return the option that a set of seats takes the next rank.

        Its worth is the mean of the worths of the seats and their bots, plus the strength of a tie of this size.
        """
        found: Counter[int] = Counter()
        for seat in ranked:
            found[seat.bot] += 1
            found[self.num_bots + seat.seat] += 1
        mean = {parameter: times / len(ranked) for parameter, times in found.items()}
        return mean if len(ranked) == 1 else {**mean, **self.tie(len(ranked))}

    def against_ghost(self, bot: int, component: int) -> list[Option]:
        """Return the options of a pseudo-game: the bot, the ghost of its component, and both if ties of two occur."""
        ghost = self.size - self.num_ghosts + component
        options: list[Option] = [{bot: 1}, {ghost: 1}]
        return [*options, {bot: 0.5, ghost: 0.5, **self.tie(2)}] if 2 in self.tie_orders else options

    def tie(self, order: int) -> dict[int, float]:
        """Return the feature of the strength of a tie of this size."""
        return {self.num_bots + self.num_seats + self.tie_orders.index(order): 1}

    def free_parameters(self, games: RatedGames, with_seats: bool, with_ghosts: bool) -> FreeParameters:
        """Return the parameters to estimate: all but those of anchored bots, and of seats and ghosts if left out."""
        free = np.zeros(self.size, dtype=bool)
        free[[bot for component in games.components for bot in component if bot not in games.anchors]] = True
        free[self.seats] = with_seats
        free[self.seats.stop : self.seats.stop + len(self.tie_orders)] = True
        if self.num_ghosts:
            free[-self.num_ghosts :] = with_ghosts
        nulls = []
        for number, component in enumerate(games.components):
            if any(bot in games.anchors for bot in component):
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
class FittedModel:
    """A fitted model, in log worth; in points for a model of returns."""

    layout: ParameterLayout
    beta: Matrix
    """[parameters], determined up to null directions."""
    parameters: FreeParameters
    """The parameters that were estimated, without ghosts."""
    played: Choices
    """The choices of games, without pseudo-games."""
    separation: Separation | None
    """None where the likelihood of the games has a maximum."""
    covariance: Matrix
    """[parameters, parameters], from the spread of whole blocks. Along the directions of `separation`, where blocks
    have no spread, from the information, as if a block were one game."""
    naive_covariance: Matrix
    """[parameters, parameters], as if every game were independent of all others."""
    determining: NDArray[np.bool_]
    """[games], True for games that determine contrasts from both sides."""
    has_seats: bool
    """True if the model has a seat effect."""
    tie_errors: dict[int, float] = field(default_factory=dict)
    """Standard errors of `ties`, as if every game were independent."""
    block_weight: float = 1.0
    """Weight of a game with which a block counts as one game."""

    @property
    def theta(self) -> Matrix:
        """Log worths [bots], those of each component up to a constant."""
        return self.beta[: self.layout.num_bots]

    @property
    def seats(self) -> Matrix | None:
        """Advantage of each seat [seats], of mean 0; None where the results do not determine it."""
        return self.beta[self.layout.seats] if self.has_seats else None

    @property
    def ties(self) -> dict[int, float]:
        """Log strength of ties, by the number of tied players."""
        begin = self.layout.seats.stop
        return {order: float(self.beta[begin + index]) for index, order in enumerate(self.layout.tie_orders)}

    @property
    def dimension(self) -> int:
        """Number of parameters that the games determine from both sides."""
        return self.parameters.dimension - (0 if self.separation is None else len(self.separation.directions))

    def determines(self, contrast: Matrix) -> bool:
        """Return True if the results bound a contrast [parameters] from both sides."""
        return self.separation is None or self.separation.determines(contrast)

    def bounds_above(self, contrast: Matrix) -> bool:
        """Return True if the results bound a contrast [parameters] from above."""
        return self.separation is None or self.separation.bounds_above(contrast)

    @cached_property
    def block_likelihood(self) -> PenalisedLikelihood:
        """The penalised likelihood of all parameters, in which all games of a block together count as one game."""
        origin = np.where(self.parameters.free, 0.0, self.beta)
        return PenalisedLikelihood(self.played, origin, self.parameters.basis, self.block_weight)


def fit_choices(layout: ParameterLayout, choices: Choices, games: RatedGames) -> FittedModel:
    """Fit a model by maximum likelihood, or by bias reduction where the likelihood has no maximum.

    Contrasts that the results determine from both sides are estimated by maximum likelihood of the games that determine
    them. All other contrasts are then estimated by Firth's penalised likelihood of all games. The seat effect is left
    out where the results do not determine it.

    Args:
        layout: the parameters.
        choices: those of all games, and of pseudo-games, whose index of the game is -1.
        games: the games, and the bots to rate.
    """
    rankings = games.rankings
    start = np.zeros(layout.size)
    for bot, value in games.anchors.items():
        start[bot] = value
    played = of_games(choices)
    has_seats = games.seat_effect and is_identified(played, layout.free_parameters(games, True, False))
    separation = None
    if has_seats:
        separation = _separation(layout, played, games, True)
        has_seats = separation is None or not np.abs(separation.directions[:, layout.seats]).max() > TOLERANCE
    if not has_seats:
        separation = _separation(layout, played, games, False)
    own = layout.free_parameters(games, has_seats, with_ghosts=False)
    weight = rankings.num_blocks / float(rankings.times.sum())
    if separation is None:
        beta = fit(choices, start, layout.free_parameters(games, has_seats, with_ghosts=True))
        limit, determined = played, own
    else:
        limit = separation.limit
        nulls = np.vstack([own.null_directions, separation.directions])
        determined = FreeParameters(own.free, nulls)
        beta = fit(limit, start, determined)
        # If nothing is determined, a basis of unit vectors spans the same space, and is faster.
        basis = separation.directions if determined.dimension else own.basis
        beta = beta + PenalisedLikelihood(played, beta, basis).maximum() @ basis
    naive = pseudo_inverse(information(limit, beta), determined)
    gradients = gradients_of(limit, beta)
    covariance = robust_covariance(gradients, limit.games, naive, rankings.contains, rankings.block_times)
    if separation is not None:
        covariance = _with_directions(covariance, information(played, beta), separation.directions, 1 / weight)
        naive = _with_directions(naive, information(played, beta), separation.directions, 1.0)
    at_tie = {order: layout.seats.stop + index for index, order in enumerate(layout.tie_orders)}
    return FittedModel(
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
    """Return the covariance of all parameters, from that of the determined ones and the information along directions.

    The parameters along `directions` are estimated after the determined ones.
    """
    inverse = np.linalg.inv(directions @ level @ directions.T)
    follows = np.eye(len(level)) - level @ directions.T @ inverse @ directions
    found: Matrix = follows.T @ covariance @ follows + factor * directions.T @ inverse @ directions
    return found


def _separation(layout: ParameterLayout, played: Choices, games: RatedGames, with_seats: bool) -> Separation | None:
    """Return the directions along which the likelihood has no maximum; None if it has one."""
    if _connects_both_ways(games.rankings, layout.tie_orders, with_seats):
        return None
    found = separate(played, layout.free_parameters(games, with_seats, with_ghosts=False))
    return None if found.has_maximum else found


def _connects_both_ways(rankings: Rankings, tie_orders: Sequence[int], with_seats: bool) -> bool:
    """Return True if results connect all bots that met in both directions, with seats: each bot in all its seats.

    The likelihood then has a maximum (Ford, "Solution of a ranking problem from binary comparisons", 1957), and the
    linear programs of `separate` are not needed. Where ties have a strength of their own, only wins count as results.
    """
    forward: defaultdict[RankedBot, set[RankedBot]] = defaultdict(set)
    backward: defaultdict[RankedBot, set[RankedBot]] = defaultdict(set)
    untied = 0  # the most seats among which one was alone at the top
    for game in rankings.games:
        for one, other in permutations(game, 2):
            source, target = ((seat.bot, seat.seat if with_seats else 0) for seat in (one, other))
            alone = one.rank < other.rank and sum(seat.rank == one.rank for seat in game) == 1
            if alone:
                untied = max(untied, sum(seat.rank >= one.rank for seat in game))
            if alone if tie_orders else one.rank <= other.rank:
                forward[source].add(target)
                backward[target].add(source)
    if not forward or untied < max(tie_orders, default=0):
        return False
    left = forward.keys() | backward.keys()
    while left:
        begin = left.pop()
        reached = _reached(begin, forward)
        if reached != _reached(begin, backward):
            return False
        left -= reached
    return True


def _reached(begin: RankedBot, steps: defaultdict[RankedBot, set[RankedBot]]) -> set[RankedBot]:
    """Return all that a chain of steps leads to, with its beginning."""
    found, waiting = {begin}, [begin]
    while waiting:
        new = steps[waiting.pop()] - found
        found |= new
        waiting += new
    return found
