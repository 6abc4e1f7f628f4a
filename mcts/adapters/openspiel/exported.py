"""Games and states of this package as those of OpenSpiel, and back."""

from __future__ import annotations

import itertools
import re
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel

from cext.arguments import require
from cext.game.game import CHANCE, Game, State

from ...errors import ParameterError, UnsupportedGameError
from ...random_steps import is_in_turns
from ...registry import load_game
from .imported import PATH, OpenSpielGame, name_of

MOST_PLIES = 10_000
"""Length of the longest game, as OpenSpiel is told."""
_OTHER_LETTERS = re.compile(r"\W+")
_registered: dict[str, State] = {}


def to_openspiel(game: Game | State | str) -> Any:
    """Return a game as a game of OpenSpiel.

    It is registered with OpenSpiel, once in this process. Its name is `playout_` and the spec, with `_` for other
    characters: `mnk(m=3,n=3,k=3)` becomes `playout_mnk_m_3_n_3_k_3`, which `pyspiel.load_game` knows from then on. An
    `OpenSpielGame` becomes the game of OpenSpiel that it is.

    Returns are those of the game. The observation tensor is the encoding of the state, the observation string is its
    text, and the information state string adds the history.

    Args:
        game: the game, or its spec; or a state, which becomes the initial state of a game whose name ends in
            `_from_` and a digest of the state.

    Returns:
        A `pyspiel.Game`.

    Raises:
        UnsupportedGameError: the game has no list of actions, or hides something.
        ParameterError: another game is registered under this name.
        PlayoutError: the game cannot be loaded.
    """
    loaded = load_game(game) if isinstance(game, str) else game.game if isinstance(game, State) else game
    require(Game, loaded, "a game, as load_game returns it, a state, or a spec")
    first = loaded.new_initial_state()
    start = game if isinstance(game, State) else first
    if isinstance(loaded, OpenSpielGame) and start == first:
        return loaded.spiel
    if not loaded.is_enumerable or loaded.has_hidden_information:
        reason = "it hides parts of the state" if loaded.is_enumerable else "its actions are not listed"
        raise UnsupportedGameError(f"{loaded.spec} cannot be a game of OpenSpiel: {reason}; valid: mnk and other games")
    name = f"playout_{_OTHER_LETTERS.sub('_', loaded.spec).strip('_')}"
    if start != first:
        name += f"_from_{blake2b(start.to_text().encode(), digest_size=6).hexdigest()}"
    known = _registered.setdefault(name, start.clone())
    if known.game != loaded or known != start:
        raise ParameterError(f"OpenSpiel knows another game as {name}: {known.game.spec}")
    if name not in pyspiel.registered_names():
        # A class, as OpenSpiel expects: OpenSpiel drops it after the end of the interpreter, which must not free it.
        pyspiel.register_game(_type_of(loaded, name), type(name, (_SpielGame,), {"start": known, "type_name": name}))
    return pyspiel.load_game(name)


def to_openspiel_state(state: State) -> Any:
    """Return a state as a state of OpenSpiel. It has a history only if the game is an `OpenSpielGame`.

    Raises:
        UnsupportedGameError: the game has no list of actions, or hides something.
    """
    require(State, state, "a state, as game.new_initial_state() returns it")
    if isinstance(state.game, OpenSpielGame):
        return state.game.from_dict(state.to_dict()).state
    found = to_openspiel(state.game).new_initial_state()
    found.own = state.clone()
    return found


def from_openspiel(game: Any) -> Game:
    """Return a game of OpenSpiel as a game of this package: the one that was registered, or an `OpenSpielGame`.

    Args:
        game: a `pyspiel.Game`.

    Raises:
        UnsupportedGameError: the game hides something, or samples its chance itself.
    """
    require(pyspiel.Game, game, "a game of OpenSpiel")
    known = _registered.get(game.get_type().short_name)
    return load_game(PATH, game=name_of(game)) if known is None else known.game


def from_openspiel_state(state: Any) -> State:
    """Return a state of OpenSpiel as a state of this package.

    Args:
        state: a `pyspiel.State`.

    Raises:
        UnsupportedGameError: the game hides something, or samples its chance itself.
    """
    require(pyspiel.State, state, "a state of OpenSpiel")
    if isinstance(state, _SpielState):
        return state.own.clone()
    found = from_openspiel(state.get_game()).new_initial_state()
    replica, actions = state.get_game().new_initial_state(), iter(state.history())
    for first in actions:
        if replica.is_simultaneous_node():
            joint = [first, *itertools.islice(actions, replica.num_players() - 1)]
            replica.apply_actions(joint)
            found.apply_actions(found.joint_action({player: joint[player] for player in found.acting_players()}))
        else:
            replica.apply_action(first)
            found.apply_action(first)
    return found


@cache
def _type_of(game: Game, name: str) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=game.spec,
        dynamics=kind.Dynamics.SEQUENTIAL if is_in_turns(game) else kind.Dynamics.SIMULTANEOUS,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if game.has_chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.GENERAL_SUM if game.utility_sum is None else kind.Utility.CONSTANT_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.num_players,
        min_num_players=game.num_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=game.encoding_size > 0,
        parameter_specification={},
    )


class _SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of this package as a game of OpenSpiel. Each one has a class of its own."""

    start: State
    type_name: str

    def __init__(self, params: Any = None) -> None:
        game = self.start.game
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=game.num_outcomes,
            num_players=game.num_players,
            min_utility=game.min_utility,
            max_utility=game.max_utility,
            utility_sum=game.utility_sum,
            max_game_length=MOST_PLIES,
        )
        super().__init__(_type_of(game, self.type_name), info, params or {})

    def new_initial_state(self) -> _SpielState:
        return _SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _SpielObserver:
        remembers = iig_obs_type is not None and iig_obs_type.perfect_recall
        return _SpielObserver(self.start.game, remembers)


class _SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of this package as a state of OpenSpiel."""

    def __init__(self, game: _SpielGame) -> None:
        super().__init__(game)
        self.own = game.start.clone()

    def current_player(self) -> int:
        if self.own.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self.own.is_chance():
            return int(pyspiel.PlayerId.CHANCE)
        acting = self.own.acting_players()
        return acting[0] if len(acting) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        return self.own.legal_actions(player) if player in self.own.acting_players() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.own.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.own.apply_action(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.own.apply_actions(self.own.joint_action({one: actions[one] for one in self.own.acting_players()}))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.own.action_to_string(CHANCE if player == pyspiel.PlayerId.CHANCE else player, action)

    def is_terminal(self) -> bool:
        return self.own.is_terminal()

    def returns(self) -> list[float]:
        return self.own.returns() if self.own.is_terminal() else [0.0] * self.own.game.num_players

    def __str__(self) -> str:
        return str(self.own)


class _SpielObserver:
    """The encoding of a state, and its text or its history. Players see all of it.

    Args:
        game: the game.
        remembers: whether strings tell histories apart that lead to the same state.
    """

    def __init__(self, game: Game, remembers: bool) -> None:
        self.tensor = np.zeros(game.encoding_size, np.float32)
        self.dict = {"observation": self.tensor}
        self.remembers = remembers

    def set_from(self, state: _SpielState, player: int) -> None:
        self.tensor[:] = state.own.encode()

    def string_from(self, state: _SpielState, player: int) -> str:
        return f"{state.history_str()} {state.own.to_text()}" if self.remembers else state.own.to_text()
