"""Processes and their descendants: find them, measure their memory, end them, and end with a parent.

Linux lists the children of a process in /proc. On other systems psutil does, which does not find the descendants of a
process that has ended.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from importlib import import_module
from typing import Any

from . import supervisor
from .features import HAS_SESSIONS, IS_LINUX, KILL

WATCH_THREAD = "parent-watch"
"""Name of the thread that ends this process with its parent."""


def die_with_parent(signal_number: int) -> None:
    """Let Linux send this process a signal when its parent ends. Other systems do nothing."""
    if IS_LINUX:
        ctypes.CDLL(None).prctl(supervisor.PR_SET_PDEATHSIG, signal_number)


def end_with_parent() -> None:
    """Let this process end when its parent of `multiprocessing` ends: on Linux at once.

    On other systems a thread ends it with its descendants. The thread needs the GIL: a process that holds it in
    compiled code ends only when it releases it.
    """
    die_with_parent(KILL)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            end_processes(descendants(os.getpid()))
            os._exit(1)

    if not IS_LINUX:
        threading.Thread(target=watch, name=WATCH_THREAD, daemon=True).start()
    elif parent is not None and not parent.is_alive():
        os._exit(1)  # it ended before the call of the system


def descendants(pid: int) -> list[int]:
    """Return the ids of all descendants of a process that runs; none if it has ended."""
    return supervisor.descendants(pid) if IS_LINUX else [process.pid for process in _children(pid)]


def memory_taken(pid: int) -> int:
    """Return the resident memory of a process and its descendants in bytes, with shared pages counted repeatedly."""
    psutil = import_module("psutil")
    total = 0
    for process in _children(pid, itself=True):
        with suppress(psutil.Error):
            total += process.memory_info().rss
    return total


def end_processes(pids: Iterable[int]) -> None:
    """End processes at once. Those that have ended, or belong to another user, are ignored."""
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, KILL)


def end_family(pid: int) -> None:
    """End the descendants of a process and the process group that it leads, if it leads one."""
    end_processes(descendants(pid))
    end_group(pid)


def end_group(pid: int) -> None:
    """End the process group that a process leads or led, where there are groups."""
    if HAS_SESSIONS:
        with suppress(OSError):
            os.killpg(pid, KILL)


def _children(pid: int, itself: bool = False) -> list[Any]:
    """Return the descendants of a process, and itself on request, as objects of psutil."""
    psutil = import_module("psutil")
    try:
        process = psutil.Process(pid)
        return [*([process] if itself else []), *process.children(recursive=True)]
    except psutil.Error:
        return []
