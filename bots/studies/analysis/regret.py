"""Distance of a bot from exact play: the loss of its decisions, and its exploitability by best responses."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean, stdev

from mcts import Action, Game, Limit, ParameterError, Solution, State, View
from mcts.exact.policies import BOT_SAMPLES
from mcts.primitives.confidence import CONFIDENCE_95
from mcts.seeds import seed_for

from ...base import NO_LIMIT, Bot
from ...registry import load_bot

OPTIMAL = 1e-6
"""Losses up to this count as none. Exact values have errors of about 1e-9."""
_DIGITS = 9
"""Significant decimals of a loss."""
_TRIES = 50
"""Most random games per requested state."""


@dataclass(frozen=True)
class Position:
    """A state of the sample."""

    state: State
    states_below: int | None
    """Number of states that can be reached from it, including itself; None if there are more than were counted."""


@dataclass(frozen=True)
class Spread:
    """A mean over the sample. Units: points on the game's own scale."""

    mean: float
    error: float | None
    """Half width of its 95 % interval; None for fewer than two values."""
    worst: float
    count: int
    """Number of values."""


@dataclass(frozen=True)
class Regret:
    """Results for a bot at one budget."""

    simulations: int | None
    """Limit of each decision, in simulations; None for the limit of the bot's own parameters."""
    loss: Spread
    """Loss of a decision: exact value of the state, minus value of the bot's strategy if all else is played exactly."""
    optimal: float
    """Share of decisions without loss."""
    exploitability: Spread | None
    """Exploitability of the bot's play from a state to the end, added over both seats; see `Solution.exploitability`.
    Over the states of the sample with few enough states below them; None if there are none."""
    worst_state: State
    """State with the largest loss."""
    worst_player: int

    def values(self) -> dict[str, float | None]:
        """Return the numbers as a row of a table, None where a number is missing."""
        loss, taken = self.loss, self.exploitability
        return {
            "loss": loss.mean,
            "loss_error": loss.error,
            "worst_loss": loss.worst,
            "optimal": self.optimal,
            "decisions": loss.count,
            "exploitability": None if taken is None else taken.mean,
            "exploitability_error": None if taken is None else taken.error,
            "exploitability_states": None if taken is None else taken.count,
        }


def sample_positions(game: Game, count: int, seed: int, most_below: int) -> list[Position]:
    """Return distinct states of random games in which a player has a choice. Each ply of a game is equally likely.

    Args:
        game: a game whose actions can be listed.
        count: number of states, at least 1; fewer are returned if random play finds no more.
        seed: root of the random games.
        most_below: limit of the count of states below each state.
    """
    found: dict[Hashable, Position] = {}
    for number in range(count * _TRIES):
        path = list(_decisions_of_a_game(game, random.Random(seed_for(seed, number))))
        if path:
            state = random.Random(seed_for(seed, number, 1)).choice(path)
            if state.key() not in found:
                found[state.key()] = Position(state, count_below(state, most_below))
        if len(found) == count:
            break
    return list(found.values())


