"""No process is left behind: workers and what their bots start end with the arena, however it ends.

On Linux, a small process stands between the arena and each worker. What the worker's descendants leave behind becomes
its child (it is a "child subreaper"), so it can end all of them, those in sessions of their own included. It does so
when the worker has ended, and when the arena ends it or is gone. Elsewhere a worker leads a process group.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ...ugi.supervisor import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, end_all, reap

IS_LINUX = sys.platform == "linux"
END_SECONDS = 5.0
"""How long a supervisor may take to end what is below it."""


def die_with_parent(signal_number: int) -> None:
    """Ask Linux to send this process a signal when its parent ends."""
    if IS_LINUX:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal_number)


def supervise(ends: Iterable[Connection]) -> None:
    """Go on as a child of this process, which waits for the child's end, and then ends all descendants.

    The child leads a session of its own: a signal to its group reaches nothing of the arena.

    Args:
        ends: of pipes, which only the child keeps.
    """
    if not IS_LINUX:
        os.setsid()
        return
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    die_with_parent(signal.SIGTERM)
    arena = multiprocessing.parent_process()
    direct = multiprocessing.get_start_method() != "forkserver"
    if direct and arena is not None and os.getppid() != arena.pid:
        os._exit(1)  # too late: it had ended before
    watched = {signal.SIGCHLD, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    worker = os.fork()
    if worker == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)
        die_with_parent(signal.SIGKILL)
        return
    for end in ends:
        end.close()
    code = None
    while code is None and signal.sigwait(watched) == signal.SIGCHLD:
        code = reap(worker)
    _end_as(end_all(worker, code))


def _end_as(code: int | None) -> None:
    """End this process with the exit code of its worker, or by the same signal."""
    if code is not None and code >= 0:
        os._exit(code)
    number = signal.SIGKILL if code is None else -code
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    os.kill(os.getpid(), number)
    os._exit(1)


def end_worker(process: BaseProcess) -> None:
    """End a worker process and what is below it, and wait for that."""
    if process.is_alive() and IS_LINUX:
        process.terminate()
        process.join(END_SECONDS)
    if not IS_LINUX and process.pid:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    if process.is_alive():
        process.kill()
    process.join()
