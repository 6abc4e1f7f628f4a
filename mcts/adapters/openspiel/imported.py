"""Games of OpenSpiel as games of this package."""

from __future__ import annotations

from functools import cache
from typing import Any

import pyspiel

from cext.arguments import shown
from cext.game.game import CHANCE, NOOP
from cext.game.python_game import PythonGame
from cext.parameters import Text

from ...errors import ParameterError, StateError, UnsupportedGameError
from ...registry import load_game

PATH = f"{__package__}.OpenSpielGame"
"""The name of such games in specs."""
_WEIGHTS = 2**30
"""Sum of the weights of all outcomes of chance, if none is rounded."""


class SpielPosition:
    """A state of OpenSpiel that is never changed. It equals others with the same history.

    Args:
        state: the state.
        history: the joint actions that led to it: -1 for a player who did not decide, and an outcome of chance last.
    """

    def __init__(self, state: Any, history: tuple[tuple[int, ...], ...] = ()) -> None:
        self.state = state
        self.history = history

    def after(self, joint: tuple[int, ...]) -> SpielPosition:
        """Return the position after a joint action or an outcome of chance."""
        state = self.state.clone()
        if state.is_simultaneous_node():
            state.apply_actions([max(action, 0) for action in joint])
        else:
            state.apply_action(joint[CHANCE if state.is_chance_node() else state.current_player()])
        return SpielPosition(state, (*self.history, joint))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielPosition) and other.history == self.history

    def __hash__(self) -> int:
        return hash(self.history)


class OpenSpielGame(PythonGame):
    """A game of OpenSpiel in which nothing is hidden.

    In specs it is `mcts.adapters.openspiel.OpenSpielGame(game=connect_four)`. Players are called `p0`, `p1` and so on.
    Actions, returns and drawings are those of OpenSpiel. Probabilities of chance are rounded to 30 binary digits; equal
    ones stay equal.

    Args:
        game: name of the game, with its parameters in parentheses, as `pyspiel.load_game` takes it.

    Raises:
        ParameterError: OpenSpiel does not know the game.
        UnsupportedGameError: the game hides something, or samples its chance itself.
    """

    __module__ = __package__ or ""  # where specs and pickles find it

    PARAMETERS = {"game": Text("tic_tac_toe")}  # noqa: RUF012 (as games declare them)

    def __new__(cls, **given: Any) -> OpenSpielGame:
        """Return a game of a class of its own, since its players and returns are attributes of the class."""
        text = cls.PARAMETERS["game"]
        found = loaded(str(text.read("game", given.get("game", text.default))))
        base: Any = cls
        made: OpenSpielGame = PythonGame.__new__(_class_of(base, name_of(found)))
        return made

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "game": name_of(self.spiel)})

    def __reduce__(self) -> Any:
        return load_game, (self.spec,)

    spiel: Any
    """The game of OpenSpiel."""

    def initial_state(self) -> SpielPosition:
        return SpielPosition(self.spiel.new_initial_state())

    def acting_players(self, state: SpielPosition) -> int | tuple[int, ...]:
        if state.state.is_terminal():
            return ()
        if state.state.is_chance_node():
            return CHANCE
        if state.state.is_simultaneous_node():
            return tuple(player for player in range(self.num_players) if state.state.legal_actions(player))
        return int(state.state.current_player())

    def legal_actions(self, state: SpielPosition, player: int) -> list[int]:
        found: list[int] = state.state.legal_actions(player)
        return found

    def chance_outcomes(self, state: SpielPosition) -> dict[int, int]:
        return {outcome: max(1, round(share * _WEIGHTS)) for outcome, share in state.state.chance_outcomes() if share}

    def next_state(self, state: SpielPosition, joint: tuple[int, ...]) -> SpielPosition:
        return state.after(joint)

    def returns(self, state: SpielPosition) -> list[float]:
        return list(state.state.returns())

    def encode(self, state: SpielPosition) -> Any:
        return state.state.observation_tensor(0)

    def action_to_string(self, state: SpielPosition, player: int, action: int) -> str:
        chooser = int(pyspiel.PlayerId.CHANCE) if player == CHANCE else player
        return "_".join(state.state.action_to_string(chooser, action).split())

    def to_dict(self, state: SpielPosition) -> dict[str, Any]:
        return {"history": [list(joint) for joint in state.history]}

    def from_dict(self, given: dict[str, Any]) -> SpielPosition:
        """Return the position after a history. Raises StateError for one that cannot be played."""
        position, joints = self.initial_state(), given.get("history")
        if not isinstance(joints, list):
            raise StateError(f"history is {shown(joints)}; valid: a list of joint actions")
        for joint in joints:
            position = position.after(self._checked(position, joint))
        return position

    def _checked(self, position: SpielPosition, joint: Any) -> tuple[int, ...]:
        """Return a joint action from outside. Raises StateError for one that is not legal."""
        acting = self.acting_players(position)
        deciders = (acting,) if isinstance(acting, int) else acting
        entries = self.num_players + (acting == CHANCE)
        if not isinstance(joint, list) or len(joint) != entries or not deciders:
            raise StateError(f"history has {shown(joint)}; valid: {entries} actions, before the end of the game")
        for player, action in enumerate(joint):
            valid = [NOOP]
            if player == self.num_players:
                valid = list(self.chance_outcomes(position))
            elif player in deciders:
                valid = self.legal_actions(position, player)
            if type(action) is not int or action not in valid:
                raise StateError(f"history has the action {shown(action)} at place {player}; valid: {shown(valid)}")
        return tuple(joint)

    def draw(self, state: SpielPosition) -> str:
        return str(state.state)


@cache
def _class_of(base: Any, name: str) -> Any:
    """Return the class of a game of OpenSpiel, always the same one."""
    spiel = loaded(name)
    described = {
        "name": PATH,
        "players": tuple(f"p{player}" for player in range(spiel.num_players())),
        "min_utility": spiel.min_utility(),
        "max_utility": spiel.max_utility(),
        "utility_sum": spiel.utility_sum(),
        "num_actions": spiel.num_distinct_actions(),
        "num_outcomes": spiel.max_chance_outcomes(),
        "encoding_size": spiel.observation_tensor_size() if spiel.get_type().provides_observation_tensor else 0,
        "spiel": spiel,
        "__doc__": spiel.get_type().long_name,
        "__module__": base.__module__,
    }
    return type(base.__name__, (base,), described)


def name_of(spiel: Any) -> str:
    """Return the name of a game of OpenSpiel with its parameters in the order of OpenSpiel."""
    return str(spiel).removesuffix("()")


def loaded(name: str) -> Any:
    """Return a game of OpenSpiel that this package can play."""
    known = name.partition("(")[0]
    if known not in pyspiel.registered_names():
        raise ParameterError(f"OpenSpiel has no game {shown(name)}; valid: those of pyspiel.registered_names()")
    try:
        spiel = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        line = " ".join(str(error).split())[:200]
        raise ParameterError(f"OpenSpiel cannot load the game {shown(name)}: {line}") from None
    kind = spiel.get_type()
    reason = None
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        reason = "it samples its chance itself"
    elif kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        reason = "it is a mean field game"
    elif kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        reason = "it hides parts of the state"
    if reason is not None:
        raise UnsupportedGameError(f"the game {shown(name)} of OpenSpiel cannot be played here: {reason}")
    return spiel
