"""Two-player constant-sum games with imperfect information in sequence form: optimal strategies and best replies.

A sequence is the last action of a player together with all that the player knew and did before it; sequence 0 is "has
not acted yet". A strategy is written as the weight of every sequence: the product of the player's own probabilities on
the way there. See Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees",
STOC 1994.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .errors import PlayoutError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Vector = NDArray[np.float64]

_TIGHTEST = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass
class Decisions:
    """The information sets of one player, parents before children."""

    parents: list[int] = field(default_factory=list)
    """[information sets]: the player's last sequence before each."""
    sequences: list[range] = field(default_factory=list)
    """[information sets]: the sequences that its actions lead to, in the order of the actions."""
    num_sequences: int = 1

    def add(self, parent: int, actions: int) -> int:
        """Add an information set with so many actions; returns its number."""
        self.parents.append(parent)
        self.sequences.append(range(self.num_sequences, self.num_sequences + actions))
        self.num_sequences += actions
        return len(self.parents) - 1

    def weights(self, behaviour: list[Vector]) -> Vector:
        """Weight of every sequence when the player acts by `behaviour`: probabilities [actions] per information set."""
        weights = np.ones(self.num_sequences)
        for parent, sequences, probabilities in zip(self.parents, self.sequences, behaviour, strict=True):
            weights[sequences.start : sequences.stop] = weights[parent] * probabilities
        return weights

    def uniform(self) -> list[Vector]:
        """Behaviour that gives every action of an information set the same probability."""
        return [np.full(len(sequences), 1 / len(sequences)) for sequences in self.sequences]

    def best_reply(self, gains: Vector) -> tuple[float, Vector, list[int]]:
        """What the best a player can do is worth, against what each sequence alone is worth.

        Args:
            gains: float64 [sequences]: returns earned where the game ends right after a sequence, each already weighed
                by the rival and by chance.

        Returns:
            Worth of the whole game; float64 [sequences], worth of going on as well as possible after each; and the
            number of the best action in each information set, the first of equals.
        """
        worth = np.array(gains, dtype=np.float64)
        best = [0] * len(self.parents)
        for number in range(len(self.parents) - 1, -1, -1):
            sequences = self.sequences[number]
            options = worth[sequences.start : sequences.stop]
            best[number] = int(np.argmax(options))
            worth[self.parents[number]] += options[best[number]]
        return float(worth[0]), worth, best

    def constraints(self) -> tuple[csr_matrix, Vector]:
        """E and e of E x = e, which the weights x of every strategy fulfil."""
        sparse = load_scipy().sparse
        rows, columns, entries = [0], [0], [1.0]
        for number, (parent, sequences) in enumerate(zip(self.parents, self.sequences, strict=True), 1):
            rows += [number] * (1 + len(sequences))
            columns += [parent, *sequences]
            entries += [-1.0] + [1.0] * len(sequences)
        right = np.zeros(len(self.parents) + 1)
        right[0] = 1.0
        shape = (len(right), self.num_sequences)
        return sparse.csr_matrix((entries, (rows, columns)), shape=shape), right


def solve_for(mine: Decisions, rival: Decisions, payoff: csr_matrix) -> tuple[float, Vector, tuple[int, int]]:
    """An optimal strategy by two linear programs (HiGHS).

    The first finds what the player can make sure of. Of all the strategies that make sure of it, the second finds one
    that earns most against a rival who mixes all its actions evenly; so the answer is not weakly dominated.

    Args:
        mine: the player's information sets.
        rival: the rival's.
        payoff: sparse [own sequences, rival's sequences]: the player's returns where both sequences end the game,
            weighed by chance.

    Returns:
        The value for the player, the weights [own sequences], and rows and columns of the first linear program.

    Raises:
        PlayoutError: scipy is missing, or its linear programs fail.
    """
    sparse = load_scipy().sparse
    own, own_right = mine.constraints()
    other, other_right = rival.constraints()
    count, rivals = mine.num_sequences, other.shape[0]
    # unknowns: weights x, and what each information set of the rival leaves to the player, q
    at_most = sparse.hstack([-payoff.T, other.T]).tocsr()
    equal = sparse.hstack([own, sparse.csr_matrix((own.shape[0], rivals))]).tocsr()
    bounds = [(0.0, 1.0)] * count + [(None, None)] * rivals
    earned = np.concatenate([np.zeros(count), other_right])
    first = _maximise(earned, at_most, np.zeros(at_most.shape[0]), equal, own_right, bounds)
    value = float(earned @ first)
    at_most = sparse.vstack([at_most, -sparse.csr_matrix(earned)]).tocsr()
    least = np.append(np.zeros(at_most.shape[0] - 1), -value)
    even = rival.weights(rival.uniform())
    second = _maximise(np.concatenate([payoff @ even, np.zeros(rivals)]), at_most, least, equal, own_right, bounds)
    size = (at_most.shape[0] - 1 + equal.shape[0], count + rivals)
    return value, np.clip(second[:count], 0.0, 1.0), size


def _maximise(gain: Vector, at_most: Any, least: Vector, equal: Any, right: Vector, bounds: list[Any]) -> Vector:
    found = load_scipy().optimize.linprog(
        -gain, A_ub=at_most, b_ub=least, A_eq=equal, b_eq=right, bounds=bounds, method="highs", options=_TIGHTEST
    )
    if found.status != 0:
        raise PlayoutError(f"the linear program for an optimal strategy failed: {found.message}")
    return np.asarray(found.x, dtype=np.float64)


def load_scipy() -> Any:
    """scipy with its linear programs and sparse matrices; PlayoutError where it is missing."""
    try:
        import scipy.optimize
        import scipy.sparse
    except ImportError as error:
        raise PlayoutError(
            "solving a game of hidden information needs scipy, which is not installed; "
            "install it, or this package with its extra `solve`"
        ) from error
    return scipy
