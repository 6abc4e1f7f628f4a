"""Check what a worker reports. Bots run in its process, so it may be anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mcts import Game

from ...errors import KINDS
from ...game import ADJUDICATED
from ...game.failures import NO_SEAT, Failure
from ...system.untrusted import plain_steps
from ..formats import keeps_decisions
from ..records import GameRecord, ScheduledGame
from .worker import BatchResult


def is_sound(result: Any, games: Sequence[ScheduledGame], game: Game) -> bool:
    """Return True if a result is that of a batch: its records are of the games, and all values are in their ranges."""
    return (
        type(result) is BatchResult
        and _is_time(result.seconds)
        and type(result.records) is tuple
        and len(result.records) == len(games)
        and all(
            type(record) is GameRecord and _is_sound(record, scheduled, game)
            for record, scheduled in zip(result.records, games, strict=True)
        )
    )


def _is_sound(record: GameRecord, scheduled: ScheduledGame, game: Game) -> bool:
    given = vars(record)
    return (
        all(type(given.get(name)) is type(value) and given[name] == value for name, value in vars(scheduled).items())
        and type(record.plies) is int
        and record.plies >= 0
        and (record.returns is None or _are_returns(record.returns, game))
        and type(record.moves) is str
        and record.moves.isprintable()
        and len(record.moves.split()) == record.plies
        and type(record.failures) is tuple
        and all(type(failure) is Failure and _is_failure(failure, record, game) for failure in record.failures)
        and all(_are_times(times, game) for times in (record.seconds, record.slowest))
        and type(record.decisions) is tuple
        and len(record.decisions) == (record.plies if keeps_decisions(game) else 0)
        and all(_is_decision(decision, game) for decision in record.decisions)
        and type(record.ending) is str
        and record.ending in ("", *ADJUDICATED)
    )


def _are_times(times: Any, game: Game) -> bool:
    return type(times) is tuple and len(times) == game.num_players and all(map(_is_time, times))


def _is_decision(decision: Any, game: Game) -> bool:
    return (
        type(decision) is tuple
        and len(decision) == 2
        and _is_time(decision[0])
        and (decision[1] is None or _are_returns((decision[1],) * game.num_players, game))
    )


def _are_returns(returns: Any, game: Game) -> bool:
    return (
        type(returns) is tuple
        and len(returns) == game.num_players
        and all(type(value) in (int, float) and game.min_utility <= value <= game.max_utility for value in returns)
    )


def _is_failure(failure: Failure, record: GameRecord, game: Game) -> bool:
    return (
        type(failure.seat) is int
        and NO_SEAT <= failure.seat < game.num_players
        and type(failure.kind) is str
        and failure.kind in KINDS
        and type(failure.message) is str
        and type(failure.log) is str
        and type(failure.ply) is int
        and 0 <= failure.ply <= record.plies
        and plain_steps(failure.steps) == failure.steps
    )


def _is_time(seconds: Any) -> bool:
    return type(seconds) is float and 0 <= seconds < math.inf
