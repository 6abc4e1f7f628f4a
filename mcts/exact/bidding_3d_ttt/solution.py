"""Bidding 3D tic-tac-toe with few chips solved exactly, hidden bids and all: the truth for bots that bid."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from math import comb
from typing import Any

import numpy as np

from cext.actions import Action
from cext.arguments import whole_number

from ...errors import IllegalActionError, StateError, UnsupportedGameError
from ...game import Game, State, View
from ...limits import Limit, check_whole
from ..best_responses import BestResponses
from ..policies import takes_view
from ..sequence_form import Vector, solve_for
from ..solution import BidClass, Solution, Where
from .tiles import ALIKE_TILES, MOST_CHIPS, Bid, Marks, Shape, add_bid, all_bids, bid_on, marks_of, shape_of
from .tree import History, InformationSet, Tree, build_tree, state_after

_NOTHING = 1e-9
"""Chances below this are rounding errors."""


class BiddingSolution(Solution):
    """The solution of a game with hidden bids. `solve_hidden_bids` makes it.

    Args:
        tree: the game of shapes.
    """

    def __init__(self, tree: Tree) -> None:
        self.game = tree.game
        self._tree = tree
        self._sum = self.game.min_utility + self.game.max_utility
        self._behaviour: list[list[Vector]] = []
        sizes = []
        for player in (0, 1):
            mine, rival = tree.decisions[player], tree.decisions[1 - player]
            payoff = tree.payoffs[player] if player == 0 else tree.payoffs[player].T.tocsr()
            _, behaviour, size = solve_for(mine, rival, payoff)
            sizes.append(size)
            self._behaviour.append(behaviour)
        self._weights = [tree.decisions[player].weights(self._behaviour[player]) for player in (0, 1)]
        replies = [self._best_reply(player, self._weights[1 - player]) for player in (0, 1)]
        self._worth = [reply[1] for reply in replies]
        self._arrivals = [self._arrivals_of(player) for player in (0, 1)]
        self.linear_program_size = sizes[0]
        self.num_histories = tree.num_histories
        self._max_error = max(0.0, replies[0][0] + replies[1][0] - self._sum)
        middle = (replies[0][0] + self._sum - replies[1][0]) / 2
        self._value = (middle, self._sum - middle)

    @property
    def num_information_states(self) -> int:
        return sum(map(len, self._tree.knowledge))

    @property
    def num_states(self) -> int:
        return self.num_information_states

    @property
    def num_canonical_states(self) -> int:
        return self.num_information_states

    @property
    def num_simultaneous_stages(self) -> int:
        """All states of knowledge: both players bid in each."""
        return self.num_information_states

    @property
    def num_mixed_stages(self) -> int:
        mixed = 0
        for knowledge, behaviour in zip(self._tree.knowledge, self._behaviour, strict=True):
            for known, chances in zip(knowledge, behaviour, strict=True):
                mixed += sum(count for count, chance in zip(known.counts, chances, strict=True) if chance > 0) > 1
        return mixed

    @property
    def max_error(self) -> float:
        """By how much the best replies to both players' policies, found without linear programs, earn more together
        than there is to share: the value is known, and the policy plays it, to within this many points."""
        return self._max_error

    def value(self, where: Where | None = None) -> list[float]:
        if where is None:
            return list(self._value)
        self._check_game(where)
        if isinstance(where, State):
            if where.is_terminal():
                return where.returns()
            if where != self.game.new_initial_state():
                raise StateError(
                    "a state with hidden bids has no value of its own; valid: a view of it, state.view(player)"
                )
            return list(self._value)
        mine = 0.0
        for shape in self.bid_classes(where):
            if shape.value is None:
                raise StateError(
                    f"an optimal rival never lets {where.game.players[where.player]} see this, so its worth depends on "
                    "what else that rival does; valid: views that optimal play of the rival can lead to"
                )
            mine += shape.probability * shape.value
        other = self._sum - mine
        return [mine, other] if where.player == 0 else [other, mine]

    def bid_classes(self, where: Where, player: int | None = None) -> tuple[BidClass, ...]:
        view = self._view(where, player)
        number = self._number(view)
        knowledge = self._tree.knowledge[view.player][number]
        marks = marks_of(view.to_dict(), (view.player,))
        mine = self._examples(view, marks, knowledge)
        values = self._values(view.player, number)
        rows = zip(mine, knowledge.counts, self._behaviour[view.player][number], values, strict=True)
        return tuple(BidClass(example, count, float(probability), value) for example, count, probability, value in rows)

    def policy(self, where: Where, player: int | None = None) -> dict[Action, float]:
        view = self._view(where, player)
        number = self._number(view)
        knowledge = self._tree.knowledge[view.player][number]
        chances = {
            shape: float(probability) / count
            for shape, probability, count in zip(
                knowledge.shapes, self._behaviour[view.player][number], knowledge.counts, strict=True
            )
        }
        return {bid: chances[shape] for shape, bids in self._bids(view).items() if chances[shape] for bid in bids}

    def optimal_actions(self, where: Where, player: int | None = None) -> list[Action]:
        view = self._view(where, player)
        values = self._values(view.player, self._number(view))
        if None in values:
            raise StateError("an optimal rival never lets this come about: which bids are best is not determined")
        known = [value for value in values if value is not None]
        shapes = self._tree.knowledge[view.player][self._number(view)].shapes
        best = {shape for shape, value in zip(shapes, known, strict=True) if value >= max(known) - 1e-7}
        return sorted(bid for shape, bids in self._bids(view).items() if shape in best for bid in bids)

    def loss(self, where: Where, player: int | None, choice: Any) -> float:
        view = self._view(where, player)
        number = self._number(view)
        knowledge = self._tree.knowledge[view.player][number]
        values = self._values(view.player, number)
        if None in values:
            raise StateError("an optimal rival never lets this come about: what a bid gives away is not determined")
        if isinstance(choice, Mapping):
            choice = partial(_given, choice)
        elif not callable(choice):
            choice = partial(_given, {choice: 1.0})
        chances = _ask(choice, view, knowledge, Limit())
        known = np.array(values, dtype=float)
        return max(0.0, float(known.max() - chances @ known))

    def best_responses(
        self,
        policy: Any,
        state: State | None = None,
        *,
        samples: int | None = None,
        seed: int = 0,
        limit: Limit | None = None,
    ) -> BestResponses:
        if state is not None:
            self._check_game(state)
            if state != self.game.new_initial_state():
                raise StateError("where bids are hidden, best responses are known from the first state on only")
        weights = [self._asked(policy, player, samples, seed, limit) for player in (0, 1)]
        found = tuple(self._best_reply(player, weights[1 - player])[0] for player in (0, 1))
        gains = tuple(max(0.0, best - value) for best, value in zip(found, self._value, strict=True))
        return BestResponses(found, gains, self.num_information_states)

    def expected_returns(
        self, first: Any, second: Any, *, samples: int | None = None, seed: int = 0, limit: Limit | None = None
    ) -> tuple[float, float]:
        one, two = self._asked(first, 0, samples, seed, limit), self._asked(second, 1, samples, seed, limit)
        earned = [float(one @ (payoff @ two)) for payoff in self._tree.payoffs]
        return (earned[0], earned[1])

    def mean_loss(self, policy: Any, *, samples: int | None = None, seed: int = 0, limit: Limit | None = None) -> float:
        losses, decisions = 0.0, 0.0
        for player in (0, 1):
            mine, worth = self._tree.decisions[player], self._worth[player]
            weights = self._asked(policy, player, samples, seed, limit)
            rows = zip(mine.parents, mine.sequences, self._arrivals[player], strict=True)
            for parent, sequences, arrival in rows:
                if len(sequences) > 1:
                    part = slice(sequences.start, sequences.stop)
                    decisions += weights[parent] * arrival
                    losses += weights[parent] * worth[part].max() - float(weights[part] @ worth[part])
        return float(losses / decisions) if decisions else 0.0

    def _arrivals_of(self, player: int) -> Vector:
        """Chance that the optimal rival and the tiles drawn bring each information set about: [information sets].

        That is: if the player itself does all it can to get there.
        """
        chances = self._tree.chances if player == 0 else self._tree.chances.T
        mine = self._tree.decisions[player]
        passing = np.asarray(chances @ self._weights[1 - player])
        # what comes after a sequence passes through every information set there, and through each of its actions alike
        for parent, sequences in zip(reversed(mine.parents), reversed(mine.sequences), strict=True):
            passing[parent] += passing[sequences.start]
        return passing[[sequences.start for sequences in mine.sequences]]

    def _values(self, player: int, number: int) -> list[float | None]:
        """Worth of each bid in an information set against the optimal rival; None if that rival never leads there."""
        sequences = self._tree.decisions[player].sequences[number]
        arrival = self._arrivals[player][number]
        if arrival < _NOTHING:
            return [None] * len(sequences)
        return [float(worth / arrival) for worth in self._worth[player][sequences.start : sequences.stop]]

    def _best_reply(self, player: int, rival: Vector) -> tuple[float, Vector]:
        """Worth of a player's best reply to the rival's weights, and of going on best after each sequence."""
        payoff = self._tree.payoffs[player] if player == 0 else self._tree.payoffs[player].T
        total, worth, _ = self._tree.decisions[player].best_reply(payoff @ rival)
        return total, worth

    def _asked(self, policy: Any, player: int, samples: int | None, seed: int, limit: Limit | None) -> Vector:
        """Weights of a player's sequences under a policy, found by asking it."""
        if not callable(policy) and not hasattr(policy, "choose"):
            raise TypeError(f"{policy!r} is no way to play; valid: a function of a view, or a bot")
        samples = 1 if samples is None else samples
        check_whole("samples", samples, 1, 1_000_000)
        draw = random.Random(whole_number("seed", seed) * 2 + player)
        behaviour = []
        for knowledge in self._tree.knowledge[player]:
            counted = np.zeros(len(knowledge.shapes))
            if len(counted) == 1:
                counted[0] = 1.0
            else:
                for _ in range(samples):
                    counted += _ask(policy, _renamed(self.game, knowledge.history, draw).view(player), knowledge, limit)
                counted /= samples
            behaviour.append(counted)
        return self._tree.decisions[player].weights(behaviour)

    def _bids(self, view: View) -> dict[Shape, list[Bid]]:
        """Every legal bid of a view by its shape."""
        shown = view.to_dict()
        marks = marks_of(shown, (view.player,))
        found = defaultdict(list)
        for bid in all_bids(shown["chips"][view.player]):
            if view.is_legal(bid):
                found[shape_of(add_bid(marks, bid))].append(bid)
        return found

    def _examples(self, view: View, marks: Marks, knowledge: InformationSet) -> list[Bid]:
        """The examples of `knowledge` with the tiles of this very view."""
        original = marks_of(state_after(self.game, knowledge.history).view(view.player).to_dict(), (view.player,))
        names = dict(zip(_by_mark(original), _by_mark(marks), strict=True))
        return [bid_on({names[tile]: chips for tile, chips in enumerate(bid) if chips}) for bid in knowledge.examples]

    def _number(self, view: View) -> int:
        number = self._tree.number_of(view)
        if number is None:
            raise StateError(f"no play of {self.game.spec} leads to this view")
        return number

    def _view(self, where: State | View, player: int | None) -> View:
        self._check_game(where)
        if isinstance(where, State):
            if player is None:
                raise StateError("a state shows every player's bids; valid: a view, or a state together with a player")
            where = where.view(player)
        elif player is not None and player != where.player:
            raise StateError(f"the view is of player {where.player}, not of player {player}")
        if where.is_terminal():
            raise StateError(f"the game {self.game.spec} is over: there is nothing to decide")
        return where

    def _check_game(self, where: State | View) -> None:
        if where.game != self.game:
            raise StateError(f"this solution is of {self.game.spec}, the position of {where.game.spec}")


