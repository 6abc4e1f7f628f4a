"""An engine below a supervisor, which ends all of its processes however the arena ends. Linux only."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from ..system import supervisor
from .streams import CHUNK, ERR, OUT, STATUS, EngineStreams

GONE_SECONDS = 5.0
"""Time for the supervisor to end all processes of an engine."""


class SupervisedStreams(EngineStreams):
    """Pipes of an engine, without a thread.

    Args:
        command: the program and its arguments.
        folder: working directory; empty for that of this process.
    """

    def __init__(self, command: Sequence[str], folder: str) -> None:
        ours, theirs = _pipes()
        try:
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(supervisor.__file__)), *map(str, theirs), folder, *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=theirs[2],
                pass_fds=theirs,
                start_new_session=True,
                bufsize=0,
            )
        except BaseException:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        assert self._supervisor.stdin is not None
        assert self._supervisor.stdout is not None
        self._control = self._supervisor.stdin
        self._in = ours[0]
        self._descriptors = {OUT: ours[1], ERR: ours[2], STATUS: self._supervisor.stdout.fileno()}
        self.pid = self._supervisor.pid

    def write(self, data: memoryview) -> int:
        return os.write(self._in, data)

    def read(self, stream: str) -> bytes:
        return os.read(self._descriptors[stream], CHUNK)

    def wait(self, streams: Collection[str], writing: bool, seconds: float) -> Sequence[str]:
        poll = select.poll()
        for stream in streams:
            poll.register(self._descriptors[stream], select.POLLIN)
        if writing:
            poll.register(self._in, select.POLLOUT)
        ready = {descriptor for descriptor, _ in poll.poll(1000 * seconds)}
        return [stream for stream in streams if self._descriptors[stream] in ready]

    def limit_memory(self, memory_mb: int) -> None:
        with suppress(OSError):  # it has ended: the next read or write reports it
            self._control.write(f"memory {memory_mb}\n".encode())

    def end(self) -> None:
        for descriptor in (self._in, self._descriptors[OUT], self._descriptors[ERR]):
            os.close(descriptor)
        assert self._supervisor.stdout is not None
        self._control.close()
        try:
            self._supervisor.wait(GONE_SECONDS)
        except subprocess.TimeoutExpired:
            # It waits only for a process that cannot be killed: in a system call, or of another user.
            self._supervisor.kill()
            self._supervisor.wait()
        self._supervisor.stdout.close()


def _pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return our ends and the process's ends of its three streams. Ours do not block."""
    made: list[int] = []
    try:
        for _ in range(3):
            made += os.pipe()
        ours, theirs = (made[1], made[2], made[4]), (made[0], made[3], made[5])
        for descriptor in ours:
            os.set_blocking(descriptor, False)
    except BaseException:
        for descriptor in made:
            os.close(descriptor)
        raise
    return ours, theirs
