"""`Searcher`, the base class of all searchers, `ViewSearcher`, that of searchers by a view, and results."""

from __future__ import annotations

import inspect
import random
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar

from cext.arguments import require, seed_bits, shown
from cext.game.actions import Action
from cext.game.game import NOOP, Game, State, View
from cext.parameters import Parameter, read_parameters

from ..errors import StateError, UnsupportedGameError
from ..limits import Limit, search_limit
from ..primitives.progress import ProgressClock
from ..seeds import seed_for

TOO_MANY_ACTIONS = (
    "its actions are too many to list; use double_oracle for bidding_3d_ttt, or the bots random and greedy"
)
"""Why a search over listed actions does not support a game."""
_CHUNK = 256
"""Simulations between two looks at the time."""


class Result(Protocol):
    """The attributes of the results of all searchers. Values are on the game's own scale."""

    @property
    def action(self) -> Action:
        """The action to play."""

    @property
    def policy(self) -> Mapping[Any, float]:
        """Action -> probability with which it should be played."""

    @property
    def strategy(self) -> Mapping[Any, float]:
        """Action -> probability that it becomes `action`."""

    @property
    def is_mixed(self) -> bool:
        """True if the result is a distribution, and `action` is drawn from it."""

    @property
    def visits(self) -> Mapping[Any, int]:
        """Action -> number of simulations that chose it."""

    @property
    def action_values(self) -> Mapping[Any, float | None]:
        """Action -> mean return of the player who decides; None where nothing was measured."""

    @property
    def values(self) -> tuple[float, ...]:
        """Mean return per player, [num_players]."""

    @property
    def proven(self) -> bool:
        """True if `values` are exact for every player, not estimated."""

    @property
    def simulations(self) -> int:
        """Simulations of this run."""

    @property
    def seconds(self) -> float:
        """Wall-clock time of this run."""

    @property
    def interrupted(self) -> bool:
        """True when `stop` or Ctrl-C ended the run early."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data that JSON can hold, actions by their text."""


