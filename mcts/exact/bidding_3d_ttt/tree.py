"""The game tree of bidding 3D tic-tac-toe with few chips, up to permutations of tiles.

A player loses nothing by drawing evenly among equivalent bids: a random permutation of the tiles turns any optimal
strategy into one that does, and no opponent can tell the difference. So a player chooses the pattern of a bid, and
chance draws the tiles.

The tree is built from the game's own states, with one history for each class of equivalent histories. The probability
that a class of `n` histories ends the game is `n` times the product over its bids of the probability of the pattern
divided by the number of bids with this pattern.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...game import Game, State, View
from ..sequence_form import Decisions, load_scipy
from .tiles import Bid, Pattern, add_bid, count_alike, distinct_bids, marks_of, pattern_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

History = tuple[tuple[Bid, Bid], ...]


@dataclass
class InformationSet:
    """One information set: all situations, up to permutations of tiles, that a player cannot tell apart."""

    history: History
    """Joint bids that lead to one of the situations."""
    parent: int
    """The number of the player's last sequence."""
    patterns: tuple[Pattern, ...]
    """The patterns of marks that the bids lead to, one for each class of bids, [actions]."""
    examples: tuple[Bid, ...]
    """One bid for each pattern, [actions]."""
    counts: tuple[int, ...]
    """Number of bids for each pattern, [actions]."""


@dataclass
class Tree:
    """The game tree in sequence form."""

    game: Game
    information_sets: tuple[list[InformationSet], list[InformationSet]]
    """Per player, parents before children."""
    decisions: tuple[Decisions, Decisions]
    """Per player, the same information sets in sequence form."""
    numbers: tuple[dict[Hashable, int], dict[Hashable, int]]
    """Per player: observation -> number of the information set."""
    chances: csr_matrix
    """[sequences of player 0, of player 1]: probability that chance ends the game there if both play towards it."""
    payoffs: tuple[csr_matrix, csr_matrix]
    """Per player, of the same shape: its returns there, multiplied by that probability."""
    num_histories: int
    """Number of finished games that are not equivalent."""

    def number_of(self, view: View) -> int | None:
        """Return the number of the information set of a view; None if no play leads there."""
        return self.numbers[view.player].get(observation(view))


def observation(view: View) -> Hashable:
    """Return what a player knows, up to permutations of tiles."""
    shown = view.to_dict()
    return len(shown["history"]), pattern_of(marks_of(shown, (view.player,)))


def state_after(game: Game, history: History) -> State:
    """Return the state that joint bids lead to."""
    state = game.new_initial_state()
    for joint in history:
        state.apply_actions(joint)
    return state


@dataclass
class _Builder:
    """Collects information sets and finished games, one round after the other."""

    game: Game
    information_sets: tuple[list[InformationSet], list[InformationSet]] = field(default_factory=lambda: ([], []))
    decisions: tuple[Decisions, Decisions] = field(default_factory=lambda: (Decisions(), Decisions()))
    numbers: tuple[dict[Hashable, int], dict[Hashable, int]] = field(default_factory=lambda: ({}, {}))
    ends: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0, 0.0]))
    """Last sequences of both players -> probability of chance, and both returns multiplied by it."""
    num_histories: int = 0

    def build(self) -> Tree:
        most: int = self.game.parameters["chips"]
        # pattern -> a history, last sequences of both players, and the product of the numbers of bids of its patterns
        layer: dict[Pattern, tuple[History, tuple[int, int], float]] = {(): ((), (0, 0), 1.0)}
        while layer:
            following: dict[Pattern, tuple[History, tuple[int, int], float]] = {}
            for history, last, shared in layer.values():
                state = state_after(self.game, history)
                both = (self._look_up(state, history, 0, last[0]), self._look_up(state, history, 1, last[1]))
                marks = marks_of(state.to_dict(), (0, 1))
                chips = state.to_dict()["chips"]
                for first in distinct_bids(marks, min(most, chips[0])):
                    if not state.is_legal(0, first):
                        continue
                    for second in distinct_bids(add_bid(marks, first), min(most, chips[1])):
                        if state.is_legal(1, second):
                            self._play(state, history, both, (first, second), shared, following)
            layer = following
        return self._finish()

    def _look_up(self, state: State, history: History, player: int, parent: int) -> int:
        """Return the number of a player's information set; add it if it is new."""
        view = state.view(player)
        key = observation(view)
        number = self.numbers[player].get(key)
        if number is None:
            shown = view.to_dict()
            marks = marks_of(shown, (player,))
            bids = {
                pattern_of(add_bid(marks, bid)): bid
                for bid in distinct_bids(marks, shown["chips"][player])
                if view.is_legal(bid)
            }
            alike = count_alike(pattern_of(marks))
            counts = tuple(count_alike(pattern) // alike for pattern in bids)
            number = self.numbers[player][key] = self.decisions[player].add(parent, len(bids))
            self.information_sets[player].append(
                InformationSet(history, parent, tuple(bids), tuple(bids.values()), counts)
            )
        return number

    def _play(
        self,
        state: State,
        history: History,
        both: tuple[int, int],
        joint: tuple[Bid, Bid],
        shared: float,
        following: dict[Pattern, tuple[History, tuple[int, int], float]],
    ) -> None:
        """Apply one joint bid: collect the next round or the end of the game."""
        last = []
        for player, bid in enumerate(joint):
            information_set = self.information_sets[player][both[player]]
            action = information_set.patterns.index(
                pattern_of(add_bid(marks_of(state.view(player).to_dict(), (player,)), bid))
            )
            shared *= information_set.counts[action]
            last.append(self.decisions[player].sequences[both[player]][action])
        after = state.clone()
        after.apply_actions(joint)
        pattern = pattern_of(marks_of(after.to_dict(), (0, 1)))
        if not after.is_terminal():
            following.setdefault(pattern, ((*history, joint), (last[0], last[1]), shared))
            return
        self.num_histories += 1
        chance = count_alike(pattern) / shared
        end = self.ends[last[0], last[1]]
        end[0] += chance
        for player, earned in enumerate(after.returns()):
            end[1 + player] += chance * earned

    def _finish(self) -> Tree:
        sparse = load_scipy().sparse
        size = (self.decisions[0].num_sequences, self.decisions[1].num_sequences)
        where = tuple(np.array(list(self.ends)).T)
        entries = np.array(list(self.ends.values()))
        chances, *payoffs = (sparse.csr_matrix((column, where), shape=size) for column in entries.T)
        return Tree(
            self.game,
            self.information_sets,
            self.decisions,
            self.numbers,
            chances,
            (payoffs[0], payoffs[1]),
            self.num_histories,
        )


def build_tree(game: Game) -> Tree:
    """Build the game tree of bidding_3d_ttt with at most `tiles.MOST_CHIPS` chips."""
    return _Builder(game).build()
