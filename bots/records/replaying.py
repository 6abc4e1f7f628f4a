"""The states of a recorded game, from the first to the last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mcts import CHANCE, Game, PlayoutError, State, load_game
from mcts.registry import names_a_path

from ..course import CHANCE_NAME
from ..errors import RecordError
from ..failures import forfeited
from ..steps import step_text
from ..untrusted import clean_line
from .parts import FAILED, FINISHED, RESIGNED, RecordedPly
from .record import Record


class Position(NamedTuple):
    """A state of a game, and the step that led to it."""

    step: str
    """Text of the step, as `steps.step_text` writes it; empty for the first state."""
    deciders: tuple[int, ...]
    """Players who decided in this step."""
    state: State
    """The state after the step. It changes with the next step: clone it to keep it."""


def game_of(record: Record, game: Game | str | None = None, *, trusted: bool = False) -> Game:
    """Return the game of a record.

    Args:
        record: the record.
        game: the game, or its spec, from a source that is trusted; it must be the game of the record.
        trusted: True to import the class of a game that the record names by its path, or to read its rulesheet.

    Raises:
        RecordError: the record names its game by a path and is not trusted, or the game is another one.
        PlayoutError: the game cannot be loaded.
    """
    has_path = names_a_path(record.game)
    if game is None and has_path and not trusted:
        raise RecordError(
            f"the record names its game by a path, {record.game}, which would be imported and run, or read as a file; "
            "valid: trusted=True (--trust) if you trust the record, or the game as an argument"
        )
    if game is None:
        return load_game(record.game)
    given = load_game(game) if isinstance(game, str) else game
    if given.spec != record.game and (has_path or load_game(record.game) != given):
        raise RecordError(f"the record is of {record.game}; valid: a record of {given.spec}")
    return given


def replayed(record: Record, game: Game) -> Iterator[Position]:
    """Yield the positions of a record.

    Every action is checked by the rules of the game, and the end of the record against the last state.

    Args:
        record: a whole record, not that of a view.
        game: its game, from `game_of`.

    Raises:
        RecordError: the record does not fit the rules; the message names the ply.
    """
    state = _start(record, game)
    yield Position("", (), state)
    for number, ply in enumerate(record.plies, 1):
        try:
            deciders = state.acting_players()
            joint = state.joint_action(_choices(state, ply))
            step = step_text(state, deciders, joint)
            state.apply_actions(joint)
        except (PlayoutError, ValueError) as error:
            raise RecordError(f"ply {number} cannot be played: {clean_line(error)}") from None
        yield Position(step, deciders, state)
    _check_end(record, state)


def _start(record: Record, game: Game) -> State:
    if record.view is not None:
        raise RecordError(
            f"the record has only what {record.view.player} knows, and cannot be replayed; valid: a whole record"
        )
    if record.players != game.players:
        raise RecordError(
            f"the seats are {clean_line(', '.join(record.players))}; valid in {game.spec}: {', '.join(game.players)}"
        )
    if record.start is None:
        return game.new_initial_state()
    try:
        return game.state_from_text(record.start)
    except (PlayoutError, ValueError, RecursionError) as error:
        raise RecordError(f"the start cannot be read: {clean_line(error)}") from None


def _choices(state: State, ply: RecordedPly) -> dict[int, str]:
    """Return the actions of a ply by player. Raises RecordError unless exactly those who decide have one."""
    acting = state.acting_players()
    names = {state.game.players[player]: player for player in acting}
    if state.is_chance():
        names = {CHANCE_NAME: CHANCE}
    if ply.actions.keys() != names.keys():
        decide = ", ".join(names) or "nobody: the game is over"
        raise RecordError(f"it has actions of {', '.join(ply.actions)}; those who decide: {decide}")
    return {player: ply.actions[name] or "" for name, player in names.items()}


def _check_end(record: Record, state: State) -> None:
    game = state.game
    if record.ending != FAILED and state.is_terminal() != (record.ending == FINISHED):
        goes_on = "is over" if state.is_terminal() else "goes on"
        raise RecordError(f"the ending is {record.ending}, but the game {goes_on} after the last ply")
    returns = record.returns
    if record.ending == FINISHED:
        returns = tuple(state.returns())
    elif record.ending == RESIGNED:
        returns = forfeited(game, [game.players.index(player) for player in record.resigned])
    if returns != record.returns:
        raise RecordError(f"the returns are {record.returns}; by the rules they are {returns}")
    if returns is not None and not all(game.min_utility <= value <= game.max_utility for value in returns):
        valid = f"numbers from {game.min_utility:g} to {game.max_utility:g}"
        raise RecordError(f"the returns are {returns}; valid: {valid}")
