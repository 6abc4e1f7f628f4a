"""Output of an engine: whole lines from any thread, and a common form for errors."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from ...system.untrusted import LINE_LENGTH, clean_line


class Output:
    """The output of an engine.

    Args:
        write: called with each line, without line end; from several threads, but one call at a time.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._lock = Lock()
        self.failure: OSError | ValueError | None = None
        """Error of the last line that could not be written, such as a closed pipe; no lines are written after it."""

    def say(self, line: str) -> None:
        """Write a line."""
        with self._lock:
            if self.failure is None:
                try:
                    self._write(line)
                except (OSError, ValueError) as error:
                    self.failure = error

    def error(self, text: object) -> None:
        """Write an error: a command that was not executed, and why."""
        self.say(f"info string error {clean_line(text, LINE_LENGTH)}")

    def warning(self, text: object) -> None:
        """Write a warning: a command that was executed differently than requested."""
        self.say(f"info string warning {clean_line(text, LINE_LENGTH)}")
