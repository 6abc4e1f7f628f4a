"""State of a worker in shared memory, readable from outside while the worker hangs and after it has died.

`WorkerLostError` is the error for a task whose worker was lost.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from ...errors import BotError
from ...game.failures import NO_SEAT
from ...system.untrusted import Steps, failure_of

HEARTBEAT_SIZE = 4
GAME, SEAT, UNTIL, BEGUN = range(HEARTBEAT_SIZE)
"""Indices of the numbers of a heartbeat: number of the running game; seat whose bot runs; deadline of the current call,
in seconds of the monotonic clock; 1 if a game has begun since the worker received its task."""
NO_GAME = -1
GRACE_SECONDS = 1.0
"""Time between the deadline of a bot and the end of its worker."""
OWN_SECONDS = 60.0
"""Time that a worker may spend without running a bot, for example to load the game."""

_log = logging.getLogger(__name__)


@dataclass
class Heartbeat:
    """Current activity of one worker.

    Args:
        numbers: memory for HEARTBEAT_SIZE numbers, shared with the observer.
    """

    numbers: MutableSequence[float]
    bots: Sequence[str] = field(default=(), init=False)
    """Specs of the bots of the tournament; known in the worker only."""
    seats: Sequence[int] = field(default=(), init=False)
    """For each seat of the running game, the index of its bot; known in the worker only."""

    def __post_init__(self) -> None:
        self.begin_game(NO_GAME)

    @property
    def game(self) -> int:
        """Number of the running game, or NO_GAME."""
        return self._number(GAME, NO_GAME)

    @property
    def seat(self) -> int:
        """Seat whose bot runs, or NO_SEAT."""
        return self._number(SEAT, NO_SEAT)

    def _number(self, index: int, default: int) -> int:
        """Return one of the numbers as an integer. It is untrusted: a bot may have overwritten the shared memory."""
        try:
            return max(default, int(self.numbers[index]))
        except (ValueError, OverflowError):
            return default

    @property
    def bot(self) -> str:
        """Spec of the bot that runs; empty if none runs, and always empty for an observer."""
        seat = self.seat
        return self.bots[self.seats[seat]] if 0 <= seat < len(self.seats) else ""

    def turn(self, seat: int, seconds: float) -> None:
        """Set the seat whose bot runs from now on, and the time that it may take."""
        self.numbers[UNTIL] = monotonic() + seconds
        self.numbers[SEAT] = seat

    def begin_game(self, number: int, bots: Sequence[str] = (), seats: Sequence[int] = ()) -> None:
        """Set the number of the running game, the specs of all bots, and the bots in its seats."""
        self.numbers[SEAT] = NO_SEAT
        self.bots, self.seats = bots, seats
        self.numbers[GAME] = number
        if number != NO_GAME:
            self.numbers[BEGUN] = 1

    def begin_task(self) -> None:
        """Start a task. No game of it has begun yet."""
        self.turn(NO_SEAT, 0.0)
        self.begin_game(NO_GAME)
        self.numbers[BEGUN] = 0

    @property
    def has_begun(self) -> bool:
        """True if a game of the task has begun, even if it is over."""
        return self.numbers[BEGUN] != 0

    def overdue(self) -> bool:
        """Return True if the worker has exceeded the time for its current activity."""
        seat = self.seat  # read before UNTIL, which `turn` writes first: a new seat never meets an old deadline
        grace = OWN_SECONDS if seat == NO_SEAT else GRACE_SECONDS
        return not monotonic() <= self.numbers[UNTIL] + grace  # also if a bot has overwritten it by something else


class _ExitOnWrite(list[float]):
    """Numbers of a heartbeat in a copy of the worker that a bot has forked. The first write exits the copy.

    The copy may finish the call of the bot that forked it, but it cannot continue the game.
    """

    def __setitem__(self, index: Any, number: Any) -> None:
        os._exit(0)


def _mark_copy() -> None:
    heartbeat: Heartbeat | None = getattr(_local, "heartbeat", None)
    if heartbeat is not None:
        heartbeat.numbers = _ExitOnWrite(heartbeat.numbers)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_copy)


def new_heartbeat() -> Heartbeat:
    """Return a heartbeat in the memory of this process."""
    return Heartbeat([0.0] * HEARTBEAT_SIZE)


_local = threading.local()


def at_worker_exit(callback: Callable[[], None]) -> None:
    """Register a function to call when the worker of this thread exits."""
    if not hasattr(_local, "callbacks"):
        _local.callbacks = []
    _local.callbacks.append(callback)


def run_exit_callbacks() -> None:
    """Call the functions registered by `at_worker_exit`, last first. Errors are logged."""
    callbacks: list[Callable[[], None]] = getattr(_local, "callbacks", [])
    while callbacks:
        try:
            callbacks.pop()()
        except BaseException as error:
            _log.info("a worker failed while it exited: %s", failure_of(error).message)


def my_heartbeat() -> Heartbeat:
    """Return the heartbeat of this thread. A thread without one gets one that nobody observes."""
    found: Heartbeat | None = getattr(_local, "heartbeat", None)
    return use_heartbeat(new_heartbeat()) if found is None else found


def use_heartbeat(heartbeat: Heartbeat) -> Heartbeat:
    """Make this the heartbeat of this thread, and return it."""
    _local.heartbeat = heartbeat
    return heartbeat


class WorkerLostError(BotError):
    """A worker died, hung or broke off, and the result of its task is lost.

    Args:
        kind: DEATH or STALL.
        game: number of the game that it was playing, or NO_GAME if unknown.
        seat: player whose bot was running, or NO_SEAT.
        detail: further information, such as the exit code.
        steps: joint actions to a state in which the code of the game raised the error, if it did.
    """

    def __init__(
        self, kind: str, game: int = NO_GAME, seat: int = NO_SEAT, detail: str = "", steps: Steps = ()
    ) -> None:
        super().__init__(f"a worker was lost: {kind} in game {game}, seat {seat} ({detail})")
        self.kind = kind
        self.game = game
        self.seat = seat
        self.detail = detail
        self.steps = steps

    def __reduce__(self) -> tuple[type[WorkerLostError], tuple[object, ...]]:
        return type(self), (self.kind, self.game, self.seat, self.detail, self.steps)
