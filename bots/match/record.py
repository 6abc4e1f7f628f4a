"""Records of matches: all of a match, or what one player knows while it continues."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

from mcts import Game, PlayoutError, State
from mcts.primitives.failures import failures_named

from ..errors import BotFailureError, RecordError
from ..game import (
    FAILED,
    FINISHED,
    RESIGNED,
    UNFINISHED,
    Record,
    RecordedFailure,
    RecordedPly,
    RecordedSeat,
    RecordedView,
    recorded_plies,
    replayed,
)
from ..game.course import Course, Turn
from .seats import Seats


def now() -> str:
    """Return the date and time, UTC, as records have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def with_course(record: Record, course: Course, seats: Seats) -> Record:
    """Return a record with the start, the plies and the seats of a match."""
    start, before = _opening(course.start)
    return replace(
        record,
        start=start,
        opening=len(before.turns),
        plies=recorded_plies(before) + recorded_plies(course),
        seats=tuple(
            RecordedSeat(name, spec, seconds=course.seconds(player))
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
        returns: returns of the match; None while it continues.
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


def with_plies(record: Record, numbers: Iterable[int]) -> Record:
    """Return a record with some of the plies after its opening, counted from 0."""
    kept = (record.plies[record.opening + number] for number in numbers)
    return replace(record, plies=(*record.plies[: record.opening], *kept))


def known_to(record: Record, player: str, view: str | None) -> Record:
    """Return a record without what a player must not know while the game continues.

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
    seats = tuple(seat if seat.player == player else replace(seat, seconds=None) for seat in record.seats)
    return replace(known, plies=own, seats=seats, start=None, view=RecordedView(player, view))


def course_of(record: Record, game: Game) -> Course:
    """Return the course of a recorded game. Its start is the state after the opening.

    Raises:
        RecordError: the record does not fit the rules.
    """
    replaying = replayed(record, game)
    whole = next(islice(replaying, record.opening, None))
    course = Course(whole.state.clone())
    for _ in replaying:  # `whole` grows to the last ply
        pass
    course.restart(whole.turns[record.opening :])
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
    with failures_named("the start of the match cannot be recorded", RecordError, PlayoutError):
        return start.to_text(), Course(start)