def solve_hidden_bids(game: Game) -> BiddingSolution:
    """Solve bidding_3d_ttt with at most two chips as a game of imperfect information, exactly.

    Raises:
        UnsupportedGameError: it is another game, or has more chips.
    """
    check_hidden_bids(game)
    return BiddingSolution(build_tree(game))


def check_hidden_bids(game: Game) -> None:
    """Raise the UnsupportedGameError that `solve_hidden_bids` would raise."""
    if game.name != "bidding_3d_ttt":
        raise UnsupportedGameError(
            f"{game.spec} hides something, and has no sealed bids to solve; "
            f"valid: bidding_3d_ttt(chips=0 to {MOST_CHIPS}), or a game that hides nothing"
        )
    chips: int = game.parameters["chips"]
    if chips > MOST_CHIPS:
        bids = comb(len(ALIKE_TILES) + chips, chips)
        raise UnsupportedGameError(
            f"{game.spec} is too large to solve: in its last round alone there are up to {_power_of_ten(bids * bids)} "
            f"joint bids, and from three chips on it matters where tiles lie; valid: chips=0 to {MOST_CHIPS}"
        )


def _power_of_ten(count: int) -> str:
    return f"10^{len(str(count)) - 1}"


def _by_mark(marks: Marks) -> list[int]:
    """The tiles, equally marked ones together."""
    return sorted(ALIKE_TILES, key=lambda tile: (marks.get(tile, ()), tile))


