"""Training of value nets for rounds of sealed bids, from solutions of single rounds.

A net gives the value of a position before a round. Positions before the last round come first: solving that round needs
no net, as the game is over after it. Then the positions before it, with that net as the leaves, and so on to the second
round. The positions of the first generation come from random bids, those of later ones from mixed strategies that the
net before finds, so a net learns about bids that good players consider. A generation replaces the one before if it
wins games against it, by more than their standard error.
"""

from __future__ import annotations

import base64
import math
import os
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cext.game.actions import Action
from cext.game.game import Game, State, View
from cext.games.bidding_3d_ttt.rounds.solver import RoundSolver, has_sealed_bids

from ..errors import UnsupportedGameError
from ..nets.net_file import from_bytes
from ..nets.training import fit
from ..nets.value_net import ValueNet
from ..seeds import seed_for
from . import LEAST_PROBABILITY
from .encodings import BLOCKS, mirrors
from .first_round import solve_first_round
from .training_steps import TrainingSteps

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Examples = tuple[NDArray[float32], NDArray[float32]]

Given = TypeVar("Given")
Found = TypeVar("Found")

_FIRST_SOLVERS = 48
"""Solutions of the first round from which the first bids of a generation are drawn."""
_FIRST_ROUND_LEAVES = 30_000_000
"""Values of positions for the solution of the first round of a generation."""
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
RESUMED = "steps of an interrupted run"
"""Stage that a training reports first if the file has finished steps."""
LEAST_GAMES = 4
"""Least number of games between two generations: two pairs, for a standard error."""
_GATE_LEAVES = 20_000
"""Values of positions for each decision of the games between two generations."""


@dataclass(frozen=True)
class Recipe:
    """The size of a training.

    Attributes:
        generations: nets trained one after the other, the first one from random bids.
        positions: positions before each round that are solved in each generation.
        leaves: values of positions for the solution of one of them.
        hidden: units of the hidden layers.
        epochs: most passes over the examples.
        games: between a generation and the one before, in pairs with the seats exchanged; an odd number is rounded up.
    """

    generations: int = 3
    positions: int = 4500
    leaves: int = 15_000
    hidden: tuple[int, ...] = (64, 32)
    epochs: int = 20
    games: int = 200


@dataclass(frozen=True)
class Generation:
    """One generation of a training.

    Attributes:
        number: 1 for the first.
        examples: positions that the net was fitted to, without mirror images.
        loss: mean cross entropy on held-out positions.
        points: mean share of the points in games against the net before; None for the first.
        error: standard error of `points`, from the pairs of games.
        kept: True if the net replaces the one before: if `points` is above a half, by at least `error`.
    """

    number: int
    examples: int
    loss: float
    points: float | None
    error: float | None
    kept: bool


Report = Callable[[str, int, int], object]
"""Called with a stage of the training, and how much of it is done, of how much."""


@dataclass
class _Training:
    """A running training."""

    games: Sequence[Game]
    recipe: Recipe
    seed: int
    workers: int
    report: Report
    steps: TrainingSteps
    net: ValueNet | None = None
    solved: dict[int, list[Examples]] = field(default_factory=dict)
    """Examples by the number of rounds before them; those before the last round stay true for later nets."""

    def draw(self, *numbers: object) -> random.Random:
        """Return the random numbers of one task."""
        return random.Random("/".join(map(str, (self.seed, *numbers))))

    def map(
        self,
        name: str,
        function: Callable[[Given], Found],
        given: Sequence[Given],
        encode: Callable[[Found], Any] = lambda found: found,
        decode: Callable[[Any], Found] = lambda stored: stored,
    ) -> list[Found]:
        """Return the result of each task, in order, computed in threads. The solvers hold no GIL.

        All tasks together are one step. `encode` makes of a result what JSON has, and `decode` the same result again.
        """

        def compute() -> list[Found]:
            found: list[Found] = []
            with ThreadPoolExecutor(self.workers) as pool:
                try:
                    for number, result in enumerate(pool.map(function, given), 1):
                        found.append(result)
                        self.report(name, number, len(given))
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise
            return found

        return self.steps.do(
            name,
            compute,
            lambda found: [encode(one) for one in found],
            lambda stored: [decode(one) for one in stored],
        )


