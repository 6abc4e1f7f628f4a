"""A program beside this one: its input, output and errors, what becomes of it, and the end of all its processes.

Each stream has a thread, because no other way to read and write works on every system. On Linux a supervisor runs
between both, which ends all processes of the program, however this process ends. Elsewhere processes that the program
leaves behind are found only while it runs, or in its process group where there are groups; when this process is killed,
the program sees the end of its input.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import IO

from ..system import supervisor
from ..system.features import HAS_SESSIONS, IS_LINUX, IS_POSIX
from ..system.pipes import Receiver, Sender
from ..system.process_tree import end_family, end_group, memory_taken
from ..system.supervisor import LOOK_SECONDS, MEGABYTE

CHUNK = 1 << 16
"""Most bytes of one read."""
OUT, ERR, STATUS = "out", "err", "status"
"""Names of the streams. STATUS has lines about the process: `failed REASON` if it could not be started; `memory MB` if
it was ended for using so much; last, `exit CODE` when it has ended, with a negative CODE for a signal."""
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
        self._memory_mb = 0
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._input: Sender | None = None
        self._streams: dict[str, Receiver] = {}
        try:
            self._process = process = self._start([_program(command[0], folder), *command[1:]], folder)
        except OSError as error:
            failed = [f"failed {error.strerror or error}: {error.filename}\n".encode(errors="replace")]
            for name, pieces in ((OUT, []), (ERR, []), (STATUS, failed)):
                self._read(name, iter(pieces))
            return
        assert process.stdin is not None
        self._input = Sender(partial(_write_all, process.stdin), process.stdin.close, self._changed)
        for name, stream in ((OUT, process.stdout), (ERR, process.stderr)):
            assert stream is not None
            self._streams[name] = Receiver(partial(stream.read, CHUNK), stream.close, self._changed)
        if self._control is None:
            self._read(STATUS, self._watch(process))
        else:
            self._streams[STATUS] = Receiver(partial(self._control.recv, CHUNK), self._control.close, self._changed)

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

    def _read(self, name: str, pieces: Iterator[bytes]) -> None:
        """Read a stream of pieces that a thread here makes."""
        self._streams[name] = Receiver(partial(next, pieces, b""), lambda: None, self._changed)

    @property
    def pid(self) -> int:
        """Id of the process that is the ancestor of all processes of the program; 0 if it could not be started."""
        return 0 if self._process is None else self._process.pid

    def write(self, data: bytes) -> bool:
        """Write to the input soon, and return True; or return False if more than a chunk waits to be written.

        Raises:
            BrokenPipeError: the input is closed.
        """
        if self._input is None or self._input.has_ended:
            raise BrokenPipeError("the input is closed")
        if self._input.waiting > CHUNK:
            return False
        self._input.send(data)
        return True

    def take(self, streams: Collection[str], writing: bool, seconds: float) -> list[tuple[str, bytes]]:
        """Return streams with some bytes, or with none at their end. Wait for one, or for the input if `writing`."""

        def ready() -> list[str]:
            return [stream for stream in streams if self._streams[stream].has_news]

        def takes_input() -> bool:
            return self._input is None or self._input.has_ended or self._input.waiting <= CHUNK

        with self._changed:
            self._changed.wait_for(lambda: ready() or (writing and takes_input()), seconds)
            return [(stream, self._streams[stream].take()) for stream in ready()]

    @property
    def has_closed_input(self) -> bool:
        """True if bytes could not be written."""
        return self._input is None or self._input.has_ended

    @property
    def has_ended(self) -> bool:
        """True if there is a status, or will be none."""
        return self._process is None or self._process.poll() is not None or self._streams[STATUS].has_news

    def limit_memory(self, memory_mb: int) -> None:
        """Set the memory limit of all processes of the program together; 0 for no limit."""
        self._memory_mb = memory_mb
        if self._control is not None:
            with suppress(OSError):  # it has ended: the next read or write reports it
                self._control.sendall(f"memory {memory_mb}\n".encode())

    def end(self) -> None:
        """End all processes of the program that can be found."""
        process = self._process
        if process is None or self._input is None:
            return
        if self._control is None:
            end_family(process.pid)
        else:
            with suppress(OSError):
                self._control.shutdown(socket.SHUT_WR)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GONE_SECONDS)  # a supervisor waits only for a process that cannot be killed
        process.kill()
        process.wait()
        for end in (self._input, *self._streams.values()):
            end.close(GONE_SECONDS)

    def _watch(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        """Wait for the end of the process, and end it when it takes too much memory. Yield its status."""
        reason = ""
        while (code := process.poll()) is None:
            limit = self._memory_mb * MEGABYTE
            if limit and (taken := memory_taken(process.pid)) > limit:
                reason = f"memory {taken // MEGABYTE}\n"
                end_family(process.pid)
                process.kill()
                code = process.wait()
                break
            time.sleep(LOOK_SECONDS)
        end_group(process.pid)  # what it has left behind
        yield f"{reason}exit {code}\n".encode()


def _write_all(stream: IO[bytes], data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[stream.write(rest) :]


def _program(name: str, folder: str) -> str:
    """Return a program, on Windows with a path relative to `folder` made absolute: only POSIX systems look there."""
    is_path = Path(name).name != name and folder and not IS_POSIX
    return str(Path(folder, name).resolve()) if is_path else name
