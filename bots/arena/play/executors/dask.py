"""Executor that runs tasks on a Dask cluster.

Every worker of the cluster runs tasks like `ThreadExecutor`. When a worker dies, the scheduler of the cluster gives the
task to another one; a task is lost only if its workers died several times. When a bot hangs, its process restarts.
"""

from __future__ import annotations

import concurrent.futures
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, Self

from ....errors import DEATH, TournamentError
from ..executor import ArenaExecutor
from ..heartbeat import WorkerLostError
from .threads import ThreadExecutor

CONNECT_SECONDS = 10.0
WORKER_SECONDS = 60.0
"""Longest time without workers: those that queue for a machine, or restart after a death, take their time."""
POLL_SECONDS = 1.0
"""Interval between two requests for the number of workers."""
RESTART_SECONDS = 1.0
"""Time between the report of a bot that hangs and the restart of its process."""

_executors: dict[int, ThreadExecutor] = {}
"""In a worker of the cluster: the executor of each of its threads, by thread identifier."""


class DaskExecutor(ArenaExecutor):
    """Executor of all workers of a Dask cluster.

    Args:
        address: `HOST:PORT` of the scheduler.
        connect_seconds: longest wait for the scheduler.
        worker_seconds: longest wait for its first worker, and for another one after all workers are lost.

    Raises:
        TournamentError: `distributed` is not installed, or the cluster cannot be reached or has no workers.
    """

    NAME = "dask"
    ADDRESS = "HOST:PORT"

    def __init__(
        self, address: str, *, connect_seconds: float = CONNECT_SECONDS, worker_seconds: float = WORKER_SECONDS
    ) -> None:
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise TournamentError("a Dask cluster needs distributed: pip install 'playout[cluster]'") from None
        self._address, self._worker_seconds = address, worker_seconds
        self._killed_error: type[Exception] = distributed.KilledWorker
        try:
            self._client: Any = distributed.Client(f"tcp://{address}", timeout=connect_seconds, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise TournamentError(f"no Dask scheduler answers at {address!r}: {error}; valid: HOST:PORT") from None
        try:
            self._client.wait_for_workers(1, timeout=worker_seconds)
        except TimeoutError:
            self._client.close()
            raise self._no_workers() from None
        self._slots = 1
        self._seen = time.monotonic()  # last time a request found workers
        self._next_request = self._seen

    @classmethod
    def open(cls, workers: int, address: str = "") -> Self:
        """Return an executor of the cluster at an address; `workers` has no effect."""
        return cls(address)

    @property
    def slots(self) -> int:
        now = time.monotonic()
        if now >= self._next_request:
            workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
            if workers:
                self._seen = now
            elif now > self._seen + self._worker_seconds:
                raise self._no_workers()
            self._slots = max(1, sum(int(worker["nthreads"]) for worker in workers))
            self._next_request = now + POLL_SECONDS
        return self._slots

    def _no_workers(self) -> TournamentError:
        return TournamentError(
            f"the Dask cluster at {self._address!r} has had no workers for {self._worker_seconds:g} s; "
            "valid: one and more"
        )

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        theirs = self._client.submit(_call, fn, args, kwargs, pure=False)
        ours: concurrent.futures.Future[Any] = concurrent.futures.Future()
        ours.set_running_or_notify_cancel()
        theirs.add_done_callback(lambda done: self._transfer(done, ours))
        return ours

    def _transfer(self, theirs: Any, ours: concurrent.futures.Future[Any]) -> None:
        """Copy the result or error of a future of Dask to ours."""
        try:
            result = theirs.result()
        except self._killed_error as error:
            ours.set_exception(WorkerLostError(DEATH, detail=f"with several workers of the cluster: {error}"))
        except (Exception, concurrent.futures.CancelledError) as error:
            ours.set_exception(error)
        else:
            ours.set_result(result)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with suppress(OSError, TimeoutError):  # the cluster is gone, and its workers with it
            self._client.run(_close_executors, on_error="ignore")
        self._client.close()


def _close_executors() -> None:
    """In a worker of the cluster: close bots and threads."""
    while _executors:
        _executors.popitem()[1].shutdown(wait=False)


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """In a worker of the cluster: run a call in a thread that can be replaced if it hangs."""
    executor = _executors.setdefault(threading.get_ident(), ThreadExecutor(1))
    try:
        return executor.submit(function, *args, **kwargs).result()
    except WorkerLostError:
        _restart_soon()
        raise


def _restart_soon() -> None:
    """Exit this process after the error is reported, if a nanny of Dask restarts it."""
    if import_module("distributed").get_worker().nanny is not None:
        restart = threading.Timer(RESTART_SECONDS, os._exit, (1,))
        restart.daemon = True
        restart.start()


EXECUTOR = DaskExecutor
