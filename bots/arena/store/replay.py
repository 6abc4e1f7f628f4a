"""Replay of a stored game, step by step. All replays of stored games use this module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcts import Game, PlayoutError, State
from mcts.primitives.failures import failures_named

from ...errors import StoreError
from ...game.course import Course, Turn
from ...steps import read_step
from ...system.untrusted import clean_line
from ..records import GameRecord, shown_number
from ..tournament.openings import opening_position, opening_steps, start_state


class ReplayError(StoreError):
    """A stored game cannot be replayed: what was stored is damaged, or the rules have changed."""


def opening_state(game: Game, opening: Sequence[str]) -> State:
    """Return the state in which the bots began.

    Raises:
        ReplayError: the opening cannot be played.
    """
    try:
        return start_state(game, opening)
    except (PlayoutError, ValueError, RecursionError) as error:
        raise ReplayError(f"the opening {' '.join(opening)!r:.100} cannot be played: {clean_line(error)}") from None


def replayed(
    game: Game, opening: Sequence[str], moves: str, decisions: Sequence[tuple[float, float | None] | None] = ()
) -> Iterator[Course]:
    """Yield the course of a stored game before the first move of the bots, and after each; it is one object.

    Args:
        game: the game.
        opening: texts of the steps before the bots began, or the text of a position.
        moves: texts of the steps, separated by spaces.
        decisions: seconds and value of each, as in a record, None where unknown; or nothing.

    Raises:
        ReplayError: the opening or a step cannot be played; the message says which one.
    """
    course = Course(opening_state(game, opening))
    yield course
    for number, step in enumerate(moves.split(), 1):
        try:
            turn = Turn(read_step(course.state, step))
            if decisions and (decision := decisions[number - 1]) is not None:
                seconds, value = decision
                (player,) = course.state.acting_players()
                turn = Turn(turn.joint, {player: seconds}, {} if value is None else {player: value})
            course.apply(turn)
        except (PlayoutError, ValueError) as error:
            raise ReplayError(f"step {number} cannot be played: {clean_line(error)}") from None
        yield course


def whole_course(game: Game, played: GameRecord) -> Course:
    """Return the course of a stored game with the plies of its opening. Raises ReplayError."""
    steps = opening_steps(played.opening)
    decisions = [*[None] * len(steps), *played.decisions] if played.decisions else ()
    with failures_named(f"game {shown_number(played.number)} cannot be replayed", ReplayError, ReplayError):
        *_, course = replayed(game, opening_position(played.opening), " ".join([*steps, played.moves]), decisions)
    return course
