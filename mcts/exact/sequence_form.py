"""Two-player constant-sum games with imperfect information in sequence form: optimal strategies and best responses.

A sequence is an action of a player together with all earlier observations and actions of that player; sequence 0 is the
empty one. A strategy is represented by the weight of each sequence, the product of the player's own probabilities along
it. See Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees", STOC 1994.
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
    exact = _Program(own)
    worth = exact.play_against(other, payoff, 0.0)
    value = exact.maximise(worth)[worth]
    careful = _Program(own)
    careful.at_least(careful.play_against(other, payoff, 0.0), value)
    weights = careful.maximise(careful.play_against(other, payoff, _ERROR))
    shaky = _Program(own, _ERROR)
    others = shaky.maximise(shaky.play_against(other, payoff, _ERROR))
    behaviour, unknown = [], []
    for number, (parent, sequences) in enumerate(zip(own.parents, own.sequences, strict=True)):
        part = slice(sequences.start, sequences.stop)
        chosen = _without_noise(weights[part])
        if weights[parent] < _NOISE or not chosen.any():
            chosen = _without_noise(others[part] - _least(_ERROR, sequences) * others[parent])
            if others[parent] < _FAINT or not chosen.any():
                unknown.append(number)
                chosen = np.ones(len(sequences))
        behaviour.append(chosen / chosen.sum())
    return Optimum(float(value), behaviour, unknown, exact.size)


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
            rows = zip(found[1 - player].behaviour, other.sequences, strict=True)
            likely = other.weights([_with_errors(chances, sequences) for chances, sequences in rows])
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


def _least(error: float, sequences: range) -> float:
    """Return the probability of each action by mistake: of many actions less, half of them all at most."""
    return min(error, 0.5 / len(sequences))


def _with_errors(chances: Vector, sequences: range) -> Vector:
    """Return the probabilities of a player who makes errors."""
    least = _least(_ERROR, sequences)
    return chances * (1.0 - least * len(sequences)) + least


def _without_noise(weights: Vector) -> Vector:
    return np.where(weights > _NOISE, weights, 0.0)


class _Program:
    """A linear program over the weights of a player's sequences, and added columns.

    Args:
        own: the player's information sets.
        error: least probability of each action.
    """

    def __init__(self, own: Decisions, error: float = 0.0) -> None:
        self._bounds: list[tuple[float | None, float | None]] = [(0.0, 1.0)] * own.num_sequences
        self._equal = _Rows()
        self._at_most = _Rows()
        self._equal.add({0: 1.0}, 1.0)
        for parent, sequences in zip(own.parents, own.sequences, strict=True):
            self._equal.add({parent: -1.0, **dict.fromkeys(sequences, 1.0)})
            if error:
                least = _least(error, sequences)
                for sequence in sequences:
                    self._at_most.add({parent: least, sequence: -1.0})

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self._equal.right) + len(self._at_most.right), len(self._bounds)

    def play_against(self, other: Decisions, payoff: csr_matrix, error: float) -> int:
        """Add the value of the game against an opponent who minimises the player's returns.

        Args:
            other: the opponent's information sets.
            payoff: see `solve_for`.
            error: probability of each action of the opponent by mistake.

        Returns:
            The column of the value, a lower bound: to be maximised or bounded from below.
        """
        first = len(self._bounds)
        # the player's total return after each sequence of the opponent, and the least return over the actions of each
        # information set of the opponent
        after = range(first, first + other.num_sequences)
        worst = range(after.stop, after.stop + len(other.parents))
        self._bounds += [(None, None)] * (worst.stop - first)
        columns = payoff.tocsc()
        rows: list[dict[int, float]] = []
        for sequence in range(other.num_sequences):
            part = slice(columns.indptr[sequence], columns.indptr[sequence + 1])
            gains = zip(columns.indices[part], columns.data[part], strict=True)
            rows.append({after[sequence]: 1.0, **{int(row): -float(gain) for row, gain in gains}})
        for number, (parent, sequences) in enumerate(zip(other.parents, other.sequences, strict=True)):
            least = _least(error, sequences)
            rows[parent][worst[number]] = least * len(sequences) - 1.0
            for sequence in sequences:
                self._at_most.add({worst[number]: 1.0, after[sequence]: -1.0})
                if error:
                    rows[parent][after[sequence]] = -least
        for row in rows:
            self._equal.add(row)
        return after[0]

    def at_least(self, column: int, least: float) -> None:
        """Add a lower bound of a column."""
        self._at_most.add({column: -1.0}, -least)

    def maximise(self, column: int) -> Vector:
        """Return the values of all columns at the maximum of one column."""
        gain = np.zeros(len(self._bounds))
        gain[column] = 1.0
        for presolve in (True, False):  # which loses its way in some programs, such as of large symmetric matrices
            found = load_scipy().optimize.linprog(
                -gain,
                A_ub=self._at_most.matrix(len(gain)),
                b_ub=self._at_most.right,
                A_eq=self._equal.matrix(len(gain)),
                b_eq=self._equal.right,
                bounds=self._bounds,
                method="highs",
                options={**_TIGHTEST, "presolve": presolve},
            )
            if found.status == 0:
                return np.asarray(found.x, dtype=np.float64)
        raise PlayoutError(
            f"the linear program for an optimal strategy failed: {found.message}; valid: method='cfr' of mcts.solve"
        )


class _Rows:
    """Rows of a sparse system of linear equations or inequalities."""

    def __init__(self) -> None:
        self.right: list[float] = []
        self._places: tuple[list[int], list[int]] = ([], [])
        self._entries: list[float] = []

    def add(self, entries: dict[int, float], right: float = 0.0) -> None:
        """Add a row, column -> entry, and its right-hand side."""
        self._places[0].extend([len(self.right)] * len(entries))
        self._places[1].extend(entries)
        self._entries.extend(entries.values())
        self.right.append(right)

    def matrix(self, columns: int) -> csr_matrix:
        """Return the left-hand sides as a sparse matrix."""
        return load_scipy().sparse.csr_matrix((self._entries, self._places), shape=(len(self.right), columns))


def load_scipy() -> Any:
    """Return scipy with linear programs and sparse matrices. Their import takes longer than that of this package."""
    import scipy.optimize
    import scipy.sparse

    return scipy
