"""A worker process, seen from the arena: its pipes, its heartbeat and its current task."""

from __future__ import annotations

import math
import pickle
import secrets
import time
from collections.abc import Sequence
from typing import Any

from ...system.affinity import share_of_cpus
from ...system.child_process import ChildProcess
from ...system.pipes import Wakeup
from ...system.start_method import process_context
from .children import end_worker
from .executor import Task
from .frames import KEY_SIZE, MOST_BYTES, read_frame
from .heartbeat import HEARTBEAT_SIZE, Heartbeat
from .logs import LogRelay
from .worker_main import serve

CLOSED_SECONDS = 0.5
"""Time between the end of a worker's pipe and the end of its process, after which the process is given up."""


class WorkerProcess(ChildProcess):
    """A process that runs games. No method waits for it, except `end`.

    Args:
        index: of the worker, 0 to workers - 1.
        workers: number of workers.
        others: worker processes that exist already.
        wakeup: wakes the executor up when there are results.
        relay: destination of log records.
    """

    def __init__(
        self, index: int, workers: int, others: Sequence[WorkerProcess], wakeup: Wakeup, relay: LogRelay
    ) -> None:
        self.index = index
        self.task: Task | None = None
        self.has_finished_a_task = False
        self.has_run_bots = False
        """True once code of a bot may have run in the process itself."""
        context = process_context()
        super().__init__(context, MOST_BYTES, wakeup.ring)
        source = relay.add_worker()
        self._closed_at = math.inf  # time at which the end of the results was read
        self._key = secrets.token_bytes(KEY_SIZE)
        numbers = context.RawArray("d", HEARTBEAT_SIZE)
        self.heartbeat = Heartbeat(numbers)
        forks = context.get_start_method() == "fork"
        ends = [wakeup.reader, wakeup.writer, *(end for worker in (self, *others) for end in worker.ends)]
        inherited = ends if forks else []
        arguments = inherited, self._key, numbers, source, share_of_cpus(index, workers)
        self.start(serve, arguments, "arena-worker")
        for end in source.ends:
            end.close()

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
        self.calls.send(call)

    def ask_to_exit(self) -> None:
        """Tell an idle worker to exit."""
        self.calls.send(pickle.dumps(None))

    def result(self, seconds: float = 0.0) -> tuple[bool, Any] | None:
        """Return (True, result) or (False, error) of the task, or None if it is not complete in this time.

        Raises:
            JunkError: the process sent something else.
        """
        try:
            found: tuple[bool, Any] = read_frame(self.results.get(seconds), self._key)
            return found
        except TimeoutError:
            return None
        except EOFError:
            self._closed_at = min(self._closed_at, time.monotonic())
            return None

    @property
    def has_closed_pipe(self) -> bool:
        """True if the process has closed its pipe, but continues running."""
        return time.monotonic() > self._closed_at + CLOSED_SECONDS

    def end(self) -> None:
        """End the process and all of its descendants."""
        end_worker(self.process)
        self.close_pipes()
