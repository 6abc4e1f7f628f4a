"""What a worker is doing right now, written where others can read it even after it has died, or while it hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass

from .match import NOBODY

GAME, SEAT, UNTIL = range(3)
"""Places of a desk: the game being played, the seat that is to decide, and until when by the monotonic clock."""
NO_GAME = -1
DESK_SIZE = 3
GRACE_SECONDS = 1.0
"""How long after its deadline a bot that has not answered is given up from outside."""


@dataclass
class Desk:
    """What one worker is doing.

    Args:
        places: memory for DESK_SIZE numbers, shared with who looks on.
    """

    places: MutableSequence[float]

    def __post_init__(self) -> None:
        self.sit_down(NO_GAME)

    @property
    def game(self) -> int:
        """The game being played, or NO_GAME."""
        return int(self.places[GAME])

    @property
    def seat(self) -> int:
        """Who is to decide, or NOBODY."""
        return int(self.places[SEAT])

    def turn(self, seat: int, seconds: float) -> None:
        """Note who is to decide from now on, and how long that may take."""
        self.places[UNTIL] = time.monotonic() + seconds
        self.places[SEAT] = seat

    def sit_down(self, number: int) -> None:
        """Note which game is played from now on."""
        self.places[SEAT] = NOBODY
        self.places[GAME] = number

    def overdue(self) -> bool:
        """True when a bot has not answered for longer than a worker would have let pass."""
        seat = self.seat  # read before UNTIL, which is written before it: never an old time with a new seat
        return seat != NOBODY and time.monotonic() > self.places[UNTIL] + GRACE_SECONDS


def new_desk() -> Desk:
    """A desk in the memory of this process."""
    return Desk([0.0] * DESK_SIZE)


_mine = threading.local()


def when_leaving(callback: Callable[[], None]) -> None:
    """Have something called when the worker of this thread goes home."""
    if not hasattr(_mine, "leaving"):
        _mine.leaving = []
    _mine.leaving.append(callback)


def leave() -> None:
    """Call what is to be called when the worker of this thread goes home."""
    callbacks: list[Callable[[], None]] = getattr(_mine, "leaving", [])
    while callbacks:
        callbacks.pop()()


def my_desk() -> Desk:
    """The desk of this thread; one that nobody looks at where it has not been given one."""
    found: Desk | None = getattr(_mine, "desk", None)
    return use_desk(new_desk()) if found is None else found


def use_desk(desk: Desk) -> Desk:
    """Give this thread its desk."""
    _mine.desk = desk
    return desk
