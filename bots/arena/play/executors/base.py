"""What all executors of the arena have in common."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ..lost import LostError

__all__ = ["ArenaExecutor", "LostError", "Task"]


class ArenaExecutor(concurrent.futures.Executor):
    """An executor that says how much it can do at once, and gives up what it is doing at the end of a `with` block."""

    can_isolate = False
    """True where `submit_clean` does more than `submit`."""
    isolates_bots = False
    """True where all games are to be played with each bot in a process of its own."""

    def submit_clean(self, fn: Callable[..., Any], /, *args: Any) -> concurrent.futures.Future[Any]:
        """As `submit`, but in a process in which no code of a bot has run, where there is such a thing."""
        return self.submit(fn, *args)

    @property
    def slots(self) -> int:
        """How many tasks it can work at side by side, 1 and up."""
        raise NotImplementedError

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=True, cancel_futures=True)


class Task:
    """A call that waits to be made, or is being made, and its future.

    Args:
        call: function, arguments and keyword arguments.
        in_clean_process: True for a call that has to be made where no code of a bot has run, and that runs none there.
    """

    def __init__(
        self, call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]], in_clean_process: bool = False
    ) -> None:
        self.call = call
        self.in_clean_process = in_clean_process
        self.times_lost = 0
        """How often the worker that had it died before it began a game."""
        self.future: concurrent.futures.Future[Any] = concurrent.futures.Future()

    def begin(self) -> bool:
        """True unless it has been cancelled; it can be begun again where the first attempt came to nothing."""
        return self.future.running() or self.future.set_running_or_notify_cancel()

    def succeed(self, result: Any) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)
