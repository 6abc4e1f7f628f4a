"""Work in threads for `asyncio`: the event loop continues, and work ends soon when its caller is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from typing import Any, TypeVar

END_SECONDS = 0.005
"""Time between two calls that stop work. The call is repeated because one before the work begins has no effect."""

_Answer = TypeVar("_Answer")


class AbandonedError(Exception):
    """Raised inside work whose caller was cancelled; nobody receives it."""


async def wait_for(
    work: Callable[[], _Answer], stop: Callable[[], object], executor: Executor | None = None
) -> _Answer:
    """Call a function in a thread and return its result.

    Args:
        work: the function.
        stop: ends a running `work` soon; called from this thread, repeatedly, if the caller is cancelled.
        executor: has the thread; None: the default of the event loop.

    Raises:
        Exception: raised by `work`.
        asyncio.CancelledError: the caller was cancelled. The function has returned.
    """
    running = asyncio.get_running_loop().run_in_executor(executor, work)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await _end(running, stop)
        raise


async def stream_of(
    work: Callable[[Callable[[Any], None]], Any], stop: Callable[[], object], executor: Executor | None = None
) -> AsyncIterator[Any]:
    """Call a function in a thread, and yield what it reports and then its result.

    Args:
        work: the function; its argument is a function that it calls with each report.
        stop: as for `wait_for`; also called when the caller leaves the loop.
        executor: as for `wait_for`.
    """
    loop = asyncio.get_running_loop()
    reports: asyncio.Queue[Any] = asyncio.Queue()

    def report(found: Any) -> None:
        loop.call_soon_threadsafe(reports.put_nowait, found)

    running = loop.run_in_executor(executor, work, report)
    try:
        while not running.done() or not reports.empty():
            next_report = asyncio.ensure_future(reports.get())
            try:
                await asyncio.wait([running, next_report], return_when=asyncio.FIRST_COMPLETED)
            finally:
                next_report.cancel()  # nothing happens to one that is done
            if next_report.done():
                yield next_report.result()
        yield running.result()
    finally:
        await _end(running, stop)


async def _end(running: asyncio.Future[Any], stop: Callable[[], object]) -> None:
    """Stop work and wait for its thread. Its error, if it has one, was reported or is not wanted.

    A further cancellation meanwhile is raised at the end.
    """
    cancelled = None
    while not running.done():
        stop()
        try:
            await asyncio.wait([running], timeout=END_SECONDS)
        except asyncio.CancelledError as error:
            cancelled = error
    if not running.cancelled():
        running.exception()
    if cancelled is not None:
        raise cancelled
