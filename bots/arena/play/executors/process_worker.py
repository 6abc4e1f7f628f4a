"""The inside of a worker process: makes the calls that it is sent."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import MutableSequence, Sequence
from multiprocessing.connection import Connection
from typing import Any

from mcts import BotError

from ..heartbeat import Desk, leave, use_desk
from ..logs import LogSource
from .affinity import keep_to

_PR_SET_PDEATHSIG = 1


def serve(
    connection: Connection,
    not_mine: Sequence[Connection],
    places: MutableSequence[float],
    logs: LogSource,
    cpus: Sequence[int],
) -> None:
    """Answer every call with its result or its error, until None comes or the parent is gone.

    Args:
        connection: this worker's end.
        not_mine: ends that this process may have inherited, closed first: while a copy of the parent's end is open, a
            worker would not notice that the parent is gone.
        places: memory of a Desk.
        logs: where this process sends its logs.
        cpus: the processors that it may run on; empty: on all.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the parent decides
    _die_with_parent()
    for other in not_mine:
        other.close()
    keep_to(cpus)
    logs.attach()
    use_desk(Desk(places))
    try:
        while (call := connection.recv()) is not None:
            connection.send_bytes(_answer(*call))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the parent is gone, and with it everyone who would want the results
    finally:
        leave()


def _answer(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    """Whether a call succeeded, and its result or its error, pickled."""
    try:
        return pickle.dumps((True, function(*args, **kwargs)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        try:
            text = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
            pickle.loads(text)  # some errors can be taken apart but not put together
            return text
        except Exception:
            return pickle.dumps((False, BotError(f"{type(error).__name__}: {error}")))


def _die_with_parent() -> None:
    """Ask Linux to end this process when the parent ends: a bot that thinks does not notice that by itself."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        parent = multiprocessing.parent_process()
        direct = multiprocessing.get_start_method() != "forkserver"
        if direct and parent is not None and os.getppid() != parent.pid:
            os._exit(1)  # too late: it had ended before
