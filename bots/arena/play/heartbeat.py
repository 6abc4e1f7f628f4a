"""The state of a worker, written where others can read it even after the worker has died, or while it hangs."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...untrusted import failure_of
from .match import NOBODY

GAME, SEAT, UNTIL, BEGUN = range(4)
"""Places of a desk: the game being played, the seat whose bot runs, and until when by the monotonic clock; 1 where a
game has been begun since the worker got its task."""
NO_GAME = -1
DESK_SIZE = 4
GRACE_SECONDS = 1.0
"""How long after its deadline a bot that has not answered is given up from outside."""
OWN_SECONDS = 60.0
"""How long a worker may be busy without running a bot, such as with loading the game."""

_log = logging.getLogger(__name__)


@dataclass
class Desk:
    """What one worker is doing.

    Args:
        places: memory for DESK_SIZE numbers, shared with who looks on.
    """

    places: MutableSequence[float]
    bots: Sequence[str] = field(default=(), init=False)
    """Specs of the bots of the tournament; known to the worker itself only."""
    seats: Sequence[int] = field(default=(), init=False)
    """For each seat of the game being played, the index of its bot; known to the worker itself only."""

    def __post_init__(self) -> None:
        self.sit_down(NO_GAME)

    @property
    def game(self) -> int:
        """The game being played, or NO_GAME."""
        return self._number(GAME, NO_GAME)

    @property
    def seat(self) -> int:
        """The seat whose bot runs, or NOBODY."""
        return self._number(SEAT, NOBODY)

    def _number(self, place: int, otherwise: int) -> int:
        """A number of the desk, which can be anything: a bot may have written into the memory of its process."""
        try:
            return max(otherwise, int(self.places[place]))
        except (ValueError, OverflowError):
            return otherwise

    @property
    def bot(self) -> str:
        """Spec of the bot that runs; empty where none does, or for who looks on."""
        seat = self.seat
        return self.bots[self.seats[seat]] if 0 <= seat < len(self.seats) else ""

    def turn(self, seat: int, seconds: float) -> None:
        """Note whose bot runs from now on, and how long that may take."""
        self.places[UNTIL] = time.monotonic() + seconds
        self.places[SEAT] = seat

    def sit_down(self, number: int, bots: Sequence[str] = (), seats: Sequence[int] = ()) -> None:
        """Note which game is played from now on, by which bots in which seats."""
        self.places[SEAT] = NOBODY
        self.bots, self.seats = bots, seats
        self.places[GAME] = number
        if number != NO_GAME:
            self.places[BEGUN] = 1

    def take_task(self) -> None:
        """Note that a task begins, in which no game has been begun."""
        self.turn(NOBODY, 0.0)
        self.sit_down(NO_GAME)
        self.places[BEGUN] = 0

    @property
    def has_begun(self) -> bool:
        """True when a game of the task has been begun, even if it is over."""
        return self.places[BEGUN] != 0

    def overdue(self) -> bool:
        """True when a worker has been busy with one thing for longer than it may."""
        seat = self.seat  # read before UNTIL, which is written before it: never an old time with a new seat
        return time.monotonic() > self.places[UNTIL] + (OWN_SECONDS if seat == NOBODY else GRACE_SECONDS)


class _EndOfCopy(list[float]):
    """The places of a desk in a copy of a worker's process, which a bot has forked: to write there ends the copy.

    The copy may run the code of the bot to its end, but not go on with the game.
    """

    def __setitem__(self, place: Any, number: Any) -> None:
        os._exit(0)


def _mark_copy() -> None:
    desk: Desk | None = getattr(_mine, "desk", None)
    if desk is not None:
        desk.places = _EndOfCopy(desk.places)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_copy)


def new_desk() -> Desk:
    """A desk in the memory of this process."""
    return Desk([0.0] * DESK_SIZE)


_mine = threading.local()


def when_leaving(callback: Callable[[], None]) -> None:
    """Register a function to call when the worker of this thread exits."""
    if not hasattr(_mine, "leaving"):
        _mine.leaving = []
    _mine.leaving.append(callback)


def leave() -> None:
    """Call the functions that were registered by `when_leaving`; what one of them raises keeps none from its turn."""
    callbacks: list[Callable[[], None]] = getattr(_mine, "leaving", [])
    while callbacks:
        try:
            callbacks.pop()()
        except BaseException as error:
            _log.info("a worker that exits failed: %s", failure_of(error).message)


def my_desk() -> Desk:
    """The desk of this thread; one that nobody looks at where it has not been given one."""
    found: Desk | None = getattr(_mine, "desk", None)
    return use_desk(new_desk()) if found is None else found


def use_desk(desk: Desk) -> Desk:
    """Give this thread its desk."""
    _mine.desk = desk
    return desk
