"""Processes of this machine. One that dies or hangs is replaced, and its task ends with a LostError that says why."""

from __future__ import annotations

import concurrent.futures
import logging
import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

from mcts import BotError

from ....failures import DEATH, STALL
from ..heartbeat import DESK_SIZE, NO_GAME, Desk
from ..logs import LogRelay
from .affinity import share_of_cpus
from .base import ArenaExecutor, LostError, Task
from .process_worker import serve

LOOK_SECONDS = 0.25
"""How often to look for bots that do not answer."""
LEAVE_SECONDS = 2.0
"""How long idle processes are given to go home."""
FALSE_STARTS_ALLOWED = 3
"""How many processes in a row may die without having begun a game."""

_log = logging.getLogger(__name__)


class _Worker:
    """A process, our end of the pipe to it, and the task it has."""

    def __init__(self, index: int, workers: int, others: list[_Worker], relay: LogRelay) -> None:
        self.index = index
        self.task: Task | None = None
        self.connection, theirs = multiprocessing.Pipe()
        places = multiprocessing.RawArray("d", DESK_SIZE)
        self.desk = Desk(places)
        forks = multiprocessing.get_start_method() == "fork"
        not_mine = [self.connection, *(other.connection for other in others)] if forks else []
        self.process: BaseProcess = multiprocessing.Process(
            target=serve,
            args=(theirs, not_mine, places, relay.source, share_of_cpus(index, workers)),
            name="arena-worker",
            daemon=True,
        )
        self.process.start()
        theirs.close()

    def give(self, task: Task) -> None:
        self.task = task
        try:
            self.connection.send(task.call)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has just died: that will be noticed
        except Exception as error:  # what cannot be pickled
            self.task = None
            task.fail(error)

    def end(self) -> None:
        """Make sure that the process is gone."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.connection.close()


class ProcessExecutor(ArenaExecutor):
    """Executor of processes.

    Each has its share of the processors. The first ones are started by the thread that submits first; a thread of this
    executor looks after them from then on.

    Args:
        workers: how many, 1 and up.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._lock = threading.Lock()
        self._tasks: deque[Task] = deque()
        self._team: list[_Worker] = []
        self._closed = self._cancelled = False
        self._broken: BotError | None = None
        self._false_starts = 0
        self._ears, self._bell = multiprocessing.Pipe(duplex=False)
        self._relay = LogRelay()
        self._manager: threading.Thread | None = None

    @property
    def slots(self) -> int:
        return self._workers

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future[Any]:
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot submit to an executor that has been shut down")
            if self._broken is not None:
                raise self._broken
            task = Task((fn, args, kwargs))
            self._tasks.append(task)
            if self._manager is None:
                self._relay.__enter__()
                self._hire()
                self._manager = threading.Thread(target=self._manage, name="arena-processes", daemon=True)
                self._manager.start()
        with suppress(OSError):  # the manager has gone, and failed the task
            self._bell.send(None)
        return task.future

    def _hire(self) -> None:
        indices = set(range(self._workers)) - {worker.index for worker in self._team}
        for index in sorted(indices):
            self._team.append(_Worker(index, self._workers, self._team, self._relay))

    def _manage(self) -> None:
        try:
            while self._carry_on():
                self._wait_and_attend()
        except Exception as error:  # such as no more processes to be had: who waits for a result must hear of it
            _log.info("the worker processes cannot be looked after", exc_info=True)
            self._broken = BotError(f"the worker processes cannot go on: {type(error).__name__}: {error}")
        self._dismiss()
        self._relay.__exit__(None, None, None)
        self._ears.close()
        self._bell.close()

    def _wait_and_attend(self) -> None:
        sources: list[Any] = [self._ears]
        for worker in self._team:
            sources += [worker.connection, worker.process.sentinel]
        wait(sources, LOOK_SECONDS)
        while self._ears.poll():
            self._ears.recv()
        for worker in list(self._team):
            self._attend(worker)

    def _carry_on(self) -> bool:
        """Hand out tasks; False when there is nothing more to do, ever."""
        with self._lock:
            if self._cancelled or self._broken is not None:
                return False
            if self._closed and not self._tasks and all(worker.task is None for worker in self._team):
                return False
            self._hire()
            for worker in self._team:
                while worker.task is None and self._tasks:
                    task = self._tasks.popleft()
                    if task.begin():
                        worker.give(task)
            return True

    def _attend(self, worker: _Worker) -> None:
        """Take what a worker has finished; part with it if it is dead or hangs."""
        try:
            answer = worker.connection.recv() if worker.connection.poll() else None
        except (EOFError, OSError):
            answer = None  # it died while it was sending
        if answer is not None:
            task, worker.task = worker.task, None
            self._false_starts = 0
            succeeded, value = answer
            if task is not None:
                (task.succeed if succeeded else task.fail)(value)
        elif worker.desk.overdue():
            self._lose(worker, STALL)
        elif not worker.process.is_alive():
            self._lose(worker, DEATH)

    def _lose(self, worker: _Worker, kind: str) -> None:
        game, seat = worker.desk.game, worker.desk.seat
        worker.end()
        with self._lock:
            self._team.remove(worker)
        detail = f"exit code {worker.process.exitcode}"
        if game == NO_GAME:
            self._false_starts += 1
            if worker.task is not None and self._false_starts <= FALSE_STARTS_ALLOWED:
                with self._lock:
                    self._tasks.appendleft(worker.task)
                return
            if self._false_starts > FALSE_STARTS_ALLOWED:
                self._broken = BotError(
                    f"{self._false_starts} worker processes in a row died without playing a game ({detail})"
                )
        else:
            self._false_starts = 0
        if worker.task is not None:
            worker.task.fail(self._broken or LostError(kind, game, seat, detail))

    def _dismiss(self) -> None:
        """Send idle processes home, and end those that are at work."""
        with self._lock:
            left = [*self._tasks, *(worker.task for worker in self._team if worker.task is not None)]
            self._tasks.clear()
        for worker in self._team:
            if worker.task is None:
                with suppress(OSError):
                    worker.connection.send(None)
        patience = time.monotonic() + LEAVE_SECONDS
        for worker in self._team:
            if worker.task is None:
                worker.process.join(max(0.0, patience - time.monotonic()))
            worker.end()
        for task in left:
            if self._broken is not None or not task.future.cancel():
                task.fail(self._broken or concurrent.futures.CancelledError())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """As `concurrent.futures` has it, but that `cancel_futures` ends tasks that are being worked at, too."""
        with self._lock:
            self._closed = True
            self._cancelled |= cancel_futures
            manager = self._manager
        if manager is not None:
            with suppress(OSError):  # the manager has gone, and closed it
                self._bell.send(None)
            if wait:
                manager.join()
