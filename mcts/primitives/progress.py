"""Clocks: the time that a thread has used, and the times at which a running search reports its progress."""

from __future__ import annotations

import time

thread_time = getattr(time, "thread_time", time.perf_counter)
"""Return the processor time of the calling thread in seconds; where none is counted, the time that passes."""
FIRST_SECONDS = 0.1
MOST_SECONDS = 1.0


class ProgressClock:
    """A clock for reports: due after 0.1 s, then whenever the time has doubled, and at least once a second."""

    def __init__(self) -> None:
        self._begin = time.perf_counter()
        self._due = self._begin + FIRST_SECONDS

    def is_due(self) -> bool:
        """Return True if a report is due. The next report is then due later."""
        now = time.perf_counter()
        if now < self._due:
            return False
        self._due = now + min(now - self._begin, MOST_SECONDS)
        return True
