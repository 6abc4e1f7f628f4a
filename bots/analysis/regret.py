"""How far a bot is from exact play: what its decisions give away, and what a rival who knows the bot could take."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from mcts import Action, Game, Limit, ParameterError, Solution, State, View

from ..base import NO_LIMIT, Bot
from ..registry import load_bot
from ..seeds import seed_for

CONFIDENCE_95 = 1.96
"""Standard errors on either side of a 95 % interval."""
OPTIMAL = 1e-6
"""A loss of no more is none: exact values are known to about 1e-9."""
_DIGITS = 9
"""Decimals that mean something."""
_TRIES = 50
"""Random games a state asked for, after which there are taken to be no more states."""


@dataclass(frozen=True)
class Position:
    """A state of the sample."""

    state: State
    states_below: int | None
    """States that may follow it, itself among them; None for more than were counted."""


@dataclass(frozen=True)
class Spread:
    """A mean over the sample. Units: points on the game's own scale."""

    mean: float
    error: float | None
    """Half the width of its 95 % interval; None for fewer than two."""
    worst: float
    count: int
    """How many the mean is of."""


@dataclass(frozen=True)
class Regret:
    """What was measured of a bot at one budget."""

    simulations: int | None
    """Most simulations a decision; None: what the bot's own parameters say."""
    loss: Spread
    """Of a decision: the value of the state less what the bot's strategy secures, all else played exactly."""
    optimal: float
    """Share of decisions that lose nothing."""
    exploitability: Spread | None
    """Of the bot's play from a state to the end, as `Solution.exploitability` has it: what the best replies take from
    it, both seats added. Of the states of the sample with few enough below; None where there are none."""
    worst_state: State
    """Where the loss was greatest."""
    worst_player: int


def sample_positions(game: Game, count: int, seed: int, most_below: int) -> list[Position]:
    """Distinct states of random games in which somebody has a choice, every ply of a game as likely.

    Args:
        game: any whose actions can be listed.
        count: how many, 1 and up; fewer where random play finds no more.
        seed: root of the random games.
        most_below: states that may follow are counted up to here.
    """
    found: dict[State, Position] = {}
    for number in range(count * _TRIES):
        path = list(_decisions_of_a_game(game, random.Random(seed_for(seed, number))))
        if path:
            state = random.Random(seed_for(seed, number, 1)).choice(path)
            if state not in found:
                found[state] = Position(state, count_below(state, most_below))
        if len(found) == count:
            break
    return list(found.values())


def count_below(state: State, most: int) -> int | None:
    """States that can be reached from a state, with itself; None for more than `most`."""
    seen = {state}
    todo = [state]
    while todo:
        for after in _followers(todo.pop()):
            if after not in seen:
                seen.add(after)
                todo.append(after)
                if len(seen) > most:
                    return None
    return len(seen) if most else None


def measure(
    solution: Solution,
    bot_spec: str,
    budgets: Sequence[int | None],
    positions: Sequence[Position],
    seed: int = 0,
    samples: int = 100,
    on_position: Callable[[], None] = lambda: None,
) -> Iterator[Regret]:
    """Measure a bot at several budgets.

    A decision's randomness is a function of seed, state and player: the bot plays the same in a state however it is
    reached.

    Args:
        solution: exact values of the game.
        bot_spec: as `load_bot` reads it.
        budgets: most simulations a decision; None leaves it to the bot's own parameters.
        positions: where to measure, as `sample_positions` finds them.
        seed: root of all that the bot draws.
        samples: how often a bot is asked that cannot tell its own strategy.
        on_position: called after each position at each budget.

    Raises:
        ParameterError: there are no positions.
        PlayoutError: the bot cannot play this game.
    """
    if not positions:
        raise ParameterError("there are no positions to measure at; valid: one or more")
    bot = load_bot(bot_spec)
    bot.check_game(positions[0].state.game)
    for budget in budgets:
        yield _measure_at(solution, bot, budget, positions, seed, samples, on_position)


