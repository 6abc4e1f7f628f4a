"""Relay the log records of workers to the handlers of the parent process.

If processes fork, multiprocessing-logging wraps the handlers, and workers inherit them. Otherwise every worker has a
pipe of its own, and a QueueListener in the parent calls the handlers. When a worker dies or writes junk into its pipe,
the records of the others still arrive.
"""

from __future__ import annotations

import logging
import secrets
import threading
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from logging.handlers import QueueHandler, QueueListener
from multiprocessing.connection import Connection, wait
from types import TracebackType

import multiprocessing_logging

from ...system.pipes import Receiver, Wakeup
from ...system.start_method import ProcessContext, process_context, start_method
from ...system.untrusted import clean_line, clean_text, failure_of
from .frames import KEY_SIZE, FrameReader, JunkError, encode, write_frame

MOST_RECORDS = 2000
"""Maximum number of log records of one worker."""
RECORD_LENGTH = 2000
"""Maximum length of a message, in characters."""

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
            write_frame(self._connection, self._key, encode(vars(record)))


class _RecordReader:
    """Queue of a QueueListener that reads records from the pipes of all workers."""

    def __init__(self, context: ProcessContext) -> None:
        self._lock = threading.Lock()
        self._pipes: dict[Receiver, FrameReader] = {}
        self._wakeup = Wakeup(context.Pipe(duplex=False))
        self._is_stopped = False

    def add(self, connection: Connection, key: bytes) -> None:
        """Read from the pipe of one more worker."""
        receiver = Receiver(connection)
        with self._lock:
            self._pipes[receiver] = FrameReader(receiver, key)
        self._wakeup.ring()

    def put_nowait(self, sentinel: None) -> None:
        """Let `get` return None when it has returned all records that the pipes contain now."""
        self._is_stopped = True
        self._wakeup.ring()

    def get(self, block: bool) -> logging.LogRecord | None:
        """Return the next record, or None when there will be no more."""
        while True:
            is_stopped = self._is_stopped  # before the last look
            with self._lock:
                pipes = dict(self._pipes)
            for receiver, reader in pipes.items():
                if (record := self._read(receiver, reader)) is not None:
                    return record
            if is_stopped:
                self._close()
                return None
            with self._lock:
                sources = [receiver.connection for receiver in self._pipes]
            wait([self._wakeup.reader, *sources])
            self._wakeup.clear()

    def _read(self, receiver: Receiver, reader: FrameReader) -> logging.LogRecord | None:
        """Return the next record of a worker, None without one. A pipe that has ended or contains junk is closed."""
        try:
            found = reader.read()
            if found is None:
                return None
            if isinstance(found, dict):
                return logging.makeLogRecord(found)
            raise JunkError("junk in place of a log record")
        except EOFError:
            pass
        except JunkError:
            _log.info("the pipe of a worker's logs is damaged; its further log records are lost")
        with self._lock:
            del self._pipes[receiver]
        receiver.close()
        return None

    def _close(self) -> None:
        with self._lock:
            for receiver in self._pipes:
                receiver.close()
            self._pipes.clear()
        self._wakeup.close()


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
        self._records: _RecordReader | None = None
        if start_method() == "fork":
            root.handlers[:] = [_Forward(handler) for handler in self._handlers]
            root.handlers[:] = [_Relayed("arena-logs", handler) for handler in root.handlers]
        else:
            self._records = _RecordReader(process_context())
            self._listener = QueueListener(
                self._records,  # type: ignore[arg-type]
                *self._handlers,
                respect_handler_level=True,
            )
            self._listener.start()
        return self

    def add_worker(self) -> LogSource:
        """Return the destination for one more worker. The caller closes its `ends` when the worker has started."""
        level = logging.getLogger().level
        if self._records is None:
            return LogSource(level)
        ours, theirs = process_context().Pipe(duplex=False)
        key = secrets.token_bytes(KEY_SIZE)
        self._records.add(ours, key)
        return LogSource(level, (theirs,), key)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until all records are handled, then restore the root logger."""
        root = logging.getLogger()
        if self._records is not None:
            self._listener.stop()
            return
        wrappers, root.handlers[:] = list(root.handlers), self._handlers
        for wrapper in wrappers:
            wrapper.close()
