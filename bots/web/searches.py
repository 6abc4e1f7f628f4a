"""Searches in threads: a bounded number at once, in the order in which they were asked for."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress

from .problems import Problem

_NICENESS = 5


class SearchPool:
    """Threads for one kind of work.

    Args:
        name: name of the threads.
        threads: number of threads.
        queue: places in the queue of those who may be refused.
    """

    def __init__(self, name: str, threads: int, queue: int) -> None:
        self._free = asyncio.Semaphore(threads)
        self._queue = queue
        self._waiting = 0
        self._running = 0
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix=name, initializer=_give_way)

    @property
    def running(self) -> int:
        """Number of callers who have a thread."""
        return self._running

    @asynccontextmanager
    async def place(self, *, must: bool = False) -> AsyncIterator[ThreadPoolExecutor]:
        """Wait for a free thread, and keep it for a `with` block.

        Args:
            must: True for work that is never refused, such as the bots of a match.

        Raises:
            Problem: the queue is full.
        """
        if not must and self._free.locked() and self._waiting >= self._queue:
            raise Problem(503, "queue_full", f"{self._waiting} searches wait for a place; try again", retry_seconds=5)
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        self._running += 1
        try:
            yield self.executor
        finally:
            self._running -= 1
            self._free.release()

    def close(self) -> None:
        """Start nothing any more."""
        self.executor.shutdown(wait=False, cancel_futures=True)


def _give_way() -> None:
    """Lower the priority of this thread, where threads have one, so that answers do not wait for searches."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS)
