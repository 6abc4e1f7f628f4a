"""Exact solutions of small games with hidden information whose actions are listed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from cext.exact.counterfactual_regret import CounterfactualRegret
from cext.exact.sequence_form import SequenceForm, TooLargeError, why_without_sequence_form
from cext.game.actions import Action
from cext.game.game import Game, State, View
from cext.parameters import Choice, Real

from ..errors import PlayoutError, StateError, UnsupportedGameError
from .best_responses import BestResponses
from .policies import Sampling, as_policy, check_distribution, distribution_of, takes_view
from .sequence_form import Decisions, Vector, load_scipy, solve_both
from .size_estimate import too_many_ends
from .solution import Position, Solution, SolvedAction

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from .backward_induction import Progress

EXPLORE_STEPS = 1 << 18
"""Histories explored between two checks of signals and two reports of progress."""
MOST_SEQUENCES = 12_000
"""Sequences of both players up to which linear programs find the strategies; beyond, iterations do."""
DEFAULT_GAP = 1e-5
GAP = Real(None, 1e-9, 1.0)
"""Share of the range of returns that best responses may gain in all against the strategies of iterations; None:
DEFAULT_GAP."""
MOST_ITERATIONS = 1_000_000
_NOTHING = 1e-9
"""Probabilities below this are rounding errors."""
_SAME = 1e-7
"""Values that differ by less, in points, count as equal."""
METHOD = Choice(None, ("sequence_form", "cfr"))
"""How strategies are found: by linear programs or by iterations; None: by MOST_SEQUENCES."""


class SequenceSolution(Solution):
    """A strategy for each player by information set, with the values of its actions. `solve_sequence_form` makes it.

    Args:
        form: the complete sequence form.
        behaviour: by player float64 [sequences]: the probability of each action in its information set.
        parts: information sets and payoffs of the form.
        linear_program_size: see `Solution`.
    """

    def __init__(
        self,
        form: SequenceForm,
        behaviour: list[list[Vector]],
        parts: _Parts,
        linear_program_size: tuple[int, int] | None,
    ) -> None:
        self.game = game = form.game
        self._decisions = decisions = parts.decisions
        self._chances = parts.chances
        self._payoffs = parts.payoffs
        self._behaviour = behaviour
        self._sum = game.min_utility + game.max_utility
        self._weights = [decisions[player].weights(behaviour[player]) for player in (0, 1)]
        responses = [self._best_response(player, self._weights[1 - player]) for player in (0, 1)]
        self._worth = [response[1] for response in responses]
        self._reaches = [self._reaches_of(player) for player in (0, 1)]
        self.max_error = max(0.0, responses[0][0] + responses[1][0] - self._sum)
        middle = (responses[0][0] + self._sum - responses[1][0]) / 2
        self._value = (middle, self._sum - middle)
        self._form = form
        self._numbers = parts.numbers
        self.num_histories = form.num_ends
        self.num_states = self.num_canonical_states = self.num_information_states = form.num_sets
        self.linear_program_size = linear_program_size
        self.num_mixed_stages = sum(int((chances > 0).sum() > 1) for each in behaviour for chances in each)
        self._by_view: dict[tuple[int, int], int] = {}
        for (player, key), sets in form.sets_by_view().items():
            within = [parts.place[number] for number in sets]
            weights, own = self._weights[player], self._decisions[player]
            self._by_view[player, key] = max(within, key=lambda place: weights[own.parents[place]])

    def value(self, position: Position | None = None) -> list[float]:
        if position is None:
            return list(self._value)
        self._check_game(position)
        if isinstance(position, State):
            if position.is_terminal():
                return position.returns()
            if position != self.game.new_initial_state():
                raise StateError(
                    "a state with hidden information has no value of its own; valid: a view of it, state.view(player)"
                )
            return list(self._value)
        own = 0.0
        for each in self.action_values_at(position):
            if each.value is None:
                raise StateError(
                    f"an optimal opponent never lets {position.game.players[position.player]} see this, so its value "
                    "depends on the rest of the opponent's policy; valid: views that optimal play of the opponent can "
                    "lead to"
                )
            own += each.probability * each.value
        other = self._sum - own
        return [own, other] if position.player == 0 else [other, own]

    @property
    def num_simultaneous_stages(self) -> int:
        """Number of information sets in which the other player decides too."""
        return sum(
            len(self._form.example(number).acting_players()) > 1 for numbers in self._numbers for number in numbers
        )

    def action_values_at(self, position: Position, player: int | None = None) -> tuple[SolvedAction, ...]:
        view = self._view(position, player)
        number = self._number(view)
        rows = zip(
            view.legal_actions(),
            self._behaviour[view.player][number],
            self._values(view.player, number),
            strict=True,
        )
        return tuple(SolvedAction(action, float(probability), value) for action, probability, value in rows)

    def policy(self, position: Position, player: int | None = None) -> dict[Action, float]:
        view = self._view(position, player)
        chances = self._behaviour[view.player][self._number(view)]
        return {
            action: float(chance) for action, chance in zip(view.legal_actions(), chances, strict=True) if chance > 0
        }

    def optimal_actions(self, position: Position, player: int | None = None) -> list[Action]:
        view = self._view(position, player)
        values = self._determined_values(view.player, self._number(view))
        return [
            action for action, value in zip(view.legal_actions(), values, strict=True) if value >= max(values) - _SAME
        ]

    def loss(self, position: Position, player: int | None, choice: Any) -> float:
        view = self._view(position, player)
        values = self._determined_values(view.player, self._number(view))
        chances = distribution_of(choice, view, view)
        worth = dict(zip(view.legal_actions(), values, strict=True))
        return max(0.0, max(values) - sum(chance * worth[action] for action, chance in chances.items()))

    def _number(self, view: View) -> int:
        if not view.is_terminal() and view.player in view.acting_players():
            found = self._by_view.get(self._form.key_of(view))
            if found is not None:
                return found
        raise StateError(f"no play of {self.game.spec} leads to a decision with this view")

    def _behaviour_of(self, policy: Any, player: int, sampling: Sampling) -> list[Vector]:
        ask = policy
        if not hasattr(policy, "choose") and callable(policy) and not takes_view(policy):
            ask = lambda view: policy(view, view.player)  # noqa: E731
        answer = as_policy(ask, sampling)
        behaviour = []
        for number in self._numbers[player]:
            state = self._form.example(number)
            view = state.view(player)
            chances = check_distribution(answer(state, player), view)
            behaviour.append(np.array([chances.get(action, 0.0) for action in view.legal_actions()]))
        return behaviour

    def _parts_of(self, policy: Any, player: int, sampling: Sampling) -> tuple[Vector, list[Vector]]:
        """Return the weights of a policy, and those by each half of the samples of a bot; none if they are unknown."""
        if not hasattr(policy, "choose"):
            weights = self._decisions[player].weights(self._behaviour_of(policy, player, sampling))
            return weights, [weights] * 2
        halves, weigh = sampling.halves(), self._decisions[player].weights
        found = [self._behaviour_of(policy, player, half) for half in halves]
        counts = [half.samples for half in halves]
        mean = [np.average(each, axis=0, weights=counts) for each in zip(*found, strict=True)]
        return weigh(mean), [weigh(each) for each in found] if len(found) > 1 else []

    def _best_responses(self, policy: Any, state: State | None, sampling: Sampling) -> BestResponses:
        if state is not None:
            self._check_game(state)
            if state != self.game.new_initial_state():
                raise StateError("with hidden information, best responses are known from the first state on only")
        asked = [self._parts_of(policy, player, sampling) for player in (0, 1)]
        found = tuple(self._best_response(player, asked[1 - player][0])[0] for player in (0, 1))
        gains = tuple(max(0.0, best - value) for best, value in zip(found, self._value, strict=True))
        held_out = None
        if asked[0][1]:
            held_out = tuple(self._held_out(player, asked[1 - player][1]) for player in (0, 1))
        return BestResponses(found, gains, self._form.num_sets, held_out)

    def _held_out(self, player: int, halves: list[Vector]) -> float:
        """Return the mean value of best responses to each half of the other's samples, against the other half."""
        own, earned = self._decisions[player], 0.0
        for fitted, tested in (halves, reversed(halves)):
            _, _, best = self._best_response(player, fitted)
            chosen = [np.eye(len(part))[action] for part, action in zip(own.sequences, best, strict=True)]
            earned += float(own.weights(chosen) @ (self._gains_of(player) @ tested)) / 2
        return earned

    def _expected_returns(self, first: Any, second: Any, sampling: Sampling) -> tuple[float, float]:
        one, two = self._parts_of(first, 0, sampling)[0], self._parts_of(second, 1, sampling)[0]
        earned = [float(one @ (payoff @ two)) for payoff in self._payoffs]
        return (earned[0], earned[1])

    def _mean_loss(self, policy: Any, sampling: Sampling) -> float:
        losses, decisions = 0.0, 0.0
        for player in (0, 1):
            own, worth = self._decisions[player], self._worth[player]
            weights = self._parts_of(policy, player, sampling)[0]
            rows = zip(own.parents, own.sequences, self._reaches[player], strict=True)
            for parent, sequences, reach in rows:
                if len(sequences) > 1:
                    part = slice(sequences.start, sequences.stop)
                    decisions += weights[parent] * reach
                    losses += weights[parent] * worth[part].max() - float(weights[part] @ worth[part])
        return float(losses / decisions) if decisions else 0.0

    def _reaches_of(self, player: int) -> Vector:
        """Return the probability that the optimal opponent and chance lead to each information set, [information sets].

        The player itself is assumed to play towards it.
        """
        chances = self._chances if player == 0 else self._chances.T
        own = self._decisions[player]
        passing = np.asarray(chances @ self._weights[1 - player])
        # each action of an information set has the same probability to be passed, that of the information set
        for parent, sequences in zip(reversed(own.parents), reversed(own.sequences), strict=True):
            passing[parent] += passing[sequences.start]
        return passing[[sequences.start for sequences in own.sequences]]

    def _values(self, player: int, number: int) -> list[float | None]:
        """Return the value of each action of an information set; None if the optimal opponent never leads there."""
        sequences = self._decisions[player].sequences[number]
        reach = self._reaches[player][number]
        if reach < _NOTHING:
            return [None] * len(sequences)
        return [float(worth / reach) for worth in self._worth[player][sequences.start : sequences.stop]]

    def _determined_values(self, player: int, number: int) -> list[float]:
        """Return `_values`. Raise StateError if they are not determined."""
        values = [value for value in self._values(player, number) if value is not None]
        if not values:
            raise StateError("an optimal opponent never lets this come about: the values of actions are not determined")
        return values

    def _best_response(self, player: int, other: Vector) -> tuple[float, Vector, list[int]]:
        """Return a player's best response to the other's weights, see `Decisions.best_response`."""
        return self._decisions[player].best_response(self._gains_of(player) @ other)

    def _gains_of(self, player: int) -> csr_matrix:
        """Return a player's payoffs [own sequences, the other's sequences]."""
        return self._payoffs[player] if player == 0 else self._payoffs[player].T

    def _view(self, position: Position, player: int | None) -> View:
        self._check_game(position)
        player = self._decider(position, player)
        view = position.view(player) if isinstance(position, State) else position
        if view.is_terminal():
            raise StateError(f"the game {self.game.spec} is over: nobody decides")
        return view

    def _check_game(self, position: Position) -> None:
        if position.game != self.game:
            raise StateError(f"this solution is of {self.game.spec}, the position of {position.game.spec}")


