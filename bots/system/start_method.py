"""The start method of worker processes: that of `multiprocessing`, or the one in PLAYOUT_START_METHOD."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any, TypeAlias

from ..errors import BotError
from .features import HAS_FORK, HAS_SIGNAL_MASKS, IS_LINUX

ProcessContext: TypeAlias = Any
"""A context of `multiprocessing`. The module does not declare a type with everything that all contexts have."""
VARIABLE = "PLAYOUT_START_METHOD"
"""Environment variable with a start method, for the arena and its workers."""


def start_method() -> str:
    """Return "fork", "spawn" or "forkserver".

    Without the environment variable it is the start method that the program has set, or the default of this Python.

    Raises:
        BotError: the environment variable has an invalid value.
    """
    wish = os.environ.get(VARIABLE, "")
    if not wish:
        return multiprocessing.get_start_method()
    valid = multiprocessing.get_all_start_methods() if HAS_FORK else ["spawn"]
    if wish not in valid:
        raise BotError(f"{VARIABLE}={wish!r} cannot be used here; valid: {', '.join(valid)}")
    return wish


def process_context() -> ProcessContext:
    """Return the context of `multiprocessing` with the start method."""
    return multiprocessing.get_context(start_method())


def can_fork_bots() -> bool:
    """Return True if a worker may fork processes for its bots: on Linux, unless every process is to be spawned."""
    return IS_LINUX and HAS_FORK and start_method() != "spawn"


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back during the block, also from processes that it starts.

    A process that is still importing modules would print a traceback. It calls `ignore_interrupts` when it is ready.
    Without signal masks, as on Windows, the block changes nothing.
    """
    if not HAS_SIGNAL_MASKS:
        yield
        return
    if start_method() != "fork":
        # Its start, which a spawned process would cause, ends with signals let through.
        resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C in this process, which the arena has started: the arena handles it for all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if HAS_SIGNAL_MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
