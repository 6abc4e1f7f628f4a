"""Training of nets for games without hidden information, from games of a search against itself.

A generation plays games with the net of the last one, the first by random playouts, and fits that net further to the
examples of the last generations.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from cext.game.actions import Action
from cext.game.game import NOOP, Game
from cext.game_info import SCORES

from ..nets.net_file import from_bytes
from ..nets.training import Epoch
from ..nets.value_net import ValueNet, net_of
from ..random_steps import sample_joint_action
from ..registry import load_game
from ..searchers.mcts import MCTS
from ..seeds import seed_for
from .run import Run, TrainedNet
from .self_play import Examples, SelfPlay, check_learnable, learn
from .steps import Kept

LEAST_GAMES = 4
"""Least number of games between two generations: two pairs, for a standard error."""
_TASK_STATES = 64
"""States of the examples of one task."""
_MOST_IMAGES = 2
"""Images of a state that a net is fitted to; each fit draws other ones."""


@dataclass(frozen=True)
class Recipe:
    """The size of a training.

    Attributes:
        positions: states with examples in each generation, at least.
        window: states of the examples that a net is fitted to, at most; the latest ones.
        simulations: of a decision whose policy is learnt, and of each decision in games between two nets.
        full_share: share of decisions whose policy is learnt; the others have a fifth of the simulations (Wu 2019).
        opening_plies: most random plies at the beginning of a game.
        temperature_plies: plies of a game in which actions are drawn in proportion to their visits.
        gumbel_actions: as for `SelfPlay`.
        hidden: units of the hidden layers.
        first_epochs: passes over the examples in the first generation.
        epochs: passes over the examples in each later one, which begins with the net of the one before.
        rate: step of Adam at the beginning of each fit.
        games: between a generation and the best one before, at most.
        score: what counts in them, `wins` or `returns`; None: that of the game.
    """

    positions: int = 12_000
    window: int = 60_000
    simulations: int = 48
    full_share: float = 1.0
    opening_plies: int = 12
    temperature_plies: int = 12
    gumbel_actions: int = 16
    hidden: tuple[int, ...] = (256, 64)
    first_epochs: int = 8
    epochs: int = 2
    rate: float = 2e-3
    games: int = 40
    score: str | None = None


VISITS = Recipe(simulations=160, full_share=0.35, gumbel_actions=0)
"""A training whose policies are visits."""


class GameLearner:
    """Learns values and a policy from games of a search against itself.

    Args:
        game: a game with an encoding, in which nothing is hidden.
        recipe: the size of the training.

    Raises:
        UnsupportedGameError: the game does not fit.
        ValueError: a number of the recipe is out of range.

    Attributes:
        game: the game.
        recipe: the size of the training.
    """

    def __init__(self, game: Game, recipe: Recipe | None = None) -> None:
        recipe = recipe or Recipe()
        check_learnable(game)
        least = {"positions": 10, "window": 10, "simulations": 2, "first_epochs": 1, "epochs": 1, "games": LEAST_GAMES}
        for name, value in least.items():
            if getattr(recipe, name) < value:
                raise ValueError(f"{name}={getattr(recipe, name)}; valid: {value} and up")
        if recipe.gumbel_actions < 0:
            raise ValueError(f"gumbel_actions={recipe.gumbel_actions}; valid: 0 and up")
        if not 0.0 < recipe.full_share <= 1.0:
            raise ValueError(f"full_share={recipe.full_share}; valid: above 0 and up to 1")
        if recipe.score not in (None, *SCORES):
            raise ValueError(f"score={recipe.score!r}; valid: {', '.join(SCORES)}")
        self.game = game
        self.recipe = replace(recipe, score=recipe.score or game.score)
        self._window: deque[tuple[Kept, int]] = deque()

    def candidate(self, run: Run, number: int, last: TrainedNet | None) -> tuple[TrainedNet, int]:
        """Return a net that may become the best one, and on how many states it learnt.

        Args:
            run: the training.
            number: of the generation, 1 and up.
            last: the net of the generation before; None in the first generation.

        Returns:
            The net, whose losses are the mean cross entropy on held-out states and the part of the policy in it; and
            the number of states that it was fitted to, without images.
        """
        recipe, game = self.recipe, self.game
        count = -(-recipe.positions // _TASK_STATES)
        seeds = [run.draw(number, "games", task).getrandbits(63) for task in range(count)]

        def task(seed: int) -> _Task:
            return _Task(game.spec, recipe, None if last is None else last.net.to_bytes(), seed)

        self._window += run.keep("positions", _examples, seeds, task, _TASK_STATES)
        old = []
        while sum(states for _, states in self._window) > max(recipe.window, recipe.positions + _TASK_STATES * count):
            old.append(self._window.popleft()[0])
        states = sum(states for _, states in self._window)

        def compute() -> tuple[ValueNet, list[float]]:
            draw = run.draw(number, "fit")
            parts = Examples.joined(
                [
                    Examples.from_bytes(kept.read()).drawn_images(_MOST_IMAGES, draw.getrandbits(63))
                    for kept, _ in self._window
                ]
            )
            epochs: list[Epoch] = []
            most = recipe.first_epochs if last is None else recipe.epochs

            def count(epoch: Epoch) -> None:
                epochs.append(epoch)
                run.report("net", epoch.number, most)

            net = learn(
                game,
                parts,
                hidden=recipe.hidden,
                epochs=most,
                rate=recipe.rate,
                seed=draw.getrandbits(63),
                start=None if last is None else last.net,
                on_epoch=count,
            )
            least = min(epochs, key=lambda epoch: epoch.held_out_loss)
            return net, [least.held_out_loss, least.held_out_policy_loss]

        net = run.net("net", compute)
        for kept in old:
            kept.drop()
        return net, states

    def shares(self, run: Run, number: int, net: TrainedNet, best: TrainedNet, pairs: range) -> list[float]:
        """Return the shares of the points that a net earns in games against the best one, in one step.

        Args:
            run: the training.
            number: of the generation.
            net: of this generation.
            best: the best net so far.
            pairs: numbers of the pairs of games. The games of a pair have the same seeds and exchanged seats.
        """
        seeds = [run.draw(number, "game", pair).getrandbits(63) for pair in pairs]

        def task(seed: int) -> _Pair:
            return _Pair(self.game.spec, self.recipe, net.net.to_bytes(), best.net.to_bytes(), seed)

        return [share for both in run.map("test", _pair, seeds, task) for share in both]


class _Task(NamedTuple):
    """The data with which a worker makes examples."""

    spec: str
    recipe: Recipe
    net: bytes | None
    seed: int


class _Pair(NamedTuple):
    """The data with which a worker plays two games between nets."""

    spec: str
    recipe: Recipe
    net: bytes
    best: bytes
    seed: int


def _examples(task: _Task) -> tuple[bytes, int]:
    """Return examples of whole games, and their number of states."""
    game, recipe = _loaded(task.spec), task.recipe
    player = SelfPlay(
        game,
        None if task.net is None else _net(task.spec, task.net),
        simulations=recipe.simulations,
        short_simulations=max(2, recipe.simulations // 5),
        full_share=recipe.full_share,
        opening_plies=recipe.opening_plies,
        temperature_plies=recipe.temperature_plies,
        gumbel_actions=recipe.gumbel_actions,
    )
    found = player.some(_TASK_STATES, task.seed)
    return found.to_bytes(), found.states


def _pair(task: _Pair) -> list[float]:
    """Return the shares of the points of a net in two games with the same opening.

    In the first game it has one seat and the other net has all others; in the second, the other way round. A share is
    1/2 + d/2, where d is its mean return minus that of the other net, as a share of the range of returns.
    """
    game, opening = _loaded(task.spec), task.recipe.opening_plies // 2
    searches = [MCTS(game, net=_net(task.spec, content)) for content in (task.net, task.best)]
    seat = seed_for(task.seed, 0) % game.num_players
    found = []
    for order in (searches, searches[::-1]):
        state = game.new_initial_state()
        while not state.is_terminal():
            draw = seed_for(task.seed, 1, len(state.history()))
            if state.is_chance() or len(state.history()) < opening:
                state.apply_actions(sample_joint_action(state, draw))
                continue
            steps: list[Action] = [NOOP] * game.num_players
            for player in state.acting_players():
                search = order[player != seat]
                search.seed = draw
                steps[player] = search.run(state, simulations=task.recipe.simulations).for_player(player).action
            state.apply_actions(steps)
        returns = state.returns()
        own, others = returns.pop(seat), returns
        found.append((own - sum(others) / len(others)) / (game.max_utility - game.min_utility) / 2)
    return [0.5 + found[0], 0.5 - found[1]]


@lru_cache(maxsize=2)
def _loaded(spec: str) -> Game:
    return load_game(spec)


@lru_cache(maxsize=2)
def _net(spec: str, content: bytes) -> ValueNet:
    return net_of(_loaded(spec), from_bytes(content))
