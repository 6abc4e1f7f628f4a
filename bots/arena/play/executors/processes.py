"""Processes of this machine. One that dies or hangs is replaced, and its task ends with a LostError that says why."""

from __future__ import annotations

import concurrent.futures
import logging
import math
import multiprocessing
import os
import pickle
import secrets
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from ....errors import BotError
from ....failures import DEATH, STALL
from ..children import end_worker
from ..heartbeat import HEARTBEAT_SIZE, Heartbeat
from ..logs import LogRelay
from .affinity import share_of_cpus
from .base import ArenaExecutor, LostError, Task
from .frames import KEY_SIZE, FrameReader, JunkError
from .process_worker import serve

LOOK_SECONDS = 0.25
"""How often to look for bots that do not answer."""
LEAVE_SECONDS = 2.0
"""How long idle processes are given to go home."""
FALSE_STARTS_ALLOWED = 3
"""How many processes in a row may die before they have done anything."""
CLOSED_SECONDS = 0.5
"""How long a process may live that has closed its pipe."""
BELL_BYTES = 4096
WRITE_SECONDS = 0.01
"""How soon to try again to send what a worker has not read yet."""

_log = logging.getLogger(__name__)


class _Worker:
    """A process, our ends of the pipes to and from it, and the task it has. None of them is ever waited for."""

    def __init__(
        self, index: int, workers: int, others: list[_Worker], bell: tuple[Connection, Connection], relay: LogRelay
    ) -> None:
        self.index = index
        self.task: Task | None = None
        self.has_worked = False
        self.has_run_bots = False
        """True once code of a bot may have run in the process itself."""
        their_calls, self._calls = multiprocessing.Pipe(duplex=False)
        self._results, their_results = multiprocessing.Pipe(duplex=False)
        self._unsent = memoryview(b"")
        self._closed_at = math.inf  # when its end of the pipe was found to be closed
        key = secrets.token_bytes(KEY_SIZE)
        numbers = multiprocessing.RawArray("d", HEARTBEAT_SIZE)
        self.heartbeat = Heartbeat(numbers)
        forks = multiprocessing.get_start_method() == "fork"
        not_mine = [*bell, *(end for worker in (self, *others) for end in worker.ends)] if forks else []
        self.process: BaseProcess = multiprocessing.Process(
            target=serve,
            args=(their_calls, their_results, not_mine, key, numbers, relay.source, share_of_cpus(index, workers)),
            name="arena-worker",
            daemon=True,
        )
        self.process.start()
        their_calls.close()
        their_results.close()
        for end in self.ends:
            os.set_blocking(end.fileno(), False)
        self._reader = FrameReader(self._results.fileno(), key)

    @property
    def ends(self) -> tuple[Connection, Connection]:
        """Our ends of the pipes."""
        return self._calls, self._results

    @property
    def sources(self) -> list[Any]:
        """Things to wait for: one of them becomes ready when something has happened."""
        return [self.process.sentinel, *([self._results] if self._closed_at == math.inf else [])]

    @property
    def is_reading(self) -> bool:
        """True while something has not been sent."""
        return bool(self._unsent)

    def give(self, task: Task) -> None:
        try:
            call = pickle.dumps(task.call, pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # what cannot be pickled
            task.fail(error)
            return
        self.task = task
        self.has_run_bots |= not task.in_clean_process
        self.heartbeat.begin_task()
        self._send(call)

    def dismiss(self) -> None:
        """Tell an idle worker to go home."""
        self._send(pickle.dumps(None))

    def _send(self, call: bytes) -> None:
        self._unsent = memoryview(struct.pack("!i", len(call)) + call)  # as Connection.recv reads it
        self.send_more()

    def send_more(self) -> None:
        """Send what the process is ready to read."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._calls.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # it has just died: that will be noticed
            self._unsent = memoryview(b"")

    def answer(self) -> Any:
        """Whether its task has succeeded, and the result or error; None where that has not come.

        Raises:
            JunkError: it never will.
        """
        try:
            return self._reader.read()
        except EOFError:
            self._closed_at = min(self._closed_at, time.monotonic())
            return None

    @property
    def is_closed(self) -> bool:
        """True when the process has closed its pipe, and has not done so because it was about to end."""
        return time.monotonic() > self._closed_at + CLOSED_SECONDS

    def end(self) -> None:
        """Make sure that the process is gone, and all that it has started."""
        end_worker(self.process)
        for end in self.ends:
            end.close()


class ProcessExecutor(ArenaExecutor):
    """Executor of processes.

    Each has its share of the processors. The first ones are started by the thread that submits first; a thread of this
    executor looks after them from then on.

    Args:
        workers: how many, 1 and up.
        isolates_bots: True to have each bot run in a process of its own below its worker.
    """

    can_isolate = True

    def __init__(self, workers: int, isolates_bots: bool = False) -> None:
        self._workers = workers
        self.isolates_bots = isolates_bots
        self._lock = threading.Lock()
        self._tasks: deque[Task] = deque()
        self._team: list[_Worker] = []
        self._closed = self._cancelled = False
        self._broken: BotError | None = None
        self._false_starts = 0
        self._ears, self._bell = multiprocessing.Pipe(duplex=False)
        for end in (self._ears, self._bell):
            os.set_blocking(end.fileno(), False)
        self._relay = LogRelay()
        self._manager: threading.Thread | None = None

    @property
    def slots(self) -> int:
        return self._workers

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
                self._hire()
                self._manager = threading.Thread(target=self._manage, name="arena-processes", daemon=True)
                self._manager.start()
        with suppress(OSError):  # the manager has gone, and failed the task
            self._ring()
        return task.future

    def _ring(self) -> None:
        """Wake the manager."""
        with suppress(BlockingIOError):  # it has been woken often enough
            os.write(self._bell.fileno(), b"!")

    def _hire(self) -> None:
        indices = set(range(self._workers)) - {worker.index for worker in self._team}
        for index in sorted(indices):
            self._team.append(_Worker(index, self._workers, [*self._team], (self._ears, self._bell), self._relay))

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
            sources += worker.sources
        wait(sources, WRITE_SECONDS if any(worker.is_reading for worker in self._team) else LOOK_SECONDS)
        with suppress(BlockingIOError):
            while os.read(self._ears.fileno(), BELL_BYTES):
                pass
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
            idle = [worker for worker in self._team if worker.task is None]
            while idle and self._tasks:
                task = self._tasks.popleft()
                if task.begin():
                    worker = self._fit_for(task, idle)
                    worker.give(task)
                    if worker.task is not None:
                        idle.remove(worker)
            return True

    def _fit_for(self, task: Task, idle: list[_Worker]) -> _Worker:
        """An idle worker for a task; where it needs a clean process and there is none, a new one replaces another."""
        if not task.in_clean_process:
            return idle[0]
        for worker in idle:
            if not worker.has_run_bots:
                return worker
        gone = idle.pop()
        gone.end()
        self._team.remove(gone)
        self._hire()
        idle.append(self._team[-1])
        return self._team[-1]

    def _attend(self, worker: _Worker) -> None:
        """Take what a worker has finished; part with it if it is dead or hangs."""
        is_alive = worker.process.is_alive()  # before its last words are read
        worker.send_more()
        try:
            answer = worker.answer()
        except JunkError as error:
            self._lose(worker, DEATH, str(error))
            return
        if answer is not None:
            task, worker.task = worker.task, None
            worker.has_worked = True
            self._false_starts = 0
            succeeded, value = answer
            if task is not None:
                (task.succeed if succeeded else task.fail)(value)
        elif worker.task is not None and worker.heartbeat.overdue():
            self._lose(worker, STALL)
        elif not is_alive:
            self._lose(worker, DEATH)
        elif worker.is_closed:
            self._lose(worker, DEATH, "it closed the pipe to the arena")

    def _lose(self, worker: _Worker, kind: str, detail: str = "") -> None:
        game, seat = worker.heartbeat.game, worker.heartbeat.seat
        worker.end()
        with self._lock:
            self._team.remove(worker)
        detail = detail or f"exit code {worker.process.exitcode}"
        if not worker.heartbeat.has_begun and not worker.has_worked:
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
            task.fail(self._broken or LostError(kind, game, seat, detail))

    def _dismiss(self) -> None:
        """Send idle processes home, and end those that are at work."""
        with self._lock:
            left = [*self._tasks, *(worker.task for worker in self._team if worker.task is not None)]
            self._tasks.clear()
        for worker in self._team:
            if worker.task is None:
                worker.dismiss()
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
                self._ring()
            if wait:
                manager.join()
