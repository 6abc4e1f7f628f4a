"""Deadlines on the monotonic clock."""

from __future__ import annotations

import math
import time


class Deadline:
    """A point in time after which something is late.

    Args:
        seconds: time from now; infinity for a deadline that never passes.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self._time = time.monotonic() + seconds

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline; 0 if it has passed."""
        return max(0.0, self._time - time.monotonic())

    @property
    def has_passed(self) -> bool:
        """True once the deadline is reached."""
        return time.monotonic() >= self._time
