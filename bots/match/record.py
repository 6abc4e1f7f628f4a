"""Records of matches: all of a match, or what one player knows while it goes on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime

from mcts import Game, PlayoutError, State

from ..course import Course, Turn
from ..errors import BotFailureError, RecordError
from ..records import (
    FAILED,
    FINISHED,
    RESIGNED,
    UNFINISHED,
    Record,
    RecordedFailure,
    RecordedPly,
    RecordedSeat,
    RecordedView,
    replayed,
)
from .seats import Seats


def now() -> str:
    """Return the date and time, UTC, as records have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def with_course(record: Record, course: Course, seats: Seats) -> Record:
    """Return a record with the start, the plies and the seats of a match."""
    start, before = _opening(course.start)
    turns = [*before.turns, *course.turns]
    plies = [*before.plies, *course.plies]
    players = course.state.game.players
    return replace(
        record,
        start=start,
        opening=len(before.plies),
        plies=tuple(
            RecordedPly(
                ply,
                {players[player]: seconds for player, seconds in turn.seconds.items()},
                {players[player]: value for player, value in turn.values.items()},
            )
            for ply, turn in zip(plies, turns, strict=True)
        ),
        seats=tuple(
            RecordedSeat(name, spec, seconds=round(sum(turn.seconds.get(player, 0.0) for turn in course.turns), 6))
            for player, (name, spec) in enumerate(seats.specs.items())
        ),
    )


def with_end(
    record: Record, state: State, resigned: Collection[int], returns: tuple[float, ...] | None,
    failure: tuple[int, BotFailureError] | None,
) -> Record:  # fmt: skip
    """Return a record with the end of a match.

    Args:
        record: the record, with all plies.
        state: the last state.
        resigned: players who resigned.
        returns: returns of the match; None while it goes on.
        failure: the player whose bot failed last, if nothing was played since, and the error.
    """
    players = state.game.players
    if resigned:
        names = tuple(players[player] for player in sorted(resigned))
        return replace(record, ending=RESIGNED, resigned=names, returns=returns)
    if returns is not None:
        return replace(record, ending=FINISHED, returns=returns)
    if failure is None:
        return replace(record, ending=UNFINISHED)
    player, error = failure
    facts = RecordedFailure(players[player], error.kind, str(error), len(record.plies))
    return replace(record, ending=FAILED, failures=(facts,))


def known_to(record: Record, player: str, view: str | None) -> Record:
    """Return a record without what a player must not know while the game goes on.

    Args:
        record: of the whole match.
        player: name of the player.
        view: text of the player's view; None in a game that hides nothing.
    """
    plies = tuple(replace(ply, values={}) for ply in record.plies)
    known = replace(record, seed=None, restarts=0, plies=plies)
    if view is None:
        return known
    own = tuple(
        RecordedPly(
            {name: text if name == player else None for name, text in ply.actions.items()},
            {name: seconds for name, seconds in ply.seconds.items() if name == player},
        )
        for ply in plies
    )
    return replace(known, plies=own, start=None, view=RecordedView(player, view))


def course_of(record: Record, game: Game) -> Course:
    """Return the course of a recorded game. Its start is the state after the opening.

    Raises:
        RecordError: the record does not fit the rules.
    """
    course = None
    for number, position in enumerate(replayed(record, game)):
        if number == record.opening:
            course = Course(position.state.clone())
        state = position.state
    assert course is not None
    joints = state.history()[len(course.start.history()) :]
    players = {name: player for player, name in enumerate(game.players)}
    course.restart([
        Turn(
            joint,
            {players[name]: seconds for name, seconds in ply.seconds.items()},
            {players[name]: value for name, value in ply.values.items()},
        )
        for joint, ply in zip(joints, record.plies[record.opening :], strict=True)
    ])  # fmt: skip
    return course


def _opening(start: State) -> tuple[str | None, Course]:
    """Return the text of the first state, None for the initial one, and the course from there to a start."""
    course = Course(start.game.new_initial_state())
    try:
        course.restart([Turn(joint) for joint in start.history()])
        if course.state == start:
            return None, course
    except ValueError:
        pass
    try:
        return start.to_text(), Course(start)
    except PlayoutError as error:
        raise RecordError(f"the start of the match cannot be recorded: {error}") from None
