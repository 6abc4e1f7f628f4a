"""Directions in which a likelihood never falls, and the results that leave it without a maximum.

Results separate options if some direction of the parameters makes no chosen option less likely and some chosen option
more likely (Albert and Anderson, "On the existence of maximum likelihood estimates in logistic regression models",
1984). The likelihood then has no maximum: it grows without end along that direction. All such directions form a cone,
which linear programs describe.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array, hstack

from .fitting import Choices, FreeParameters, Matrix

TOLERANCE = 1e-7
"""Products of a contrast and a unit vector below this count as 0."""


@dataclass(frozen=True)
class Separation:
    """The cone of directions in which the likelihood never falls."""

    gains: Matrix
    """[rows, free parameters]. A direction is in the cone if its products with all rows are at least 0."""
    free: NDArray[np.int64]
    """Indices of the free parameters."""
    directions: Matrix
    """[directions, parameters], orthonormal: a basis of the span of the cone, without null directions. Empty where the
    likelihood has a maximum."""
    limit: Choices
    """The same choices without the options that become impossible far out in the cone. Their likelihood has a
    maximum, and does not change along `directions`."""

    def determines(self, contrast: Matrix) -> bool:
        """Return True if the results bound a contrast [parameters] from both sides."""
        return bool(np.abs(self.directions @ contrast).max(initial=0.0) < TOLERANCE)

    def bounds_above(self, contrast: Matrix) -> bool:
        """Return True if the results bound a contrast [parameters] from above."""
        if self.determines(contrast):
            return True
        from scipy.optimize import linprog  # takes longer to import than all that most tournaments need

        wanted = contrast[self.free]
        found = linprog(-wanted, A_ub=-self.gains, b_ub=np.zeros(len(self.gains)), bounds=(-1, 1))
        return bool(found.status == 0 and -found.fun < TOLERANCE)


def separate(choices: Choices, parameters: FreeParameters) -> Separation:
    """Find the directions in which the likelihood never falls.

    Args:
        choices: those of games, without pseudo-games.
        parameters: the free parameters. The choices must identify them, up to null directions.
    """
    from scipy.linalg import null_space

    number, chosen = np.nonzero(choices.shares > 0)
    again, other = np.nonzero(choices.present[number])
    most = choices.present.shape[1]
    free = np.flatnonzero(parameters.free)
    columns = choices.features[:, free]
    every = (columns[number[again] * most + chosen[again]] - columns[number[again] * most + other]).toarray()
    rows, inverse = np.unique(every, axis=0, return_inverse=True)
    grows = _growing(rows)
    still = np.vstack([rows[~grows], parameters.null_directions[:, free]])
    basis = null_space(still.T @ still, rcond=1e-9) if grows.any() else np.zeros((len(free), 0))
    directions = np.zeros((basis.shape[1], len(parameters.free)))
    directions[:, free] = basis.T
    present = choices.present.copy()
    impossible = grows[inverse.ravel()]
    present[number[again][impossible], other[impossible]] = False
    return Separation(rows, free, directions, replace(choices, present=present))


def _growing(rows: Matrix) -> NDArray[np.bool_]:
    """Return the rows whose product with some direction of the cone is above 0, as a mask [rows].

    The sum of min(1, product) over all rows is greatest exactly where the products of these rows are at least 1.
    """
    from scipy.optimize import linprog

    count = len(rows)
    found = linprog(
        np.concatenate([np.zeros(rows.shape[1]), -np.ones(count)]),
        A_ub=hstack([csr_array(-rows), eye_array(count)]),
        b_ub=np.zeros(count),
        bounds=[(None, None)] * rows.shape[1] + [(0, 1)] * count,
    )
    if found.status != 0:
        raise ArithmeticError(f"the linear program of the results was not solved: {found.message}")
    grows: NDArray[np.bool_] = found.x[rows.shape[1] :] > 0.5
    return grows