class Searcher:
    """Base class of all searchers.

    A searcher is made for one game and searches any number of its positions. A subclass sets `NAME`, `SUMMARY` and
    `PARAMETERS`, takes its parameters as keywords, and overrides `run`, `stop` and, if it cannot search every game,
    `why_unsupported`. A searcher that is loaded by the path of its class leaves `NAME` empty: its name is the path.

    Args:
        game: the game to search.
        seed: root of the random streams, any whole number, taken modulo 2**64. The attribute `seed` can be set between
            two runs.
        parameters: values or their texts by name; those left out have their default.

    Raises:
        ParameterError: a parameter is unknown or out of range.
        TypeError: `game` is not a Game, or `seed` not a whole number.
        UnsupportedGameError: the searcher cannot search this game.
    """

    NAME: ClassVar[str] = ""
    SUMMARY: ClassVar[str] = ""
    PARAMETERS: ClassVar[dict[str, Parameter]] = {}
    EXPERT: ClassVar[Collection[str]] = ()
    """The parameters that lists leave out unless asked for all."""

    def __init__(self, game: Game, *, seed: int = 0, **parameters: Any) -> None:
        require(Game, game, "a game, as mcts.load_game returns it")
        reason = self.why_unsupported(game)
        if reason is not None:
            raise UnsupportedGameError(f"the searcher {self.name()} cannot play {game.spec}: {reason}")
        self.game = game
        self.parameters: dict[str, Any] = read_parameters(self.name(), self.PARAMETERS, parameters)
        self.seed = seed_bits(seed)

    @classmethod
    def name(cls) -> str:
        """Return the name of this kind of searcher, as `load_searcher` takes it."""
        return cls.NAME or f"{cls.__module__}.{cls.__qualname__}"

    @classmethod
    def why_unsupported(cls, game: Game) -> str | None:
        """Return why this searcher cannot search a game, as half a sentence with an alternative; None if it can."""
        return None

    def run(
        self,
        position: State | View,
        limit: Limit | int | None = None,
        seconds: float | None = None,
        *,
        simulations: int | None = None,
        player: int | None = None,
        on_progress: Callable[[Any], object] | None = None,
    ) -> Result:
        """Search a position.

        Args:
            position: a view of any position of this searcher's game, or a state where nothing is hidden.
            limit: a `Limit`, or a number of simulations.
            seconds: at most about so long, by the wall clock. Not together with a `Limit`.
            simulations: the most simulations; replaces `limit`.
            player: the player whose decision it is; by default the player of the view, or the first that decides.
            on_progress: called now and then with the result so far. It does not change the result.

        Returns:
            The result, see Result. With a limit on simulations alone and one thread, the same seed gives the
            same result.

        Raises:
            LimitError: no limit is given, one is given twice, or is out of range.
            StateError: the game is over, chance decides, the position is of another game, or is a state with hidden
                information.
            TypeError: `position` is neither a View nor a State.
            ValueError: `player` does not decide here.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """End a run in another thread soon. The run returns what it has found, with `interrupted` set."""

    def check_position(self, position: State | View) -> None:
        """Raise StateError for a position of another game or without a decision; TypeError for other objects."""
        if not isinstance(position, (State, View)):
            raise TypeError(f"{shown(position)} is not a position; valid: a view, state.view(player), or a state")
        if position.game != self.game:
            raise StateError(f"this searcher is for {self.game.spec}, the position is of {position.game.spec}")
        if position.is_terminal():
            raise StateError(f"the game {self.game.name} is over: there is nothing to search")
        if position.is_chance():
            raise StateError(
                f"chance decides in this position of {self.game.name}; valid: a position in which a player decides, "
                "as after state.apply_action(state.sample_outcome(seed))"
            )


Kind = TypeVar("Kind", bound=type[Searcher])


def with_signature(kind: Kind) -> Kind:
    """Give a constructor with `**parameters` a signature with the name and default of every parameter."""
    constructor: Any = kind.__init__
    *given, _ = inspect.signature(constructor).parameters.values()
    keyword = inspect.Parameter.KEYWORD_ONLY
    named = [inspect.Parameter(name, keyword, default=one.default) for name, one in kind.PARAMETERS.items()]
    constructor.__signature__ = inspect.Signature([*given, *named])
    return kind


def state_of(position: State | View) -> State:
    """Return the state that a position shows. Raises StateError for a view with hidden information."""
    if isinstance(position, State):
        return position
    if position.game.has_hidden_information:
        raise StateError(f"{position.game.spec} has hidden information; valid: a state, or a searcher of views")
    return position.state()


def view_of(position: State | View, player: int | None) -> View:
    """Return the view of the player who decides.

    Args:
        position: a view, or a state where nothing is hidden.
        player: None: the player of the view, or the first that decides.

    Raises:
        StateError: a state with hidden information.
        ValueError: `player` is not the player of the view.
    """
    if isinstance(position, View):
        if player is not None and player != position.player:
            raise ValueError(
                f"player {shown(player)} has another view; valid: {position.player}, the player of the view"
            )
        return position
    if position.game.has_hidden_information:
        raise StateError(f"{position.game.spec} has hidden information; valid: a view, state.view(player)")
    return position.view(position.acting_players()[0] if player is None else player)


@dataclass(frozen=True)
class SampledSearchResult:
    """The result of a search for one player, by a view. Values are on the game's own scale."""

    view: View = field(repr=False)
    """The view of the player."""
    action: Action
    """The action to play, drawn from `policy`; NOOP for a player who has nothing to decide."""
    policy: dict[Action, float] = field(repr=False)
    """Action -> probability with which it should be played: the average strategy."""
    visits: dict[Action, int] = field(repr=False)
    """Action -> simulations that chose it."""
    action_values: dict[Action, float | None] = field(repr=False)
    """Action -> mean return of the player, None where nothing was measured. It can have more actions than `policy`."""
    values: tuple[float, ...]
    """Value per player by the strategies that the search has found."""
    simulations: int
    """Simulations run."""
    seconds: float
    """Wall-clock time taken."""
    interrupted: bool = False
    """True when Ctrl-C ended the run early."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data that JSON can hold, actions by their text."""
        game = self.view.game
        return {
            "game": game.spec,
            "player": game.players[self.view.player],
            "action": self.view.action_to_string(self.action),
            "simulations": self.simulations,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "values": dict(zip(game.players, self.values, strict=True)),
            "arms": [
                {
                    "action": self.view.action_to_string(action),
                    "visits": self.visits[action],
                    "value": self.action_values[action],
                    "probability": probability,
                }
                for action, probability in self.policy.items()
            ],
        }

    @property
    def strategy(self) -> dict[Action, float]:
        """The policy: the action is drawn from it."""
        return self.policy

    @property
    def is_mixed(self) -> bool:
        """True if the policy has several actions."""
        return len(self.policy) > 1

    @property
    def proven(self) -> bool:
        """False: the values are means."""
        return False

    def to_svg(self, *, size: float | None = 520, theme: str = "auto") -> str:
        """Return the result as SVG text: the most probable actions as bars. Arguments as in `SearchResult.to_svg`."""
        from ..pictures.results import result_to_svg

        return result_to_svg(self.view, {self.view.player: self}, self.values, self.simulations, size=size, theme=theme)

    def _repr_svg_(self) -> str:
        return self.to_svg()


