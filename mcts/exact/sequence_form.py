"""Two-player constant-sum games with imperfect information in sequence form: optimal strategies and best responses.

A sequence is an action of a player together with all earlier observations and actions of that player; sequence 0 is the
empty one. A strategy is represented by the weight of each sequence, the product of the player's own probabilities along
it. See Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees", STOC 1994.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import PlayoutError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Vector = NDArray[np.float64]

_ERROR = 0.01
"""Least probability of each action of a player who makes errors."""
_NOISE = 1e-9
"""Weights below this are rounding errors of a linear program."""
_FAINT = 5e-7
"""Behind errors of a weight below this, a linear program does not tell good actions from bad ones. It is that of more
than three of them."""
_PASSES = 100
"""Most rounds of best responses in the information sets that linear programs leave open."""
_TIGHTEST = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass
class Decisions:
    """The information sets of one player, parents before children."""

    parents: list[int] = field(default_factory=list)
    """[information sets]: the player's last sequence before it."""
    sequences: list[range] = field(default_factory=list)
    """[information sets]: the sequences of its actions, in the order of the actions."""
    num_sequences: int = 1

    def add(self, parent: int, actions: int) -> int:
        """Add an information set and return its number."""
        self.parents.append(parent)
        self.sequences.append(range(self.num_sequences, self.num_sequences + actions))
        self.num_sequences += actions
        return len(self.parents) - 1

    def weights(self, behaviour: list[Vector]) -> Vector:
        """Return the weights of all sequences for a behaviour: probabilities [actions] per information set."""
        weights = np.ones(self.num_sequences)
        for parent, sequences, probabilities in zip(self.parents, self.sequences, behaviour, strict=True):
            weights[sequences.start : sequences.stop] = weights[parent] * probabilities
        return weights

    def least(self, error: float) -> Vector:
        """Return the probability of each action by mistake [information sets]; all actions have half at most."""
        return np.array([min(error, 0.5 / len(sequences)) for sequences in self.sequences])

    def incidence(self) -> tuple[csr_matrix, csr_matrix]:
        """Return two matrices [information sets, sequences]: 1 for the actions of a set; 1 for the sequence before."""
        sparse, shape = load_scipy().sparse, (len(self.parents), self.num_sequences)
        sets = np.repeat(np.arange(shape[0]), [len(sequences) for sequences in self.sequences])
        members = sparse.csr_matrix((np.ones(len(sets)), (sets, np.arange(1, shape[1]))), shape=shape)
        origins = sparse.csr_matrix((np.ones(shape[0]), (np.arange(shape[0]), self.parents)), shape=shape)
        return members, origins

    def best_response(self, gains: Vector) -> tuple[float, Vector, list[int]]:
        """Return the best response to the other player.

        Args:
            gains: float64 [sequences]: returns where the game ends after a sequence, multiplied by the probabilities of
                the other player and of chance.

        Returns:
            The value of the game; float64 [sequences], the value of playing best after each sequence; and the index of
            the best action in each information set, the first among equals.
        """
        worth = np.array(gains, dtype=np.float64)
        best = [0] * len(self.parents)
        for number in range(len(self.parents) - 1, -1, -1):
            sequences = self.sequences[number]
            options = worth[sequences.start : sequences.stop]
            best[number] = int(np.argmax(options))
            worth[self.parents[number]] += options[best[number]]
        return float(worth[0]), worth, best


@dataclass(frozen=True)
class Optimum:
    """An optimal strategy of one player."""

    value: float
    """The value that the player can guarantee."""
    behaviour: list[Vector]
    """Probabilities [actions] of each information set."""
    open: list[int]
    """Information sets that the player reaches by so many errors of its own that no action is found there: their
    behaviour is even."""
    size: tuple[int, int]
    """Rows and columns of the linear program that computed the value."""


def solve_for(own: Decisions, other: Decisions, payoff: csr_matrix) -> Optimum:
    """Return an optimal strategy, by linear programs (HiGHS).

    First the value that the player can guarantee is computed. Of all strategies that guarantee it, one is chosen that
    guarantees most against an opponent who makes errors with a small probability and plays well otherwise; so it
    punishes errors. At information sets that this strategy never reaches, the player acts as if it made errors, too.
    (Close to the quasi-perfect equilibria of van Damme, International Journal of Game Theory 13, 1984.)

    Args:
        own: the player's information sets.
        other: the opponent's information sets.
        payoff: sparse [own sequences, opponent's sequences]: the player's returns where both sequences end the game,
            multiplied by the probability of chance. The tolerances of the linear programs suit returns from -1 to 1.

    Raises:
        PlayoutError: a linear program failed.
    """
    value, _, size = _maximum(own, other, payoff, [0.0])
    _, weights, _ = _maximum(own, other, payoff, [0.0, _ERROR], least=value)
    _, others, _ = _maximum(own, other, payoff, [_ERROR], own_error=_ERROR)
    least = own.least(_ERROR)
    behaviour, unknown = [], []
    for number, (parent, sequences) in enumerate(zip(own.parents, own.sequences, strict=True)):
        part = slice(sequences.start, sequences.stop)
        chosen = _without_noise(weights[part])
        if weights[parent] < _NOISE or not chosen.any():
            chosen = _without_noise(others[part] - least[number] * others[parent])
            if others[parent] < _FAINT or not chosen.any():
                unknown.append(number)
                chosen = np.ones(len(sequences))
        behaviour.append(chosen / chosen.sum())
    return Optimum(value, behaviour, unknown, size)


