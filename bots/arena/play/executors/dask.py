"""Workers of a Dask cluster, each of which plays as threads of one process do here.

When a worker of the cluster dies, its scheduler gives the task to another one; only a task in which that has happened
several times is lost. The thread of a bot that hangs is given up, and its process restarted.
"""

from __future__ import annotations

import concurrent.futures
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from ....errors import TournamentError
from ....failures import DEATH
from .base import ArenaExecutor, LostError
from .threads import ThreadExecutor

CONNECT_SECONDS = 10.0
LOOK_SECONDS = 1.0
"""How often to look how many workers there are."""
RESTART_SECONDS = 1.0
"""From the report of a bot that hangs to the end of the process it hangs in."""

_executors: dict[int, ThreadExecutor] = {}
"""In a worker of a cluster: what plays for each of its threads."""


class DaskExecutor(ArenaExecutor):
    """Executor of a Dask cluster, all of its workers.

    Args:
        address: `HOST:PORT` of its scheduler.

    Raises:
        TournamentError: `distributed` is not installed, or the cluster cannot be reached, or has no workers.
    """

    def __init__(self, address: str) -> None:
        try:
            distributed = import_module("distributed")
        except ImportError:
            raise TournamentError("a cluster needs Dask's distributed: pip install 'playout[cluster]'") from None
        self._killed_error: type[Exception] = distributed.KilledWorker
        try:
            self._client: Any = distributed.Client(f"tcp://{address}", timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise TournamentError(f"no Dask scheduler answers at {address!r}: {error}; valid: HOST:PORT") from None
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            self._client.close()
            raise TournamentError(f"the Dask cluster at {address!r} has no workers; valid: one and more") from None
        self._slots, self._look_again = 1, 0.0

    @property
    def slots(self) -> int:
        now = time.monotonic()
        if now >= self._look_again:
            workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
            self._slots = max(1, sum(int(worker["nthreads"]) for worker in workers))
            self._look_again = now + LOOK_SECONDS
        return self._slots

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        theirs = self._client.submit(_call, fn, args, kwargs, pure=False)
        ours: concurrent.futures.Future[Any] = concurrent.futures.Future()
        ours.set_running_or_notify_cancel()
        theirs.add_done_callback(lambda done: self._tell(done, ours))
        return ours

    def _tell(self, theirs: Any, ours: concurrent.futures.Future[Any]) -> None:
        """Hand the end of a task of theirs on to our future of it."""
        try:
            result = theirs.result()
        except self._killed_error as error:
            ours.set_exception(LostError(DEATH, detail=f"with several workers of the cluster: {error}"))
        except (Exception, concurrent.futures.CancelledError) as error:
            ours.set_exception(error)
        else:
            ours.set_result(result)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with suppress(OSError, TimeoutError):  # a cluster that is gone has let go of everything
            self._client.run(_let_go, on_error="ignore")
        self._client.close()


def _let_go() -> None:
    """In a worker of a cluster: part with bots and threads."""
    while _executors:
        _executors.popitem()[1].shutdown(wait=False)


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a worker of the cluster does: make a call in a thread that is given up if it hangs."""
    executor = _executors.setdefault(threading.get_ident(), ThreadExecutor(1))
    try:
        return executor.submit(function, *args, **kwargs).result()
    except LostError:
        _restart_soon()
        raise


def _restart_soon() -> None:
    """End this process, where a nanny starts it anew, when the report of what hangs in it is through."""
    if import_module("distributed").get_worker().nanny is not None:
        restart = threading.Timer(RESTART_SECONDS, os._exit, (1,))
        restart.daemon = True
        restart.start()
