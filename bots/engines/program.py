"""A program beside this one: its input, output and errors, what becomes of it, and the end of all its processes.

Each stream has a thread, because no other way to read and write works on every system. On Linux a supervisor runs
between both, which ends all processes of the program, however this process ends. Elsewhere processes that the program
leaves behind are found only while it runs, or in its process group where there are groups; when this process is killed,
the program sees the end of its input.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from ..system import supervisor
from ..system.features import HAS_SESSIONS, IS_LINUX, IS_POSIX
from ..system.process_tree import end_family, end_group, memory_taken
from ..system.supervisor import LOOK_SECONDS, MEGABYTE

CHUNK = 1 << 16
"""Most bytes of one read."""
OUT, ERR, STATUS = "out", "err", "status"
"""Names of the streams. STATUS has lines about the process: `failed REASON` if it could not be started; `memory MB` if
it was ended for using so much; last, `exit CODE` when it has ended, with a negative CODE for a signal."""
THREAD = "program-stream"
"""Name of the threads."""
GONE_SECONDS = 5.0
"""Time for the supervisor to end all processes, and for the threads to end afterwards."""


class Program:
    """A running program. Its output is read at most one chunk ahead, so one that floods it blocks.

    Args:
        command: the program and its arguments.
        folder: working directory; empty for that of this process.
    """

    def __init__(self, command: Sequence[str], folder: str = "") -> None:
        self._changed = threading.Condition()
        self._chunks: dict[str, bytes] = {}  # read, but not taken
        self._open = {OUT, ERR, STATUS}  # streams from which a thread reads
        self._unwritten: bytes | None = b""  # None once the input is closed
        self._memory_mb = 0
        self._is_to_end = False
        self._threads: list[threading.Thread] = []
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = process = self._start([_program(command[0], folder), *command[1:]], folder)
        except OSError as error:
            self._control, self._unwritten = None, None
            self._open.clear()
            self._tell(f"failed {error.strerror or error}: {error.filename}")
            return
        self._run(self._write_input, process.stdin)
        self._run(self._read_output, process.stdout, OUT)
        self._run(self._read_output, process.stderr, ERR)
        if self._control is None:
            self._run(self._watch, process)
        else:
            self._run(self._read_output, self._control, STATUS)

    def _start(self, command: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
        with ExitStack() as ends:
            passed: list[int] = []
            if IS_LINUX:
                self._control, theirs = socket.socketpair()
                passed.append(ends.enter_context(theirs).fileno())
                command = [sys.executable, "-I", "-S", supervisor.__file__, str(passed[0]), *command]
            return subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder or None,
                start_new_session=HAS_SESSIONS,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                pass_fds=passed,
            )

    @property
    def pid(self) -> int:
        """Id of the process that is the ancestor of all processes of the program; 0 if it could not be started."""
        return 0 if self._process is None else self._process.pid

    def write(self, data: bytes) -> bool:
        """Write to the input soon, and return True; or return False if more than a chunk waits to be written.

        Raises:
            BrokenPipeError: the input is closed.
        """
        with self._changed:
            if self._unwritten is None:
                raise BrokenPipeError("the input is closed")
            if len(self._unwritten) > CHUNK:
                return False
            self._unwritten += data
            self._changed.notify_all()
            return True

    def take(self, streams: Collection[str], writing: bool, seconds: float) -> list[tuple[str, bytes]]:
        """Return streams with some bytes, or with none at their end. Wait for one, or for the input if `writing`."""

        def ready() -> list[str]:
            return [stream for stream in streams if stream in self._chunks or stream not in self._open]

        with self._changed:
            self._changed.wait_for(lambda: ready() or (writing and len(self._unwritten or b"") <= CHUNK), seconds)
            found = [(stream, self._chunks.pop(stream, b"")) for stream in ready()]
            self._changed.notify_all()
            return found

    @property
    def has_closed_input(self) -> bool:
        """True if bytes could not be written."""
        return self._unwritten is None

    @property
    def has_ended(self) -> bool:
        """True if there is a status, or will be none."""
        is_over = self._process is None or self._process.poll() is not None
        return is_over or STATUS in self._chunks or STATUS not in self._open

    def limit_memory(self, memory_mb: int) -> None:
        """Set the memory limit of all processes of the program together; 0 for no limit."""
        self._memory_mb = memory_mb
        if self._control is not None:
            with suppress(OSError):  # it has ended: the next read or write reports it
                self._control.sendall(f"memory {memory_mb}\n".encode())

    def end(self) -> None:
        """End all processes of the program that can be found."""
        process = self._process
        if process is None:
            return
        with self._changed:
            self._is_to_end = True
            self._unwritten = None
            self._changed.notify_all()
        if self._control is None:
            end_family(process.pid)
        else:
            with suppress(OSError):
                self._control.shutdown(socket.SHUT_WR)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GONE_SECONDS)  # a supervisor waits only for a process that cannot be killed
        process.kill()
        process.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(GONE_SECONDS)

    def _run(self, function: Callable[..., None], *args: object) -> None:
        self._threads.append(threading.Thread(target=function, args=args, name=THREAD, daemon=True))
        self._threads[-1].start()

    def _write_input(self, stream: Any) -> None:
        """Thread: write what `write` was given."""
        with suppress(OSError):
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._unwritten != b"")
                    data = self._unwritten
                if data is None:
                    break
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(stream.fileno(), rest) :]
                with self._changed:
                    if self._unwritten is not None:
                        self._unwritten = self._unwritten[len(data) :]
                    self._changed.notify_all()
        with self._changed:
            self._unwritten = None
            self._changed.notify_all()
        with suppress(OSError):
            stream.close()

    def _read_output(self, stream: Any, name: str) -> None:
        """Thread: read a chunk when the one before was taken."""
        with suppress(OSError):
            while found := os.read(stream.fileno(), CHUNK):
                with self._changed:
                    self._chunks[name] = found
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: name not in self._chunks or self._is_to_end)
                    if self._is_to_end:
                        break
        self._close(name)
        stream.close()

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Thread: wait for the end of the process, and end it when it takes too much memory."""
        while (code := process.poll()) is None:
            limit = self._memory_mb * MEGABYTE
            if limit and (taken := memory_taken(process.pid)) > limit:
                self._tell(f"memory {taken // MEGABYTE}")
                end_family(process.pid)
                process.kill()
                code = process.wait()
                break
            time.sleep(LOOK_SECONDS)
        end_group(process.pid)  # what it has left behind
        self._tell(f"exit {code}")
        self._close(STATUS)

    def _close(self, stream: str) -> None:
        with self._changed:
            self._open.discard(stream)
            self._changed.notify_all()

    def _tell(self, line: str) -> None:
        with self._changed:
            self._chunks[STATUS] = self._chunks.get(STATUS, b"") + f"{line}\n".encode(errors="replace")
            self._changed.notify_all()


def _program(name: str, folder: str) -> str:
    """Return a program, on Windows with a path relative to `folder` made absolute: only POSIX systems look there."""
    is_path = Path(name).name != name and folder and not IS_POSIX
    return str(Path(folder, name).resolve()) if is_path else name
