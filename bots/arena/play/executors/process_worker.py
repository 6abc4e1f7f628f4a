"""The inside of a worker process: makes the calls that it is sent."""

from __future__ import annotations

import os
import signal
from collections.abc import MutableSequence, Sequence
from multiprocessing.connection import Connection
from typing import Any

from ....errors import BotError
from ....output import bot_output_logged
from ....untrusted import failure_of
from .. import tampering
from ..children import supervise
from ..heartbeat import Heartbeat, run_exit_callbacks, use_heartbeat
from ..logs import LogSource
from ..lost import LostError
from .affinity import keep_to
from .frames import decode, encode, write_frame


def serve(
    calls: Connection,
    results: Connection,
    not_mine: Sequence[Connection],
    key: bytes,
    numbers: MutableSequence[float],
    logs: LogSource,
    cpus: Sequence[int],
) -> None:
    """Answer every call with its result or its error, until None comes or the parent is gone.

    Args:
        calls, results: this worker's ends.
        not_mine: ends that this process may have inherited, closed first: while a copy of the parent's end is open, a
            worker would not notice that the parent is gone.
        key: of the frames of results.
        numbers: memory of a Heartbeat.
        logs: where this process sends its logs.
        cpus: the processors that it may run on; empty: on all.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent decides
    for other in not_mine:
        other.close()
    supervise((calls, results))
    process = os.getpid()
    keep_to(cpus)
    logs.attach()
    heartbeat = use_heartbeat(Heartbeat(numbers))
    with bot_output_logged(lambda: heartbeat.bot, whole_process=True):
        tampering.watch()
        try:
            while (call := calls.recv()) is not None:
                payload, is_lost = _answer(*call)
                if os.getpid() != process:
                    os._exit(0)  # a copy that a bot has made in a way that Python does not know of
                write_frame(results.fileno(), key, payload)
                if is_lost:
                    break  # what this process holds cannot be relied on any more
        except (EOFError, OSError):
            pass  # the parent is gone, and with it everyone who would want the results; or a bot has closed the pipes
        finally:
            run_exit_callbacks()


def _answer(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bytes, bool]:
    """Whether a call succeeded, and its result or its error, pickled; and whether the worker is lost by it."""
    try:
        return encode((True, function(*args, **kwargs))), False
    except BaseException as error:
        try:
            text = encode((False, error))
            decode(text)  # some errors can be taken apart but not put together
        except BaseException:
            text = encode((False, BotError(failure_of(error).message)))
        return text, isinstance(error, LostError)
