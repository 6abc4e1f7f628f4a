"""Ctrl-C as a wish that is asked for between two steps, so that nothing is torn apart in the middle."""

from __future__ import annotations

import signal
import threading
from contextlib import AbstractContextManager
from types import FrameType, TracebackType


class Interrupts(AbstractContextManager["Interrupts"]):
    """While it is open, the first Ctrl-C sets `asked`, and the second raises KeyboardInterrupt as ever.

    Nothing is changed where it is opened outside the main thread, or where the program has its own way with Ctrl-C.
    """

    def __init__(self) -> None:
        self.asked = False
        self._changed = False

    def __enter__(self) -> Interrupts:
        mine = threading.current_thread() is threading.main_thread()
        if mine and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._ask)
            self._changed = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._changed:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            signal.default_int_handler(number, frame)
        self.asked = True
