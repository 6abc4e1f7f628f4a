"""A match as plain data for the store, and back."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, Protocol

from mcts import Action, IllegalActionError, Limit

from ...base import Bot
from ...errors import RecordError
from ...game import Record, game_of
from ...game.course import Turn
from ...match.running import Choice, Undone
from ...system.untrusted import clean_line
from ..framework import Field, ValidationError
from ..problems import Problem
from ..security.access import Access
from ..security.admission import Admission
from ..security.own_rules import RulesStore
from ..security.requests import Body, SpecText
from .open_match import EVERYBODY, OpenMatch, Terms
from .served_match import ServedMatch, Snapshot

_Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_MOST_CHANGES = 1_000_000
_SeatKey = Annotated[str, Field(pattern="^[0-9]{1,3}$")]


class _Limit(Body):
    seconds: float | None
    simulations: int | None
    memory_mb: int | None


class _Terms(Body):
    game: SpecText
    tokens: dict[str, Annotated[tuple[Literal["owner", "seat", "spectator"], list[int]], Field(strict=False)]]
    assist: bool
    created: _Seconds
    limit: _Limit


class _Choice(Body):
    seat: int
    action: Any
    seconds: _Seconds


class _Turn(Body):
    joint: list[Any]
    seconds: dict[_SeatKey, _Seconds]
    values: dict[_SeatKey, Annotated[float, Field(allow_inf_nan=False)]]


class _Course(Body):
    version: Annotated[int, Field(ge=0, le=_MOST_CHANGES)] | list[Annotated[int, Field(ge=EVERYBODY)]]
    """Number of changes that everybody noticed; or for each change the bits of the players who did."""
    record: dict[str, Any]
    choices: dict[_SeatKey, Any]
    undone: list[list[_Turn] | _Choice]


IN_MEMORY = ":memory:"
"""Path of a store without a file."""


@dataclass(frozen=True)
class StoredMatch:
    """A match as the file has it: plain data."""

    match_id: str
    changed: float
    """Time of the last change, in seconds since 1970."""
    terms: dict[str, Any]
    """Parts that never change."""
    course: dict[str, Any]
    """Parts that change."""
    client: str
    """The client that began it."""
    is_played: bool
    """True if a person has decided something."""


class Store(RulesStore, Protocol):
    """Keeps matches and rulesheets."""

    async def save(self, match: StoredMatch) -> None:
        """Write a match."""

    async def load(self, match_id: str) -> StoredMatch | None:
        """Return a match, or None if there is none with this id. Raises RecordError if it is damaged."""

    async def count(self, client: str | None = None) -> int:
        """Return the number of matches, or of those of a client."""

    async def delete(self, match_id: str) -> None:
        """Delete a match."""

    async def forget(self, before: float, client: str | None, kept: Collection[str], *, played: bool) -> list[str]:
        """Delete matches whose last change was before a time, and return their ids.

        Args:
            before: the time, in seconds since 1970.
            client: whose matches; None: those of all.
            kept: ids of matches that stay.
            played: False: only matches in which no person has decided anything.
        """

    def close(self) -> None:
        """Close the store after all writes."""


def stored(opened: OpenMatch, snapshot: Snapshot, changes: list[int]) -> StoredMatch:
    """Return a match with a new snapshot and its changes as data. Nothing may change it meanwhile."""
    terms, match, limit = opened.terms, opened.match, opened.match.limit
    persons = set(match.persons)
    return StoredMatch(
        terms.match_id,
        time.time(),
        {
            "game": match.game.spec,
            "tokens": {key: [access.kind, list(access.seats)] for key, access in terms.hashes.items()},
            "assist": terms.assist,
            "created": terms.created,
            "limit": {"seconds": limit.seconds, "simulations": limit.simulations, "memory_mb": limit.memory_mb},
        },
        {
            "version": changes if any(bits != EVERYBODY for bits in changes) else len(changes),
            "record": snapshot.record.to_dict(),
            "choices": dict(match.running.chosen),
            "undone": [_undone_data(undone) for undone in match.running.undone],
        },
        terms.client,
        any(persons & ply.keys() for ply in snapshot.plies),
    )


@dataclass(frozen=True)
class Loaded:
    """A match of the file."""

    terms: Terms
    match: ServedMatch
    """With new bots, which have new random numbers."""
    changes: list[int]
    """As of `OpenMatch`."""


def match_of(found: StoredMatch, admission: Admission) -> Loaded:
    """Return a stored match. Its data may be damaged.

    Raises:
        PlayoutError: a game or bot of the match is not offered any more, or the data does not fit the rules.
        Problem: the caps do not allow a bot any more, or the data is damaged.
    """
    try:
        terms, course = _Terms(**found.terms), _Course(**found.course)
        game = admission.game(terms.game)
        record = Record.from_dict(course.record)
        bots: dict[int | str, Bot | str | None] = {
            seat.player: None if seat.bot is None else admission.bot(seat.bot, game) for seat in record.seats
        }
        match = ServedMatch(game_of(record, game), bots, limit=Limit(**terms.limit.model_dump()), record=record)
        turns = [turn for undone in course.undone if isinstance(undone, list) for turn in undone]
        seats = {seat for _, token_seats in terms.tokens.values() for seat in token_seats}
        seats |= {int(seat) for turn in turns for seat in (*turn.seconds, *turn.values)}
        if not seats <= set(range(game.num_players)):
            raise RecordError(f"players {sorted(seats)}; valid: 0 to {game.num_players - 1}")
        match.restore(
            {int(seat): _action(action) for seat, action in course.choices.items()},
            [_undone(undone) for undone in course.undone],
        )
    except (RecordError, IllegalActionError, ValueError, TypeError, OverflowError) as error:
        raise damaged(error) from None
    hashes = {key: Access(kind, tuple(seats)) for key, (kind, seats) in terms.tokens.items()}
    changes = [EVERYBODY] * course.version if isinstance(course.version, int) else course.version
    return Loaded(Terms(found.match_id, hashes, terms.assist, terms.created, found.client), match, changes)


def damaged(error: Exception) -> Problem:
    """Return the answer to those who ask for a match whose data in the file is damaged."""
    text = str(error)
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        text = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return Problem(409, "damaged_match", f"the match is damaged in the file of matches: {clean_line(text, 300)}")


def _undone_data(undone: Undone) -> list[dict[str, Any]] | dict[str, Any]:
    if isinstance(undone, Choice):
        return asdict(undone)
    return [{"joint": turn.joint, "seconds": dict(turn.seconds), "values": dict(turn.values)} for turn in undone]


def _undone(given: list[_Turn] | _Choice) -> Undone:
    if isinstance(given, _Choice):
        return Choice(given.seat, _action(given.action), given.seconds)
    return [_turn(turn) for turn in given]


def _turn(given: _Turn) -> Turn:
    return Turn(
        [_action(action) for action in given.joint],
        {int(player): seconds for player, seconds in given.seconds.items()},
        {int(player): value for player, value in given.values.items()},
    )


def _action(given: Any) -> Action:
    """Return an action of JSON, which has lists for tuples."""
    return tuple(given) if isinstance(given, list) else given
