"""Threads of this process, of which one that hangs is replaced.

Nothing can end a thread: a bot that hangs keeps its thread, and a bot that takes its process with it takes all. What is
gained is a start without processes, where bots spend their time in compiled code without the GIL.
"""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from ....failures import STALL
from ..heartbeat import Heartbeat, new_heartbeat, run_exit_callbacks, use_heartbeat
from .base import ArenaExecutor, LostError, Task

LOOK_SECONDS = 0.25
"""How often to look for threads that hang."""
LEAVE_SECONDS = 1.0
"""How long the end of a block waits for threads that are at work."""


class _Worker:
    """A thread, what it is doing, and the task it has."""

    def __init__(self, run: Callable[[_Worker], None]) -> None:
        self.heartbeat: Heartbeat = new_heartbeat()
        self.task: Task | None = None
        self.thread = threading.Thread(target=run, args=(self,), name="arena-worker", daemon=True)


class ThreadExecutor(ArenaExecutor):
    """Executor of threads.

    Args:
        workers: how many, 1 and up.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._changed = threading.Condition()
        self._tasks: deque[Task] = deque()
        self._team: list[_Worker] = []
        self._closed = False
        self._watch = threading.Thread(target=self._look_after, name="arena-threads", daemon=True)

    @property
    def slots(self) -> int:
        return self._workers

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        with self._changed:
            if self._closed:
                raise RuntimeError("cannot submit to an executor that has been shut down")
            task = Task((fn, args, kwargs))
            self._tasks.append(task)
            self._hire()
            if not self._watch.is_alive():
                self._watch.start()
            self._changed.notify_all()
            return task.future

    def _hire(self) -> None:
        while len(self._team) < min(self._workers, len(self._tasks) + sum(w.task is not None for w in self._team)):
            worker = _Worker(self._work)
            self._team.append(worker)
            worker.thread.start()

    def _work(self, worker: _Worker) -> None:
        use_heartbeat(worker.heartbeat)
        try:
            self._work_on(worker)
        finally:
            run_exit_callbacks()

    def _work_on(self, worker: _Worker) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._tasks or self._closed or worker not in self._team)
                if worker not in self._team or not self._tasks:
                    return
                worker.heartbeat.begin_task()
                worker.task = task = self._tasks.popleft()
            if task.begin():
                function, args, kwargs = task.call
                tell: Callable[[], None]
                try:
                    tell = partial(task.succeed, function(*args, **kwargs))
                except BaseException as error:
                    tell = partial(task.fail, error)
                if self._is_wanted(worker):
                    tell()
            with self._changed:
                worker.task = None
                self._changed.notify_all()

    def _is_wanted(self, worker: _Worker) -> bool:
        """False for a thread that has been given up meanwhile: its task has failed, whatever it found."""
        with self._changed:
            return worker in self._team

    def _look_after(self) -> None:
        """Replace threads that hang, until the end."""
        while True:
            with self._changed:
                self._changed.wait(LOOK_SECONDS)
                if self._closed and not self._tasks and all(worker.task is None for worker in self._team):
                    return
                hanging = [worker for worker in self._team if worker.task is not None and worker.heartbeat.overdue()]
                for worker in hanging:
                    self._team.remove(worker)
                self._hire()
            for worker in hanging:
                if worker.task is not None:
                    worker.task.fail(
                        LostError(STALL, worker.heartbeat.game, worker.heartbeat.seat, "its thread was given up")
                    )

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._changed:
            self._closed = True
            cancelled = list(self._tasks) if cancel_futures else []
            if cancel_futures:
                self._tasks.clear()
            self._changed.notify_all()
            team = list(self._team)
        for task in cancelled:
            task.future.cancel()
        patience = time.monotonic() + LEAVE_SECONDS if cancel_futures else float("inf")
        for worker in team if wait else []:
            worker.thread.join(min(max(0.0, patience - time.monotonic()), threading.TIMEOUT_MAX))
