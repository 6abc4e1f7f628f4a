"""End workers and all processes that their bots have started, however the arena ends.

On Linux, a supervisor process runs between the arena and each worker. It is a child subreaper: orphaned descendants of
the worker become its children, also those in sessions of their own, so it can end all of them. It does so when the
worker has ended, when the arena ends it, and when the arena itself has ended.

On other systems the arena ends the descendants that it can find and the process group of the worker, if there are
groups. A thread of the worker ends it with the arena. Orphans in other process groups remain.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ...system.features import HAS_SESSIONS, IS_LINUX, KILL
from ...system.process_tree import descendants, die_with_parent, end_family, end_processes, end_with_parent
from ...system.start_method import start_method
from ...system.supervisor import adopt_orphans, end_all, reap

END_SECONDS = 5.0
"""Time for a supervisor to end its descendants."""


def supervise(ends: Iterable[Connection]) -> None:
    """Fork, and continue in the child. The parent waits for the end of the child and then ends all descendants.

    The child leads a session of its own, so a signal to its process group does not reach the arena. On other systems
    than Linux, this process itself continues.

    Args:
        ends: connections that the parent closes.
    """
    if not IS_LINUX:
        if HAS_SESSIONS:
            os.setsid()
        end_with_parent()
        return
    adopt_orphans()
    die_with_parent(signal.SIGTERM)
    arena = multiprocessing.parent_process()
    direct = start_method() != "forkserver"
    if direct and arena is not None and os.getppid() != arena.pid:
        os._exit(1)  # the arena ended before prctl
    watched = {signal.SIGCHLD, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    worker = os.fork()
    if worker == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)
        die_with_parent(KILL)
        return
    for end in ends:
        end.close()
    code = None
    while code is None and signal.sigwait(watched) == signal.SIGCHLD:
        code = reap(worker)
    _end_as(end_all(worker, code))


def end_own_descendants() -> None:
    """End the descendants of this process, before it ends itself. On Linux its supervisor does so afterwards."""
    if not IS_LINUX:
        end_processes(descendants(os.getpid()))


def _end_as(code: int | None) -> None:
    """End this process with the exit code of the worker, or by the same signal."""
    if code is not None and code >= 0:
        os._exit(code)
    number = signal.SIGKILL if code is None else -code
    import resource  # POSIX only

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.kill(os.getpid(), number)
    os._exit(1)


def end_worker(process: BaseProcess) -> None:
    """End a worker process and its descendants, and wait until they have ended."""
    if IS_LINUX:
        if process.is_alive():
            process.terminate()
            process.join(END_SECONDS)
    elif process.pid is not None:
        end_family(process.pid)
    if process.is_alive():
        process.kill()
    process.join()
