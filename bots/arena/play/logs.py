"""Relay the log records of workers to the handlers of the parent process.

If processes fork, multiprocessing-logging wraps the handlers, and workers inherit them. Otherwise workers receive a
queue, whose QueueListener in the parent calls the handlers.
"""

from __future__ import annotations

import logging
import multiprocessing
from contextlib import AbstractContextManager
from dataclasses import dataclass
from logging.handlers import QueueHandler, QueueListener
from types import TracebackType
from typing import Any

import multiprocessing_logging

from ...untrusted import clean_line, clean_text, failure_of

MOST_RECORDS = 2000
"""Maximum number of log records of one worker."""
RECORD_LENGTH = 2000
"""Maximum length of a message, in characters."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LogSource:
    """Destination of a worker's log records. It is passed to the worker as an argument."""

    queue: Any
    """Queue of the parent's QueueListener; None if the worker inherits the handlers."""
    level: int
    """Level of the parent's root logger."""

    def attach(self) -> None:
        """Send the records of this process's root logger to the parent, as plain text of bounded length."""
        root = logging.getLogger()
        if self.queue is not None:
            root.handlers[:] = [QueueHandler(self.queue)]
            root.setLevel(self.level)
        plain = _Plain()
        for handler in root.handlers:
            handler.addFilter(plain)


class _Plain(logging.Filter):
    """Filter that converts records to plain text of bounded length, and drops records beyond MOST_RECORDS.

    The conversion runs code of the bot's objects, so it happens in the worker, where the bot is charged for errors.
    """

    def __init__(self) -> None:
        super().__init__()
        self._left = MOST_RECORDS

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "is_plain", False) is True:
            return True
        self._left -= 1
        if self._left < 0:
            return False
        text = _message_of(record)
        if self._left == 0:
            text = f"more than {MOST_RECORDS} log records in one process; the rest is dropped"
        plain = logging.makeLogRecord({"is_plain": True, "msg": text, "args": None})
        for name in ("levelno", "lineno", "process", "thread"):
            setattr(plain, name, int(getattr(record, name) or 0))
        for name in ("created", "msecs", "relativeCreated"):
            setattr(plain, name, float(getattr(record, name)))
        for name in ("name", "levelname", "pathname", "filename", "module", "funcName", "threadName", "processName"):
            setattr(plain, name, clean_line(getattr(record, name, "")))
        record.__dict__.clear()
        record.__dict__.update(plain.__dict__)
        return True


def _message_of(record: logging.LogRecord) -> str:
    """Return the message of a record, with its traceback."""
    try:
        text = clean_text(record.getMessage()[:RECORD_LENGTH], RECORD_LENGTH)
    except Exception:  # the arguments do not fit the format, or raise
        text = clean_line(record.msg)
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    return text if error is None else f"{text}\n{failure_of(error).log}"


class _Forward(logging.Handler):
    """Handler that forwards records to another one, and leaves it open when closed."""

    def __init__(self, target: logging.Handler) -> None:
        super().__init__(target.level)
        self._target = target

    def emit(self, record: logging.LogRecord) -> None:
        self._target.handle(record)


class _Relayed(multiprocessing_logging.MultiProcessingHandler):  # type: ignore[misc]
    """Handler that relays records until a bot writes junk into the pipe. Later records are lost."""

    def _receive(self) -> None:
        try:
            super()._receive()
        except Exception:
            _log.info("the pipe of the workers' logs is damaged; further log records of workers are lost")


class LogRelay(AbstractContextManager["LogRelay"]):
    """Context in which records of workers reach the handlers that the root logger had at its start."""

    source: LogSource

    def __enter__(self) -> LogRelay:
        root = logging.getLogger()
        self._handlers = list(root.handlers)
        self._listener: QueueListener | None = None
        queue: Any = None
        if multiprocessing.get_start_method() == "fork":
            root.handlers[:] = [_Forward(handler) for handler in self._handlers]
            root.handlers[:] = [_Relayed("arena-logs", handler) for handler in root.handlers]
        else:
            queue = multiprocessing.Queue()
            self._listener = QueueListener(queue, *self._handlers, respect_handler_level=True)
            self._listener.start()
        self.source = LogSource(queue, root.level)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until all records are handled, then restore the root logger."""
        root = logging.getLogger()
        if self._listener is not None:
            self._listener.stop()
            return
        wrappers, root.handlers[:] = list(root.handlers), self._handlers
        for wrapper in wrappers:
            wrapper.close()