class _Parts:
    """The information sets and payoffs of a sequence form, by player.

    Attributes:
        numbers: for each player the numbers of its information sets in the form.
        place: number of an information set in the form -> its place in `numbers` of its player.
        decisions: the information sets of both players, in sequence form.
        chances: [sequences of player 0, of player 1]: probability that chance ends the game there if both play
            towards it.
        payoffs: for each player, of the same shape: its returns there, multiplied by that probability.
    """

    def __init__(self, form: SequenceForm) -> None:
        self.numbers: tuple[list[int], list[int]] = ([], [])
        self.place: dict[int, int] = {}
        self.decisions = (Decisions(), Decisions())
        for number, (player, parent, first, count) in enumerate(form.information_sets().tolist()):
            self.place[number] = self.decisions[player].add(parent, count)
            assert self.decisions[player].sequences[-1].start == first
            self.numbers[player].append(number)
        sequences, chances, returns = form.ends()
        shape = (form.num_sequences(0), form.num_sequences(1))
        where = (sequences[:, 0], sequences[:, 1])
        sparse = load_scipy().sparse
        self.chances: csr_matrix = sparse.csr_matrix((chances, where), shape=shape)
        self.payoffs: tuple[csr_matrix, csr_matrix] = tuple(
            sparse.csr_matrix((chances * returns[:, player], where), shape=shape) for player in (0, 1)
        )