class ViewSearcher(Searcher):
    """A searcher of two-player constant-sum games that uses nothing but a player's view.

    A subclass overrides `_open_search`, `_result_of`, and `_simulate` or `_search`.
    """

    _stopped = False

    def run(
        self,
        position: State | View,
        limit: Limit | int | None = None,
        seconds: float | None = None,
        *,
        simulations: int | None = None,
        player: int | None = None,
        on_progress: Callable[[SampledSearchResult], object] | None = None,
    ) -> SampledSearchResult:
        """Search the decision of one player.

        Args:
            position: a view of a state of this searcher's game, not over; or such a state, if nothing is hidden.
            limit: a `Limit`, or a number of simulations. The memory is fixed, so `memory_mb` changes nothing.
            simulations: approximate number of simulations; replaces `limit`.
            seconds: at most about so long, by the wall clock. Not together with a `Limit`.
            player: the player who decides; by default the player of the view, or the first that decides.
            on_progress: called with the result so far while the search runs: first after about 0.1 s, then whenever the
                time has doubled, at least once a second. It does not change the result.

        Returns:
            A SampledSearchResult. After Ctrl-C or `stop` it has what was found until then, with `interrupted` set.

        Raises:
            LimitError: neither limit is given, one is given twice or is out of range.
            StateError: the game is over, the position is of another game, or is a state with hidden information.
            TypeError: `position` is neither a View nor a State.
            ValueError: `player` is not the player of the view.
        """
        limit = search_limit(limit, simulations, seconds)
        self.check_position(position)
        view = view_of(position, player)
        if view.player not in view.acting_players():
            both = self._values(view, 0.5)
            return SampledSearchResult(view, NOOP, {NOOP: 1.0}, {NOOP: 0}, {NOOP: None}, both, 0, 0.0)
        began = time.monotonic()
        self._stopped = interrupted = False
        search = self._open_search(view)

        def found(interrupted: bool) -> SampledSearchResult:
            return self._result_of(view, search, time.monotonic() - began, interrupted)

        report = None if on_progress is None else lambda: on_progress(found(False))
        try:
            self._search(search, limit, began, report)
        except KeyboardInterrupt:
            interrupted = True
        return found(interrupted or self._stopped)

    def stop(self) -> None:
        """End a run in another thread soon. The run returns what it has found, with `interrupted` set."""
        self._stopped = True

    def _open_search(self, view: View) -> Any:
        """Return a new search of a view whose player decides."""
        raise NotImplementedError

    def _search(self, search: Any, limit: Limit, began: float, report: Callable[[], object] | None) -> None:
        """Run a search up to the limit, or until `_stopped` is True.

        Args:
            search: from `_open_search`.
            limit: with simulations, seconds or both.
            began: time of `time.monotonic` at which the run began.
            report: to be called from time to time, by a `ProgressClock`; None without one.
        """
        clock = ProgressClock()
        while not self._stopped:
            count = _CHUNK
            if limit.simulations is not None:
                count = min(count, limit.simulations - search.simulations)
            if count <= 0 or (limit.seconds is not None and time.monotonic() - began >= limit.seconds):
                return
            self._simulate(search, count)
            if report is not None and clock.is_due():
                report()

    def _simulate(self, search: Any, count: int) -> None:
        """Run at most `count` simulations, and count them in `search.simulations`."""
        raise NotImplementedError

    def _result_of(self, view: View, search: Any, seconds: float, interrupted: bool) -> SampledSearchResult:
        """Return the result of a search so far."""
        raise NotImplementedError

    def _drawn(self, view: View, policy: dict[Action, float], *found: Any) -> SampledSearchResult:
        """Return a result whose action is drawn from a policy; `found` has its fields after `policy`."""
        draw = random.Random(seed_for(self.seed, view.player))
        action = draw.choices(list(policy), list(policy.values()))[0]
        return SampledSearchResult(view, action, policy, *found)

    def _values(self, view: View, value: float) -> tuple[float, ...]:
        """Returns of both players from the viewing player's value in [0, 1]."""
        mine = self.game.min_utility + value * (self.game.max_utility - self.game.min_utility)
        assert self.game.utility_sum is not None
        other = self.game.utility_sum - mine
        return (mine, other) if view.player == 0 else (other, mine)
