"""The clock of the tests. Only this module reads the time, and it has the bounds by which a hang is a failure.

A test waits for an event or for a condition, never for a time, so a busy machine makes it slower and not wrong. Where
time is the subject, the code under test gets a `Clock`, which the test moves.
"""

import asyncio
import contextlib
import time
from types import SimpleNamespace

HANG_SECONDS = 300
"""Something that takes longer than this hangs. Also the timeout of child processes, requests and queues."""
BUILD_SECONDS = 1800
"""The same bound for compilers, installers and runs of whole suites in child processes."""
_POLL_SECONDS = 0.005


class Clock:
    """A clock that only the test moves. An instance replaces `time.monotonic`, `perf_counter` or `time.time`.

    Example:
        >>> clock = Clock()
        >>> monkeypatch.setattr(module.time, "monotonic", clock)
        >>> clock.now += 10
    """

    def __init__(self, now=1000.0):
        self.now = now
        self.module = SimpleNamespace(monotonic=self, perf_counter=self, time=self, thread_time=self, sleep=self.sleep)
        """Replaces the name `time` of one module, so that event loops and threads keep the real time."""

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        """Replace `time.sleep`: move the clock by this time."""
        self.now += seconds


class TickingClock(Clock):
    """A clock that moves by a second whenever it is read."""

    def __call__(self):
        self.now += 1
        return self.now


def wait_until(condition, what=""):
    """Wait until `condition()` is true, and return its value. Fail after HANG_SECONDS with `what`."""
    end = time.monotonic() + HANG_SECONDS
    while not (found := condition()):
        assert time.monotonic() < end, what or "the condition did not become true"
        time.sleep(_POLL_SECONDS)
    return found


async def until(condition, what=""):
    """Wait like `wait_until`, in a coroutine, while others run."""
    end = time.monotonic() + HANG_SECONDS
    while not (found := condition()):
        assert time.monotonic() < end, what or "the condition did not become true"
        await asyncio.sleep(_POLL_SECONDS)
    return found


@contextlib.contextmanager
def no_hang(what=""):
    """Fail if the body takes longer than HANG_SECONDS: it waited for something that does not happen."""
    begin = time.monotonic()
    yield
    assert time.monotonic() - begin < HANG_SECONDS, what or "this took so long that it hangs"


def stopwatch():
    """Start a stopwatch, and return a function that returns the seconds since then: for lower bounds."""
    begin = time.monotonic()
    return lambda: time.monotonic() - begin


def let_pass(seconds):
    """Do nothing for a time that needs no exact length: before a kill at a random moment, or while work continues."""
    time.sleep(seconds)
