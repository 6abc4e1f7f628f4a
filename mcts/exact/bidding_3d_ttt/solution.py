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
from ..hidden_solution import SAME, HiddenSolution
from ..policies import Sampling, ask, check_policy, distribution_of
from ..sequence_form import Vector, solve_both
from ..solution import BidClass, Position
from .tiles import ALIKE_TILES, MOST_CHIPS, Bid, Marks, Pattern, add_bid, all_bids, bid_on, marks_of, pattern_of
from .tree import History, InformationSet, Tree, build_tree, state_after


class BiddingSolution(HiddenSolution):
    """The solution of bidding 3D tic-tac-toe with few chips. `solve_hidden_bids` makes it.

    Args:
        tree: the game tree up to the names of tiles.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        solved = solve_both(tree.decisions, tree.payoffs)
        super().__init__(tree.game, tree.decisions, tree.chances, tree.payoffs, solved.behaviour)
        self.linear_program_size = solved.size
        self.num_histories = tree.num_histories

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
        best = {pattern for pattern, value in zip(patterns, values, strict=True) if value >= max(values) - SAME}
        return sorted(bid for pattern, bids in self._bids(view).items() if pattern in best for bid in bids)

    def loss(self, position: Position, player: int | None, choice: Any) -> float:
        view = self._view(position, player)
        number = self._number(view)
        values = np.array(self._determined_values(view.player, number), dtype=float)
        distribution = distribution_of(choice, view, view)
        chances = _by_pattern(distribution, view, self._tree.information_sets[view.player][number])
        return max(0.0, float(values.max() - chances @ values))

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