@dataclass(frozen=True)
class HiddenRegret:
    """What was measured of a bot at one budget, in a game that hides something."""

    simulations: int | None
    """As in Regret."""
    loss: float
    """Points a decision gives away to an optimal rival, mean over the decisions of a game against it."""
    exploitability: float
    """Points that the rival who knows the bot best takes from it, both seats added. Too high where samples are few."""


def measure_hidden(
    solution: Solution,
    bot_spec: str,
    budgets: Sequence[int | None],
    seed: int = 0,
    samples: int = 12,
    on_budget: Callable[[], None] = lambda: None,
) -> Iterator[HiddenRegret]:
    """Measure a bot in a game of sealed bids, over all that its players can know.

    Args:
        solution: of the game.
        bot_spec, budgets, seed: as of `measure`.
        samples: how often the bot is asked in each state of knowledge.
        on_budget: called after each budget.

    Raises:
        PlayoutError: the bot cannot play this game.
    """
    bot = load_bot(bot_spec)
    bot.check_game(solution.game)
    for budget in budgets:
        player = _Restarted(bot, NO_LIMIT if budget is None else Limit(simulations=budget), seed)
        loss, taken = (
            solution.mean_loss(player, samples=samples, seed=seed),
            solution.exploitability(player, samples=samples, seed=seed),
        )
        yield HiddenRegret(budget, _points(loss), _points(taken))
        on_budget()


class _Restarted:
    """A bot for which every decision is a new game with a new seed."""

    def __init__(self, bot: Bot, limit: Limit, seed: int) -> None:
        self._bot, self._limit, self._seed = bot, limit, seed
        self._asked = 0

    def choose(self, view: View) -> Action:
        self._bot.new_game(view.game, view.player, seed_for(self._seed, self._asked))
        self._asked += 1
        return self._bot.choose(view, self._limit)


def _measure_at(
    solution: Solution,
    bot: Bot,
    budget: int | None,
    positions: Sequence[Position],
    seed: int,
    samples: int,
    on_position: Callable[[], None],
) -> Regret:
    limit = NO_LIMIT if budget is None else Limit(simulations=budget)
    known: dict[tuple[State, int], dict[Action, float]] = {}

    def strategy(state: State, player: int) -> dict[Action, float]:
        key = state, player
        if key not in known:
            bot.new_game(state.game, player, seed_for(seed, hash(state) & 0xFFFF_FFFF, player))
            known[key] = bot.strategy(state.view(player), limit, samples)
        return known[key]

    losses: list[tuple[float, State, int]] = []
    exploited: list[float] = []
    for position in positions:
        state = position.state
        for player in _choosers(state):
            losses.append((solution.loss(state, player, strategy(state, player)), state, player))
        if position.states_below is not None:
            exploited.append(solution.exploitability(strategy, state=state))
        on_position()
    amounts = [loss for loss, _, _ in losses]
    _, state, player = max(losses, key=lambda loss: loss[0])
    return Regret(
        budget,
        _spread(amounts),
        fmean(amount <= OPTIMAL for amount in amounts),
        _spread(exploited) if exploited else None,
        state,
        player,
    )


def _spread(given: Sequence[float]) -> Spread:
    amounts = [_points(amount) for amount in given]
    error = CONFIDENCE_95 * stdev(amounts) / math.sqrt(len(amounts)) if len(amounts) > 1 else None
    return Spread(fmean(amounts), error, max(amounts), len(amounts))


def _points(amount: float) -> float:
    """An amount that is never below 0, but for what computers make of it."""
    return max(0.0, round(amount, _DIGITS))


def _choosers(state: State) -> list[int]:
    """The players with more than one action."""
    return [player for player in state.acting_players() if len(state.legal_actions(player)) > 1]


def _decisions_of_a_game(game: Game, rng: random.Random) -> Iterator[State]:
    state = game.new_initial_state()
    while not state.is_terminal():
        if _choosers(state):
            yield state.clone()
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(game.num_players)])


def _followers(state: State) -> Iterator[State]:
    if state.is_terminal():
        return
    joints: list[list[int]] = [[]]
    for player in range(state.game.num_players):
        joints = [[*joint, action] for joint in joints for action in state.legal_actions(player)]
    for joint in joints:
        after = state.clone()
        after.apply_actions(joint)
        yield after
