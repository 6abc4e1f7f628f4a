"""Executor that runs tasks in threads of this process. Threads that hang are replaced.

A thread cannot be ended: a bot that hangs keeps its thread, and a bot that ends the process ends the tournament.
Threads start faster than processes, and suit bots that spend their time in compiled code without the GIL.
"""

from __future__ import annotations

import concurrent.futures
import math
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from ....errors import STALL
from ....system.deadlines import Deadline
from ..executor import ArenaExecutor, Task
from ..heartbeat import Heartbeat, WorkerLostError, new_heartbeat, run_exit_callbacks, use_heartbeat

POLL_SECONDS = 0.25
"""Interval between two checks for threads that hang."""
EXIT_SECONDS = 1.0
"""Time for running tasks to finish when they are cancelled."""


class _Worker:
    """A thread, its heartbeat and its current task."""

    def __init__(self, run: Callable[[_Worker], None]) -> None:
        self.heartbeat: Heartbeat = new_heartbeat()
        self.task: Task | None = None
        self.thread = threading.Thread(target=run, args=(self,), name="arena-worker", daemon=True)


class ThreadExecutor(ArenaExecutor):
    """Executor of threads.

    Args:
        workers: number of threads, 1 and up.
    """

    NAME = "threads"

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self._changed = threading.Condition()
        self._tasks: deque[Task] = deque()
        self._workers: list[_Worker] = []
        self._closed = False
        self._watchdog = threading.Thread(target=self._replace_hanging, name="arena-threads", daemon=True)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        with self._changed:
            if self._closed:
                raise RuntimeError("cannot submit to an executor that has been shut down")
            task = Task((fn, args, kwargs))
            self._tasks.append(task)
            self._start_workers()
            if not self._watchdog.is_alive():
                self._watchdog.start()
            self._changed.notify_all()
            return task.future

    def _start_workers(self) -> None:
        while len(self._workers) < min(
            self._num_workers, len(self._tasks) + sum(w.task is not None for w in self._workers)
        ):
            worker = _Worker(self._work)
            self._workers.append(worker)
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
                self._changed.wait_for(lambda: self._tasks or self._closed or worker not in self._workers)
                if worker not in self._workers or not self._tasks:
                    return
                worker.heartbeat.begin_task()
                worker.task = task = self._tasks.popleft()
            if task.begin():
                function, args, kwargs = task.call
                settle: Callable[[], None]
                try:
                    settle = partial(task.succeed, function(*args, **kwargs))
                except BaseException as error:
                    settle = partial(task.fail, error)
                if self._is_active(worker):
                    settle()
            with self._changed:
                worker.task = None
                self._changed.notify_all()

    def _is_active(self, worker: _Worker) -> bool:
        """Return False for a thread that was replaced meanwhile. Its task has already failed."""
        with self._changed:
            return worker in self._workers

    def _replace_hanging(self) -> None:
        """Replace threads that hang, until the executor is shut down and idle."""
        while True:
            with self._changed:
                self._changed.wait(POLL_SECONDS)
                if self._closed and not self._tasks and all(worker.task is None for worker in self._workers):
                    return
                hanging = [worker for worker in self._workers if worker.task is not None and worker.heartbeat.overdue()]
                for worker in hanging:
                    self._workers.remove(worker)
                self._start_workers()
            for worker in hanging:
                if worker.task is not None:
                    worker.task.fail(
                        WorkerLostError(STALL, worker.heartbeat.game, worker.heartbeat.seat, "its thread was replaced")
                    )

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._changed:
            self._closed = True
            cancelled = list(self._tasks) if cancel_futures else []
            if cancel_futures:
                self._tasks.clear()
            self._changed.notify_all()
            workers = list(self._workers)
        for task in cancelled:
            task.future.cancel()
        deadline = Deadline(EXIT_SECONDS if cancel_futures else math.inf)
        for worker in workers if wait else []:
            worker.thread.join(min(deadline.seconds_left, threading.TIMEOUT_MAX))


EXECUTOR = ThreadExecutor
