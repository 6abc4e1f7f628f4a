"""Supervisor: a small process between the arena and one engine that ends all processes of the engine.

It runs on Linux, as a separate program with the standard library only. It does not read or write the protocol: the
engine has the other ends of the arena's pipes. As a child subreaper, it becomes the parent of every descendant of the
engine whose own parent ends, also of those in other sessions. So when it has no children, no process of the engine is
left.
When the arena's process ends, for whatever reason, the control pipe is closed and the supervisor ends the engine.

Arguments: the file descriptors of the engine's stdin, stdout and stderr, its folder, then the command.
Control (stdin): a line `memory MB` sets the memory limit of all processes of the engine together; end of file ends
the engine.
Status (stdout): `failed REASON` if the engine could not be started; `memory MB` if it was ended for using so much;
last, `exit CODE` when all processes have ended, with a negative CODE for a signal.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

CONTROL, STATUS = 0, 1
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK_SECONDS = 0.02
"""Time between two measurements of memory, if it is limited."""
MEGABYTE = 1 << 20
LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
"""True if the kernel has these files; otherwise all processes are searched for children."""


def main() -> None:
    """Run one engine until it ends or has to be ended; then end all its processes."""
    descriptors, folder, command = [int(text) for text in sys.argv[1:4]], sys.argv[4], sys.argv[5:]
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the arena handles them
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wakeup_pipe, wakeup_end = os.pipe()
    for end in (wakeup_pipe, wakeup_end):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: None)
    signal.set_wakeup_fd(wakeup_end)
    engine = start(descriptors, folder, command)
    for descriptor in descriptors:
        os.close(descriptor)
    code = watch(engine, wakeup_pipe) if engine else None
    code = end_all(engine, code)
    tell(f"exit {code}")


def start(descriptors: list[int], folder: str, command: list[str]) -> int:
    """Start the engine. Return its process id, or 0 if it could not be started."""
    reading, writing = os.pipe()  # closed without output when the program starts
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            for target, descriptor in enumerate(descriptors):
                os.dup2(descriptor, target)
            for descriptor in descriptors:
                os.close(descriptor)  # otherwise the engine could not close its streams
            for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            if folder:
                os.chdir(folder)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(writing, f"{error.strerror}: {error.filename}".encode(errors="replace"))
        finally:
            os._exit(127)
    os.close(writing)
    reason = os.read(reading, 1000)
    os.close(reading)
    if reason:
        tell(f"failed {reason.decode(errors='replace')}")
        return 0
    return pid


def watch(engine: int, wakeup_pipe: int) -> int | None:
    """Wait until the engine ends and return its exit code, or return None when it has to be ended."""
    memory_mb = 0
    unread = b""
    poll = select.poll()
    poll.register(CONTROL, select.POLLIN)
    poll.register(wakeup_pipe, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll(1000 * LOOK_SECONDS if memory_mb else None):
            if descriptor == wakeup_pipe:
                signals = os.read(wakeup_pipe, 1024)
                if signal.SIGTERM in signals:
                    return None
                code = reap(engine)
                if code is not None:
                    return code
            else:
                found = os.read(CONTROL, 1024)
                if not found:
                    return None
                *lines, unread = (unread + found).split(b"\n")
                for line in lines:
                    memory_mb = int(line.split()[1])
        if memory_mb and (taken := memory_taken(memory_mb * MEGABYTE)) > memory_mb * MEGABYTE:
            tell(f"memory {taken // MEGABYTE}")
            return None


def reap(engine: int) -> int | None:
    """Reap all children that have ended. Return the exit code of the engine if it is one of them, else None."""
    code = None
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == engine:
                code = os.waitstatus_to_exitcode(ended[1])
    except ChildProcessError:
        pass
    return code


def end_all(engine: int, code: int | None) -> int | None:
    """Kill all descendants repeatedly until no child is left. Return the engine's exit code."""
    while True:
        for pid in descendants():
            with suppress(OSError):  # it has ended, or belongs to another user
                os.kill(pid, signal.SIGKILL)
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                if pid == engine:
                    code = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            return code
        time.sleep(0.001)


def descendants(of: int = 0) -> list[int]:
    """Return the ids of all descendants of a process; 0 means this process."""
    found: list[int] = []
    parents = [of or os.getpid()]
    while parents:
        children = children_of(parents.pop())
        found += children
        parents += children
    return found


def children_of(pid: int) -> list[int]:
    """Return the children of all threads of a process; none if it has ended."""
    if not LISTS_CHILDREN:
        return [child for child in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent_of(child) == pid]
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def parent_of(pid: int) -> int:
    """Return the parent of a process; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def memory_taken(enough: int) -> int:
    """Return the memory of all descendants together, in bytes.

    Shared pages are counted once for each process, which is fast. Only if the sum exceeds `enough` is it computed again
    with each shared page divided among its processes.
    """
    pids = descendants()
    quick = sum(resident(pid) for pid in pids)
    return quick if quick <= enough else sum(proportional(pid) for pid in pids)


def resident(pid: int) -> int:
    """Return the resident memory of a process, in bytes."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def proportional(pid: int) -> int:
    """Return the memory of a process in bytes, with shared pages divided among their processes."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith(("Pss:", "SwapPss:")))
    except OSError:
        return resident(pid)


def tell(line: str) -> None:
    """Write a line of status; ignore a closed pipe."""
    with suppress(OSError):
        os.write(STATUS, (line + "\n").encode())


if __name__ == "__main__":
    main()