def solve_both(
    decisions: tuple[Decisions, Decisions], payoffs: tuple[csr_matrix, csr_matrix]
) -> tuple[Optimum, Optimum]:
    """Return optimal strategies of both players, see `solve_for`.

    In information sets that stay open, the players act by best responses to each other's strategies with errors.

    Args:
        decisions: the information sets of each player.
        payoffs: [sequences of player 0, of player 1]: the returns of each player, multiplied by the probability of
            chance.
    """
    gains = (payoffs[0], payoffs[1].T.tocsr())
    found = (solve_for(decisions[0], decisions[1], gains[0]), solve_for(decisions[1], decisions[0], gains[1]))
    for _ in range(_PASSES if found[0].open or found[1].open else 0):
        best = []
        for player, own in enumerate(decisions):
            other = decisions[1 - player]
            rows = zip(found[1 - player].behaviour, other.least(_ERROR), strict=True)
            likely = other.weights([chances * (1.0 - least * len(chances)) + least for chances, least in rows])
            best.append(own.best_response(gains[player] @ likely)[2])
        changes = False
        for each, choices in zip(found, best, strict=True):
            for number in each.open:
                pure = np.eye(len(each.behaviour[number]))[choices[number]]
                changes = changes or not np.array_equal(pure, each.behaviour[number])
                each.behaviour[number] = pure
        if not changes:
            break
    return found


def _without_noise(weights: Vector) -> Vector:
    return np.where(weights > _NOISE, weights, 0.0)


def _maximum(
    own: Decisions,
    other: Decisions,
    payoff: csr_matrix,
    errors: Sequence[float],
    own_error: float = 0.0,
    least: float = -math.inf,
) -> tuple[float, Vector, tuple[int, int]]:
    """Return the greatest value of the game against an opponent who minimises the player's returns.

    The columns of the linear program are the weights of the player's sequences and, for each opponent, the player's
    total return after each sequence of the opponent, and the least return over the actions of each information set.

    Args:
        own, other, payoff: see `solve_for`.
        errors: for each opponent the probability of each action by mistake. The value is that against the last one.
        own_error: least probability of each action of the player.
        least: least value against the first opponent, if there are two.

    Returns:
        The value, the weights of the player's sequences, and the numbers of rows and columns.

    Raises:
        PlayoutError: the linear program failed.
    """
    sparse = load_scipy().sparse
    no_opponents = [None] * (2 * len(errors))
    members, origins = own.incidence()
    equal = [[sparse.vstack([sparse.eye(1, own.num_sequences), members - origins]), *no_opponents]]
    at_most = []
    if own_error:
        enough = members.T @ sparse.diags(own.least(own_error)) @ origins - sparse.eye(own.num_sequences)
        at_most.append([enough.tocsr()[1:], *no_opponents])
    members, origins = other.incidence()
    after = sparse.eye(other.num_sequences, format="csr")
    for number, error in enumerate(errors):
        before, behind = [None] * (2 * number), [None] * (2 * (len(errors) - number - 1))
        mistakes = other.least(error)
        total = after - origins.T @ sparse.diags(mistakes) @ members
        worst = origins.T @ sparse.diags(mistakes * members.getnnz(axis=1) - 1.0)
        equal.append([-payoff.T, *before, total, worst, *behind])
        unused = sparse.csr_matrix((other.num_sequences - 1, own.num_sequences))
        at_most.append([unused, *before, -after[1:], members.T.tocsr()[1:], *behind])
        if number < len(errors) - 1:
            at_most.append([None, *before, -after[:1], None, *behind])
    equal_rows, at_most_rows = sparse.bmat(equal, format="csr"), sparse.bmat(at_most, format="csr")
    columns = equal_rows.shape[1]
    gain, right, limits = np.zeros(columns), np.zeros(equal_rows.shape[0]), np.zeros(at_most_rows.shape[0])
    value = columns - other.num_sequences - len(other.parents)
    gain[value], right[0] = 1.0, 1.0
    if len(errors) > 1:
        limits[other.num_sequences - 1] = -least
    bounds = [(0.0, 1.0)] * own.num_sequences + [(None, None)] * (columns - own.num_sequences)
    for presolve in (True, False):  # which loses its way in some programs, such as of large symmetric matrices
        found = load_scipy().optimize.linprog(
            -gain,
            A_ub=at_most_rows,
            b_ub=limits,
            A_eq=equal_rows,
            b_eq=right,
            bounds=bounds,
            method="highs",
            options={**_TIGHTEST, "presolve": presolve},
        )
        if found.status == 0:
            size = (equal_rows.shape[0] + at_most_rows.shape[0], columns)
            return float(found.x[value]), np.asarray(found.x, dtype=np.float64), size
    raise PlayoutError(
        f"the linear program for an optimal strategy failed: {found.message}; valid: method='cfr' of mcts.solve"
    )


def load_scipy() -> Any:
    """Return scipy with linear programs and sparse matrices. Their import takes longer than that of this package."""
    import scipy.optimize
    import scipy.sparse

    return scipy
