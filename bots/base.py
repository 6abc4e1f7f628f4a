"""`Bot`, the base class of all bots: it chooses an action from a view, within a limit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, Self

from cext.arguments import seed_bits
from cext.spec import format_spec
from mcts import Action, Game, Limit, UnsupportedGameError, ValueNet, View
from mcts.parameters import Parameter, read_parameters

NO_LIMIT = Limit()


class Bot:
    """Base class of all bots. A bot receives a view and a limit, never the state.

    A subclass sets `NAME`, `SUMMARY` and `PARAMETERS` and overrides `choose`. A bot that is loaded by the path of its
    class leaves `NAME` empty; the path is then its name.

    Within a game, decisions may depend only on the parameters, the seed, and the views and limits received since
    `new_game`. The arena uses one bot for many games, in any order.

    Args:
        given: parameters by name, as values or text. Missing parameters have their defaults.

    Raises:
        ParameterError: a parameter is unknown or out of range.
    """

    NAME: ClassVar[str] = ""
    SUMMARY: ClassVar[str] = ""
    PARAMETERS: ClassVar[dict[str, Parameter]] = {}
    EXPERT: ClassVar[Collection[str]] = ()
    """The parameters that lists leave out unless asked for all."""
    FIRST_PARAMETER: ClassVar[str | None] = None
    """Name of the parameter that a spec may give first without its key, as in `level(4)`; None if all need keys."""

    search_info: Any = None
    """Result of the search behind the last decision, such as a SearchResult; None without one."""

    on_progress: Callable[[Any], object] | None = None
    """Function that `choose` calls from time to time with the result so far, in the form of `search_info`. A caller may
    set it; a bot may ignore it."""

    _first_limit: Limit = NO_LIMIT
    """Limit of the first decision of the next game."""

    def __init__(self, **given: Any) -> None:
        self.parameters = read_parameters(f"bot {self.name}", self.PARAMETERS, given)
        self.random = random.Random(0)

    @property
    def name(self) -> str:
        """Name of this kind of bot for `load_bot`: `NAME`, or the path of the class."""
        return self.NAME or f"{type(self).__module__}.{type(self).__qualname__}"

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """Return a new bot of this kind with other parameters.

        Args:
            changes: values or their text by name; None removes the value of an optional parameter.

        Raises:
            ParameterError: a parameter is unknown or out of range.
        """
        return type(self)(**{**self.parameters, **changes})

    @property
    def spec(self) -> str:
        """Canonical text of this bot: its name, and the parameters that differ from their defaults."""
        changed = {name: value for name, value in self.parameters.items() if value != self.PARAMETERS[name].default}
        if self.FIRST_PARAMETER in changed:
            changed[""] = changed.pop(self.FIRST_PARAMETER)
        return format_spec(self.name, changed)

    def why_unsupported(self, game: Game) -> str | None:
        """Return the reason why this bot cannot play a game, or None if it can.

        The reason completes the message "bot X cannot play Y: ..." and names a bot to use instead.
        """
        return None

    def supports(self, game: Game) -> bool:
        """Return True if this bot can play the game."""
        return self.why_unsupported(game) is None

    def check_game(self, game: Game) -> None:
        """Raise UnsupportedGameError, with the reason, if this bot cannot play the game."""
        reason = self.why_unsupported(game)
        if reason is not None:
            raise UnsupportedGameError(f"bot {self.spec} cannot play {game.spec}: {reason}")

    def value_net(self, game: Game) -> ValueNet | None:
        """Return the net by which the bot values positions of a game, or None. Optional.

        Other threads may call it while the bot decides.
        """
        return None

    def set_limit(self, limit: Limit) -> None:
        """Receive the limit of the first decision before `new_game`. Optional.

        Override it to size resources, such as a subprocess, before the game starts.
        """
        self._first_limit = limit

    def new_game(self, game: Game, player: int, seed: int) -> None:
        """Forget the last game and prepare for the next one. Optional: without it, `choose` works with seed 0.

        Args:
            game: the game.
            player: index of the player that this bot will be.
            seed: root of all random numbers of the bot in this game; any integer, taken modulo 2**64.
        """
        self.random.seed(seed_bits(seed))

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        """Return a legal action of the viewing player, who has to decide.

        Args:
            view: everything that the player may see.
            limit: limit of this decision; the bot's own parameters may be tighter.

        Returns:
            An action from `view.legal_actions()`; in a game that cannot list its actions, any legal one.
        """
        raise NotImplementedError(f"{type(self).__name__} must define choose")

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        """Return the distribution from which `choose` draws, for measurements.

        This implementation calls `choose` many times and counts. A bot that knows its distribution overrides it; a bot
        that searches at each decision returns `mean_strategy`.

        Args:
            view: as for `choose`.
            limit: as for `choose`.
            samples: number of calls of `choose`, or of searches, at least 1.

        Returns:
            Action -> probability; the probabilities sum to 1.
        """
        counts = Counter(self.choose(view, limit) for _ in range(samples))
        return {action: count / samples for action, count in sorted(counts.items())}

    def expected_return(self, player: int) -> float | None:
        """Return the return that the bot expects after its last decision, or None if unknown. Optional.

        The arena uses it for resignations and draws by agreement. This implementation returns
        `search_info.values[player]`, which search results have.

        Args:
            player: index of the player that this bot is.

        Returns:
            A number on the scale of the game's returns.
        """
        values = getattr(self.search_info, "values", None)
        value: float | None = None if values is None else values[player]
        return value

    def inform(self, step: str) -> None:
        """Receive a step of the game, in games without hidden information. Optional.

        The steps since `new_game` lead from the initial state to the next view. They include the steps of an opening. A
        caller other than the arena may omit the calls, so a bot must work without them.

        Args:
            step: the text of the action if one player decided. If several decided: the texts of the actions of all
                players, joined by `|`, with `noop` for a player who did not decide.
        """

    def stop(self) -> None:
        """End a running `choose` of another thread soon, with its result so far. Optional.

        It may be called when no `choose` is running, and repeatedly.
        """

    def close(self) -> None:
        """Release resources, such as processes. Optional; called when the bot is no longer needed.

        It may be called more than once and must not raise.
        """

    def __repr__(self) -> str:
        return f"load_bot({self.spec!r})"


def mean_strategy(bot: Bot, view: View, ask: Callable[[], Mapping[Any, float]], samples: int) -> dict[Action, float]:
    """Return the mean of a bot's answers where something is hidden, each in a new game with a seed of its own.

    The opponents cannot tell which seed a bot has, so that is what they play against. Where nothing is hidden, one
    answer in the running game is returned.

    Args:
        bot: the bot; the games begin with the viewing player's decision.
        view: of the decision.
        ask: returns action -> probability of one search with the bot's next seed.
        samples: number of answers.
    """
    if not view.game.has_hidden_information:
        return dict(ask())
    total: dict[Action, float] = {}
    for seed in [bot.random.getrandbits(64) for _ in range(samples)]:
        bot.new_game(view.game, view.player, seed)
        for action, probability in ask().items():
            total[action] = total.get(action, 0.0) + probability / samples
    return total
