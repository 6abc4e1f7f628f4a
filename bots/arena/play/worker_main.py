"""Main function of a worker process: runs the calls that it receives."""

from __future__ import annotations

import os
from collections.abc import MutableSequence, Sequence
from multiprocessing.connection import Connection
from typing import Any

from ...errors import BotError
from ...system.affinity import set_affinity
from ...system.output import bot_output_logged
from ...system.start_method import ignore_interrupts
from ...system.untrusted import failure_of
from . import tampering
from .children import end_own_descendants, supervise
from .frames import decode, encode, framed
from .heartbeat import Heartbeat, WorkerLostError, run_exit_callbacks, use_heartbeat
from .logs import LogSource


def serve(
    calls: Connection,
    results: Connection,
    inherited: Sequence[Connection],
    key: bytes,
    numbers: MutableSequence[float],
    logs: LogSource,
    cpus: Sequence[int],
) -> None:
    """Run calls and send back their results or errors, until None arrives or the parent has exited.

    Args:
        calls, results: the worker's ends of the pipes.
        inherited: connections of the parent that a forked process inherits. They are closed first: as long as a copy of
            the parent's end is open, a worker does not notice that the parent has exited.
        key: of the frames of results.
        numbers: memory of the Heartbeat.
        logs: destination of log records.
        cpus: processors to run on; empty for all.
    """
    ignore_interrupts()
    for connection in inherited:
        connection.close()
    supervise((calls, results, *logs.ends))
    process = os.getpid()
    set_affinity(cpus)
    logs.attach()
    heartbeat = use_heartbeat(Heartbeat(numbers))
    with bot_output_logged(lambda: heartbeat.bot, whole_process=True):
        tampering.record_baseline()
        try:
            while (call := calls.recv()) is not None:
                payload, is_lost = _run(*call)
                if os.getpid() != process:
                    os._exit(0)  # a copy that a bot has forked without Python's fork hooks
                results.send_bytes(framed(key, payload))
                if is_lost:
                    break  # the condition of this process is unknown
        except (EOFError, OSError):
            pass  # the parent has exited, or a bot has closed the pipes
        finally:
            run_exit_callbacks()
            end_own_descendants()


def _run(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[bytes, bool]:
    """Run a call. Return the pickle of (True, result) or (False, error), and True if the worker is lost."""
    try:
        return encode((True, function(*args, **kwargs))), False
    except BaseException as error:
        try:
            payload = encode((False, error))
            decode(payload)  # some errors can be pickled but not unpickled
        except BaseException:
            payload = encode((False, BotError(failure_of(error).message)))
        return payload, isinstance(error, WorkerLostError)
