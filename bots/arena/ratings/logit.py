"""The likelihood behind all ratings: choices between options whose worths are log-linear in the parameters.

An option with features x is chosen with probability proportional to exp(x . beta). Bradley-Terry is this model with the
two bots of a game as options; Plackett-Luce with ties is this model with the sets of bots that may come next. The log
likelihood is concave; Newton's method finds its maximum.

Games of one block are not independent, so errors come from whole blocks: I+ B I+, where I is the information matrix, I+
its pseudo-inverse, and B the sum over blocks of the outer product of a block's gradient (the sandwich of White 1982).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

Matrix = NDArray[np.float64]
Option = Mapping[int, float]
"""Features that are not 0, by parameter."""

_MAX_STEPS = 200
_GRADIENT_TOLERANCE = 1e-10
"""Per choice, where the maximum counts as found."""
_LEAST_DECREMENT = 1e-14
"""Twice the gain in log likelihood to be expected of a step, below which the maximum counts as found."""
_LONGEST_STEP = 4.0
"""In units of log worth: a wilder one would leave the range of exp."""
_NEVER = -1e300
"""Log worth of what is not there."""


@dataclass(frozen=True)
class Choices:
    """Distinct choices, and how often each was met with. Options are padded to the same number."""

    features: csr_array
    """[choices * options, parameters], 0 in padding. Few are not 0, and sparse products also spare us the threads of
    dense ones, which fight over busy processors."""
    present: NDArray[np.bool_]
    """[choices, options], False in padding."""
    shares: Matrix
    """[choices, options], how often each option was chosen, as parts of 1."""
    times: Matrix
    """[choices], how often."""
    games: NDArray[np.int64]
    """[choices], index of the distinct game that the choice is part of; -1 for one that is of no game."""


@dataclass(frozen=True)
class FreeParameters:
    """Which parameters are estimated."""

    free: NDArray[np.bool_]
    """[parameters], False for those that keep their value."""
    null_directions: Matrix
    """[null directions, parameters], orthonormal: free directions in which the likelihood does not change."""

    @property
    def dimension(self) -> int:
        """How many numbers are estimated."""
        return int(self.free.sum()) - len(self.null_directions)

    @property
    def basis(self) -> Matrix:
        """Unit vectors that, with the null directions, span all free parameters [dimension, parameters]."""
        kept = self.free.copy()
        for null in self.null_directions:
            kept[np.flatnonzero(null)[0]] = False
        return np.eye(len(kept))[kept]


class ChoiceList:
    """Collects choices one by one.

    Args:
        num_parameters: features are of parameters in [0, num_parameters).
    """

    def __init__(self, num_parameters: int) -> None:
        self._num_parameters = num_parameters
        self._options: list[Sequence[Option]] = []
        self._shares: list[Sequence[float]] = []
        self._times: list[float] = []
        self._games: list[int] = []

    def add(self, options: Sequence[Option], shares: Sequence[float], times: float, game: int) -> None:
        """One more choice; the arguments are as in `Choices`."""
        self._options.append(options)
        self._shares.append(shares)
        self._times.append(times)
        self._games.append(game)

    def choices(self) -> Choices:
        """All of them as arrays."""
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


def of_games(choices: Choices) -> Choices:
    """Those that are part of a game."""
    kept = choices.games >= 0
    rows = np.flatnonzero(np.repeat(kept, choices.present.shape[1]))
    return Choices(
        choices.features[rows], choices.present[kept], choices.shares[kept], choices.times[kept], choices.games[kept]
    )


def fit(choices: Choices, start: Matrix, parameters: FreeParameters) -> Matrix:
    """The parameters of the greatest likelihood, by Newton steps that are halved until they gain.

    Args:
        choices: whose likelihood has a maximum, see `Separation`.
        start: parameters to begin with, which those that are not free keep.
        parameters: which are to be found.
    """
    beta = start.astype(float)
    best = _log_likelihood(choices, beta)
    enough = _GRADIENT_TOLERANCE * float(choices.times.sum())
    for _ in range(_MAX_STEPS):
        gradient = np.where(parameters.free, _score(choices, beta).T @ choices.times, 0.0)
        if float(np.abs(gradient).max(initial=0.0)) < enough:
            break
        step = pseudo_inverse(information(choices, beta), parameters) @ gradient
        if float(step @ gradient) < _LEAST_DECREMENT:  # gains of further steps drown in rounding
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
    """The information matrix [parameters, parameters]: minus the curvature of the log likelihood."""
    probabilities = _probabilities(choices, beta)
    weights = (probabilities * choices.times[:, None]).ravel()
    expected = _sum_of_options(probabilities, choices)
    squares = choices.features.T @ diags_array(weights) @ choices.features
    found: Matrix = (squares - expected.T @ diags_array(choices.times) @ expected).toarray()
    return found


def pseudo_inverse(matrix: Matrix, parameters: FreeParameters) -> Matrix:
    """Of the part of an information matrix that is free, orthogonal to the null directions; 0 elsewhere."""
    free = np.flatnonzero(parameters.free)
    part = matrix[np.ix_(free, free)]
    nulls = parameters.null_directions[:, free]
    scale = float(np.trace(part)) / max(len(free), 1) or 1.0
    along = nulls.T @ nulls
    found = np.zeros_like(matrix)
    found[np.ix_(free, free)] = np.linalg.inv(part + scale * along) - along / scale
    return found


def robust_covariance(
    choices: Choices, beta: Matrix, parameters: FreeParameters, contains: csr_array, block_times: Matrix
) -> Matrix:
    """Covariance of the parameters from the spread of whole blocks [parameters, parameters].

    Args:
        choices: those of games alone.
        beta: the parameters that were found.
        parameters: which of them were free.
        contains: how often a distinct block contains a distinct game [blocks, games].
        block_times: how often each distinct block was played.
    """
    count = len(choices.games)
    is_of = csr_array((np.ones(count), (choices.games, np.arange(count))), shape=(contains.shape[1], count))
    of_block = contains @ (is_of @ _score(choices, beta))
    spread = (of_block.T @ diags_array(block_times) @ of_block).toarray()
    inverse = pseudo_inverse(information(choices, beta), parameters)
    found: Matrix = inverse @ spread @ inverse
    return found


def is_identified(choices: Choices, parameters: FreeParameters) -> bool:
    """True where different parameters, null directions apart, have different likelihoods."""
    free = np.flatnonzero(parameters.free)
    level = information(choices, np.zeros(len(parameters.free)))[np.ix_(free, free)]
    return bool(np.linalg.matrix_rank(level, hermitian=True) >= parameters.dimension)


def _log_likelihood(choices: Choices, beta: Matrix) -> float:
    worths = _worths(choices, beta)
    top = worths.max(axis=1)
    total = top + np.log(np.exp(worths - top[:, None]).sum(axis=1))
    return float(((choices.shares * (worths - total[:, None])).sum(axis=1) * choices.times).sum())


def _worths(choices: Choices, beta: Matrix) -> Matrix:
    """Log worths [choices, options]."""
    return np.where(choices.present, (choices.features @ beta).reshape(choices.present.shape), _NEVER)


def _probabilities(choices: Choices, beta: Matrix) -> Matrix:
    worths = _worths(choices, beta)
    weights = np.exp(worths - worths.max(axis=1)[:, None])
    found: Matrix = weights / weights.sum(axis=1)[:, None]
    return found


def _sum_of_options(weights: Matrix, choices: Choices) -> csr_array:
    """Weighted sum of the features of each choice's options [choices, parameters]."""
    count, most = weights.shape
    starts = np.arange(0, count * most + 1, most)
    return csr_array((weights.ravel(), np.arange(count * most), starts)) @ choices.features


def _score(choices: Choices, beta: Matrix) -> csr_array:
    """Gradient of the log likelihood of each choice, met with once [choices, parameters]."""
    return _sum_of_options(choices.shares - _probabilities(choices, beta), choices)
