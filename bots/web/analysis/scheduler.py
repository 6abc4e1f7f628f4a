"""`Scheduler`: which computation gets a thread next, and for how long.

Every computation of the server waits for its turn here. Short ones go first, and then the one whose client has had the
least time lately. While others wait, a search that has had its share is told to end with what it has found.
"""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from mcts import Limit

from ...system.background import wait_for
from ..caps import Caps
from ..problems import Problem

_Answer = TypeVar("_Answer")

_NICENESS = 5
_LATELY_SECONDS = 10.0
"""Time in which what a client has used loses two thirds of its weight."""
_WEIGHT_OF_MATCH = 0.1
"""Weight of what a match has used, beside that of its client: it decides between the matches of one client."""
_IF_STOPPED = 10.0
"""A computation that was stopped would have taken longer, by this factor."""
_SHORT_SECONDS = 0.1
"""Longest computation that counts as short."""
_SHORT_IN_TOTAL = 1.0
"""Seconds that a client may lately have used in total, so that its short computations go first."""
CUT_SECONDS = 0.02
"""Time between two looks at the running searches while others wait."""
_SIMULATIONS_PER_SECOND = 20_000
"""A low estimate, for limits in simulations."""


class Asker(NamedTuple):
    """The client that asks for a computation."""

    client: str = ""
    """Address of the client."""
    match: str = ""
    """Id of the match."""


class Share(NamedTuple):
    """Seconds that a search has for itself while others wait: `most` divided by their number, but `least` always."""

    least: float
    most: float


class Place(Executor):
    """A thread during one turn. It measures the time that its calls take of a processor.

    Attributes:
        used: this time in seconds.
        was_stopped: True if the computation had to end before it was complete.
    """

    def __init__(self, threads: Executor) -> None:
        self.used = 0.0
        self.was_stopped = False
        self._threads = threads

    @property
    def expected(self) -> float:
        """Seconds that the next computation of this kind is likely to take."""
        return self.used * (_IF_STOPPED if self.was_stopped else 1.0)

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Future[Any]:
        """Call a function in the thread."""

        def measured() -> Any:
            begun = time.thread_time()
            try:
                return work(*arguments, **keywords)
            finally:
                self.used += time.thread_time() - begun

        return self._threads.submit(measured)


