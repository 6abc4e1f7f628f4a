"""The exact solution of bidding 3D tic-tac-toe with few chips, as a game of imperfect information."""

from __future__ import annotations

import random
from collections import defaultdict
from math import comb
from typing import Any

import numpy as np

from cext.game.actions import Action

from ...errors import StateError, UnsupportedGameError
from ...game import Game, State, View
from ...seeds import seed_for
from ..best_responses import BestResponses
from ..policies import Sampling, ask, check_policy, distribution_of
from ..sequence_form import Vector, solve_for
from ..solution import BidClass, Position, Solution
from .tiles import ALIKE_TILES, MOST_CHIPS, Bid, Marks, Pattern, add_bid, all_bids, bid_on, marks_of, pattern_of
from .tree import History, InformationSet, Tree, build_tree, state_after

_NOTHING = 1e-9
"""Probabilities below this are rounding errors."""
_SAME = 1e-7
"""Values that differ by less, in points, count as equal."""


class BiddingSolution(Solution):
    """The solution of bidding 3D tic-tac-toe with few chips. `solve_hidden_bids` makes it.

    Args:
        tree: the game tree up to the names of tiles.
    """

    def __init__(self, tree: Tree) -> None:
        self.game = tree.game
        self._tree = tree
        self._sum = self.game.min_utility + self.game.max_utility
        self._behaviour: list[list[Vector]] = []
        sizes = []
        for player in (0, 1):
            own, other = tree.decisions[player], tree.decisions[1 - player]
            payoff = tree.payoffs[player] if player == 0 else tree.payoffs[player].T.tocsr()
            _, behaviour, size = solve_for(own, other, payoff)
            sizes.append(size)
            self._behaviour.append(behaviour)
        self._weights = [tree.decisions[player].weights(self._behaviour[player]) for player in (0, 1)]
        responses = [self._best_response(player, self._weights[1 - player]) for player in (0, 1)]
        self._worth = [response[1] for response in responses]
        self._reaches = [self._reaches_of(player) for player in (0, 1)]
        self.linear_program_size = sizes[0]
        self.num_histories = tree.num_histories
        self._max_error = max(0.0, responses[0][0] + responses[1][0] - self._sum)
        middle = (responses[0][0] + self._sum - responses[1][0]) / 2
        self._value = (middle, self._sum - middle)

    @property
    def num_information_states(self) -> int:
        return sum(map(len, self._tree.information_sets))

    @property
    def num_states(self) -> int:
        return self.num_information_states

    @property
    def num_canonical_states(self) -> int:
        return self.num_information_states

    @property
    def num_simultaneous_stages(self) -> int:
        """Number of information sets of both players: both bid in each."""
        return self.num_information_states

    @property
    def num_mixed_stages(self) -> int:
        mixed = 0
        for information_sets, behaviour in zip(self._tree.information_sets, self._behaviour, strict=True):
            for each, chances in zip(information_sets, behaviour, strict=True):
                mixed += sum(count for count, chance in zip(each.counts, chances, strict=True) if chance > 0) > 1
        return mixed

    @property
    def max_error(self) -> float:
        """Greatest error of a value, in points: the returns of best responses to both policies minus the sum of
        returns. Best responses are computed without linear programs."""
        return self._max_error

    def value(self, position: Position | None = None) -> list[float]:
        if position is None:
            return list(self._value)
        self._check_game(position)
        if isinstance(position, State):
            if position.is_terminal():
                return position.returns()
            if position != self.game.new_initial_state():
                raise StateError(
                    "a state with hidden bids has no value of its own; valid: a view of it, state.view(player)"
                )
            return list(self._value)
        own = 0.0
        for each in self.bid_classes(position):
            if each.value is None:
                raise StateError(
                    f"an optimal opponent never lets {position.game.players[position.player]} see this, so its value "
                    "depends on the rest of the opponent's policy; valid: views that optimal play of the opponent can "
                    "lead to"
                )
            own += each.probability * each.value
        other = self._sum - own
        return [own, other] if position.player == 0 else [other, own]

    def bid_classes(self, position: Position, player: int | None = None) -> tuple[BidClass, ...]:
        view = self._view(position, player)
        number = self._number(view)
        information_set = self._tree.information_sets[view.player][number]
        examples = self._examples(view, marks_of(view.to_dict(), (view.player,)), information_set)
        values = self._values(view.player, number)
        rows = zip(examples, information_set.counts, self._behaviour[view.player][number], values, strict=True)
        return tuple(BidClass(example, count, float(probability), value) for example, count, probability, value in rows)

    def policy(self, position: Position, player: int | None = None) -> dict[Action, float]:
        view = self._view(position, player)
        number = self._number(view)
        information_set = self._tree.information_sets[view.player][number]
        chances = {
            pattern: float(probability) / count
            for pattern, probability, count in zip(
                information_set.patterns, self._behaviour[view.player][number], information_set.counts, strict=True
            )
        }
        return {bid: chances[pattern] for pattern, bids in self._bids(view).items() if chances[pattern] for bid in bids}

    def optimal_actions(self, position: Position, player: int | None = None) -> list[Action]:
        view = self._view(position, player)
        number = self._number(view)
        values = self._determined_values(view.player, number)
        patterns = self._tree.information_sets[view.player][number].patterns
        best = {pattern for pattern, value in zip(patterns, values, strict=True) if value >= max(values) - _SAME}
        return sorted(bid for pattern, bids in self._bids(view).items() if pattern in best for bid in bids)

    def loss(self, position: Position, player: int | None, choice: Any) -> float:
        view = self._view(position, player)
        number = self._number(view)
        values = np.array(self._determined_values(view.player, number), dtype=float)
        distribution = distribution_of(choice, view, view)
        chances = _by_pattern(distribution, view, self._tree.information_sets[view.player][number])
        return max(0.0, float(values.max() - chances @ values))

    def _best_responses(self, policy: Any, state: State | None, sampling: Sampling) -> BestResponses:
        if state is not None:
            self._check_game(state)
            if state != self.game.new_initial_state():
                raise StateError("where bids are hidden, best responses are known from the first state on only")
        weights = [self._weights_of(policy, player, sampling) for player in (0, 1)]
        found = tuple(self._best_response(player, weights[1 - player])[0] for player in (0, 1))
        gains = tuple(max(0.0, best - value) for best, value in zip(found, self._value, strict=True))
        return BestResponses(found, gains, self.num_information_states)

    def _expected_returns(self, first: Any, second: Any, sampling: Sampling) -> tuple[float, float]:
        one, two = self._weights_of(first, 0, sampling), self._weights_of(second, 1, sampling)
        earned = [float(one @ (payoff @ two)) for payoff in self._tree.payoffs]
        return (earned[0], earned[1])

    def _mean_loss(self, policy: Any, sampling: Sampling) -> float:
        losses, decisions = 0.0, 0.0
        for player in (0, 1):
            own, worth = self._tree.decisions[player], self._worth[player]
            weights = self._weights_of(policy, player, sampling)
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
        chances = self._tree.chances if player == 0 else self._tree.chances.T
        own = self._tree.decisions[player]
        passing = np.asarray(chances @ self._weights[1 - player])
        # each action of an information set has the same probability to be passed, that of the information set
        for parent, sequences in zip(reversed(own.parents), reversed(own.sequences), strict=True):
            passing[parent] += passing[sequences.start]
        return passing[[sequences.start for sequences in own.sequences]]

    def _values(self, player: int, number: int) -> list[float | None]:
        """Return the value of each bid class of an information set; None if the optimal opponent never leads there."""
        sequences = self._tree.decisions[player].sequences[number]
        reach = self._reaches[player][number]
        if reach < _NOTHING:
            return [None] * len(sequences)
        return [float(worth / reach) for worth in self._worth[player][sequences.start : sequences.stop]]

    def _determined_values(self, player: int, number: int) -> list[float]:
        """Return `_values`. Raise StateError if they are not determined."""
        values = [value for value in self._values(player, number) if value is not None]
        if not values:
            raise StateError("an optimal opponent never lets this come about: the values of bids are not determined")
        return values

    def _best_response(self, player: int, other: Vector) -> tuple[float, Vector]:
        """Return the value of a player's best response to the other's weights, and of going on best after sequences."""
        payoff = self._tree.payoffs[player] if player == 0 else self._tree.payoffs[player].T
        total, worth, _ = self._tree.decisions[player].best_response(payoff @ other)
        return total, worth

    def _weights_of(self, policy: Any, player: int, sampling: Sampling) -> Vector:
        """Return the weights of a player's sequences under a policy, found by asking it."""
        check_policy(policy)
        samples = sampling.samples or 1
        draw = random.Random(seed_for(sampling.seed, player))
        behaviour = []
        for information_set in self._tree.information_sets[player]:
            counted = np.zeros(len(information_set.patterns))
            if len(counted) == 1:
                counted[0] = 1.0
            else:
                for _ in range(samples):
                    view = _renamed(self.game, information_set.history, draw).view(player)
                    counted += _by_pattern(ask(policy, view, view, sampling.limit), view, information_set)
                counted /= samples
            behaviour.append(counted)
        return self._tree.decisions[player].weights(behaviour)

    def _bids(self, view: View) -> dict[Pattern, list[Bid]]:
        """Return the legal bids of a view by their patterns."""
        shown = view.to_dict()
        marks = marks_of(shown, (view.player,))
        found = defaultdict(list)
        for bid in all_bids(shown["chips"][view.player]):
            if view.is_legal(bid):
                found[pattern_of(add_bid(marks, bid))].append(bid)
        return found

    def _examples(self, view: View, marks: Marks, information_set: InformationSet) -> list[Bid]:
        """Return the examples of an information set with the tiles of a view."""
        state = state_after(self.game, information_set.history)
        original = marks_of(state.view(view.player).to_dict(), (view.player,))
        names = dict(zip(_by_mark(original), _by_mark(marks), strict=True))
        return [
            bid_on({names[tile]: chips for tile, chips in enumerate(bid) if chips}) for bid in information_set.examples
        ]

    def _number(self, view: View) -> int:
        number = self._tree.number_of(view)
        if number is None:
            raise StateError(f"no play of {self.game.spec} leads to this view")
        return number

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


