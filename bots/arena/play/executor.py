"""Base class of executors, which run the batches of a tournament."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from typing import Any, ClassVar, Self


class ArenaExecutor(concurrent.futures.Executor):
    """Executor of `concurrent.futures` with a name and a known capacity.

    A task whose worker dies or hangs ends with a WorkerLostError. The end of a `with` block cancels all tasks, also
    those that are running.
    """

    NAME: ClassVar[str] = ""
    """Name for `open_executor`; empty for a class that is named by its path."""
    ADDRESS: ClassVar[str] = ""
    """Form of the address in `NAME://ADDRESS`, such as `HOST:PORT`; empty for an executor without an address."""
    can_isolate = False
    """True if `submit_clean` guarantees a process in which no code of a bot has run."""
    isolates_bots = False
    """True if every bot is to run in a process of its own."""

    def __init__(self, workers: int = 1) -> None:
        self._num_workers = workers

    @classmethod
    def open(cls, workers: int, address: str = "") -> Self:
        """Return an executor of this class.

        Args:
            workers: number of tasks to run at the same time, 1 and up.
            address: text after `NAME://`; empty if there is none.
        """
        return cls(workers)

    def submit_clean(self, fn: Callable[..., Any], /, *args: Any) -> concurrent.futures.Future[Any]:
        """Submit a call like `submit`, to a process in which no code of a bot has run if `can_isolate` is True."""
        return self.submit(fn, *args)

    @property
    def slots(self) -> int:
        """Number of tasks that can run at the same time, 1 and up. It may change."""
        return self._num_workers

    def __exit__(self, *error: object) -> None:
        self.shutdown(wait=True, cancel_futures=True)


class Task:
    """A submitted call and its future.

    Args:
        call: function, arguments and keyword arguments.
        in_clean_process: True if the call needs a process in which no code of a bot has run, and runs none itself.
    """

    def __init__(
        self, call: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]], in_clean_process: bool = False
    ) -> None:
        self.call = call
        self.in_clean_process = in_clean_process
        self.times_lost = 0
        """Number of workers that died with this task before they began a game."""
        self.future: concurrent.futures.Future[Any] = concurrent.futures.Future()

    def begin(self) -> bool:
        """Mark the task as running. Return False if it was cancelled. A task may begin again on another worker."""
        return self.future.running() or self.future.set_running_or_notify_cancel()

    def succeed(self, result: Any) -> None:
        """Set the result, unless the future is done."""
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        """Set the error, unless the future is done."""
        if not self.future.done():
            self.future.set_exception(error)
