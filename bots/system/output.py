"""Redirect the standard output of bots to the log. Standard output belongs to the command that runs them."""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, TextIO, cast

from .untrusted import LINE_LENGTH, clean_line

MOST_LINES = 200
"""Maximum number of logged lines of one process."""
_CHUNK = 1 << 16
_PATIENCE_SECONDS = 0.5
_STDOUT = 1

_log = logging.getLogger(__name__)


class _Lines:
    """Logger of up to MOST_LINES lines that bots have printed."""

    def __init__(self, bot: Callable[[], str]) -> None:
        self._bot = bot
        self._left = MOST_LINES

    def add(self, line: str) -> None:
        if not line or self._left < 0:
            return
        self._left -= 1
        if self._left >= 0:
            _log.warning("%s printed: %s", clean_line(self._bot()) or "a bot", clean_line(line, LINE_LENGTH))
        else:
            _log.warning("bots have printed more than %d lines; the rest is dropped", MOST_LINES)


class BotStream(io.TextIOBase):
    """Replacement of `sys.stdout` that logs every line with the name of the bot that runs in the thread.

    Args:
        lines: logger of the lines.
    """

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines
        self._begun = threading.local()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return _STDOUT

    @property
    def buffer(self) -> BinaryIO:
        """Binary stream to the file descriptor of standard output."""
        return cast("BinaryIO", open(_STDOUT, "wb", buffering=0, closefd=False))

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        begun: str = getattr(self._begun, "text", "")
        *lines, rest = (begun + text).split("\n")
        for line in lines:
            self._lines.add(line)
        self._begun.text = rest[-LINE_LENGTH:]
        return len(text)

    def flush(self) -> None:
        """Log an unfinished line."""
        begun: str = getattr(self._begun, "text", "")
        self._begun.text = ""
        self._lines.add(begun)


@contextmanager
def bot_output_logged(bot: Callable[[], str] = lambda: "", whole_process: bool = False) -> Iterator[TextIO]:
    """Log everything that this process writes to standard output during the block, from Python or otherwise.

    Only one block can be open at a time. If `sys.stdout` is not a stream of descriptor 1, as in tests, the descriptor
    is not redirected.

    Args:
        bot: returns the name of the bot that runs in the calling thread, or an empty string.
        whole_process: True in a process that prints nothing itself; the descriptor is then always redirected.

    Yields:
        A stream to the original standard output.
    """
    before = sys.stdout
    lines = _Lines(bot)
    stream = BotStream(lines)
    sys.stdout = stream
    try:
        if whole_process or _descriptor(before) == _STDOUT:
            with _descriptor_logged(lines, before, keeps=not whole_process) as own:
                yield own
        else:
            yield before
    finally:
        stream.flush()
        sys.stdout = before


@contextmanager
def _descriptor_logged(lines: _Lines, stdout: TextIO, keeps: bool) -> Iterator[TextIO]:
    """Log everything written to descriptor 1. With `keeps` False, no descriptor of the original output remains open."""
    with suppress(OSError, ValueError):
        stdout.flush()
    saved = os.dup(_STDOUT) if keeps else os.open(os.devnull, os.O_WRONLY)
    reading, writing = os.pipe()
    os.dup2(writing, _STDOUT)
    os.close(writing)
    reader = threading.Thread(target=_read, args=(reading, lines), name="bot-output", daemon=True)
    reader.start()
    try:
        with open(saved, "w", encoding=stdout.encoding, errors=stdout.errors, buffering=1, closefd=False) as own:
            yield own
    finally:
        with suppress(OSError, ValueError):
            stdout.flush()
        os.dup2(saved, _STDOUT)
        os.close(saved)
        reader.join(_PATIENCE_SECONDS)  # a process left behind by a bot may hold the pipe open


def _read(descriptor: int, lines: _Lines) -> None:
    """Log the lines of a pipe until its end."""
    rest = b""
    with suppress(OSError):
        while chunk := os.read(descriptor, _CHUNK):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                lines.add(line[: 4 * LINE_LENGTH].decode(errors="backslashreplace"))
            rest = rest[-LINE_LENGTH:]
        lines.add(rest.decode(errors="backslashreplace"))
        os.close(descriptor)


def _descriptor(stream: TextIO) -> int:
    """Return the file descriptor of a stream, or -1."""
    try:
        return stream.fileno()
    except (OSError, AttributeError, ValueError):
        return -1
