"""Changes of a worker process by a bot that can make another bot fail: the blame for a failure is then unclear."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Any

_OWN_THREADS = ("MainThread", "QueueFeederThread", "bot-output")

_untouched: tuple[Any, ...] | None = None


def watch() -> None:
    """Take this process as it is now as untouched."""
    global _untouched
    _untouched = _state()


def found() -> bool:
    """True when signal handlers, threads or limits of the interpreter are others than when `watch` was called.

    Always false in a process that is not watched.
    """
    return _untouched is not None and _state() != _untouched


def _state() -> tuple[Any, ...]:
    handlers = [signal.getsignal(number) for number in sorted(signal.valid_signals())]
    threads = [thread.ident for thread in threading.enumerate() if not thread.name.startswith(_OWN_THREADS)]
    return (
        handlers,
        threads,
        sys.getrecursionlimit(),
        sys.getswitchinterval(),
        sys.gettrace(),
        sys.getprofile(),
        threading.current_thread().ident,
    )
