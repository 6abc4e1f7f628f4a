"""A search that sometimes plays a plausible but worse action, as people do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cext.exact.forced_ends import forced_ends
from mcts import Action, Game, Limit, PythonGame, Result, ValueNet, View
from mcts.options import NO_NET

from ..base import NO_LIMIT, Bot, mean_strategy
from ..search_bot import SearchBot
from .common.levels import SETTING, Setting, search_for
from .double_oracle import DoubleOracleBot
from .ismcts import IsmctsBot
from .mcts import MctsBot
from .oos import OosBot

WON = 0.9
"""Value, from 0 to 1, from which a position counts as won."""
STILL_GOOD = 0.75
"""Least value of an action that an error may choose in a won position."""
PRIOR_VISITS = 3.0
"""Number of lost simulations that are added to each action, if visits are counted: without visits, an action is not
plausible."""
SEEN_STATES = 8_000
"""States that a look ahead may make: up to 15 ms in rulesheets, 1 ms in native games."""
PYTHON_COST = 20
"""Ratio by which games in Python make fewer of them."""
SEEN_SAMPLES = 10
"""States that stand for what is hidden."""
OPENING_SIMULATIONS = 300_000
"""Simulations from which `double_oracle` draws its first bid from the opening that comes with the package."""


class FallibleBot(Bot):
    """A search that errs.

    Before it searches, a decision looks some plies ahead for forced wins and losses: one ply with probability `sight`,
    each further one with the same probability again, and at most `horizon`. It plays a win that it sees, and no action
    that loses by what it sees. As with chess engines of limited depth, an error is the likelier the later it shows.

    With probability `error_rate`, a decision is drawn from the actions that were searched. The probability of an action
    falls with its value: it is proportional to exp(-loss / temperature), where the loss is the difference to the best
    value, on a scale from 0 (the least return of the game) to 1 (the greatest). McKelvey and Palfrey (1995) describe
    people's decisions by this rule (quantal response). In a won position an error keeps most of the value. Without
    `proofs`, `mcts` searches without its solver and without a net, so that few simulations overlook a win as beginners
    do. With `double_oracle`, the actions are all bids of the matrix; openings that come with the package are not used,
    because their bids have no values.
    """

    NAME = "fallible"
    SUMMARY = "a search that errs: sometimes it plays a plausible action that is not the best"
    PARAMETERS = SETTING

    _inner: SearchBot | None = None
    _inner_game: Game | None = None

    def setting(self, game: Game) -> Setting:
        """Return the setting for a game."""
        return Setting(**self.parameters)

    def why_unsupported(self, game: Game) -> str | None:
        return self._new_inner(game).why_unsupported(game)

    def value_net(self, game: Game) -> ValueNet | None:
        return self._new_inner(game).value_net(game)

    def new_game(self, game: Game, player: int, seed: int) -> None:
        super().new_game(game, player, seed)
        inner = self._inner_of(game)
        inner.set_limit(self._first_limit)
        inner.new_game(game, player, self.random.getrandbits(64))

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        ahead = self.setting(view.game).plies_ahead()
        plies = self.random.choices(range(len(ahead)), ahead)[0]
        allowed = actions_seen(view, plies, self.random)[plies]
        self.search_info = None
        chances = {allowed[0]: 1.0} if len(allowed) == 1 else self._chances(view, self._search(view, limit), allowed)
        return self.random.choices(list(chances), list(chances.values()))[0]

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        return mean_strategy(self, view, lambda: self._strategy(view, limit), samples)

    def _strategy(self, view: View, limit: Limit) -> dict[Action, float]:
        ahead = self.setting(view.game).plies_ahead()
        seen = actions_seen(view, len(ahead) - 1, self.random)
        result = self._search(view, limit)
        found: dict[Action, float] = dict.fromkeys(result.policy if result else view.legal_actions(), 0.0)
        for probability, allowed in zip(ahead, seen, strict=True):
            for action, chance in self._chances(view, result, allowed).items():
                found[action] = found.get(action, 0.0) + probability * chance
        return found

    def _chances(self, view: View, result: Result | None, allowed: Sequence[Action]) -> dict[Action, float]:
        """Return action -> probability after a search; None: there was one action.

        Args:
            view: of the decision.
            result: the result of the search.
            allowed: the actions that may be chosen; empty: all.
        """
        if result is None:
            return {view.legal_actions()[0]: 1.0}
        setting = self.setting(view.game)
        if setting.error_rate >= 1.0:
            return plausible_actions(view, result, setting.temperature, allowed)
        kept = {action: chance for action, chance in result.strategy.items() if not allowed or action in allowed}
        total = math.fsum(kept.values())
        if total <= 0.0:
            visits, values = result.visits, result.action_values
            best = max(allowed, key=lambda action: (visits.get(action, 0), values.get(action) or -math.inf))
            kept, total = {best: 1.0}, 1.0
        found = {action: (1.0 - setting.error_rate) * chance / total for action, chance in kept.items()}
        if setting.error_rate > 0.0:
            for action, chance in plausible_actions(view, result, setting.temperature, allowed).items():
                found[action] = found.get(action, 0.0) + setting.error_rate * chance
        return found

    def stop(self) -> None:
        if self._inner is not None:
            self._inner.stop()

    def close(self) -> None:
        if self._inner is not None:
            self._inner.close()

    def _search(self, view: View, limit: Limit) -> Result | None:
        inner = self._inner_of(view.game)
        inner.on_progress = self.on_progress
        result = self.search_info = inner.search(view, limit)
        return result

    def _inner_of(self, game: Game) -> SearchBot:
        if self._inner is None or self._inner_game != game:
            self.close()
            self._inner, self._inner_game = self._new_inner(game), game
        return self._inner

    def _new_inner(self, game: Game) -> SearchBot:
        setting = self.setting(game)
        given: dict[str, Any] = {"simulations": setting.simulations, "seconds": setting.seconds}
        name = setting.search or search_for(game)
        if name == "double_oracle":
            given["naive"] = 0.0  # an equilibrium: steps between levels do not rest on the bids of a low level
            given["opening"] = setting.simulations >= OPENING_SIMULATIONS and not setting.error_rate
            return DoubleOracleBot(**given)
        if name in ("ismcts", "oos"):
            return (IsmctsBot if name == "ismcts" else OosBot)(**given)
        if not setting.proofs:
            given |= {"solver": False, "net": NO_NET}
        return MctsBot(**given)


def actions_seen(view: View, plies: int, random: Random) -> list[Sequence[Action]]:
    """Return the actions that are left to choose from after looking 0, 1, ... plies ahead.

    These are the quickest wins that are forced. Without one, they are the actions that do not lose by force. If all
    lose, they are the ones that lose latest. An empty list stands for all actions. Where something is hidden, an end
    counts if it is forced in each of SEEN_SAMPLES states that look the same.

    Args:
        view: of the decision.
        plies: plies to look ahead at most.
        random: draws the states.
    """
    game = view.game
    if plies == 0 or not game.is_enumerable:
        return [[] for _ in range(plies + 1)]
    if game.has_hidden_information:
        states = [view.resample(random.getrandbits(64)) for _ in range(SEEN_SAMPLES)]
    else:
        states = [view.state()]
    most = SEEN_STATES // (PYTHON_COST if isinstance(game, PythonGame) else 1)
    ends = [forced_ends(state, plies, most // len(states), view.player) for state in states]
    legal = view.legal_actions()
    wins = {action: max(found.get(action, 0) for found in ends) for action in legal if _all(ends, action, 1)}
    losses = {action: min(found.get(action, 0) for found in ends) for action in legal if _all(ends, action, -1)}
    return [_allowed(legal, wins, losses, ahead) for ahead in range(plies + 1)]


def _all(ends: Sequence[Mapping[int, int]], action: int, sign: int) -> bool:
    return all(found.get(action, 0) * sign > 0 for found in ends)


def _allowed(legal: Sequence[int], wins: Mapping[int, int], losses: Mapping[int, int], plies: int) -> Sequence[Action]:
    """Return what `actions_seen` has for a number of plies."""
    soon = min(wins.values(), default=plies + 1)
    if soon <= plies:
        return [action for action, end in wins.items() if end == soon]
    late = {action: -end for action, end in losses.items() if -end <= plies}
    if not late:
        return []
    left = [action for action in legal if action not in late]
    return left or [action for action, end in late.items() if end == max(late.values())]


def plausible_actions(
    view: View, result: Result, temperature: float, allowed: Sequence[Action] = ()
) -> dict[Action, float]:
    """Return action -> probability that an error chooses it. Where the search has measured nothing, it is not an error.

    Args:
        view: the view that was searched.
        result: the result of the search.
        temperature: scale of the loss, above 0.
        allowed: the actions that may be chosen; empty: all.
    """
    game = view.game
    span = (game.max_utility - game.min_utility) or 1.0
    visits = result.visits
    prior = PRIOR_VISITS if any(visits.values()) else 0.0
    values = {}
    for action, mean in result.action_values.items():
        if mean is not None and (not allowed or action in allowed):
            count = visits.get(action, 0) + 1
            values[action] = (mean - game.min_utility) / span * count / (count + prior)
    if not values:
        return {action: 1.0 / len(allowed) for action in allowed} or {result.action: 1.0}
    best = max(values.values())
    if best >= WON:
        values = {action: value for action, value in values.items() if value >= STILL_GOOD}
    weights = {action: math.exp((value - best) / temperature) for action, value in values.items()}
    total = math.fsum(weights.values())
    return {action: weight / total for action, weight in weights.items()}


BOT = FallibleBot
