"""Ctrl-C as a flag that is polled between two steps, so that no step is interrupted in the middle."""

from __future__ import annotations

import signal
import threading
from contextlib import AbstractContextManager
from types import FrameType


class Interrupts(AbstractContextManager["Interrupts"]):
    """Context in which the first Ctrl-C sets `requested`, and the second raises KeyboardInterrupt.

    It has no effect outside the main thread, or if the program has a signal handler of its own for Ctrl-C.
    """

    def __init__(self) -> None:
        self.requested = False
        self._is_installed = False

    def __enter__(self) -> Interrupts:
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._handle)
            self._is_installed = True
        return self

    def __exit__(self, *error: object) -> None:
        if self._is_installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            signal.default_int_handler(number, frame)
        self.requested = True
