"""The interface of rating models, and the fit that they have in common.

Estimates are those of maximum likelihood. Where results are one-sided, the likelihood has no maximum; the estimates are
then bias-reduced (Firth, "Bias reduction of maximum likelihood estimates", 1993). Covariances come from the spread of
whole blocks (White, "Maximum likelihood estimation of misspecified models", 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cext.game_info import RETURNS, WINS

from .bias_reduction import PenalisedLikelihood
from .elo import ELO_PER_UNIT
from .fitting import (
    Choices,
    FreeParameters,
    Matrix,
    ParameterLayout,
    RatedGames,
    fit,
    gradients_of,
    information,
    is_identified,
    of_games,
    pseudo_inverse,
    robust_covariance,
    vector_of,
)
from .rankings import Rankings
from .separation import TOLERANCE, Separation, separate

RankedBot = tuple[int, int]
"""A bot and its seat, or 0 for all seats."""


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
    block_weight: float = 1.0
    """Weight of a game with which a block counts as one game."""

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
    start = vector_of(layout.size, *games.anchors.items())
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
        beta = beta + PenalisedLikelihood(played, beta, basis).maximum @ basis
    naive = pseudo_inverse(information(limit, beta), determined)
    gradients = gradients_of(limit, beta)
    covariance = robust_covariance(gradients, limit.games, naive, rankings)
    if separation is not None:
        covariance = _with_directions(covariance, information(played, beta), separation.directions, 1 / weight)
        naive = _with_directions(naive, information(played, beta), separation.directions, 1.0)
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
    return found if len(found.directions) else None


def _connects_both_ways(rankings: Rankings, tie_orders: Sequence[int], with_seats: bool) -> bool:
    """Return True if results connect all bots that met in both directions, with seats: each bot in all its seats.

    The likelihood then has a maximum (Ford, "Solution of a ranking problem from binary comparisons", 1957), and the
    linear programs of `separate` are not needed. Where ties have a strength of their own, only wins count as results.
    """
    numbers: dict[RankedBot, int] = {}
    edges = set()
    untied = 0  # the most seats among which one was alone at the top
    for game in rankings.games:
        for one, other in permutations(game, 2):
            bots = [(seat.bot, seat.seat if with_seats else 0) for seat in (one, other)]
            source, target = (numbers.setdefault(bot, len(numbers)) for bot in bots)
            alone = one.rank < other.rank and sum(seat.rank == one.rank for seat in game) == 1
            if alone:
                untied = max(untied, sum(seat.rank >= one.rank for seat in game))
            if alone if tie_orders else one.rank <= other.rank:
                edges.add((source, target))
    if not edges or untied < max(tie_orders, default=0):
        return False
    graph = csr_array((np.ones(len(edges)), tuple(zip(*edges, strict=True))), shape=(len(numbers), len(numbers)))
    ways = ("strong", "weak")
    strong, weak = (connected_components(graph, connection=way, return_labels=False) for way in ways)
    return bool(strong == weak)


class RatingModel:
    """A probability model of results, with one strength for each bot.

    A model turns every game into choices between options whose log worths are linear in the parameters. Fitting,
    anchors, errors from whole blocks and one-sided results are then the same for all models.

    Derived classes set `TITLE` and override `choices`.
    """

    TITLE: ClassVar[str]
    """The name in reports, such as `Bradley-Terry`."""
    SCORE: ClassVar[str] = WINS
    """`wins` for ratings on the Elo scale from who has the higher return; `returns` for differences of mean returns in
    points. The rankings then have the returns too."""

    @property
    def unit(self) -> float:
        """Elo, or points, of one unit of the parameters."""
        return 1.0 if self.SCORE == RETURNS else ELO_PER_UNIT

    def choices(self, games: RatedGames) -> tuple[ParameterLayout, Choices]:
        """Return the parameters of the model, and the choices that describe the games.

        A choice that belongs to a game carries the index of the game in `games.rankings.games`. A choice with index -1
        is a pseudo-game: it keeps estimates finite and does not enter errors.

        Raises:
            ParameterError: the model does not fit games of this kind.
        """
        raise NotImplementedError

    def fit(self, games: RatedGames) -> FittedModel:
        """Return the parameters of greatest likelihood with their covariances.

        Raises:
            ParameterError: the model does not fit games of this kind.
        """
        layout, choices = self.choices(games)
        return fit_choices(layout, choices, games)
