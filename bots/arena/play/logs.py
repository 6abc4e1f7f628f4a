"""Relay the log records of workers to the handlers of the parent process.

If processes fork, multiprocessing-logging wraps the handlers, and workers inherit them. Otherwise every worker has a
pipe of its own, and a thread of the parent reads it and calls the handlers. When a worker dies or writes junk into its
pipe, the records of the others still arrive.
"""

from __future__ import annotations

import logging
import secrets
import threading
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from logging.handlers import QueueHandler
from multiprocessing.connection import Connection

import multiprocessing_logging

from ...system.pipes import END_SECONDS
from ...system.start_method import process_context, start_method
from ...system.untrusted import clean_line, clean_text, failure_of
from .frames import KEY_SIZE, JunkError, encode, framed, read_frame

MOST_RECORDS = 2000
"""Maximum number of log records of one worker."""
RECORD_LENGTH = 2000
"""Maximum length of a message, in characters."""
_MOST_BYTES = 1 << 20
"""Length of the longest frame of a record."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LogSource:
    """Destination of a worker's log records. It is passed to the worker as an argument."""

    level: int
    """Level of the parent's root logger."""
    ends: tuple[Connection, ...] = ()
    """The writing end of the worker's pipe; empty if the worker inherits the handlers."""
    key: bytes = b""
    """Key of the frames in the pipe."""

    def attach(self) -> None:
        """Send the records of this process's root logger to the parent, as plain text of bounded length."""
        root = logging.getLogger()
        if self.ends:
            root.handlers[:] = [QueueHandler(_RecordWriter(self.ends[0], self.key))]  # type: ignore[arg-type]
            root.setLevel(self.level)
        plain = _Plain()
        for handler in root.handlers:
            handler.addFilter(plain)


class _RecordWriter:
    """Queue of a QueueHandler that writes records into the pipe of a worker."""

    def __init__(self, connection: Connection, key: bytes) -> None:
        self._connection = connection
        self._key = key

    def put_nowait(self, record: logging.LogRecord) -> None:
        """Write a record of plain data. Waits until it is written. A pipe that the arena has closed is ignored."""
        with suppress(OSError):
            self._connection.send_bytes(framed(self._key, encode(vars(record))))


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
        text = message_of(record)
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


def message_of(record: logging.LogRecord) -> str:
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

    def __enter__(self) -> LogRelay:
        root = logging.getLogger()
        self._handlers = list(root.handlers)
        self._threads: list[threading.Thread] = []
        self._forks = start_method() == "fork"
        if self._forks:
            root.handlers[:] = [_Relayed("arena-logs", _Forward(handler)) for handler in self._handlers]
        return self

    def add_worker(self) -> LogSource:
        """Return the destination for one more worker. The caller closes its `ends` when the worker has started."""
        level = logging.getLogger().level
        if self._forks:
            return LogSource(level)
        ours, theirs = process_context().Pipe(duplex=False)
        key = secrets.token_bytes(KEY_SIZE)
        self._threads.append(threading.Thread(target=self._relay, args=(ours, key), name="arena-logs", daemon=True))
        self._threads[-1].start()
        return LogSource(level, (theirs,), key)

    def _relay(self, end: Connection, key: bytes) -> None:
        """Thread: handle the records of a worker until its pipe ends or contains junk."""
        with end, suppress(EOFError, OSError):
            try:
                while True:
                    found = read_frame(end.recv_bytes(_MOST_BYTES), key)
                    if not isinstance(found, dict):
                        raise JunkError("junk in place of a log record")
                    record = logging.makeLogRecord(found)
                    for handler in self._handlers:
                        if record.levelno >= handler.level:
                            handler.handle(record)
            except JunkError:
                _log.info("the pipe of a worker's logs is damaged; its further log records are lost")

    def __exit__(self, *error: object) -> None:
        """Wait until all records are handled, then restore the root logger."""
        for thread in self._threads:
            thread.join(END_SECONDS)
        if self._forks:
            root = logging.getLogger()
            wrappers, root.handlers[:] = list(root.handlers), self._handlers
            for wrapper in wrappers:
                wrapper.close()
