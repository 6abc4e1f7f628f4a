"""Bidding 3D tic-tac-toe with few chips solved exactly, hidden bids and all: the truth for bots that bid."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Any, Protocol

import numpy as np

from .errors import IllegalActionError, StateError, UnsupportedGameError
from .game import Game, State, View
from .hidden_tiles import ALIKE_TILES, MOST_CHIPS, Action, Marks, Shape, add_bid, all_bids, bid_on, marks_of, shape_of
from .hidden_tree import History, Knowledge, Tree, build_tree, state_after
from .limits import check_whole
from .sequence_form import Vector, solve_for

_NOTHING = 1e-9
"""Chances below this are rounding errors."""


class Chooser(Protocol):
    """A bot, as far as a solution cares."""

    def choose(self, view: View) -> Any:
        """A legal action of the viewing player."""
        ...


Policy = Callable[[View], Mapping[Action, float]] | Chooser
"""A view to the probability of each action, or a bot that draws one."""


@dataclass(frozen=True)
class BidShape:
    """Bids that differ only in tiles that are all alike to the player."""

    example: Action
    """One of them."""
    count: int
    """How many there are."""
    probability: float
    """With which the optimal policy bids any of them, each with an equal part of it."""
    value: float | None
    """Return of the player if it bids one of them and then plays best against the optimal rival; None where that rival
    never lets the game come here, so that nothing is known about its hidden bids."""


class HiddenSolution:
    """Optimal play of both players, and what any other play is worth against it. Built by `solve_hidden_bids`.

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
        self.linear_program_size: tuple[int, int] = sizes[0]
        """Rows and columns of the linear program for the first player's strategy."""
        self.error_bound = max(0.0, replies[0][0] + replies[1][0] - self._sum)
        """The value is known, and the policy plays it, to within this many points: by how much the best replies to both
        players' policies, found without linear programs, earn more together than there is to share."""
        middle = (replies[0][0] + self._sum - replies[1][0]) / 2
        self._value = (middle, self._sum - middle)

    @property
    def num_information_states(self) -> int:
        """What the players can know when they decide, both together, tiles renamed."""
        return sum(map(len, self._tree.knowledge))

    @property
    def num_states(self) -> int:
        """The same as `num_information_states`: where bids are hidden, players decide on what they know."""
        return self.num_information_states

    @property
    def num_histories(self) -> int:
        """Finished games, tiles renamed."""
        return self._tree.num_histories

    def value(self, where: State | View | None = None) -> list[float]:
        """Returns of both players under optimal play, [2].

        Args:
            where: a view after any number of rounds: what its player can expect, given what it knows and that the
                rival has played optimally; or the initial state, or a finished one; the initial one if left out.

        Raises:
            StateError: any other state (what it is worth depends on what the players think of it), or a view that an
                optimal rival never lets come about.
        """
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
        for shape in self.bid_distribution(where):
            if shape.value is None:
                raise StateError(
                    f"an optimal rival never lets {where.game.players[where.player]} see this, so its worth depends on "
                    "what else that rival does; valid: views that optimal play of the rival can lead to"
                )
            mine += shape.probability * shape.value
        other = self._sum - mine
        return [mine, other] if where.player == 0 else [other, mine]

    def bid_distribution(self, where: State | View, player: int | None = None) -> tuple[BidShape, ...]:
        """All different bids of a player who knows what `where` shows it, with the optimal probability of each.

        Args:
            where: a view, or a state together with the player.
            player: who decides; with a view, its player if left out.

        Raises:
            StateError: the game is over, or of another kind than the one solved.
        """
        view = self._view(where, player)
        number = self._number(view)
        knowledge = self._tree.knowledge[view.player][number]
        marks = marks_of(view.to_dict(), (view.player,))
        mine = self._examples(view, marks, knowledge)
        values = self._values(view.player, number)
        rows = zip(mine, knowledge.counts, self._behaviour[view.player][number], values, strict=True)
        return tuple(BidShape(example, count, float(probability), value) for example, count, probability, value in rows)

    def policy(self, where: State | View, player: int | None = None) -> dict[Action, float]:
        """The optimal policy: every bid of positive probability, up to 2,080 of them, with that probability.

        It is optimal against every rival from the start of the game on, and makes the most of a rival's errors that it
        can without risk. After a bid of one's own that it would never have made, it plays well as if both erred now and
        then.

        Args:
            where: a view, or a state together with the player.
            player: who decides; with a view, its player if left out.

        Raises:
            StateError: the game is over, or of another kind than the one solved.
        """
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

    def optimal_actions(self, where: State | View, player: int | None = None) -> list[Action]:
        """All bids that are worth most against an optimal rival, ascending.

        Raises:
            StateError: the game is over or of another kind, or an optimal rival never lets the view come about.
        """
        view = self._view(where, player)
        values = self._values(view.player, self._number(view))
        if None in values:
            raise StateError("an optimal rival never lets this come about: which bids are best is not determined")
        known = [value for value in values if value is not None]
        shapes = self._tree.knowledge[view.player][self._number(view)].shapes
        best = {shape for shape, value in zip(shapes, known, strict=True) if value >= max(known) - 1e-7}
        return sorted(bid for shape, bids in self._bids(view).items() if shape in best for bid in bids)

    def sample(self, view: View, seed: int) -> Action:
        """A bid drawn from the optimal policy; the same seed draws the same one."""
        policy = self.policy(view)
        return random.Random(seed).choices(list(policy), list(policy.values()))[0]

    def exploitability(self, policy: Policy, samples: int = 1, seed: int = 0) -> float:
        """How much a policy can be exploited: NashConv, 0 for an optimal policy.

        It is what the rival's best replies earn above the value, both seats added; half of it is the mean of a seat.

        The policy is asked once in each information state, or `samples` times, with the tiles renamed at random each
        time. So the answer is exact for a callable that treats alike what is alike. For others it is that of the
        policy behind randomly renamed tiles, which nobody can exploit more than the policy itself. For a bot, which
        answers with one bid instead of probabilities, it is that of the answers counted: it comes out too high with
        few samples and falls towards the truth.

        Args:
            policy: from a view to probabilities of bids, or a bot.
            samples: how often it is asked in each information state, at least 1.
            seed: root of what is drawn.

        Raises:
            LimitError: samples out of range.
            IllegalActionError: the policy names an illegal bid, or probabilities that do not sum to 1.
        """
        weights = [self._asked(policy, player, samples, seed) for player in (0, 1)]
        replies = [self._best_reply(player, weights[1 - player])[0] for player in (0, 1)]
        return replies[0] + replies[1] - self._sum

    def expected_returns(self, first: Policy, second: Policy, samples: int = 1, seed: int = 0) -> tuple[float, float]:
        """Mean returns of both players when each follows a policy; arguments as in `exploitability`."""
        one, two = self._asked(first, 0, samples, seed), self._asked(second, 1, samples, seed)
        earned = [float(one @ (payoff @ two)) for payoff in self._tree.payoffs]
        return (earned[0], earned[1])

    def mean_loss(self, policy: Policy, samples: int = 1, seed: int = 0) -> float:
        """Points that a policy loses per decision against the optimal rival, mean of both seats.

        A decision loses what the best bid would have been worth more. Decisions count as often as they come up; those
        of a player without chips, who has one legal bid, do not. Arguments as in `exploitability`.
        """
        losses, decisions = 0.0, 0.0
        for player in (0, 1):
            mine, worth = self._tree.decisions[player], self._worth[player]
            weights = self._asked(policy, player, samples, seed)
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

    def _asked(self, policy: Policy, player: int, samples: int, seed: int) -> Vector:
        """Weights of a player's sequences under a policy, found by asking it."""
        check_whole("samples", samples, 1, 1_000_000)
        draw = random.Random(seed * 2 + player)
        behaviour = []
        for knowledge in self._tree.knowledge[player]:
            counted = np.zeros(len(knowledge.shapes))
            if len(counted) == 1:
                counted[0] = 1.0
            else:
                for _ in range(samples):
                    counted += _ask(policy, _renamed(self.game, knowledge.history, draw).view(player), knowledge)
                counted /= samples
            behaviour.append(counted)
        return self._tree.decisions[player].weights(behaviour)

    def _bids(self, view: View) -> dict[Shape, list[Action]]:
        """Every legal bid of a view by its shape."""
        shown = view.to_dict()
        marks = marks_of(shown, (view.player,))
        found = defaultdict(list)
        for bid in all_bids(shown["chips"][view.player]):
            if view.is_legal(bid):
                found[shape_of(add_bid(marks, bid))].append(bid)
        return found

    def _examples(self, view: View, marks: Marks, knowledge: Knowledge) -> list[Action]:
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


