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


@dataclass(frozen=True)
class LogSource:
    """What a worker needs to send its logs to the parent; goes to the worker as an argument."""

    queue: Any
    """Of the parent's QueueListener; None where the handlers were inherited."""
    level: int
    """Of the parent's root logger."""

    def attach(self) -> None:
        """Make the root logger of this process send its records to the parent."""
        if self.queue is not None:
            root = logging.getLogger()
            root.handlers[:] = [QueueHandler(self.queue)]
            root.setLevel(self.level)


class _Forward(logging.Handler):
    """Hands on to a handler that is not ours: closing this one leaves the other open."""

    def __init__(self, target: logging.Handler) -> None:
        super().__init__(target.level)
        self._target = target

    def emit(self, record: logging.LogRecord) -> None:
        self._target.handle(record)


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
            multiprocessing_logging.install_mp_handler(root)
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