def solve_hidden_bids(game: Game) -> BiddingSolution:
    """Solve bidding_3d_ttt with few chips as a game of imperfect information, exactly.

    Raises:
        UnsupportedGameError: see `check_hidden_bids`.
    """
    check_hidden_bids(game)
    return BiddingSolution(build_tree(game))


def check_hidden_bids(game: Game) -> None:
    """Raise UnsupportedGameError unless a game is bidding_3d_ttt with at most `MOST_CHIPS` chips."""
    if game.name != "bidding_3d_ttt":
        raise UnsupportedGameError(
            f"{game.spec} has hidden information other than sealed bids; "
            f"valid: bidding_3d_ttt(chips=0 to {MOST_CHIPS}), or a game without hidden information"
        )
    chips: int = game.parameters["chips"]
    if chips > MOST_CHIPS:
        bids = comb(len(ALIKE_TILES) + chips, chips)
        raise UnsupportedGameError(
            f"{game.spec} is too large to solve: its last round alone has up to 10^{len(str(bids * bids)) - 1} joint "
            f"bids, and from three chips on the positions of tiles matter; valid: chips=0 to {MOST_CHIPS}"
        )


def _by_mark(marks: Marks) -> list[int]:
    """Return the tiles ordered by mark."""
    return sorted(ALIKE_TILES, key=lambda tile: (marks.get(tile, ()), tile))


def _renamed(game: Game, history: History, draw: random.Random) -> State:
    """Return the state of a history after a random permutation of the tiles."""
    names = dict(zip(ALIKE_TILES, draw.sample(ALIKE_TILES, len(ALIKE_TILES)), strict=True))

    def rename(bid: Bid) -> Bid:
        return bid_on({names[tile]: chips for tile, chips in enumerate(bid) if chips})

    return state_after(game, tuple((rename(first), rename(second)) for first, second in history))


def _by_pattern(distribution: dict[Bid, float], view: View, information_set: InformationSet) -> Vector:
    """Return the probabilities of the patterns of an information set, [patterns], under a distribution of bids."""
    marks = marks_of(view.to_dict(), (view.player,))
    chances = np.zeros(len(information_set.patterns))
    for bid, probability in distribution.items():
        chances[information_set.patterns.index(pattern_of(add_bid(marks, bid)))] += probability
    return chances
