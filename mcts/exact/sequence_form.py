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

from ..errors import PlayoutError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Vector = NDArray[np.float64]

_ERROR = 0.01
"""Probability of each action of a player that errs now and then."""
_NOISE = 1e-9
"""Probabilities below this are rounding errors of a linear program."""
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


def solve_for(mine: Decisions, rival: Decisions, payoff: csr_matrix) -> tuple[float, list[Vector], tuple[int, int]]:
    """An optimal strategy by linear programs (HiGHS), sensible off the beaten track too.

    What the player can make sure of is found first. Of all the strategies that make sure of it, one is taken that makes
    sure of most against a rival that errs now and then but plays well before and after; so it makes the most of errors.
    Where that strategy itself never leads, the player acts as if it, too, erred now and then. (Close to the
    quasi-perfect equilibria of van Damme, International Journal of Game Theory 13, 1984.)

    Args:
        mine: the player's information sets.
        rival: the rival's.
        payoff: sparse [own sequences, rival's sequences]: the player's returns where both sequences end the game,
            weighed by chance.

    Returns:
        The value for the player; its behaviour, probabilities [actions] per information set; and rows and columns of
        the linear program that found the value.

    Raises:
        PlayoutError: scipy's linear programs fail.
    """
    exact = _Program(mine)
    worth = exact.play_against(rival, payoff, 0.0)
    value = exact.maximise(worth)[worth]
    careful = _Program(mine)
    careful.at_least(careful.play_against(rival, payoff, 0.0), value)
    weights = careful.maximise(careful.play_against(rival, payoff, _ERROR))
    shaky = _Program(mine, _ERROR)
    others = shaky.maximise(shaky.play_against(rival, payoff, _ERROR))
    behaviour = []
    for parent, sequences in zip(mine.parents, mine.sequences, strict=True):
        chosen = _without_noise(weights[sequences.start : sequences.stop])
        if weights[parent] < _NOISE or not chosen.any():
            floor = _ERROR * others[parent]
            chosen = _without_noise((others[sequences.start : sequences.stop] - floor) / others[parent])
        behaviour.append(chosen / chosen.sum())
    return float(value), behaviour, exact.size


def _without_noise(weights: Vector) -> Vector:
    return np.where(weights > _NOISE, weights, 0.0)


class _Program:
    """A linear program over a player's strategy, its sequences' weights, and whatever is added.

    Args:
        mine: the player's information sets.
        error: least probability of every action.
    """

    def __init__(self, mine: Decisions, error: float = 0.0) -> None:
        self._bounds: list[tuple[float | None, float | None]] = [(0.0, 1.0)] * mine.num_sequences
        self._equal = _Rows()
        self._at_most = _Rows()
        self._equal.add({0: 1.0}, 1.0)
        for parent, sequences in zip(mine.parents, mine.sequences, strict=True):
            self._equal.add({parent: -1.0, **dict.fromkeys(sequences, 1.0)})
            if error:
                for sequence in sequences:
                    self._at_most.add({parent: error, sequence: -1.0})

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self._equal.right) + len(self._at_most.right), len(self._bounds)

    def play_against(self, rival: Decisions, payoff: csr_matrix, error: float) -> int:
        """Add the worth of the game against a rival that does what is worst for the player.

        Args:
            rival: its information sets.
            payoff: as in `solve_for`.
            error: probability with which the rival takes each action by mistake.

        Returns:
            The column that holds the worth, from below: it is to be maximised or bounded.
        """
        first = len(self._bounds)
        # what the player gets in all after each of the rival's sequences; and what the worst action leaves to it in
        # each information set of the rival
        after = range(first, first + rival.num_sequences)
        worst = range(after.stop, after.stop + len(rival.parents))
        self._bounds += [(None, None)] * (worst.stop - first)
        columns = payoff.tocsc()
        rows: list[dict[int, float]] = []
        for sequence in range(rival.num_sequences):
            part = slice(columns.indptr[sequence], columns.indptr[sequence + 1])
            gains = zip(columns.indices[part], columns.data[part], strict=True)
            rows.append({after[sequence]: 1.0, **{int(own): -float(gain) for own, gain in gains}})
        for number, (parent, sequences) in enumerate(zip(rival.parents, rival.sequences, strict=True)):
            rows[parent][worst[number]] = error * len(sequences) - 1.0
            for sequence in sequences:
                self._at_most.add({worst[number]: 1.0, after[sequence]: -1.0})
                if error:
                    rows[parent][after[sequence]] = -error
        for row in rows:
            self._equal.add(row)
        return after[0]

    def at_least(self, column: int, least: float) -> None:
        """Demand that a column is no less than that."""
        self._at_most.add({column: -1.0}, -least)

    def maximise(self, column: int) -> Vector:
        """All columns where one of them is as large as can be."""
        gain = np.zeros(len(self._bounds))
        gain[column] = 1.0
        found = load_scipy().optimize.linprog(
            -gain,
            A_ub=self._at_most.matrix(len(gain)),
            b_ub=self._at_most.right,
            A_eq=self._equal.matrix(len(gain)),
            b_eq=self._equal.right,
            bounds=self._bounds,
            method="highs",
            options=_TIGHTEST,
        )
        if found.status != 0:
            raise PlayoutError(f"the linear program for an optimal strategy failed: {found.message}")
        return np.asarray(found.x, dtype=np.float64)


class _Rows:
    """Linear equations or inequalities, collected one by one."""

    def __init__(self) -> None:
        self.right: list[float] = []
        self._places: tuple[list[int], list[int]] = ([], [])
        self._entries: list[float] = []

    def add(self, entries: dict[int, float], right: float = 0.0) -> None:
        """Add a row: column -> entry, and the right-hand side."""
        self._places[0].extend([len(self.right)] * len(entries))
        self._places[1].extend(entries)
        self._entries.extend(entries.values())
        self.right.append(right)

    def matrix(self, columns: int) -> csr_matrix:
        """The left-hand sides."""
        return load_scipy().sparse.csr_matrix((self._entries, self._places), shape=(len(self.right), columns))


def load_scipy() -> Any:
    """scipy with its linear programs and sparse matrices, which take longer to load than all of this package."""
    import scipy.optimize
    import scipy.sparse

    return scipy
