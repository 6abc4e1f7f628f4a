"""A worker process, seen from the arena: its pipes, its heartbeat and its current task."""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import secrets
import struct
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from .affinity import share_of_cpus
from .children import end_worker
from .executor import Task
from .frames import KEY_SIZE, FrameReader
from .heartbeat import HEARTBEAT_SIZE, Heartbeat
from .logs import LogRelay
from .worker_main import serve

CLOSED_SECONDS = 0.5
"""Time between the end of a worker's pipe and the end of its process, after which the process is given up."""


class WorkerProcess:
    """A process and the arena's ends of the pipes to and from it. No method waits for the process, except `end`.

    Args:
        index: of the worker, 0 to workers - 1.
        workers: number of workers.
        others: worker processes that exist already.
        wakeup: both ends of the executor's wakeup pipe.
        relay: destination of log records.
    """

    def __init__(
        self, index: int, workers: int, others: Sequence[WorkerProcess], wakeup: Sequence[Connection], relay: LogRelay
    ) -> None:
        self.index = index
        self.task: Task | None = None
        self.has_finished_a_task = False
        self.has_run_bots = False
        """True once code of a bot may have run in the process itself."""
        their_calls, self._calls = multiprocessing.Pipe(duplex=False)
        self._results, their_results = multiprocessing.Pipe(duplex=False)
        self._unsent = memoryview(b"")
        self._closed_at = math.inf  # time at which the end of the results was read
        key = secrets.token_bytes(KEY_SIZE)
        numbers = multiprocessing.RawArray("d", HEARTBEAT_SIZE)
        self.heartbeat = Heartbeat(numbers)
        forks = multiprocessing.get_start_method() == "fork"
        inherited = [*wakeup, *(end for worker in (self, *others) for end in worker.ends)] if forks else []
        self.process: BaseProcess = multiprocessing.Process(
            target=serve,
            args=(their_calls, their_results, inherited, key, numbers, relay.source, share_of_cpus(index, workers)),
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
        """The arena's ends of the pipes."""
        return self._calls, self._results

    @property
    def sources(self) -> list[Any]:
        """Objects for `multiprocessing.connection.wait`; one becomes ready when the process sends data or ends."""
        return [self.process.sentinel, *([self._results] if self._closed_at == math.inf else [])]

    @property
    def has_unsent_bytes(self) -> bool:
        """True while a part of the last message is not sent."""
        return bool(self._unsent)

    def start_task(self, task: Task) -> None:
        """Send a task. A task that cannot be pickled fails at once."""
        try:
            call = pickle.dumps(task.call, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            task.fail(error)
            return
        self.task = task
        self.has_run_bots |= not task.in_clean_process
        self.heartbeat.begin_task()
        self._send(call)

    def ask_to_exit(self) -> None:
        """Tell an idle worker to exit."""
        self._send(pickle.dumps(None))

    def _send(self, call: bytes) -> None:
        self._unsent = memoryview(struct.pack("!i", len(call)) + call)  # the format of Connection.recv
        self.send_more()

    def send_more(self) -> None:
        """Send as many bytes as the pipe takes."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._calls.fileno(), self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:  # the process has just died; its sentinel reports that
            self._unsent = memoryview(b"")

    def result(self) -> tuple[bool, Any] | None:
        """Return (True, result) or (False, error) of the task, or None if it is not complete.

        Raises:
            JunkError: the process sent something else.
        """
        try:
            found: tuple[bool, Any] | None = self._reader.read()
            return found
        except EOFError:
            self._closed_at = min(self._closed_at, time.monotonic())
            return None

    @property
    def has_closed_pipe(self) -> bool:
        """True if the process has closed its pipe, but goes on running."""
        return time.monotonic() > self._closed_at + CLOSED_SECONDS

    def end(self) -> None:
        """End the process and all of its descendants."""
        end_worker(self.process)
        for end in self.ends:
            end.close()
