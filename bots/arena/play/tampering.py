"""Detection of changes to a worker process by which a bot can make another bot fail."""

from __future__ import annotations

import operator
import signal
import sys
import threading
import time
from typing import Any

from ...system.pipes import THREAD
from ...system.process_tree import WATCH_THREAD

_OWN_THREADS = ("MainThread", "QueueFeederThread", "bot-output", WATCH_THREAD, THREAD)

_baseline: tuple[Any, ...] | None = None


def record_baseline() -> None:
    """Record the current condition of this process as unchanged."""
    global _baseline
    _baseline = _condition()


def is_tampered() -> bool:
    """Return True if clocks, signal handlers, threads or interpreter settings differ from the baseline.

    Always False in a process without a baseline.
    """
    return _baseline is not None and _condition() != _baseline


def has_other_clocks() -> bool:
    """Return True if functions of `time` differ from the baseline. Cheap enough for every call of a bot."""
    return _baseline is not None and any(map(operator.is_not, _clocks(), _baseline[0]))


def _clocks() -> tuple[Any, ...]:
    return time.monotonic, time.perf_counter, time.time, time.sleep


def _condition() -> tuple[Any, ...]:
    handlers = [signal.getsignal(number) for number in sorted(signal.valid_signals())]
    threads = [thread.ident for thread in threading.enumerate() if not thread.name.startswith(_OWN_THREADS)]
    return (
        _clocks(),
        handlers,
        threads,
        sys.getrecursionlimit(),
        sys.getswitchinterval(),
        sys.gettrace(),
        sys.getprofile(),
        threading.current_thread().ident,
    )
