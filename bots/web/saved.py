"""A match as plain data for the store, and back."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from mcts import Action, Limit

from ..base import Bot
from ..course import Turn
from ..match.running import Choice, Undone
from ..records import Record, game_of
from .access import Access
from .admission import Admission
from .open_match import OpenMatch, Terms
from .served_match import ServedMatch
from .store import StoredMatch


def stored(opened: OpenMatch) -> StoredMatch:
    """Return a match as data. Nothing may change it meanwhile."""
    terms, match, limit = opened.terms, opened.match, opened.match.limit
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
            "version": opened.version,
            "record": opened.snapshot.record.to_dict(),
            "choices": {str(seat): action for seat, action in match.choices().items()},
            "undone": [_undone_data(undone) for undone in match.undone()],
        },
    )


def terms_of(found: StoredMatch) -> Terms:
    """Return the terms of a stored match."""
    given = found.terms
    hashes = {key: Access(kind, tuple(seats)) for key, (kind, seats) in given["tokens"].items()}
    return Terms(found.match_id, hashes, given["assist"], given["created"])


def match_of(found: StoredMatch, admission: Admission) -> ServedMatch:
    """Return a stored match with new bots, which have new random numbers.

    Raises:
        PlayoutError: a game or bot of the match is not offered any more.
        Problem: the caps do not allow a bot any more.
    """
    game = admission.game(found.terms["game"])
    record = Record.from_dict(found.course["record"])
    bots: dict[int | str, Bot | str | None] = {
        seat.player: None if seat.bot is None else admission.bot(seat.bot, game) for seat in record.seats
    }
    match = ServedMatch(game_of(record, game), bots, limit=Limit(**found.terms["limit"]), record=record)
    match.restore(
        {int(seat): _action(action) for seat, action in found.course["choices"].items()},
        [_undone(undone) for undone in found.course["undone"]],
    )
    return match


def _undone_data(undone: Undone) -> list[dict[str, Any]] | dict[str, Any]:
    return asdict(undone) if isinstance(undone, Choice) else [_turn_dict(turn) for turn in undone]


def _undone(given: list[dict[str, Any]] | dict[str, Any]) -> Undone:
    if isinstance(given, dict):
        return Choice(given["seat"], _action(given["action"]), given["seconds"])
    return [_turn(turn) for turn in given]


def _turn_dict(turn: Turn) -> dict[str, Any]:
    return {
        "joint": list(turn.joint),
        "seconds": {str(player): seconds for player, seconds in turn.seconds.items()},
        "values": {str(player): value for player, value in turn.values.items()},
    }


def _turn(given: dict[str, Any]) -> Turn:
    return Turn(
        [_action(action) for action in given["joint"]],
        {int(player): seconds for player, seconds in given["seconds"].items()},
        {int(player): value for player, value in given["values"].items()},
    )


def _action(given: Any) -> Action:
    """Return an action of JSON, which has lists for tuples."""
    return tuple(given) if isinstance(given, list) else given