def explored(game: Game, memory_mb: int, progress: Progress | None = None, start: State | None = None) -> SequenceForm:
    """Return the complete sequence form of a game.

    Args:
        game: a game whose actions are listed.
        memory_mb: memory limit in megabytes.
        progress: called with "exploring", the number of histories, and None.
        start: first state; None for the initial state.

    Raises:
        UnsupportedGameError: the game exceeds the limit, cannot list its actions, or its views show too little.
    """
    reason = why_without_sequence_form(game)
    if reason is not None:
        raise UnsupportedGameError(f"{game.spec} has no sequence form: {reason}")
    reason = too_many_ends(start or game.new_initial_state(), memory_mb)
    if reason is not None:
        raise UnsupportedGameError(f"{game.spec} is too large to solve: {reason}")
    form = SequenceForm(game, memory_mb, start)
    try:
        while not form.explore(EXPLORE_STEPS):
            if progress is not None:
                progress("exploring", form.num_histories, None)
    except TooLargeError as error:
        raise UnsupportedGameError(
            f"{game.spec} is too large to solve: it has more than {error.args[0]:,} histories, whose information sets "
            f"do not fit into memory_mb={memory_mb}"
        ) from None
    return form


def solve_sequence_form(
    game: Game,
    memory_mb: int,
    progress: Progress | None = None,
    method: str | None = None,
    gap: float | None = None,
) -> SequenceSolution:
    """Solve a two-player constant-sum game with hidden information.

    Linear programs solve small games, exactly up to rounding. In larger ones regret minimisation runs until best
    responses gain at most a share of the range of returns; `max_error` has what they gain.

    Args:
        game: a game that passes `check_hidden`.
        memory_mb, progress: see `explored`; while iterations run, `progress` is called with "solving", their number,
            and None.
        method, gap: values of METHOD and GAP.

    Raises:
        UnsupportedGameError: see `explored`.
    """
    form = explored(game, memory_mb, progress)
    parts = _Parts(form)
    is_small = form.num_sequences(0) + form.num_sequences(1) <= MOST_SEQUENCES
    if method == "sequence_form" or (method is None and is_small):
        half, middle = (game.max_utility - game.min_utility) / 2, (game.max_utility + game.min_utility) / 2
        one, two = ((payoff - middle * parts.chances) / half for payoff in parts.payoffs)
        first, second = solve_both(parts.decisions, (one, two))
        return SequenceSolution(form, [first.behaviour, second.behaviour], parts, first.size)
    strategies = iterated(form, DEFAULT_GAP if gap is None else gap, progress)
    behaviour = [
        [strategies[player][part.start : part.stop] for part in parts.decisions[player].sequences] for player in (0, 1)
    ]
    return SequenceSolution(form, behaviour, parts, None)


