"""The course of a recorded game, and the plies of a course as a record has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from cext.spec import parse_spec
from mcts import CHANCE, Game, PlayoutError, State, load_game
from mcts.gdl.rulesheets import SUFFIX, library_games
from mcts.registry import names_a_path

from ..errors import RecordError
from ..system.untrusted import clean_line
from .course import CHANCE_NAME, Course, Turn
from .failures import forfeited
from .parts import FAILED, FINISHED, RESIGNED, RecordedPly, RecordedRules
from .record import Record

_T = TypeVar("_T")


def game_of(record: Record, game: Game | str | None = None, *, trusted: bool = False) -> Game:
    """Return the game of a record. The rulesheet that a record carries is compiled.

    Args:
        record: the record.
        game: the game, or its spec, from a source that is trusted; it must be the game of the record.
        trusted: True to import the class of a game that the record names by its path, or to read its rulesheet.

    Raises:
        RecordError: the record names its game by a path and is not trusted, or the game is another one, or has another
            rulesheet.
        PlayoutError: the game cannot be loaded.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    given = _own_game(record, trusted) if loaded is None else loaded
    rules = record.rules
    if rules is not None and given.digest != rules.sha256:
        has = f"has the SHA-256 {given.digest}" if given.digest else "has no rulesheet"
        raise RecordError(f"the rulesheet of the record has the SHA-256 {rules.sha256}; that of {given.spec} {has}")
    if given.spec != record.game and not _is_same(record, given):
        raise RecordError(f"the record is of {record.game}; valid: a record of {given.spec}")
    return given


def _own_game(record: Record, trusted: bool) -> Game:
    """Return the game that a record names, or whose rulesheet it carries."""
    if record.rules is not None and record.rules.text is not None:
        from mcts.gdl.secret_game import rulesheet_game  # with the compiler of rulesheets

        name = parse_spec(record.game)[0]
        if not name.endswith(SUFFIX) and name not in library_games():
            raise RecordError(f"{name} is not a rulesheet, and the record carries one; valid: a name NAME{SUFFIX}")
        return rulesheet_game(record.rules.text, name, **_changes(record.game))
    if names_a_path(record.game) and not trusted:
        raise RecordError(
            f"the record names its game by a path, {record.game}, which would be imported and run, or read as a file; "
            "valid: trusted=True (--trust) if you trust the record, or the game as an argument"
        )
    return load_game(record.game)


def _is_same(record: Record, given: Game) -> bool:
    """Return True if a record's spec of a game means a given one. Nothing is imported, and no file is read."""
    if record.rules is not None:  # the same text, maybe of a file with another name
        return _changes(record.game) == _changes(given.spec)
    return not names_a_path(record.game) and load_game(record.game) == given


def _changes(spec: str) -> dict[str, Any]:
    """Return the parameters in the spec of a rulesheet that change its rules."""
    return {name: value for name, value in parse_spec(spec)[1].items() if name not in ("sha256", "seconds")}


def recorded_rules(game: Game, *, carried: bool = False) -> RecordedRules | None:
    """Return the rulesheet of a game as a record has it; None for other games.

    Args:
        game: the game.
        carried: True for a record that carries the text.
    """
    if not game.digest:
        return None
    from mcts.gdl.secret_game import sheet_of

    sheet = sheet_of(game) if carried else None
    return RecordedRules(game.digest, None if sheet is None else sheet.text)


def recorded_plies(course: Course) -> tuple[RecordedPly, ...]:
    """Return the plies of a course since its start, as a record has them."""

    def named(facts: Mapping[int, _T]) -> dict[str, _T]:
        return {course.state.game.players[player]: fact for player, fact in facts.items()}

    return tuple(
        RecordedPly(ply, named(turn.seconds), named(turn.values))
        for ply, turn in zip(course.plies, course.turns, strict=True)
    )


def replayed(record: Record, game: Game) -> Iterator[Course]:
    """Yield the course of a record before the first ply, and after each. It is one object, which the next step changes.

    Every action is checked by the rules of the game, and the end of the record against the last state.

    Args:
        record: a whole record, not that of a view.
        game: its game, from `game_of`.

    Raises:
        RecordError: the record does not fit the rules; the message names the ply.
    """
    course = Course(_start(record, game))
    yield course
    players = {name: player for player, name in enumerate(game.players)}

    def numbered(facts: Mapping[str, _T]) -> dict[int, _T]:
        return {players[name]: fact for name, fact in facts.items()}

    for number, ply in enumerate(record.plies, 1):
        try:
            joint = course.state.joint_action(_choices(course.state, ply))
            course.apply(Turn(joint, numbered(ply.seconds), numbered(ply.values)))
        except (PlayoutError, ValueError) as error:
            raise RecordError(f"ply {number} cannot be played: {clean_line(error)}") from None
        yield course
    _check_end(record, course.state)


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
        goes_on = "is over" if state.is_terminal() else "continues"
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
