"""What a bot is: something that chooses an action from a view, within a limit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol, Self

from mcts import Action, Game, Limit, UnsupportedGameError, View, format_spec
from mcts.arguments import seed_bits
from mcts.parameters import Parameter, read_parameters

NO_LIMIT = Limit()


class Player(Protocol):
    """The least that can sit at a table. `Bot` is the class that the registry, the arena and the commands work with."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        """A legal action of the viewing player."""
        ...


class Bot:
    """Base of all bots. A bot is given a view and a limit, never the state.

    A subclass states `NAME`, `SUMMARY` and `PARAMETERS` and overrides `choose`. A bot that is loaded by the path of its
    class leaves `NAME` empty: its path is then its name.

    Between `new_game` and the end of that game, what a bot does may depend only on its parameters, the seed, and the
    views and limits it has been given: the arena keeps a bot from game to game and plays the games in any order.

    Args:
        given: parameters by name, as values or their text; those left out have their default.

    Raises:
        ParameterError: a parameter is unknown or out of range.
    """

    NAME: ClassVar[str] = ""
    SUMMARY: ClassVar[str] = ""
    PARAMETERS: ClassVar[dict[str, Parameter]] = {}

    search_info: Any = None
    """What the last decision rests on, where the bot searches: a SearchResult or what else its searcher returns."""

    on_progress: Callable[[Any], object] | None = None
    """Set by a caller that wants to watch: `choose` calls it now and then with what its search has found so far, as in
    `search_info`. A bot need not."""

    def __init__(self, **given: Any) -> None:
        self.parameters = read_parameters(f"bot {self.name}", self.PARAMETERS, given)
        self.random = random.Random(0)

    @property
    def name(self) -> str:
        """What `load_bot` knows this kind of bot by."""
        return self.NAME or f"{type(self).__module__}.{type(self).__qualname__}"

    def changed(self, changes: Mapping[str, Any]) -> Self:
        """Return a new bot of this kind whose parameters differ from this one's.

        Args:
            changes: values or their texts by name; None is the default of one that need not be set.

        Raises:
            ParameterError: a parameter is unknown or out of range.
        """
        return type(self)(**{**self.parameters, **changes})

    @property
    def spec(self) -> str:
        """The canonical text of this bot: its name and the parameters that differ from their defaults."""
        changed = {name: value for name, value in self.parameters.items() if value != self.PARAMETERS[name].default}
        return format_spec(self.name, changed)

    def why_unsupported(self, game: Game) -> str | None:
        """What keeps this bot from playing a game, as half a sentence that names what to use instead; else None."""
        return None

    def supports(self, game: Game) -> bool:
        """True when this bot can play the game."""
        return self.why_unsupported(game) is None

    def check_game(self, game: Game) -> None:
        """Raise UnsupportedGameError, with the reason, for a game that this bot cannot play."""
        reason = self.why_unsupported(game)
        if reason is not None:
            raise UnsupportedGameError(f"bot {self.spec} cannot play {game.spec}: {reason}")

    def set_limit(self, limit: Limit) -> None:
        """Called before `new_game` with what the first decision of the game will be allowed. Optional.

        It is for a bot that has to know beforehand, as one that starts a program which may take so much memory.
        """

    def new_game(self, game: Game, player: int, seed: int) -> None:
        """Forget the last game and prepare for the next one. Optional: `choose` works without it, with seed 0.

        Args:
            game: the game to be played.
            player: the player that this bot will be.
            seed: root of all that the bot draws in this game; any whole number, taken modulo 2**64.
        """
        self.random.seed(seed_bits(seed))

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        """A legal action of the viewing player, which has something to decide.

        Args:
            view: all that the player may see.
            limit: what the decision may cost at most; a bot's own parameters may set less.

        Returns:
            An action as `view.legal_actions()` has them.
        """
        raise NotImplementedError

    def strategy(self, view: View, limit: Limit = NO_LIMIT, samples: int = 100) -> dict[Action, float]:
        """The distribution over actions that `choose` draws from, for whoever measures a bot.

        This one asks `choose` many times and counts; a bot that knows its distribution answers with that. A search
        answers with what one run of it, with the next seed, would have drawn from.

        Args:
            view: as for `choose`.
            limit: as for `choose`.
            samples: how often to ask where there is no better way, 1 and up.

        Returns:
            Action -> probability; the probabilities sum to 1.
        """
        counts = Counter(self.choose(view, limit) for _ in range(samples))
        return {action: count / samples for action, count in sorted(counts.items())}

    def expected_return(self, player: int) -> float | None:
        """Return what the bot expects to get, by its last decision; None where it does not say. Optional.

        The arena reads it after a decision, where bots may resign or agree to a draw. This one answers with
        `search_info.values[player]`, which a search result has.

        Args:
            player: the player that this bot is.

        Returns:
            A number on the scale of the game's returns.
        """
        values = getattr(self.search_info, "values", None)
        value: float | None = None if values is None else values[player]
        return value

    def inform(self, step: str) -> None:
        """Called after each step of the game with what everybody saw of it, where nothing is hidden. Optional.

        The steps since `new_game` lead from the first state of the game to what the next view shows; an opening that
        was not chosen by anybody is told step by step as well. Whoever does not run games for the arena may leave it
        out: a bot must be able to do without.

        Args:
            step: the action text of the one player who decided, or where several did, the actions of all players joined
                by `|`, with `noop` for one who did not.
        """

    def stop(self) -> None:
        """End a `choose` that is under way in another thread soon, with what it has found so far. Optional.

        It may be called when nothing is under way, and again while it has not helped.
        """

    def close(self) -> None:
        """Let go of what the bot holds, such as processes. Optional; called when it is not needed any more.

        It may be called more than once, and must not raise.
        """

    def __repr__(self) -> str:
        return f"load_bot({self.spec!r})"


def tighter_limit(limit: Limit, parameters: dict[str, Any]) -> Limit:
    """The lesser of a limit and a bot's own parameters of the same names (`simulations`, `seconds`, `memory_mb`)."""

    def least(name: str) -> Any:
        found = [value for value in (getattr(limit, name), parameters.get(name)) if value is not None]
        return min(found) if found else None

    return Limit(simulations=least("simulations"), seconds=least("seconds"), memory_mb=least("memory_mb"))