def train_rounds(
    games: Sequence[Game],
    recipe: Recipe | None = None,
    *,
    seed: int = 0,
    workers: int = 1,
    on_progress: Report | None = None,
    on_generation: Callable[[Generation, ValueNet], object] | None = None,
    steps: str | os.PathLike[str] | None = None,
) -> ValueNet:
    """Train a net for rounds of sealed bids.

    The file `steps` gets the result of each step when it is done. If it exists, the training goes on after its last
    step, and gives the net that it would have given without the interruption. At the end the file is removed.

    Args:
        games: variants of one game with the same encoding. The net is for all of them.
        recipe: the size of the training.
        seed: root of all random streams. The result does not depend on `workers`.
        workers: threads.
        on_progress: called often.
        on_generation: called with each generation and the best net so far, also with those of the file.
        steps: path of the file of finished steps; None: an interruption loses all.

    Raises:
        NetFileError: the file of steps is of another training, damaged, or cannot be written.
        UnsupportedGameError: a game has no sealed bids or no net leaves, or the games have different encodings.
        ValueError: there is no game, or a number of the recipe is out of range.
    """
    recipe = recipe or Recipe()
    if not games:
        raise ValueError("there is no game to train a net for; valid: at least one")
    for game in games:
        reason = None if has_sealed_bids(game) else "it has no sealed bids"
        if reason is None and (game.name, game.encoding_size) != (games[0].name, games[0].encoding_size):
            reason = f"its encoding is not that of {games[0].spec}"
        if reason is not None:
            raise UnsupportedGameError(f"no net can be trained for {game.spec}: {reason}")
    for name, least in (("generations", 1), ("positions", 1), ("leaves", 1), ("epochs", 1), ("games", LEAST_GAMES)):
        if getattr(recipe, name) < least:
            raise ValueError(f"{name}={getattr(recipe, name)}; valid: {least} and up")
    named = {**asdict(recipe), "hidden": list(recipe.hidden), "seed": seed, "games": [game.spec for game in games]}
    finished = TrainingSteps(steps, {**named, "match": recipe.games})
    training = _Training(games, recipe, seed, workers, on_progress or (lambda name, done, total: None), finished)
    if finished.finished:
        training.report(RESUMED, finished.finished, finished.finished)
    best: ValueNet | None = None
    for number in range(1, recipe.generations + 1):
        net, count, loss = _next_net(training, number)
        points: float | None = None
        error: float | None = None
        kept = True
        if best is not None:
            points, error, kept = compared(_shares(training, number, net, best))
        if kept:
            best = training.net = net
        if on_generation is not None:
            assert best is not None
            on_generation(Generation(number, count, loss, points, error, kept), best)
    assert best is not None
    finished.remove()
    return best


def _next_net(training: _Training, number: int) -> tuple[ValueNet, int, float]:
    """Return the net of a generation, its number of examples and its loss."""
    rounds = _positions(training, number)
    later: ValueNet | None = None
    examples: list[Examples] = []
    loss = 0.0
    for done in sorted(rounds, reverse=True):
        found = _solve(training, number, done, rounds[done], later)
        if done == max(rounds):
            training.solved.setdefault(done, []).append(found)
            examples = list(training.solved[done])
        else:
            examples.append(found)
        later, loss = _fit(training, number, done, examples)
    assert later is not None
    return later, sum(len(values) for _, values in examples), loss


