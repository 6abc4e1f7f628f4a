"""Policies that are measured: functions and bots, asked for distributions over actions."""

from __future__ import annotations

import hashlib
import inspect
import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from cext.game import State, View

from ..errors import PolicyError
from ..limits import Limit, check_whole

Policy = Callable[[State, int], Mapping[int, float]]
"""Called with a state and a player who decides there; returns action -> probability."""

_SUM_TOLERANCE = 1e-6


class BotPolicy:
    """The policy of a bot: asked afresh, several times, at every decision; the shares of its answers are probabilities.

    Every sample is a new game to the bot, with a seed that follows from `seed`, what the player sees and the number of
    the sample. So a bot that draws from a mixture shows it, up to the noise of so few draws, and a bot always does the
    same at the same decision; but one that plays by what it remembers of the game's earlier moves is not judged fairly.

    A bot that can say what it draws from, by a method `strategy(view, limit, samples)`, is asked for that instead, and
    once: it says so without noise, or takes the samples itself.

    Args:
        bot: anything with `choose(view, limit)`; its `new_game(game, player, seed)`, if it has one, is called before.
        samples: how often it is asked at each decision, 1 to 1,000,000.
        seed: root of all its seeds.
        limit: what one answer may cost.

    Raises:
        LimitError: samples out of range.
    """

    def __init__(self, bot: Any, samples: int, seed: int, limit: Limit) -> None:
        check_whole("samples", samples, 1, 1_000_000)
        self.bot = bot
        self.samples = samples
        self.seed = seed
        self.limit = limit

    def __call__(self, state: State, player: int) -> dict[int, float]:
        view = state.view(player)
        if len(view.legal_actions()) == 1:
            return {view.legal_actions()[0]: 1.0}
        if hasattr(self.bot, "strategy"):
            self._new_game(view, 0)
            return dict(self.bot.strategy(view, self.limit, self.samples))
        answers: Counter[int] = Counter()
        for sample in range(self.samples):
            self._new_game(view, sample)
            action = self.bot.choose(view, self.limit)
            if not view.is_legal(action):
                raise PolicyError(f"{self.bot!r} answers {action!r} at {view!r}; valid: {view.legal_actions()}")
            answers[action] += 1
        return {action: count / self.samples for action, count in sorted(answers.items())}

    def _new_game(self, view: View, sample: int) -> None:
        if hasattr(self.bot, "new_game"):
            seen = f"{sample} {self.seed} {view.information_state_string()}"
            digest = hashlib.blake2b(seen.encode(), digest_size=8).digest()
            self.bot.new_game(view.game, view.player, int.from_bytes(digest, "little"))


def as_policy(policy: Any, samples: int, seed: int, limit: Limit) -> Policy:
    """A policy, or the one of a bot.

    Raises:
        TypeError: neither.
    """
    if hasattr(policy, "choose"):
        return BotPolicy(policy, samples, seed, limit)
    if not callable(policy):
        raise TypeError(f"{policy!r} is no way to play; valid: a function of state and player or of a view, or a bot")
    if takes_view(policy):
        return lambda state, player: policy(state.view(player))
    return policy  # type: ignore[no-any-return]


def takes_view(policy: Callable[..., Any]) -> bool:
    """True where a function needs one argument, a view, and not a position and a player."""
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in positional and each.default is each.empty for each in parameters) == 1


def checked(probabilities: Any, state: State, player: int) -> dict[int, float]:
    """What a policy says, without actions of probability 0, scaled to a sum of 1.

    Raises:
        PolicyError: it is no distribution over legal actions.
    """
    if not isinstance(probabilities, Mapping):
        raise PolicyError(f"a policy returns a mapping of actions to probabilities, not {probabilities!r}")
    for action, probability in probabilities.items():
        if not state.is_legal(player, action):
            raise PolicyError(
                f"the policy of {state.game.players[player]} at {state!r} names {action!r}; "
                f"valid: {state.legal_actions(player)}"
            )
        if not 0 <= probability <= 1 + _SUM_TOLERANCE:
            raise PolicyError(f"the policy of {state.game.players[player]} gives {action} probability {probability!r}")
    total = math.fsum(probabilities.values())
    if abs(total - 1) > _SUM_TOLERANCE:
        raise PolicyError(f"the policy of {state.game.players[player]} at {state!r} adds up to {total}, not 1")
    return {action: probability / total for action, probability in probabilities.items() if probability > 0}
