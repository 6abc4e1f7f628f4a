"""Supervisor: a small process between this one and a program that ends all processes of the program.

It runs on Linux, as a separate program with the standard library only. It does not read or write the streams of the
program, which has the other ends of the pipes. As a child subreaper, it becomes the parent of every descendant of the
program whose own parent ends, also of those in other sessions. So when it has no children, no process of the program is
left.
When the process that has started it ends, for whatever reason, the control socket is closed, and it ends the program.

Arguments: the file descriptor of the control socket, then the command.
Read from the socket: a line `memory MB` sets the memory limit of all processes of the program together; the end of the
stream ends the program.
Written to the socket: `failed REASON` if the program could not be started; `memory MB` if it was ended for using so
much; last, `exit CODE` when all processes have ended, with a negative CODE for a signal.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK_SECONDS = 0.02
"""Time between two measurements of memory, if it is limited."""
MEGABYTE = 1 << 20
LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
"""True if the kernel has these files; otherwise all processes are searched for children."""


def main() -> None:
    """Run one program until it ends or has to be ended; then end all its processes."""
    control, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(control, False)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the process that has started it handles them
    adopt_orphans()
    wakeup_pipe, wakeup_end = os.pipe()
    for end in (wakeup_pipe, wakeup_end):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda *_: None)
    signal.set_wakeup_fd(wakeup_end)
    program = start(control, command)
    with open(os.devnull, "r+b") as nothing:
        for stream in (0, 1):  # otherwise the program could not close its streams
            os.dup2(nothing.fileno(), stream)
    code = None if program is None else watch(program.pid, control, wakeup_pipe)
    code = end_all(0 if program is None else program.pid, code)
    tell(control, f"exit {code}")


def adopt_orphans() -> None:
    """Let this process become the parent of all descendants whose parent ends."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def start(control: int, command: list[str]) -> subprocess.Popen[bytes] | None:
    """Start the program; return None if it could not be started."""

    def prepare() -> None:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)

    try:
        return subprocess.Popen(command, start_new_session=True, preexec_fn=prepare)
    except OSError as error:
        tell(control, f"failed {error.strerror}: {error.filename}")
        return None


def watch(program: int, control: int, wakeup_pipe: int) -> int | None:
    """Wait until the program ends and return its exit code, or return None when it has to be ended."""
    memory_mb = 0
    unread = b""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wakeup_pipe, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll(1000 * LOOK_SECONDS if memory_mb else None):
            if descriptor == wakeup_pipe:
                signals = os.read(wakeup_pipe, 1024)
                if signal.SIGTERM in signals:
                    return None
                code = reap(program)
                if code is not None:
                    return code
            else:
                found = os.read(control, 1024)
                if not found:
                    return None
                *lines, unread = (unread + found).split(b"\n")
                for line in lines:
                    memory_mb = int(line.split()[1])
        if memory_mb and (taken := memory_taken(memory_mb * MEGABYTE)) > memory_mb * MEGABYTE:
            tell(control, f"memory {taken // MEGABYTE}")
            return None


def reap(program: int) -> int | None:
    """Reap all children that have ended. Return the exit code of the program if it is one of them, else None."""
    code = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                code = os.waitstatus_to_exitcode(ended[1])
    return code


def end_all(program: int, code: int | None) -> int | None:
    """Kill all descendants repeatedly until no child is left. Return the program's exit code."""
    while True:
        for pid in descendants():
            with suppress(OSError):  # it has ended, or belongs to another user
                os.kill(pid, signal.SIGKILL)
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                if pid == program:
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
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found


def parent_of(pid: int) -> int:
    """Return the parent of a process; 0 if it has ended."""
    fields = _text_of(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return int(fields[1]) if fields else 0


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
    fields = _text_of(f"/proc/{pid}/statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def proportional(pid: int) -> int:
    """Return the memory of a process in bytes, with shared pages divided among their processes."""
    lines = _text_of(f"/proc/{pid}/smaps_rollup").splitlines()
    shares = [int(line.split()[1]) * 1024 for line in lines if line.startswith(("Pss:", "SwapPss:"))]
    return sum(shares) if lines else resident(pid)


def _text_of(path: str) -> str:
    """Return the text of a file of the system; empty if its process has ended, or belongs to another user."""
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def tell(control: int, line: str) -> None:
    """Write a line of status; ignore a closed socket."""
    with suppress(OSError):
        os.write(control, (line + "\n").encode())


if __name__ == "__main__":
    main()
