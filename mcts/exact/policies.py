"""Policies that are measured against a solution: functions and bots, asked for distributions over actions."""

from __future__ import annotations

import hashlib
import inspect
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cext.arguments import shown, whole_number, whole_number_in
from cext.game.actions import Action
from cext.game.game import State, View

from ..errors import IllegalActionError, LimitError, PolicyError
from ..limits import Limit

Policy = Callable[[State, int], Mapping[Any, float]]
"""Called with a state and a player who decides there; returns action -> probability."""

BOT_SAMPLES = 16
"""Default number of times that a bot is asked at each decision."""
_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Sampling:
    """The number of times that a policy is asked at each decision, and the seed and the limit of a bot's answers.

    `Solution.best_responses` describes the attributes.

    Raises:
        LimitError: `samples` is out of range.
        TypeError: `seed` is not a whole number.
    """

    samples: int = BOT_SAMPLES
    seed: int = 0
    limit: Limit | None = None
    first: int = 0
    """Number of the first sample."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", whole_number_in("samples", self.samples, 1, 1_000_000, LimitError))
        object.__setattr__(self, "seed", whole_number("seed", self.seed))

    def halves(self) -> list[Sampling]:
        """Return two parts of the samples, or one if there is only one sample."""
        if self.samples == 1:
            return [self]
        half = (self.samples + 1) // 2
        return [replace(self, samples=half), replace(self, samples=self.samples - half, first=half)]


class BotPolicy:
    """The policy of a bot: at every decision the bot is asked several times, and its answers are counted.

    Each sample is a new game for the bot. Its seed is a hash of the root seed, the view and the number of the sample.
    So a bot that draws from a mixed strategy shows it, up to the noise of few samples, and a bot always acts the same
    at the same decision. A bot that relies on its memory of earlier actions is not measured correctly.

    If the bot has a method `strategy(view, limit, samples)`, which returns its mixed strategy or the mean of `samples`
    answers, that is called instead, with the seed of the first sample.

    Args:
        bot: an object with `choose(view, limit)`, and optionally `new_game(game, player, seed)`, which is called before
            each sample.
        sampling: the samples per decision, root of the bot's seeds, and limit of one answer.
    """

    def __init__(self, bot: Any, sampling: Sampling) -> None:
        self.bot = bot
        self.samples = range(sampling.first, sampling.first + sampling.samples)
        self.seed = sampling.seed
        self.limit = sampling.limit or Limit()

    def __call__(self, state: State, player: int) -> dict[Action, float]:
        view = state.view(player)
        if len(view.legal_actions()) == 1:
            return {view.legal_actions()[0]: 1.0}
        if hasattr(self.bot, "strategy"):
            self._new_game(view, self.samples[0])
            return dict(self.bot.strategy(view, self.limit, len(self.samples)))
        answers: Counter[int] = Counter()
        for sample in self.samples:
            self._new_game(view, sample)
            action = self.bot.choose(view, self.limit)
            if not view.is_legal(action):
                raise PolicyError(f"{self.bot!r} answers {shown(action)} at {view!r}; valid: {view.legal_actions()}")
            answers[action] += 1
        return {action: count / len(self.samples) for action, count in sorted(answers.items())}

    def _new_game(self, view: View, sample: int) -> None:
        if hasattr(self.bot, "new_game"):
            seen = f"{sample} {self.seed} {view.information_state_string()}"
            digest = hashlib.blake2b(seen.encode(), digest_size=8).digest()
            self.bot.new_game(view.game, view.player, int.from_bytes(digest, "little"))


def check_policy(policy: Any) -> None:
    """Raise TypeError unless an object is a function or has a method `choose`."""
    if not callable(policy) and not hasattr(policy, "choose"):
        raise TypeError(
            f"{shown(policy)} is not a policy; "
            "valid: a function of a view, a function of a position and a player, or a bot"
        )


def as_policy(policy: Any, sampling: Sampling) -> Policy:
    """Return a policy as a function of a state and a player.

    Args:
        policy: a function or a bot, see `Solution`.
        sampling: describes how a bot is asked.

    Raises:
        TypeError: see `check_policy`.
    """
    check_policy(policy)
    if hasattr(policy, "choose"):
        return BotPolicy(policy, sampling)
    if takes_view(policy):
        return lambda state, player: policy(state.view(player))
    return policy  # type: ignore[no-any-return]


def takes_view(policy: Callable[..., Any]) -> bool:
    """Return True if a function needs one argument, a view; False if it needs a position and a player."""
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(each.kind in positional and each.default is each.empty for each in parameters) == 1


def check_distribution(probabilities: Any, view: View) -> dict[Any, float]:
    """Return the answer of a policy without probabilities of 0, scaled to a sum of 1.

    Raises:
        PolicyError: the answer is not a distribution over legal actions.
    """
    name = view.game.players[view.player]
    if not isinstance(probabilities, Mapping):
        raise PolicyError(f"a policy returns a mapping of actions to probabilities, not {shown(probabilities)}")
    for action, probability in probabilities.items():
        if not view.is_legal(action):
            raise PolicyError(
                f"the policy of {name} at {view!r} has the action {shown(action)}, which is not legal; "
                f"valid: {view.legal_actions()}"
            )
        if not 0 <= probability <= 1 + _SUM_TOLERANCE:
            raise PolicyError(f"the policy of {name} gives {shown(action)} the probability {probability!r}")
    total = math.fsum(probabilities.values())
    if abs(total - 1) > _SUM_TOLERANCE:
        raise PolicyError(f"the probabilities of the policy of {name} at {view!r} sum to {total}; valid: 1")
    return {action: probability / total for action, probability in probabilities.items() if probability > 0}


def ask(policy: Any, position: State | View, view: View, limit: Limit | None) -> dict[Any, float]:
    """Ask a function or a bot once.

    Args:
        policy: a function or a bot.
        position: passed to a function of a position and a player.
        view: what the player sees of it.
        limit: passed to a bot unless None.

    Raises:
        PolicyError: see `check_distribution`.
    """
    if hasattr(policy, "choose"):
        answer: Any = {policy.choose(view) if limit is None else policy.choose(view, limit): 1.0}
    else:
        answer = policy(view) if takes_view(policy) else policy(position, view.player)
    return check_distribution(answer, view)


def distribution_of(choice: Any, position: State | View, view: View) -> dict[Any, float]:
    """Return action -> probability for a choice: an action, a distribution, or a function.

    Raises:
        IllegalActionError: the action is not legal.
        PolicyError: see `check_distribution`.
    """
    if callable(choice):
        return ask(choice, position, view, None)
    if isinstance(choice, Mapping):
        return check_distribution(choice, view)
    if not view.is_legal(choice):
        raise IllegalActionError(f"{shown(choice)} is illegal at {view!r}; valid: {view.legal_actions()}")
    return {choice: 1.0}