def _positions(training: _Training, generation: int) -> dict[int, list[State]]:
    """Return positions by the number of rounds before them, 1 and up: `recipe.positions` before the last round, and
    a part of it before the others."""
    net, last = training.net, _ROUNDS - 1
    starts = _first_strategies(training, generation, net)

    def play(number: int) -> list[tuple[int, State]]:
        draw = training.draw(generation, "play", number)
        which = number % len(training.games)
        state = training.games[which].new_initial_state()
        found: list[tuple[int, State]] = []
        for done in range(1, last + 1):
            if state.is_terminal():
                break
            if net is None:
                strategies = []
            elif done == 1:
                strategies = [draw.choice(starts[which]) for _ in range(2)]
            else:
                strategies = [_strategy(state, player, net, draw) for player in range(2)]
            for _ in range(_BRANCHES if done == last else 1):
                after = state.clone()
                after.apply_actions([_bid(state, player, strategies, done == 1, draw) for player in range(2)])
                if not after.is_terminal():
                    found.append((done, after))
            state = after
        return found

    def store(found: list[tuple[int, State]]) -> Any:
        return [[done, training.games.index(state.game), state.to_text()] for done, state in found]

    def read(stored: Any) -> list[tuple[int, State]]:
        return [(done, training.games[which].state_from_text(text)) for done, which, text in stored]

    rounds: dict[int, list[State]] = {done: [] for done in range(1, last + 1)}
    begin, wanted = 0, training.recipe.positions
    while missing := wanted - len(rounds[last]):
        count = max(1, missing // _BRANCHES)
        for found in training.map("positions", play, range(begin, begin + count), store, read):
            for done, state in found:
                if len(rounds[done]) < wanted:
                    rounds[done].append(state)
        begin += count
    return rounds


def _first_strategies(
    training: _Training, generation: int, net: ValueNet | None
) -> list[list[list[tuple[Action, float]]]]:
    """Return strategies of the first player for the first round of each game: the solution with the net as every
    second, and bids of short solutions."""
    if net is None:
        return []

    def read(stored: Any) -> list[tuple[Action, float]]:
        return [(tuple(bid), weight) for bid, weight in stored]

    found: list[list[list[tuple[Action, float]]]] = []
    for game in training.games:

        def solve_first(seed: int, game: Game = game) -> list[tuple[Action, float]]:
            solved = solve_first_round(game, _FIRST_ROUND_LEAVES, seed, net)
            return list(zip(solved.bids, solved.weights, strict=True))

        seeds = [training.draw(generation, "opening", game.spec).getrandbits(63)]
        solved = training.map("first round", solve_first, seeds, decode=read)[0]

        def solve(number: int, game: Game = game) -> list[tuple[Action, float]]:
            draw = training.draw(generation, "first", game.spec, number)
            return _strategy(game.new_initial_state(), 0, net, draw)

        short = training.map("first bids", solve, range(_FIRST_SOLVERS // 2), decode=read)
        found.append([strategy for pair in zip(short, [solved] * len(short), strict=True) for strategy in pair])
    return found


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


def _solve(training: _Training, generation: int, done: int, states: Sequence[State], net: ValueNet | None) -> Examples:
    """Return encodings and values of positions, from short solutions of their rounds."""

    def value(number: int) -> float:
        seed = training.draw(generation, "solve", done, number).getrandbits(64)
        return _solved(states[number], 0, seed, net, training.recipe.leaves).value

    values = training.map(f"round {done + 1}", value, range(len(states)))
    return np.array([state.encode() for state in states], np.float32), np.array(values, np.float32)


def _fit(training: _Training, generation: int, done: int, examples: Sequence[Examples]) -> tuple[ValueNet, float]:
    """Return a net that is fitted to examples and their mirror images, and its loss."""
    first, *others = training.games
    specs = [game.spec for game in others]
    symmetries = mirrors()
    losses: list[float] = []

    def count(epoch: Any) -> None:
        losses.append(epoch.held_out_loss)
        training.report("net", epoch.number, training.recipe.epochs)

    def compute() -> tuple[ValueNet, float]:
        inputs = np.concatenate([given for given, _ in examples])
        values = np.concatenate([found for _, found in examples])
        images = np.stack([mirror.encodings(inputs) for mirror in symmetries], axis=1)
        targets = np.stack([mirror.values(values) for mirror in symmetries], axis=1)
        found = fit(
            images.reshape(-1, inputs.shape[1]),
            targets.reshape(-1),
            hidden=training.recipe.hidden,
            epochs=training.recipe.epochs,
            group=len(symmetries),
            seed=training.draw(generation, "fit", done).getrandbits(63),
            on_epoch=count,
        )
        return ValueNet(first, found.layers, blocks=BLOCKS, specs=specs), min(losses)

    def store(found: tuple[ValueNet, float]) -> Any:
        net, loss = found
        return [base64.b64encode(net.to_bytes()).decode(), loss]

    def read(stored: Any) -> tuple[ValueNet, float]:
        content, loss = stored
        parts = from_bytes(base64.b64decode(content))
        return ValueNet(first, parts.layers, blocks=parts.blocks, specs=specs), loss

    return training.steps.do("net", compute, store, read)


def compared(shares: Sequence[float]) -> tuple[float, float, bool]:
    """Return the mean of the shares of points, its standard error, and if a net with this result replaces another one.

    shares: of games in pairs that follow each other. The games of a pair have the same seeds and exchanged seats, so
        their mean is one observation.
    """
    pairs = np.array(shares).reshape(-1, 2).mean(axis=1)
    points, error = float(pairs.mean()), float(pairs.std(ddof=1) / math.sqrt(len(pairs)))
    return points, error, points > 0.5 and points >= 0.5 + error


def _shares(training: _Training, generation: int, net: ValueNet, before: ValueNet) -> list[float]:
    """Return the share of the points that a net earns in each of some games against another, from both seats."""

    def play(number: int) -> float:
        draw = training.draw(generation, "game", number // 2)
        game, seat = training.games[number // 2 % len(training.games)], number % 2
        seeds = [draw.getrandbits(64) for _ in range(2)]

        def bid(player: int) -> Action:
            mine = player == seat
            solver = _solved(state.view(player), player, seeds[mine], net if mine else before, _GATE_LEAVES)
            policy = dict(solver.strategy(LEAST_PROBABILITY))
            return random.Random(seed_for(seeds[mine], player)).choices(list(policy), list(policy.values()))[0]

        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_actions([bid(player) for player in range(2)])
        return (state.returns()[seat] - game.min_utility) / (game.max_utility - game.min_utility)

    return training.map("games", play, range((training.recipe.games + 1) // 2 * 2))
