"""What an engine writes: whole lines, from any thread, and one form for all errors."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from ..untrusted import LINE_LENGTH, clean_line


class Output:
    """The output of an engine.

    Args:
        write: called with each line, without its end; from several threads but never at the same time.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._lock = Lock()
        self.failure: OSError | ValueError | None = None
        """Why the last line could not be written, as when nobody reads any more; nothing is written after that."""

    def say(self, line: str) -> None:
        """Write a line."""
        with self._lock:
            if self.failure is None:
                try:
                    self._write(line)
                except (OSError, ValueError) as error:
                    self.failure = error

    def error(self, text: object) -> None:
        """Say what could not be done, and why."""
        self.say(f"info string error {clean_line(text, LINE_LENGTH)}")

    def warning(self, text: object) -> None:
        """Say what was done in another way than asked."""
        self.say(f"info string warning {clean_line(text, LINE_LENGTH)}")