def _renamed(game: Game, history: History, draw: random.Random) -> State:
    """The state of a history with the tiles renamed at random."""
    names = dict(zip(ALIKE_TILES, draw.sample(ALIKE_TILES, len(ALIKE_TILES)), strict=True))

    def rename(bid: Bid) -> Bid:
        return bid_on({names[tile]: chips for tile, chips in enumerate(bid) if chips})

    return state_after(game, tuple((rename(first), rename(second)) for first, second in history))


def _given(choice: Mapping[Bid, float], view: View) -> Mapping[Bid, float]:
    """The policy of a choice that is already known."""
    return choice


def _ask(policy: Any, view: View, knowledge: InformationSet, limit: Limit | None) -> Vector:
    """What a policy does at a view: probabilities of the shapes of `knowledge`."""
    if hasattr(policy, "choose"):
        answer = {policy.choose(view) if limit is None else policy.choose(view, limit): 1.0}
    else:
        answer = policy(view) if takes_view(policy) else policy(view, view.player)
    marks = marks_of(view.to_dict(), (view.player,))
    chances = np.zeros(len(knowledge.shapes))
    for bid, probability in answer.items():
        if not view.is_legal(bid):
            raise IllegalActionError(f"the policy bids {bid!r}, which is not legal where it was asked")
        chances[knowledge.shapes.index(shape_of(add_bid(marks, bid)))] += probability
    if not (abs(chances.sum() - 1) < 1e-6 and chances.min() >= 0):
        raise IllegalActionError(f"the policy's probabilities sum to {chances.sum()}; valid: 1, and none below 0")
    return chances