def iterated(form: SequenceForm, gap: float, progress: Progress | None = None) -> list[Vector]:
    """Return average strategies to which best responses gain at most `gap` in all, as a share of the range of returns.

    Raises:
        PlayoutError: they gain more after MOST_ITERATIONS.
    """
    regret = CounterfactualRegret(form, "dcfr" if gap >= DEFAULT_GAP else "pcfr+")
    found, step = math.inf, 1
    while regret.iterations < MOST_ITERATIONS:
        regret.run(step)
        values, best = regret.evaluate()
        if progress is not None:
            progress("solving", regret.iterations, None)
        found = (sum(best) - sum(values)) / (form.game.max_utility - form.game.min_utility)
        if found <= gap:
            return [regret.strategy(player) for player in (0, 1)]
        step = max(1, regret.iterations // 4)
    raise PlayoutError(
        f"gap={gap}: after {regret.iterations:,} iterations best responses still gain {found:.2g} of the range of "
        f"returns of {form.game.spec}; valid: {2 * found:.1g} to 1, or method='sequence_form'"
    )


def check_hidden(game: Game) -> None:
    """Raise UnsupportedGameError unless a game with hidden information has two players with opposite interests."""
    if not game.is_zero_sum:
        raise UnsupportedGameError(
            f"{game.spec} cannot be solved: it has {game.num_players} players"
            if game.num_players != 2
            else f"{game.spec} cannot be solved: its returns have no constant sum"
        )