@dataclass(eq=False)
class _Turn:
    asker: Asker
    expected: float
    stop: Callable[[], object] | None
    since: float
    """Time since which it waits, and then since which it runs."""
    place: Place
    must: bool
    begins: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Scheduler:
    """Threads for one kind of computation.

    Args:
        name: name of the threads.
        threads: number of computations that run at once.
        queue: places in the queue of those who may be refused.
        share: the share of a search that can be stopped; None: it may run to its end.
        spare: further threads, for short computations only.
        gives_way: True for threads of a lower priority.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        queue: int,
        share: Share | None = None,
        *,
        spare: int = 0,
        gives_way: bool = True,
    ) -> None:
        self._threads = threads
        self._spare = spare
        self._queue = queue
        self._share = share
        self._waiting: list[_Turn] = []
        self._running: list[_Turn] = []
        self._used = _Used()
        self._timer: asyncio.TimerHandle | None = None
        self._ending = False
        self.executor = ThreadPoolExecutor(
            threads + spare, thread_name_prefix=name, initializer=_give_way if gives_way else None
        )

    @property
    def running(self) -> int:
        """Number of computations that have a thread."""
        return len(self._running)

    @asynccontextmanager
    async def place(
        self,
        asker: Asker = Asker(),  # noqa: B008 (it cannot be changed)
        stop: Callable[[], object] | None = None,
        *,
        expected: float = 0.0,
        must: bool = False,
    ) -> AsyncIterator[Place]:
        """Wait for a turn, and keep the thread for a `with` block.

        Args:
            asker: who asks.
            stop: ends the computation soon, with what it has found; called repeatedly when its share is over.
            expected: seconds of a processor that it is likely to take.
            must: True for work that is never refused, such as the bots of a match.

        Raises:
            Problem: the queue is full, and the client has something in it or runs something; or the server ends.
        """
        if self._ending:
            raise _ending()
        if not must and len(self._waiting) >= self._queue and self._has_something(asker.client):
            raise Problem(503, "queue_full", f"{len(self._waiting)} searches wait for a place", retry_seconds=5)
        turn = _Turn(asker, expected, stop, time.monotonic(), Place(self.executor), must)
        self._waiting.append(turn)
        self._next()
        try:
            await turn.begins
            yield turn.place
        finally:
            self._end(turn)

    async def run(
        self, asker: Asker, work: Callable[[], _Answer], *, expected: float = 0.0, must: bool = False
    ) -> _Answer:
        """Call a function in a thread when it is its turn, and return its result. Arguments and errors: see `place`.

        If the caller is cancelled, the function is called to its end.
        """
        async with self.place(asker, expected=expected, must=must) as place:
            return await wait_for(work, lambda: None, place)

    def end(self) -> None:
        """Refuse all who wait or come, and stop the running searches of those who would be refused.

        The decisions of bots are left to their matches, which do not play what is cut short.
        """
        self._ending = True
        for turn in self._waiting:
            if not turn.begins.done():
                turn.begins.set_exception(_ending())
        for turn in self._running:
            if turn.stop is not None and not turn.must:
                turn.stop()

    def close(self) -> None:
        """Start nothing any more."""
        self.executor.shutdown(wait=False, cancel_futures=True)

    def _has_something(self, client: str) -> bool:
        return any(turn.asker.client == client for turn in (*self._waiting, *self._running))

    def _next(self) -> None:
        """Let computations begin while threads are free."""
        while self._waiting and not self._ending:
            now = time.monotonic()
            turn = min(self._waiting, key=lambda one: self._order(one, now))
            if len(self._running) >= self._threads + self._spare * self._is_short(turn, now):
                break
            self._waiting.remove(turn)
            turn.since = now
            self._running.append(turn)
            if not turn.begins.done():  # its caller may just have been cancelled
                turn.begins.set_result(None)
        if self._waiting and self._timer is None and self._share is not None and not self._ending:
            self._timer = asyncio.get_running_loop().call_later(CUT_SECONDS, self._cut, self._share)

    def _order(self, turn: _Turn, now: float) -> tuple[bool, float]:
        used = self._used.of(turn.asker.client, now) + _WEIGHT_OF_MATCH * self._used.of(turn.asker, now)
        running = sum(now - other.since for other in self._running if other.asker.client == turn.asker.client)
        return not self._is_short(turn, now), used + running

    def _is_short(self, turn: _Turn, now: float) -> bool:
        return turn.expected <= _SHORT_SECONDS and self._used.of(turn.asker.client, now) <= _SHORT_IN_TOTAL

    def _end(self, turn: _Turn) -> None:
        if turn in self._running:
            self._running.remove(turn)
            now = time.monotonic()
            self._used.add(turn.asker.client, turn.place.used, now)
            self._used.add(turn.asker, turn.place.used, now)
        else:
            self._waiting.remove(turn)
        self._next()

    def _cut(self, share: Share) -> None:
        """Stop the searches that have had their share, while others wait."""
        self._timer = None
        if self._waiting:
            most = max(share.least, share.most / len(self._waiting))
            now = time.monotonic()
            for turn in self._running:
                if turn.stop is not None and now - turn.since > most:
                    turn.stop()
                    turn.place.was_stopped = True
        self._next()


class _Used:
    """Seconds of a processor that clients and matches have used lately."""

    _MOST_KEYS = 10_000

    def __init__(self) -> None:
        self._found: dict[Hashable, tuple[float, float]] = {}
        """Key -> seconds, and the time of this number."""

    def of(self, key: Hashable, now: float) -> float:
        seconds, then = self._found.get(key, (0.0, now))
        return seconds * math.exp((then - now) / _LATELY_SECONDS)

    def add(self, key: Hashable, seconds: float, now: float) -> None:
        self._found[key] = self.of(key, now) + seconds, now
        if len(self._found) > self._MOST_KEYS:
            kept = sorted(self._found, key=lambda other: self.of(other, now))[self._MOST_KEYS // 2 :]
            self._found = {other: self._found[other] for other in kept}


def _ending() -> Problem:
    return Problem(503, "ending", "the server ends", retry_seconds=5)


def expected_seconds(limit: Limit) -> float:
    """Return the seconds that a search within a limit may take."""
    by_simulations = math.inf if limit.simulations is None else limit.simulations / _SIMULATIONS_PER_SECOND
    return min(by_simulations, math.inf if limit.seconds is None else limit.seconds)


def _give_way() -> None:
    """Lower the priority of this thread, where threads have one, so that answers do not wait for searches."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS)


class Threads:
    """All threads of a server that compute something for clients.

    Args:
        caps: limits of the server.
    """

    def __init__(self, caps: Caps) -> None:
        self.setups = Scheduler("setup", 2, caps.queue, gives_way=False)
        """For checking bots, and for making, loading and taking back, which wait for no search."""
        self.decisions = Scheduler("decision", caps.workers, caps.queue, Share(0.2, 1.0), spare=1)
        """For bots, hints and evaluations."""
        self.analyses = Scheduler("analysis", caps.analyses, caps.queue, Share(1.0, 10.0))
        self.solutions = Scheduler("solution", 1, caps.queue)
        self._all = (self.setups, self.decisions, self.analyses, self.solutions)

    def end(self) -> None:
        """Refuse all who wait or come, and stop running searches, so that their clients are answered."""
        for one in self._all:
            one.end()

    def close(self) -> None:
        """Start nothing any more."""
        for one in self._all:
            one.close()
