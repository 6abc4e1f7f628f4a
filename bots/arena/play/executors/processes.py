"""Executor that runs tasks in processes of this machine. Processes that die or hang are replaced."""

from __future__ import annotations

import concurrent.futures
import logging
import threading
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import wait
from typing import Any

from ....errors import DEATH, STALL, BotError
from ....system.deadlines import Deadline
from ....system.pipes import Wakeup
from ....system.start_method import process_context
from ..executor import ArenaExecutor, Task
from ..frames import JunkError
from ..heartbeat import WorkerLostError
from ..logs import LogRelay
from ..worker_process import WorkerProcess

POLL_SECONDS = 0.25
"""Interval between two checks for bots that hang."""
LAST_WORDS_SECONDS = 0.5
"""Longest wait for the last result of a process that has ended."""
EXIT_SECONDS = 2.0
"""Time for idle processes to exit."""
FALSE_STARTS_ALLOWED = 3
"""Number of consecutive processes that may die before they do anything."""

_log = logging.getLogger(__name__)


class ProcessExecutor(ArenaExecutor):
    """Executor of processes, each on its share of the processors.

    The thread that submits the first task starts the processes. Afterwards a thread of the executor manages them.

    Args:
        workers: number of processes, 1 and up.
    """

    NAME = "processes"
    can_isolate = True

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self._lock = threading.Lock()
        self._tasks: deque[Task] = deque()
        self._workers: list[WorkerProcess] = []
        self._closed = self._cancelled = False
        self._broken: BotError | None = None
        self._false_starts = 0
        self._wakeup = Wakeup(process_context().Pipe(duplex=False))
        self._relay = LogRelay()
        self._manager: threading.Thread | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        return self._add(Task((fn, args, kwargs)))

    def submit_clean(self, fn: Callable[..., Any], /, *args: Any) -> concurrent.futures.Future[Any]:
        return self._add(Task((fn, args, {}), in_clean_process=True))

    def _add(self, task: Task) -> concurrent.futures.Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot submit to an executor that has been shut down")
            if self._broken is not None:
                raise self._broken
            self._tasks.append(task)
            if self._manager is None:
                self._relay.__enter__()
                self._start_workers()
                self._manager = threading.Thread(target=self._manage, name="arena-processes", daemon=True)
                self._manager.start()
        self._wakeup.ring()
        return task.future

    def _start_workers(self) -> None:
        """Start the processes that are missing."""
        indices = set(range(self._num_workers)) - {worker.index for worker in self._workers}
        for index in sorted(indices):
            self._workers.append(WorkerProcess(index, self._num_workers, [*self._workers], self._wakeup, self._relay))

    def _manage(self) -> None:
        try:
            while self._assign_tasks():
                self._wait_for_workers()
        except Exception as error:  # for example, the system has no more processes: all waiting tasks must fail
            _log.info("the worker processes cannot be managed", exc_info=True)
            self._broken = BotError(f"the worker processes cannot go on: {type(error).__name__}: {error}")
        self._end_workers()
        self._relay.__exit__(None, None, None)
        self._wakeup.close()

    def _wait_for_workers(self) -> None:
        wait([self._wakeup.reader, *(worker.process.sentinel for worker in self._workers)], POLL_SECONDS)
        self._wakeup.clear()
        for worker in list(self._workers):
            self._check_worker(worker)

    def _assign_tasks(self) -> bool:
        """Give tasks to idle workers. Return False if there will never be more to do."""
        with self._lock:
            if self._cancelled or self._broken is not None:
                return False
            if self._closed and not self._tasks and all(worker.task is None for worker in self._workers):
                return False
            self._start_workers()
            idle = [worker for worker in self._workers if worker.task is None]
            while idle and self._tasks:
                task = self._tasks.popleft()
                if task.begin():
                    worker = self._choose_worker(task, idle)
                    worker.start_task(task)
                    if worker.task is not None:
                        idle.remove(worker)
            return True

    def _choose_worker(self, task: Task, idle: list[WorkerProcess]) -> WorkerProcess:
        """Return an idle worker. If the task needs a clean process and there is none, replace an idle worker."""
        if not task.in_clean_process:
            return idle[0]
        for worker in idle:
            if not worker.has_run_bots:
                return worker
        replaced = idle.pop()
        replaced.end()
        self._workers.remove(replaced)
        self._start_workers()
        idle.append(self._workers[-1])
        return self._workers[-1]

    def _check_worker(self, worker: WorkerProcess) -> None:
        """Read the result of a worker, and replace it if it is dead or hangs."""
        is_alive = worker.process.is_alive()  # before its last result is read
        try:
            result = worker.result(0.0 if is_alive else LAST_WORDS_SECONDS)
        except JunkError as error:
            self._remove_lost(worker, DEATH, str(error))
            return
        if result is not None:
            task, worker.task = worker.task, None
            worker.has_finished_a_task = True
            self._false_starts = 0
            succeeded, value = result
            if task is not None:
                (task.succeed if succeeded else task.fail)(value)
        elif worker.task is not None and worker.heartbeat.overdue():
            self._remove_lost(worker, STALL)
        elif not is_alive:
            self._remove_lost(worker, DEATH)
        elif worker.has_closed_pipe:
            self._remove_lost(worker, DEATH, "it closed the pipe to the arena")

    def _remove_lost(self, worker: WorkerProcess, kind: str, detail: str = "") -> None:
        """End a worker that is lost. Its task fails, or goes to another worker if no game of it had begun."""
        game, seat = worker.heartbeat.game, worker.heartbeat.seat
        worker.end()
        with self._lock:
            self._workers.remove(worker)
        detail = detail or f"exit code {worker.process.exitcode}"
        if not worker.heartbeat.has_begun and not worker.has_finished_a_task:
            self._false_starts += 1
            if self._false_starts > FALSE_STARTS_ALLOWED:
                self._broken = BotError(
                    f"{self._false_starts} worker processes in a row died without playing a game ({detail})"
                )
        else:
            self._false_starts = 0
        task = worker.task
        if task is None:
            return
        if not worker.heartbeat.has_begun and self._broken is None and task.times_lost < FALSE_STARTS_ALLOWED:
            task.times_lost += 1
            with self._lock:
                self._tasks.appendleft(task)
        else:
            task.fail(self._broken or WorkerLostError(kind, game, seat, detail))

    def _end_workers(self) -> None:
        """Let idle processes exit, and end those that run a task."""
        with self._lock:
            left = [*self._tasks, *(worker.task for worker in self._workers if worker.task is not None)]
            self._tasks.clear()
        for worker in self._workers:
            if worker.task is None:
                worker.ask_to_exit()
        deadline = Deadline(EXIT_SECONDS)
        for worker in self._workers:
            if worker.task is None:
                worker.process.join(deadline.seconds_left)
            worker.end()
        for task in left:
            if self._broken is not None or not task.future.cancel():
                task.fail(self._broken or concurrent.futures.CancelledError())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down as in `concurrent.futures`, except that `cancel_futures` also ends tasks that are running."""
        with self._lock:
            self._closed = True
            self._cancelled |= cancel_futures
            manager = self._manager
        if manager is not None:
            self._wakeup.ring()
            if wait:
                manager.join()


EXECUTOR = ProcessExecutor
