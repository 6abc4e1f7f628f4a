"""The parameters and the likelihood of rating models: choices between options whose log worths are linear in them.

An option with features x is chosen with probability proportional to exp(x . beta): the conditional logit model
(McFadden, "Conditional logit analysis of qualitative choice behavior", 1974). The options of Bradley-Terry are the two
bots of a game, those of Plackett-Luce with ties the sets of bots that may take the next rank. The log likelihood is
concave; Newton's method finds its maximum.

Games of one block are not independent, so covariances come from whole blocks: I+ B I+, where I is the information
matrix, I+ its pseudo-inverse, and B the sum over blocks of the outer product of the gradient of a block (White,
"Maximum likelihood estimation of misspecified models", 1982).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from .rankings import RankedSeat, Rankings

Matrix = NDArray[np.float64]
Option = Mapping[int, float]
"""Features that are not 0, by parameter."""
Component = tuple[int, ...]
"""Bots that met each other, directly or through other bots."""

_MAX_STEPS = 200
_GRADIENT_TOLERANCE = 1e-10
"""Gradient per choice below which the maximum counts as found."""
_LEAST_DECREMENT = 1e-14
"""Twice the expected gain in log likelihood of a step below which the maximum counts as found."""
_LONGEST_STEP = 4.0
"""Log worth: longer steps would leave the range of exp."""
_NEVER = -1e300
"""Log worth in padding."""


@dataclass(frozen=True)
class Choices:
    """Distinct choices with their counts. Options are padded to the same number."""

    features: csr_array
    """[choices * options, parameters], 0 in padding. Sparse, since few are not 0; and sparse products start no threads,
    which would compete for busy processors."""
    present: NDArray[np.bool_]
    """[choices, options], False in padding."""
    shares: Matrix
    """[choices, options], share of the times that each option was chosen."""
    times: Matrix
    """[choices], number of times that each choice was made."""
    games: NDArray[np.int64]
    """[choices], index of the distinct game that contains the choice; -1 for pseudo-games."""


@dataclass(frozen=True)
class FreeParameters:
    """The parameters that are estimated."""

    free: NDArray[np.bool_]
    """[parameters], False for parameters that keep their value."""
    null_directions: Matrix
    """[null directions, parameters], orthonormal: free directions in which the likelihood does not change."""

    @property
    def dimension(self) -> int:
        """Number of estimated parameters, without null directions."""
        return int(self.free.sum()) - len(self.null_directions)

    @property
    def basis(self) -> Matrix:
        """Unit vectors that, with the null directions, span all free parameters [dimension, parameters]."""
        kept = self.free.copy()
        for null in self.null_directions:
            kept[np.flatnonzero(null)[0]] = False
        return np.eye(len(kept))[kept]


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


class ChoiceList:
    """Collects choices one by one.

    Args:
        num_parameters: indices of parameters are in [0, num_parameters).
    """

    def __init__(self, num_parameters: int) -> None:
        self._num_parameters = num_parameters
        self._options: list[Sequence[Option]] = []
        self._shares: list[Sequence[float]] = []
        self._times: list[float] = []
        self._games: list[int] = []

    def add(self, options: Sequence[Option], shares: Sequence[float], times: float, game: int) -> None:
        """Add a choice. The arguments are as in `Choices`."""
        self._options.append(options)
        self._shares.append(shares)
        self._times.append(times)
        self._games.append(game)

    def choices(self) -> Choices:
        """Return all choices as arrays."""
        most = max(map(len, self._options))
        lengths = np.array([len(some) for some in self._options])
        present = np.arange(most) < lengths[:, None]
        shares = np.zeros(present.shape)
        shares[present] = [share for some in self._shares for share in some]
        entries = [
            (number * most + place, parameter, value)
            for number, some in enumerate(self._options)
            for place, option in enumerate(some)
            for parameter, value in option.items()
        ]
        rows, columns, values = zip(*entries, strict=True)
        features = csr_array((values, (rows, columns)), shape=(present.size, self._num_parameters), dtype=float)
        return Choices(features, present, shares, np.array(self._times, dtype=float), np.array(self._games))


def vector_of(size: int, *entries: tuple[int, float]) -> Matrix:
    """Return a vector [size] from its entries that are not 0. Entries of the same index are added."""
    found = np.zeros(size)
    for index, value in entries:
        found[index] += value
    return found


def of_games(choices: Choices) -> Choices:
    """Return the choices of games, without pseudo-games."""
    kept = choices.games >= 0
    rows = np.flatnonzero(np.repeat(kept, choices.present.shape[1]))
    return Choices(
        choices.features[rows], choices.present[kept], choices.shares[kept], choices.times[kept], choices.games[kept]
    )


def fit(choices: Choices, start: Matrix, parameters: FreeParameters) -> Matrix:
    """Return the parameters of greatest likelihood, by Newton steps that are halved until they gain.

    Args:
        choices: their likelihood must have a maximum, see `Separation`.
        start: initial parameters; parameters that are not free keep these values.
        parameters: the parameters to estimate.
    """
    beta = start.astype(float)
    best = _log_likelihood(choices, beta)
    enough = _GRADIENT_TOLERANCE * float(choices.times.sum())
    for _ in range(_MAX_STEPS):
        gradient = np.where(parameters.free, gradients_of(choices, beta).T @ choices.times, 0.0)
        if float(np.abs(gradient).max(initial=0.0)) < enough:
            break
        step = pseudo_inverse(information(choices, beta), parameters) @ gradient
        if float(step @ gradient) < _LEAST_DECREMENT:  # further gains are below the rounding error
            beta = beta + step
            break
        size = min(1.0, _LONGEST_STEP / float(np.abs(step).max()))
        while size > 1e-9 and (found := _log_likelihood(choices, beta + size * step)) < best:
            size /= 2
        if size <= 1e-9:
            break
        best, beta = found, beta + size * step
    return beta


def information(choices: Choices, beta: Matrix) -> Matrix:
    """Return the information matrix [parameters, parameters]: minus the second derivative of the log likelihood."""
    probabilities = _probabilities(choices, beta)
    weights = (probabilities * choices.times[:, None]).ravel()
    expected = sum_of_options(probabilities, choices)
    squares = choices.features.T @ diags_array(weights) @ choices.features
    found: Matrix = (squares - expected.T @ diags_array(choices.times) @ expected).toarray()
    return found


def pseudo_inverse(matrix: Matrix, parameters: FreeParameters) -> Matrix:
    """Return the pseudo-inverse of the free part of an information matrix, orthogonal to null directions; else 0."""
    free = np.flatnonzero(parameters.free)
    part = matrix[np.ix_(free, free)]
    nulls = parameters.null_directions[:, free]
    scale = float(np.trace(part)) / max(len(free), 1) or 1.0
    along = nulls.T @ nulls
    found = np.zeros_like(matrix)
    found[np.ix_(free, free)] = np.linalg.inv(part + scale * along) - along / scale
    return found


def robust_covariance(gradients: csr_array, games: NDArray[np.int64], inverse: Matrix, rankings: Rankings) -> Matrix:
    """Return the covariance of the parameters from the spread of whole blocks [parameters, parameters].

    Args:
        gradients: gradient of each choice at the estimated parameters, counted once [choices, parameters].
        games: index of the distinct game that contains each choice [choices].
        inverse: pseudo-inverse of the information matrix.
        rankings: the distinct games, and the blocks that contain them.
    """
    count = len(games)
    is_of = csr_array((np.ones(count), (games, np.arange(count))), shape=(len(rankings.games), count))
    of_block = rankings.contains @ (is_of @ gradients)
    spread = (of_block.T @ diags_array(rankings.block_times) @ of_block).toarray()
    found: Matrix = inverse @ spread @ inverse
    return found


def is_identified(choices: Choices, parameters: FreeParameters) -> bool:
    """Return True if different parameters, up to null directions, have different likelihoods."""
    free = np.flatnonzero(parameters.free)
    level = information(choices, np.zeros(len(parameters.free)))[np.ix_(free, free)]
    return bool(np.linalg.matrix_rank(level, hermitian=True) >= parameters.dimension)


def _log_likelihood(choices: Choices, beta: Matrix) -> float:
    worths = _worths(choices, beta)
    top = worths.max(axis=1)
    total = top + np.log(np.exp(worths - top[:, None]).sum(axis=1))
    return float(((choices.shares * (worths - total[:, None])).sum(axis=1) * choices.times).sum())


def _worths(choices: Choices, beta: Matrix) -> Matrix:
    """Return the log worths [choices, options]."""
    return np.where(choices.present, (choices.features @ beta).reshape(choices.present.shape), _NEVER)


def _probabilities(choices: Choices, beta: Matrix) -> Matrix:
    worths = _worths(choices, beta)
    weights = np.exp(worths - worths.max(axis=1)[:, None])
    found: Matrix = weights / weights.sum(axis=1)[:, None]
    return found


def sum_of_options(weights: Matrix, choices: Choices) -> csr_array:
    """Return the weighted sum of the features of the options of each choice [choices, parameters]."""
    count, most = weights.shape
    starts = np.arange(0, count * most + 1, most)
    return csr_array((weights.ravel(), np.arange(count * most), starts)) @ choices.features


def gradients_of(choices: Choices, beta: Matrix) -> csr_array:
    """Return the gradient of the log likelihood of each choice, counted once [choices, parameters]."""
    return sum_of_options(choices.shares - _probabilities(choices, beta), choices)
