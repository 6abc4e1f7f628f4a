"""Bidding 3D tic-tac-toe with few chips as a game of shapes: positions and bids without the names of tiles.

If both players draw evenly among bids that are alike, a player gives nothing away and loses nothing by it: an optimal
strategy that does not is made into one that does by renaming the tiles at random, which no rival can tell. So a
player's decision is which shape to bid, and chance draws the tiles.

The tree is walked through the game's own states, with one history for each class of histories that are alike. A class
of `n` histories ends with probability `n` times, for every bid on the way, the probability of its shape divided by how
many bids that player could not tell apart by shape.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ...game import Game, State, View
from ..sequence_form import Decisions, load_scipy
from .tiles import Bid, Shape, add_bid, count_alike, marks_of, shape_of, unlike_bids

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

History = tuple[tuple[Bid, Bid], ...]


@dataclass
class InformationSet:
    """All situations that a player cannot tell apart, tiles renamed: one information set of the game of shapes."""

    history: History
    """Joint bids that lead to one of them."""
    parent: int
    """The player's last sequence."""
    shapes: tuple[Shape, ...]
    """The different bids, each with the marks of all tiles: [actions]."""
    examples: tuple[Bid, ...]
    """One bid of each shape: [actions]."""
    counts: tuple[int, ...]
    """How many bids have each shape: [actions]."""


@dataclass
class Tree:
    """The game of shapes in sequence form."""

    game: Game
    knowledge: tuple[list[InformationSet], list[InformationSet]]
    """Per player, parents before children."""
    decisions: tuple[Decisions, Decisions]
    """The same as numbers."""
    numbers: tuple[dict[Hashable, int], dict[Hashable, int]]
    """Per player: what it knows -> the number of its information set."""
    chances: csr_matrix
    """[sequences of player 0, of player 1]: probability that chance ends the game there if both play towards it."""
    payoffs: tuple[csr_matrix, csr_matrix]
    """Per player, of the same shape: its returns there, weighed by that probability."""
    num_histories: int
    """Finished games that are not alike."""

    def number_of(self, view: View) -> int | None:
        """The information set of a view; None if no play leads there."""
        return self.numbers[view.player].get(known(view))


def known(view: View) -> Hashable:
    """What a player knows when tiles have no names."""
    shown = view.to_dict()
    return len(shown["history"]), shape_of(marks_of(shown, (view.player,)))


def state_after(game: Game, history: History) -> State:
    """The state that joint bids lead to."""
    state = game.new_initial_state()
    for joint in history:
        state.apply_actions(joint)
    return state


@dataclass
class _Builder:
    """Collects information sets and ends of games while the tree is walked, one round after the other."""

    game: Game
    knowledge: tuple[list[InformationSet], list[InformationSet]] = field(default_factory=lambda: ([], []))
    decisions: tuple[Decisions, Decisions] = field(default_factory=lambda: (Decisions(), Decisions()))
    numbers: tuple[dict[Hashable, int], dict[Hashable, int]] = field(default_factory=lambda: ({}, {}))
    ends: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0.0, 0.0]))
    """Both last sequences -> probability by chance, and returns weighed by it."""
    num_histories: int = 0

    def build(self) -> Tree:
        most: int = self.game.parameters["chips"]
        # class of histories -> one of them, both players' last sequences, and how many bids shared the shapes so far
        layer: dict[Shape, tuple[History, tuple[int, int], float]] = {(): ((), (0, 0), 1.0)}
        while layer:
            following: dict[Shape, tuple[History, tuple[int, int], float]] = {}
            for history, last, shared in layer.values():
                state = state_after(self.game, history)
                both = (self._look_up(state, history, 0, last[0]), self._look_up(state, history, 1, last[1]))
                marks = marks_of(state.to_dict(), (0, 1))
                chips = state.to_dict()["chips"]
                for first in unlike_bids(marks, min(most, chips[0])):
                    if not state.is_legal(0, first):
                        continue
                    for second in unlike_bids(add_bid(marks, first), min(most, chips[1])):
                        if state.is_legal(1, second):
                            self._play(state, history, both, (first, second), shared, following)
            layer = following
        return self._finish()

    def _look_up(self, state: State, history: History, player: int, parent: int) -> int:
        """The number of a player's information set, a new one if nobody was there yet."""
        view = state.view(player)
        key = known(view)
        number = self.numbers[player].get(key)
        if number is None:
            shown = view.to_dict()
            marks = marks_of(shown, (player,))
            bids = {
                shape_of(add_bid(marks, bid)): bid
                for bid in unlike_bids(marks, shown["chips"][player])
                if view.is_legal(bid)
            }
            alike = count_alike(shape_of(marks))
            counts = tuple(count_alike(shape) // alike for shape in bids)
            number = self.numbers[player][key] = self.decisions[player].add(parent, len(bids))
            self.knowledge[player].append(InformationSet(history, parent, tuple(bids), tuple(bids.values()), counts))
        return number

    def _play(
        self,
        state: State,
        history: History,
        both: tuple[int, int],
        joint: tuple[Bid, Bid],
        shared: float,
        following: dict[Shape, tuple[History, tuple[int, int], float]],
    ) -> None:
        """Follow one joint bid to the next round or to the end of the game."""
        last = []
        for player, bid in enumerate(joint):
            knowledge = self.knowledge[player][both[player]]
            action = knowledge.shapes.index(shape_of(add_bid(marks_of(state.view(player).to_dict(), (player,)), bid)))
            shared *= knowledge.counts[action]
            last.append(self.decisions[player].sequences[both[player]][action])
        after = state.clone()
        after.apply_actions(joint)
        shape = shape_of(marks_of(after.to_dict(), (0, 1)))
        if not after.is_terminal():
            following.setdefault(shape, ((*history, joint), (last[0], last[1]), shared))
            return
        self.num_histories += 1
        chance = count_alike(shape) / shared
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
            self.knowledge,
            self.decisions,
            self.numbers,
            chances,
            (payoffs[0], payoffs[1]),
            self.num_histories,
        )


def build_tree(game: Game) -> Tree:
    """The game of shapes of a bidding_3d_ttt with at most `tiles.MOST_CHIPS` chips."""
    return _Builder(game).build()
