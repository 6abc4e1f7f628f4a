"""A search that sometimes plays a plausible but worse action, as people do."""

from __future__ import annotations

import math
from typing import Any

from mcts import Action, Game, Limit, Result, ValueNet, View
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
OPENING_SIMULATIONS = 300_000
"""Simulations from which `double_oracle` draws its first bid from the opening that comes with the package."""


class FallibleBot(Bot):
    """A search that errs.

    With probability `error_rate`, a decision is drawn from the actions that were searched. The probability of an action
    falls with its value: it is proportional to exp(-loss / temperature), where the loss is the difference to the best
    value, on a scale from 0 (the least return of the game) to 1 (the greatest). McKelvey and Palfrey (1995) describe
    people's decisions by this rule (quantal response). In a won position an error keeps most of the value. Without
    `proofs`, `mcts` searches without its solver and without a net, so that few simulations overlook a win as beginners
    do. With
    `double_oracle`, the actions are all bids of the matrix; openings that come with the package are not used, because
    their bids have no values.
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

    def set_limit(self, limit: Limit) -> None:
        self._first_limit = limit

    _first_limit: Limit = NO_LIMIT

    def new_game(self, game: Game, player: int, seed: int) -> None:
        super().new_game(game, player, seed)
        inner = self._inner_of(game)
        inner.set_limit(self._first_limit)
        inner.new_game(game, player, self.random.getrandbits(64))

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        result = self._search(view, limit)
        if result is None:
            return view.legal_actions()[0]
        setting = self.setting(view.game)
        if self.random.random() >= setting.error_rate:
            return result.action
        errors = plausible_actions(view, result, setting.temperature)
        return self.random.choices(list(errors), list(errors.values()))[0]

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        return mean_strategy(self, view, lambda: self._strategy_of_search(view, limit), samples)

    def _strategy_of_search(self, view: View, limit: Limit) -> dict[Action, float]:
        result = self._search(view, limit)
        if result is None:
            return {view.legal_actions()[0]: 1.0}
        setting = self.setting(view.game)
        found = dict.fromkeys(result.policy, 0.0)
        for action, chance in result.strategy.items():
            found[action] += (1.0 - setting.error_rate) * chance
        if setting.error_rate > 0.0:
            for action, chance in plausible_actions(view, result, setting.temperature).items():
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


def plausible_actions(view: View, result: Result, temperature: float) -> dict[Action, float]:
    """Return action -> probability that an error chooses it. Where the search has measured nothing, it is not an error.

    Args:
        view: the view that was searched.
        result: the result of the search.
        temperature: scale of the loss, above 0.
    """
    game = view.game
    span = (game.max_utility - game.min_utility) or 1.0
    visits = result.visits
    prior = PRIOR_VISITS if any(visits.values()) else 0.0
    values = {}
    for action, mean in result.action_values.items():
        if mean is not None:
            count = visits.get(action, 0) + 1
            values[action] = (mean - game.min_utility) / span * count / (count + prior)
    if not values:
        return {result.action: 1.0}
    best = max(values.values())
    if best >= WON:
        values = {action: value for action, value in values.items() if value >= STILL_GOOD}
    weights = {action: math.exp((value - best) / temperature) for action, value in values.items()}
    total = math.fsum(weights.values())
    return {action: weight / total for action, weight in weights.items()}


BOT = FallibleBot
