"""Training of value nets for rounds of sealed bids, from solutions of single rounds.

A net gives the value of a position before a round. Positions before the last round come first: solving that round needs
no net, as the game is over after it. Then the positions before it, with that net as the leaves, and so on to the second
round. The positions of the first generation come from random bids, those of later ones from mixed strategies that the
net before finds, so a net learns about bids that good players consider. A generation replaces the one before if it
wins games against it, by more than their standard error.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cext.game.actions import Action
from cext.game.game import Game, State, View
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver, has_sealed_bids

from ..errors import UnsupportedGameError
from ..nets.training import fit
from ..nets.value_net import ValueNet
from ..rounds import LEAST_PROBABILITY
from ..rounds.encodings import BLOCKS, mirrors
from ..rounds.first_round import solve_first_round
from ..seeds import seed_for
from .generations import LEAST_GAMES, Candidate, Learner, Run, TrainedNet

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Examples = tuple[NDArray[float32], NDArray[float32]]

_FIRST_SOLVERS = 48
"""Solutions of the first round from which the first bids of a generation are drawn."""
_FIRST_ROUND_SHARE = 2000
"""The solution of the first round of a generation takes so many times the leaves of a position."""
_BRANCHES = 3
"""Positions before the last round that follow one position before it."""
_BID_LEAVES = 10_000
"""Values of positions for a strategy from which bids are drawn."""
_RANDOM_BIDS = 0.2
"""Share of bids that are random instead."""
_EVEN_BIDS = 0.25
"""Share of the other bids that are drawn evenly from those of a matrix, instead of by their probability."""
_RAISED_BIDS = 0.25
"""Share of bids that spend more chips on one tile, so that chips left differ more."""
_MOST_RAISED = 64
_MOST_COUNT = 255
"""Greatest count of a packed bid."""
_ROUNDS = 3
_GATE_LEAVES = 20_000
"""Values of positions for each decision of the games between two generations."""


@dataclass(frozen=True)
class Recipe:
    """The size of a training.

    Attributes:
        positions: positions before each round that are solved in each generation.
        leaves: values of positions for the solution of one of them.
        hidden: units of the hidden layers.
        epochs: most passes over the examples.
        games: between a generation and the one before, in pairs with the seats exchanged; an odd number is rounded up.
    """

    positions: int = 4500
    leaves: int = 15_000
    hidden: tuple[int, ...] = (64, 32)
    epochs: int = 20
    games: int = 200


class RoundLearner(Learner):
    """Learns the values of positions before rounds of sealed bids, from solutions of single rounds.

    Args:
        games: variants of one game with the same encoding. The net is for all of them.
        recipe: the size of the training.

    Raises:
        UnsupportedGameError: a game has no sealed bids or no net leaves, or the games have different encodings.
        ValueError: there is no game, or a number of the recipe is out of range.
    """

    def __init__(self, games: Sequence[Game], recipe: Recipe | None = None) -> None:
        recipe = recipe or Recipe()
        if not games:
            raise ValueError("there is no game to train a net for; valid: at least one")
        for game in games:
            reason = None if has_sealed_bids(game) else "it has no sealed bids"
            if reason is None and (game.name, game.encoding_size) != (games[0].name, games[0].encoding_size):
                reason = f"its encoding is not that of {games[0].spec}"
            if reason is not None:
                raise UnsupportedGameError(f"no net can be trained for {game.spec}: {reason}")
        for name, least in (("positions", 1), ("leaves", 1), ("epochs", 1), ("games", LEAST_GAMES)):
            if getattr(recipe, name) < least:
                raise ValueError(f"{name}={getattr(recipe, name)}; valid: {least} and up")
        self.games = games
        self.recipe = recipe
        self.games_of_test = recipe.games
        self._solved: dict[int, list[Examples]] = {}  # before the last round they stay true for later nets

    def identity(self) -> dict[str, Any]:
        return {"kind": "rounds", **asdict(self.recipe)}

    def candidate(self, run: Run, number: int, best: TrainedNet | None, last: TrainedNet | None) -> Candidate:
        rounds = self._positions(run, number, best)
        later: TrainedNet | None = None
        examples: list[Examples] = []
        for done in sorted(rounds, reverse=True):
            found = self._solve(run, number, done, rounds[done], later)
            if done == max(rounds):
                self._solved.setdefault(done, []).append(found)
                examples = list(self._solved[done])
            else:
                examples.append(found)
            before, later = later, self._fit(run, number, done, examples)
            if before is not None:
                before.drop()
        assert later is not None
        return Candidate(later, sum(len(values) for _, values in examples))

    def shares(self, run: Run, number: int, net: TrainedNet, best: TrainedNet, games: range) -> list[float]:

        def play(game_number: int) -> float:
            draw = run.draw(number, "game", game_number // 2)
            game, seat = self.games[game_number // 2 % len(self.games)], game_number % 2
            seeds = [draw.getrandbits(64) for _ in range(2)]

            def bid(player: int) -> Action:
                mine = player == seat
                solver = _solved(state.view(player), player, seeds[mine], (net if mine else best).net, _GATE_LEAVES)
                policy = dict(solver.strategy(LEAST_PROBABILITY))
                return random.Random(seed_for(seeds[mine], player)).choices(list(policy), list(policy.values()))[0]

            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_actions([bid(player) for player in range(2)])
            return (state.returns()[seat] - game.min_utility) / (game.max_utility - game.min_utility)

        return run.map("games", play, games)

    def _positions(self, run: Run, generation: int, best: TrainedNet | None) -> dict[int, list[State]]:
        """Return positions by the number of rounds before them, 1 and up: `recipe.positions` before the last round, and
        a part of it before the others."""
        last = _ROUNDS - 1
        starts = self._first_strategies(run, generation, best)

        def play(number: int) -> list[tuple[int, State]]:
            draw = run.draw(generation, "play", number)
            which = number % len(self.games)
            state = self.games[which].new_initial_state()
            found: list[tuple[int, State]] = []
            for done in range(1, last + 1):
                if state.is_terminal():
                    break
                if best is None:
                    strategies = []
                elif done == 1:
                    strategies = [draw.choice(starts[which]) for _ in range(2)]
                else:
                    strategies = [_strategy(state, player, best.net, draw) for player in range(2)]
                for _ in range(_BRANCHES if done == last else 1):
                    after = state.clone()
                    after.apply_actions([_bid(state, player, strategies, done == 1, draw) for player in range(2)])
                    if not after.is_terminal():
                        found.append((done, after))
                state = after
            return found

        def store(found: list[tuple[int, State]]) -> Any:
            return [[done, self.games.index(state.game), state.to_text()] for done, state in found]

        def read(stored: Any) -> list[tuple[int, State]]:
            return [(done, self.games[which].state_from_text(text)) for done, which, text in stored]

        rounds: dict[int, list[State]] = {done: [] for done in range(1, last + 1)}
        begin, wanted = 0, self.recipe.positions
        while missing := wanted - len(rounds[last]):
            count = max(1, missing // _BRANCHES)
            for found in run.map("positions", play, range(begin, begin + count), store, read):
                for done, state in found:
                    if len(rounds[done]) < wanted:
                        rounds[done].append(state)
            begin += count
        return rounds

    def _first_strategies(
        self, run: Run, generation: int, best: TrainedNet | None
    ) -> list[list[list[tuple[Action, float]]]]:
        """Return strategies of the first player for the first round of each game: the solution with the net as every
        second, and bids of short solutions."""
        if best is None:
            return []

        def read(stored: Any) -> list[tuple[Action, float]]:
            return [(tuple(bid), weight) for bid, weight in stored]

        found: list[list[list[tuple[Action, float]]]] = []
        for game in self.games:

            def solve_first(seed: int, game: Game = game) -> list[tuple[Action, float]]:
                solved = solve_first_round(game, _FIRST_ROUND_SHARE * self.recipe.leaves, seed, best.net)
                return list(zip(solved.bids, solved.weights, strict=True))

            seeds = [run.draw(generation, "opening", game.spec).getrandbits(63)]
            solved = run.map("first round", solve_first, seeds, decode=read)[0]

            def solve(number: int, game: Game = game) -> list[tuple[Action, float]]:
                draw = run.draw(generation, "first", game.spec, number)
                return _strategy(game.new_initial_state(), 0, best.net, draw)

            short = run.map("first bids", solve, range(_FIRST_SOLVERS // 2), decode=read)
            found.append([strategy for pair in zip(short, [solved] * len(short), strict=True) for strategy in pair])
        return found

    def _solve(
        self, run: Run, generation: int, done: int, states: Sequence[State], later: TrainedNet | None
    ) -> Examples:
        """Return encodings and values of positions, from short solutions of their rounds."""

        def value(number: int) -> float:
            seed = run.draw(generation, "solve", done, number).getrandbits(64)
            return _solved(states[number], 0, seed, None if later is None else later.net, self.recipe.leaves).value

        values = run.map(f"round {done + 1}", value, range(len(states)))
        return np.array([state.encode() for state in states], np.float32), np.array(values, np.float32)

    def _fit(self, run: Run, generation: int, done: int, examples: Sequence[Examples]) -> TrainedNet:
        """Return a net that is fitted to examples and their mirror images, and its losses."""
        first, *others = self.games
        specs = [game.spec for game in others]
        symmetries = mirrors()
        losses: list[float] = []

        def count(epoch: Any) -> None:
            losses.append(epoch.held_out_loss)
            run.report("net", epoch.number, self.recipe.epochs)

        def compute() -> tuple[ValueNet, list[float]]:
            inputs = np.concatenate([given for given, _ in examples])
            values = np.concatenate([found for _, found in examples])
            images = np.stack([mirror.encodings(inputs) for mirror in symmetries], axis=1)
            targets = np.stack([mirror.values(values) for mirror in symmetries], axis=1)
            found = fit(
                images.reshape(-1, inputs.shape[1]),
                targets.reshape(-1),
                hidden=self.recipe.hidden,
                epochs=self.recipe.epochs,
                group=len(symmetries),
                seed=run.draw(generation, "fit", done).getrandbits(63),
                on_epoch=count,
            )
            return ValueNet(first, found.layers, blocks=BLOCKS, specs=specs), [min(losses), 0.0]

        return run.net("net", compute)


def _bid(
    state: State, player: int, strategies: Sequence[list[tuple[Action, float]]], is_first: bool, draw: random.Random
) -> Any:
    """Draw a bid at random or from a player's strategy, and sometimes raise it.

    is_first: the strategies are of the first player, and a random image of a bid is taken.
    """
    if not strategies or draw.random() < _RANDOM_BIDS:
        return state.sample_action(player, draw.getrandbits(64))
    bid = _drawn(strategies[player], draw)
    if is_first:
        solver = RoundSolver(state, 0, seed=draw.getrandbits(64))
        bid = solver.image_of(bid)  # each image changes sides
        if player == 0:
            bid = solver.image_of(bid)
    return _raised(state, player, bid, draw) if draw.random() < _RAISED_BIDS else bid


def _solved(position: State | View, player: int, seed: int, net: ValueNet | None, leaves: int) -> RoundSolver:
    """Return a short solution of a round."""
    solver = RoundSolver(position, player, seed=seed, net=None if net is None else net.core)
    solver.grow(leaves)
    solver.settle()
    return solver


def _strategy(state: State, player: int, net: ValueNet, draw: random.Random) -> list[tuple[Action, float]]:
    """Return a mixed strategy from a short solution; all bids of the matrix, also those that are not played."""
    solver = _solved(state, player, draw.getrandbits(64), net, _BID_LEAVES)
    return solver.strategy()  # type: ignore[return-value]


def _drawn(strategy: Sequence[tuple[Action, float]], draw: random.Random) -> Any:
    even = draw.random() < _EVEN_BIDS
    return draw.choices([bid for bid, _ in strategy], None if even else [weight for _, weight in strategy])[0]


def _raised(state: State, player: int, bid: tuple[int, ...], draw: random.Random) -> tuple[int, ...]:
    """Return the bid with more chips on one tile, so that the player keeps fewer."""
    tiles = [tile for tile, count in enumerate(bid) if count]
    if not tiles:
        return bid
    tile = draw.choice(tiles)
    more = draw.randint(1, _MOST_RAISED)
    while more:
        raised = (*bid[:tile], bid[tile] + more, *bid[tile + 1 :])
        if raised[tile] <= _MOST_COUNT and state.is_legal(player, raised):
            return raised
        more //= 2
    return bid