def count_below(state: State, most: int) -> int | None:
    """Return the number of states that can be reached from a state, including itself; None if more than `most`."""
    seen = {state.key()}
    todo = [state]
    while todo:
        for after in _followers(todo.pop()):
            if after.key() not in seen:
                seen.add(after.key())
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

    The random numbers of a decision depend on the seed, the state and the player only, so the bot always plays the same
    way in the same state.

    Args:
        solution: exact solution of the game.
        bot_spec: the bot, as text for `load_bot`.
        budgets: limits of each decision, in simulations; None for the limit of the bot's own parameters.
        positions: the sample, from `sample_positions`.
        seed: root of all random numbers of the bot.
        samples: number of calls of a bot that does not know its own strategy.
        on_position: called after each position at each budget.

    Returns:
        The results at each budget, in this order.

    Raises:
        ParameterError: `positions` is empty.
        PlayoutError: the bot cannot play this game.
    """
    if not positions:
        raise ParameterError("no positions to measure; valid: one or more")
    bot = load_bot(bot_spec)
    bot.check_game(positions[0].state.game)
    for budget in budgets:
        yield _measure_at(solution, bot, budget, positions, seed, samples, on_position)


@dataclass(frozen=True)
class HiddenRegret:
    """Results for a bot at one budget, in a game with hidden information."""

    simulations: int | None
    """As in Regret."""
    loss: float
    """Mean loss of a decision in points, over the decisions of a game against an optimal opponent."""
    exploitability: float
    """Points that best responses win against the bot, added over both seats."""
    bias: float | None
    """The most that the noise of the samples adds to it, in expectation; None where it is unknown, for one sample."""

    def values(self) -> dict[str, float | None]:
        """Return the numbers as a row of a table, None where a number is missing."""
        return {"loss": self.loss, "exploitability": self.exploitability, "bias": self.bias}


class _AskedOnce:
    """A bot whose strategies are kept by the seed of the game, which is another one for each view."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._known: dict[tuple[int, int, int], dict[Action, float]] = {}

    def new_game(self, game: Game, player: int, seed: int) -> None:
        self._game = game, player, seed

    def choose(self, view: View, limit: Limit) -> Action:
        return self._bot.choose(view, limit)

    def strategy(self, view: View, limit: Limit, samples: int) -> dict[Action, float]:
        key = *self._game[1:], samples
        if key not in self._known:
            self._bot.new_game(*self._game)
            self._known[key] = self._bot.strategy(view, limit, samples)
        return self._known[key]


def measure_hidden(
    solution: Solution,
    bot_spec: str,
    budgets: Sequence[int | None],
    seed: int = 0,
    samples: int = BOT_SAMPLES,
    on_budget: Callable[[], None] = lambda: None,
) -> Iterator[HiddenRegret]:
    """Measure a bot in a game with hidden information, over all information states.

    Args:
        solution: exact solution of the game.
        bot_spec, budgets, seed: as for `measure`.
        samples: number of searches, or of calls of a bot that does not know its own strategy, in each information
            state.
        on_budget: called after each budget.

    Returns:
        The results at each budget, in this order.

    Raises:
        PlayoutError: the bot cannot play this game.
    """
    load_bot(bot_spec).check_game(solution.game)
    for budget in budgets:
        bot = _AskedOnce(load_bot(bot_spec))  # a new one, since `cfr` keeps what it has found
        limit = NO_LIMIT if budget is None else Limit(simulations=budget)
        loss = solution.mean_loss(bot, samples=samples, seed=seed, limit=limit)
        taken = solution.best_responses(bot, samples=samples, seed=seed, limit=limit)
        bias = None if taken.bias is None else _points(taken.bias)
        yield HiddenRegret(budget, _points(loss), _points(taken.nash_conv), bias)
        on_budget()


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
    known: dict[tuple[Hashable, int], dict[Action, float]] = {}

    def strategy(state: State, player: int) -> dict[Action, float]:
        key = state.key(), player
        if key not in known:
            bot.new_game(state.game, player, seed_for(seed, state.key()[0] & 0xFFFF_FFFF, player))
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
    """Return an amount without rounding errors, which can make it negative."""
    return max(0.0, round(amount, _DIGITS))


def _choosers(state: State) -> list[int]:
    """Return the players who have more than one legal action."""
    return [player for player in state.acting_players() if len(state.legal_actions(player)) > 1]


def _decisions_of_a_game(game: Game, rng: random.Random) -> Iterator[State]:
    state = game.new_initial_state()
    while not state.is_terminal():
        if _choosers(state):
            yield state.clone()
        if state.is_chance():
            outcomes, weights = zip(*state.chance_weights(), strict=True)
            state.apply_action(rng.choices(outcomes, weights)[0])
            continue
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in range(game.num_players)])


def _followers(state: State) -> Iterator[State]:
    if state.is_terminal():
        return
    if state.is_chance():
        yield from (state.child(outcome) for outcome, _ in state.chance_weights())
        return
    for joint in product(*map(state.legal_actions, range(state.game.num_players))):
        after = state.clone()
        after.apply_actions(joint)
        yield after
