"""An engine as a process: lines to it and from it, each with a deadline, in bounded memory, and its certain end.

All times are points on the monotonic clock. An engine is never waited for without a deadline, neither when it should
answer nor when it should read. What it writes is read only while somebody waits for it, at most a chunk ahead, so that
an engine that floods its outputs waits for the arena, and not the arena's memory for it.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..failures import CRASH, MEMORY, STALL, UNREADABLE, BotFailureError
from ..untrusted import clean_text

MAX_LINE = 1 << 16
"""Bytes of the longest line that is read; one that is longer is no answer."""
CHUNK = 1 << 16
STDERR_KEPT = 8192
"""Bytes of the end of stderr that are kept."""
LINES_KEPT = 100
"""Lines of the conversation that are kept,"""
LINE_KEPT = 200
"""and characters of each."""
GONE_SECONDS = 5.0
"""How long the supervisor may take to end all processes of an engine."""
LAST_WORDS_SECONDS = 0.5
"""How long to wait for the exit code of an engine that has closed its output."""

SUPERVISOR = Path(__file__).with_name("supervisor.py")


class SilenceError(BotFailureError):
    """A deadline has passed."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(STALL, message, log)


class EngineProcess:
    """A running engine.

    Args:
        command: the program and its arguments.
        folder: where it runs; empty for this process's.
        memory_mb: what all its processes may take together; None for no limit.
    """

    def __init__(self, command: Sequence[str], folder: str = "", memory_mb: int | None = None) -> None:
        ours, theirs = _pipes()
        self._in, self._out, self._err = ours
        try:
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), *map(str, theirs), folder, *command],
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
        self._control, self._status = self._supervisor.stdin, self._supervisor.stdout
        self._end = weakref.finalize(self, _end_supervisor, self._supervisor, (self._in, self._out, self._err))
        self._open = {self._out, self._err, self._status.fileno()}
        self._unread = bytearray()  # the begin of a line that has not come to its end
        self._lines: deque[str] = deque()
        self._status_output = b""  # what the supervisor has said
        self._stderr = bytearray()
        self._transcript: deque[str] = deque(maxlen=LINES_KEPT)
        self._silent = False  # it has missed a deadline: nothing more is waited for
        self._memory_mb: int | None = None
        self.limit_memory(memory_mb)

    @property
    def supervisor_pid(self) -> int:
        """The process below which all processes of the engine are."""
        return self._supervisor.pid

    def limit_memory(self, memory_mb: int | None) -> None:
        """Say what all processes of the engine may take together from now on."""
        if memory_mb != self._memory_mb:
            self._memory_mb = memory_mb
            with suppress(OSError):  # it has ended: the next line that is read or sent will tell
                self._control.write(f"memory {memory_mb or 0}\n".encode())

    def send(self, line: str, deadline: float) -> None:
        """Write a line. Raises BotFailureError if the engine has ended or does not read."""
        self._transcript.append(f"> {line[:LINE_KEPT]}")
        rest = memoryview(f"{line}\n".encode())
        while rest:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                self._look(deadline, "does not read its input", writing=True)
            except OSError:
                raise self._gone() from None

    def read_line(self, deadline: float) -> str:
        """The next line it writes, without its end. Raises BotFailureError if there is none in time."""
        while not self._lines:
            if self._out not in self._open:
                raise self._gone()
            self._look(deadline, "does not answer")
        line = self._lines.popleft()
        self._transcript.append(f"< {line[:LINE_KEPT]}")
        return line

    @property
    def log(self) -> str:
        """The last lines of the conversation, and the end of what it has written to stderr; of bounded length."""
        errors = self._stderr.decode(errors="backslashreplace")
        transcript = "\n".join(self._transcript)
        return clean_text(f"{transcript}\n--- stderr\n{errors}" if errors else transcript)

    @property
    def has_ended(self) -> bool:
        """True when the supervisor has said that it ended, or why it was ended."""
        poll = select.poll()
        poll.register(self._status, select.POLLIN)
        return bool(self._status_output or poll.poll(0))

    def close(self, quit_line: str = "", patience_seconds: float = 0.0) -> None:
        """End it, with all processes that it has started. Does nothing the second time.

        Args:
            quit_line: sent first, for an engine that would like to end by itself.
            patience_seconds: how long it may take for that.
        """
        if not self._end.alive:
            return
        if quit_line and patience_seconds > 0 and not self._silent:
            deadline = time.monotonic() + patience_seconds
            with suppress(BotFailureError):
                self.send(quit_line, deadline)
                while self._status.fileno() in self._open:
                    self._lines.clear()
                    self._look(deadline, "does not quit")
        self._end()

    def _look(self, deadline: float, otherwise: str, writing: bool = False) -> None:
        """Wait until there is something to read, and read a chunk of it, or until a line can be written.

        Raises SilenceError, which says what it does not do, when the deadline passes.
        """
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            self._silent = True
            raise SilenceError(f"it {otherwise}", self.log)
        poll = select.poll()
        for descriptor in self._open:
            if not (writing and descriptor == self._out):
                poll.register(descriptor, select.POLLIN)
        if writing:
            poll.register(self._in, select.POLLOUT)
        for descriptor, _ in poll.poll(max(1, 1000 * remaining)):
            if descriptor != self._in:
                self._read(descriptor)

    def _read(self, descriptor: int) -> None:
        try:
            found = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return
        if not found:
            self._open.discard(descriptor)
        elif descriptor == self._err:
            self._stderr += found
            del self._stderr[:-STDERR_KEPT]
        elif descriptor == self._out:
            self._take_output(found)
        else:
            self._status_output += found

    def _take_output(self, found: bytes) -> None:
        *whole, rest = found.split(b"\n")
        for number, part in enumerate(whole):
            line = bytes(self._unread) + part if number == 0 else part
            self._unread.clear()
            self._lines.append(line.decode(errors="backslashreplace").rstrip("\r"))
        self._unread += rest
        if len(self._unread) > MAX_LINE:
            begin = self._unread[:LINE_KEPT].decode(errors="backslashreplace")
            self._transcript.append(f"< {begin}...")
            raise BotFailureError(UNREADABLE, f"it writes a line of more than {MAX_LINE:,} bytes", self.log)

    def _gone(self) -> BotFailureError:
        """What has become of an engine that has ended, or closed one of its ends."""
        deadline = time.monotonic() + LAST_WORDS_SECONDS
        with suppress(BotFailureError):
            while self._open - {self._out}:
                self._lines.clear()
                self._look(deadline, "does not end")
        for line in self._status_output.decode(errors="replace").splitlines():
            word, _, rest = line.partition(" ")
            if word == "memory":
                message = f"its processes took {rest} MB; allowed: {self._memory_mb} MB"
                return BotFailureError(MEMORY, message, self.log)
            if word == "failed":
                return BotFailureError(CRASH, f"it cannot be started: {rest}", self.log)
            if word == "exit":
                return BotFailureError(CRASH, f"it ended {_how(rest)}", self.log)
        return BotFailureError(CRASH, "it has closed its input or output", self.log)


def _how(code: str) -> str:
    """In words: how a process ended."""
    if not code.startswith("-"):
        return f"with exit code {code}"
    number = int(code[1:])
    names = {item.value: item.name for item in signal.Signals}
    return f"by signal {number} ({names.get(number, 'unknown')})"


def _pipes() -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Our and their ends of the three streams of a process; ours do not block."""
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


def _end_supervisor(supervisor: subprocess.Popen[bytes], descriptors: Sequence[int]) -> None:
    """Have the supervisor end everything, and wait until it has."""
    for descriptor in descriptors:
        os.close(descriptor)
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    supervisor.stdin.close()
    try:
        supervisor.wait(GONE_SECONDS)
    except subprocess.TimeoutExpired:
        # Only a process that cannot be killed, in the middle of a system call or of another user, keeps it waiting.
        supervisor.kill()
        supervisor.wait()
    supervisor.stdout.close()
