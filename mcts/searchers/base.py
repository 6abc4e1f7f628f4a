"""`Searcher`, the base class of all searchers, and what their results have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from cext.actions import Action
from cext.arguments import require, seed_bits, shown
from cext.game import Game, State, View
from cext.parameters import Parameter, read_parameters

from ..errors import StateError, UnsupportedGameError
from ..limits import Limit


class AnySearchResult(Protocol):
    """The attributes that the results of all searchers have. Values are on the game's own scale."""

    @property
    def action(self) -> Action:
        """The action to play."""

    @property
    def policy(self) -> Mapping[Any, float]:
        """Action -> probability with which it should be played."""

    @property
    def values(self) -> tuple[float, ...]:
        """Mean return per player, [num_players]."""

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
    ) -> AnySearchResult:
        """Search a position.

        Args:
            position: a view of any position of this searcher's game, or a state where nothing is hidden.
            limit: a `Limit`, or a number of simulations.
            seconds: at most about so long, by the wall clock. Not together with a `Limit`.
            simulations: at most so many; instead of `limit`.
            player: the player whose decision it is; by default the player of the view, or the first that decides.
            on_progress: called now and then with the result so far. It does not change the result.

        Returns:
            The result, see AnySearchResult. With a limit on simulations alone and one thread, the same seed gives the
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