def solve_hidden_bids(game: Game) -> HiddenSolution:
    """Solve bidding_3d_ttt with at most two chips as a game of imperfect information, exactly.

    Raises:
        UnsupportedGameError: it is another game, or has more chips.
    """
    check_hidden_bids(game)
    return HiddenSolution(build_tree(game))


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

    def rename(bid: Action) -> Action:
        return bid_on({names[tile]: chips for tile, chips in enumerate(bid) if chips})

    return state_after(game, tuple((rename(first), rename(second)) for first, second in history))


def _ask(policy: Policy, view: View, knowledge: Knowledge) -> Vector:
    """What a policy does at a view: probabilities of the shapes of `knowledge`."""
    answer = policy(view) if callable(policy) else {policy.choose(view): 1.0}
    marks = marks_of(view.to_dict(), (view.player,))
    chances = np.zeros(len(knowledge.shapes))
    for bid, probability in answer.items():
        if not view.is_legal(bid):
            raise IllegalActionError(f"the policy bids {bid!r}, which is not legal where it was asked")
        chances[knowledge.shapes.index(shape_of(add_bid(marks, bid)))] += probability
    if not (abs(chances.sum() - 1) < 1e-6 and chances.min() >= 0):
        raise IllegalActionError(f"the policy's probabilities sum to {chances.sum()}; valid: 1, and none below 0")
    return chances
