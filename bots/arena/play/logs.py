"""The logs of all workers come out of the handlers of the parent, one after the other.

Where processes fork, multiprocessing-logging wraps the handlers, and workers inherit them. Elsewhere workers are given
a queue, and the standard QueueListener of the parent hands what comes to the handlers.
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
"""Log records that come from one worker; a bot may log without end."""
RECORD_LENGTH = 2000
"""Characters of a message."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LogSource:
    """What a worker needs to send its logs to the parent; goes to the worker as an argument."""

    queue: Any
    """Of the parent's QueueListener; None where the handlers were inherited."""
    level: int
    """Of the parent's root logger."""

    def attach(self) -> None:
        """Make the root logger of this process send its records to the parent, as plain and bounded text."""
        root = logging.getLogger()
        if self.queue is not None:
            root.handlers[:] = [QueueHandler(self.queue)]
            root.setLevel(self.level)
        plain = _Plain()
        for handler in root.handlers:
            handler.addFilter(plain)


class _Plain(logging.Filter):
    """Turns records into plain and bounded text, MOST_RECORDS of them; the others are dropped.

    Bots write them, and what their objects have to say is asked here, where the bot runs.
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
    """What a record says, with the traceback that belongs to it."""
    try:
        text = clean_text(record.getMessage()[:RECORD_LENGTH], RECORD_LENGTH)
    except Exception:  # the arguments do not fit the format, or fail
        text = clean_line(record.msg)
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    return text if error is None else f"{text}\n{failure_of(error).log}"


class _Forward(logging.Handler):
    """Hands on to a handler that is not ours: closing this one leaves the other open."""

    def __init__(self, target: logging.Handler) -> None:
        super().__init__(target.level)
        self._target = target

    def emit(self, record: logging.LogRecord) -> None:
        self._target.handle(record)


class _Relayed(multiprocessing_logging.MultiProcessingHandler):  # type: ignore[misc]
    """Relays records until a bot writes junk into the pipe; from then on they are lost, and nothing else."""

    def _receive(self) -> None:
        try:
            super()._receive()
        except Exception:
            _log.info("the pipe of the workers' logs is damaged: what they log is lost from here on")


class LogRelay(AbstractContextManager["LogRelay"]):
    """While it is open, records of workers reach the handlers that the root logger had when it was opened."""

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
        """Wait until what workers have sent is through, then leave the root logger as it was."""
        root = logging.getLogger()
        if self._listener is not None:
            self._listener.stop()
            return
        wrappers, root.handlers[:] = list(root.handlers), self._handlers
        for wrapper in wrappers:
            wrapper.close()
