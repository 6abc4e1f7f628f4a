"""The likelihood behind all ratings: choices between options whose worths are log-linear in the parameters.

An option with features x is chosen with probability proportional to exp(x . beta). Bradley-Terry is this model with the
two bots of a game as options; Plackett-Luce with ties is this model with the sets of bots that may come next. The log
likelihood is concave; Newton steps find its maximum.

Games of one block are not independent, so errors come from whole blocks: I+ B I+, where I is the information matrix, I+
its pseudo-inverse, and B the sum over blocks of the outer product of a block's gradient (the sandwich of White 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array

Matrix = NDArray[np.float64]

_MAX_STEPS = 200
_GRADIENT_TOLERANCE = 1e-10
"""Per choice, where the maximum counts as found."""
_NEVER = -1e300
_LONGEST_STEP = 4.0
"""In units of log worth: a wilder one would leave the range of exp."""


@dataclass(frozen=True)
class Choices:
    """Distinct choices, and how often each was met with. Options are padded to the same number."""

    features: Matrix
    """[choices, options, parameters], 0 in padding."""
    present: NDArray[np.bool_]
    """[choices, options], False in padding."""
    shares: Matrix
    """[choices, options], how often each option was chosen, as parts of 1."""
    times: Matrix
    """[choices], how often."""
    games: NDArray[np.int64]
    """[choices], index of the distinct game that the choice is part of; -1 for one that is of no game."""


@dataclass(frozen=True)
class Freedom:
    """Which parameters are to be found."""

    free: NDArray[np.bool_]
    """[parameters], False for those that keep their value."""
    shifts: Matrix
    """[shifts, parameters], orthonormal: free directions in which the likelihood does not change."""

    @property
    def dimension(self) -> int:
        """How many numbers are found."""
        return int(self.free.sum()) - len(self.shifts)


def collect(
    options: Sequence[Sequence[Matrix]], shares: Sequence[Sequence[float]], times: Sequence[float], games: Sequence[int]
) -> Choices:
    """Put choices into arrays.

    Args:
        options: for each choice, the features of its options.
        shares: for each choice, how often each option was chosen, as parts of 1.
        times: for each choice, how often it was met with.
        games: for each choice, the index of its distinct game, or -1.
    """
    most = max(map(len, options))
    features = np.zeros((len(options), most, len(options[0][0])))
    present = np.zeros((len(options), most), dtype=bool)
    chosen = np.zeros((len(options), most))
    for number, (some, parts) in enumerate(zip(options, shares, strict=True)):
        features[number, : len(some)] = some
        present[number, : len(some)] = True
        chosen[number, : len(parts)] = parts
    return Choices(features, present, chosen, np.array(times, dtype=float), np.array(games, dtype=np.int64))


def of_games(choices: Choices) -> Choices:
    """Those that are part of a game."""
    kept = choices.games >= 0
    return Choices(
        choices.features[kept], choices.present[kept], choices.shares[kept], choices.times[kept], choices.games[kept]
    )


def fit(choices: Choices, start: Matrix, freedom: Freedom) -> Matrix:
    """The parameters of the greatest likelihood, by Newton steps that are halved until they gain.

    Args:
        choices: where the greatest likelihood exists, see `has_maximum`.
        start: parameters to begin with, which those that are not free keep.
        freedom: which are to be found.
    """
    beta = start.astype(float)
    best = _log_likelihood(choices, beta)
    enough = _GRADIENT_TOLERANCE * float(choices.times.sum())
    for _ in range(_MAX_STEPS):
        gradient = np.where(freedom.free, _surprise(choices, beta).T @ choices.times, 0.0)
        if float(np.abs(gradient).max(initial=0.0)) < enough:
            break
        step = pseudo_inverse(information(choices, beta), freedom) @ gradient
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
    weights = probabilities * choices.times[:, None]
    flat = choices.features.reshape(-1, choices.features.shape[2])
    expected = _mean(probabilities, choices.features)
    found: Matrix = flat.T @ (flat * weights.reshape(-1, 1)) - expected.T @ (expected * choices.times[:, None])
    return found


def pseudo_inverse(matrix: Matrix, freedom: Freedom) -> Matrix:
    """Of the part of an information matrix that is free, orthogonal to the shifts; 0 elsewhere."""
    free = np.flatnonzero(freedom.free)
    part = matrix[np.ix_(free, free)]
    shifts = freedom.shifts[:, free]
    scale = max(float(np.trace(part)) / max(len(free), 1), 1e-300)
    along = shifts.T @ shifts
    found = np.zeros_like(matrix)
    found[np.ix_(free, free)] = np.linalg.inv(part + scale * along) - along / scale
    return found


def robust_covariance(
    choices: Choices, beta: Matrix, freedom: Freedom, contains: csr_array, block_times: Matrix
) -> Matrix:
    """Covariance of the parameters from the spread of whole blocks [parameters, parameters].

    Args:
        choices: those of games alone.
        beta: the parameters that were found.
        freedom: which of them were free.
        contains: how often a distinct block contains a distinct game [blocks, games].
        block_times: how often each distinct block was played.
    """
    surprise = _surprise(choices, beta)
    of_game = np.zeros((contains.shape[1], surprise.shape[1]))
    np.add.at(of_game, choices.games, surprise)
    of_block = contains @ of_game
    inverse = pseudo_inverse(information(choices, beta), freedom)
    found: Matrix = inverse @ (of_block.T @ (of_block * block_times[:, None])) @ inverse
    return found


def is_identified(choices: Choices, freedom: Freedom) -> bool:
    """True where different parameters, shifts apart, have different likelihoods."""
    free = np.flatnonzero(freedom.free)
    level = information(choices, np.zeros(len(freedom.free)))[np.ix_(free, free)]
    return bool(np.linalg.matrix_rank(level, hermitian=True) >= freedom.dimension)


def has_maximum(choices: Choices, freedom: Freedom) -> bool:
    """True where the likelihood has a maximum.

    It has none where some direction makes chosen options never less and somewhere more likely (Albert and Anderson
    1984), which a linear program finds.
    """
    rows = set()
    free_features = choices.features[:, :, freedom.free]
    for features, present, shares in zip(free_features, choices.present, choices.shares, strict=True):
        for chosen in np.flatnonzero(shares > 0):
            for other in np.flatnonzero(present):
                difference = features[chosen] - features[other]
                if difference.any():
                    rows.add(tuple(difference.tolist()))
    gains = np.array(sorted(rows))
    found = linprog(-gains.sum(axis=0), A_ub=-gains, b_ub=np.zeros(len(gains)), bounds=(-1, 1))
    return bool(found.status == 0 and -found.fun < 1e-7)


def _log_likelihood(choices: Choices, beta: Matrix) -> float:
    worths = _worths(choices, beta)
    top = worths.max(axis=1)
    total = top + np.log(np.exp(worths - top[:, None]).sum(axis=1))
    return float(((choices.shares * (worths - total[:, None])).sum(axis=1) * choices.times).sum())


def _worths(choices: Choices, beta: Matrix) -> Matrix:
    """Log worths [choices, options]; in padding so low that the probability is 0."""
    return np.where(choices.present, choices.features @ beta, _NEVER)


def _probabilities(choices: Choices, beta: Matrix) -> Matrix:
    worths = _worths(choices, beta)
    weights = np.exp(worths - worths.max(axis=1)[:, None])
    found: Matrix = weights / weights.sum(axis=1)[:, None]
    return found


def _mean(weights: Matrix, features: Matrix) -> Matrix:
    """Weighted sum over options [choices, parameters]."""
    found: Matrix = (weights[:, None, :] @ features)[:, 0, :]
    return found


def _surprise(choices: Choices, beta: Matrix) -> Matrix:
    """Gradient of the log likelihood of each choice, met with once [choices, parameters]."""
    return _mean(choices.shares - _probabilities(choices, beta), choices.features)
