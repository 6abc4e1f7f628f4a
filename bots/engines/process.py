"""An engine as a process: lines to and from it with deadlines, in bounded memory, and a reliable end.

All times are points on the monotonic clock. Every wait has a deadline, for reading as for writing. Output is read only
while a caller waits for it, at most one chunk ahead. So an engine that floods its output blocks, and does not fill the
memory of the arena.
"""

from __future__ import annotations

import signal
import time
import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from ..errors import CRASH, MEMORY, STALL, UNREADABLE, BotFailureError
from ..system.untrusted import clean_line, clean_text
from .program import ERR, OUT, STATUS, Program

MAX_LINE = 1 << 16
"""Bytes of the longest line that is accepted; a longer one is unreadable."""
STDERR_KEPT = 8192
"""Bytes kept from the end of stderr."""
LINES_KEPT = 100
"""Lines kept of the transcript."""
LINE_KEPT = 200
"""Characters kept of each line of the transcript."""
LOOK_SECONDS = 0.05
"""Longest wait before a deadline that another thread has set is noticed."""
LAST_WORDS_SECONDS = 0.5
"""Time to wait for the exit code of an engine that has closed its output."""


class SilenceError(BotFailureError):
    """A deadline has passed."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(STALL, message, log)


class EngineProcess:
    """A running engine.

    Args:
        command: the program and its arguments.
        folder: working directory; empty for that of this process.
        memory_mb: memory limit of all its processes together; None for no limit.
    """

    def __init__(self, command: Sequence[str], folder: str = "", memory_mb: int | None = None) -> None:
        self._program = Program(command, folder)
        self._end = weakref.finalize(self, self._program.end)
        self._open = {OUT, ERR, STATUS}
        self._unread = bytearray()  # beginning of an incomplete line
        self._lines: deque[str] = deque()
        self._status_output = b""
        self._stderr = bytearray()
        self._transcript: deque[str] = deque(maxlen=LINES_KEPT)
        self._silent = False  # it missed a deadline: do not wait for it any more
        self.latest: float | None = None
        """A deadline for all waits that run, which any thread may set; None for no other one than theirs."""
        self._memory_mb: int | None = None
        self.limit_memory(memory_mb)

    @property
    def supervisor_pid(self) -> int:
        """Id of the process that is the ancestor of all processes of the engine."""
        return self._program.pid

    def limit_memory(self, memory_mb: int | None) -> None:
        """Set the memory limit of all processes of the engine together; None for no limit."""
        if memory_mb != self._memory_mb:
            self._memory_mb = memory_mb
            self._program.limit_memory(memory_mb or 0)

    def send(self, line: str, deadline: float) -> None:
        """Write a line. Raises BotFailureError if the engine has ended or does not read in time."""
        self._transcript.append(f"> {line[:LINE_KEPT]}")
        try:
            while not self._program.write(f"{line}\n".encode()):
                self._look(deadline, "does not read its input", writing=True)
        except OSError:
            raise self._gone() from None

    def send_at_once(self, line: str) -> None:
        """Write a short line if the input takes it now. It may be called while another thread waits for output."""
        self._transcript.append(f"> {line[:LINE_KEPT]}")
        with suppress(OSError):  # it reads nothing, or has ended: the thread that waits reports it
            self._program.write(f"{line}\n".encode())

    def read_line(self, deadline: float) -> str:
        """Return the next line of the engine, without line end. Raises BotFailureError if there is none in time."""
        while not self._lines:
            if OUT not in self._open or self._program.has_closed_input:
                raise self._gone()
            self._look(deadline, "does not answer")
        line = self._lines.popleft()
        self._transcript.append(f"< {line[:LINE_KEPT]}")
        return line

    @property
    def log(self) -> str:
        """Last lines of the transcript and end of stderr, of bounded length."""
        errors = self._stderr.decode(errors="backslashreplace")
        transcript = "\n".join(self._transcript)
        return clean_text(f"{transcript}\n--- stderr\n{errors}" if errors else transcript)

    @property
    def has_ended(self) -> bool:
        """True if the end of the engine was reported."""
        return bool(self._status_output) or self._program.has_ended

    def close(self, quit_line: str = "", patience_seconds: float = 0.0) -> None:
        """End the engine and all processes that it has started. Further calls do nothing.

        Args:
            quit_line: command that asks the engine to end by itself; empty for none.
            patience_seconds: time for the engine to end by itself.
        """
        if not self._end.alive:
            return
        if quit_line and patience_seconds > 0 and not self._silent:
            deadline = time.monotonic() + patience_seconds
            with suppress(BotFailureError):
                self.send(quit_line, deadline)
                while STATUS in self._open:
                    self._lines.clear()
                    self._look(deadline, "does not quit")
        self._end()

    def _look(self, deadline: float, otherwise: str, writing: bool = False) -> None:
        """Wait until output can be read, and read a chunk; or until input can be written, if `writing`.

        It may return earlier. Raises SilenceError with the message `otherwise` when the deadline passes.
        """
        latest = self.latest
        remaining = (deadline if latest is None else min(deadline, latest)) - time.monotonic()
        if remaining <= 0:
            self._silent = True
            raise SilenceError(f"it {otherwise}", self.log)
        streams = self._open - {OUT} if writing else self._open
        for stream, found in self._program.take(streams, writing, min(max(0.001, remaining), LOOK_SECONDS)):
            if not found:
                self._open.discard(stream)
            elif stream == ERR:
                self._stderr += found
                del self._stderr[:-STDERR_KEPT]
            elif stream == OUT:
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
        """Return the failure of an engine that has ended or has closed its input or output."""
        deadline = time.monotonic() + LAST_WORDS_SECONDS
        with suppress(BotFailureError):
            while self._open - {OUT}:
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
                return BotFailureError(CRASH, f"it ended {_how(rest)}{self._last_words()}", self.log)
        return BotFailureError(CRASH, "it has closed its input or output", self.log)

    def _last_words(self) -> str:
        """Return the last line of stderr as the end of a message; empty without one."""
        lines = self._stderr.decode(errors="backslashreplace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return f"; its last line of stderr: {clean_line(last, LINE_KEPT)}" if last else ""


def _how(code: str) -> str:
    """Return a phrase for the exit code of a process, negative for a signal."""
    if not code.startswith("-"):
        return f"with exit code {code}"
    number = int(code[1:])
    names = {item.value: item.name for item in signal.Signals}
    return f"by signal {number} ({names.get(number, 'unknown')})"
