"""Main function of a process in which one bot runs: receives calls of its methods, and sends back what they return.

It writes READY, then receives pickled calls and sends messages of JSON, which are read as untrusted data:
`{"value": ...}`, `{"failure": [KIND, MESSAGE, LOG, STEPS]}`, `{"refusal": [ERROR, MESSAGE]}` and
`{"log": [LEVEL, TEXT]}`.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from mcts import ParameterError, UnsupportedGameError
from mcts.errors import SpecError

from ...base import Bot
from ...errors import UnknownBotError
from ...registry import load_bot
from ...system.output import bot_output_logged
from ...system.process_tree import end_with_parent
from ...system.start_method import can_fork_bots, ignore_interrupts
from ...system.untrusted import LINE_LENGTH, clean_line, clean_value, failure_of, plain_action
from .logs import message_of

READY = b"ready"
REFUSALS = {kind.__name__: kind for kind in (SpecError, UnknownBotError, ParameterError, UnsupportedGameError)}
"""Errors of bots that cannot be made as described, or cannot play the game."""
LOG_LEVELS = frozenset({logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL})


class _LogLines(logging.Handler):
    """Handler that sends records to the process that plays the game."""

    def __init__(self, results: Connection) -> None:
        super().__init__()
        self._results = results

    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelno if record.levelno in LOG_LEVELS else logging.INFO
        _write(self._results, {"log": [level, clean_line(message_of(record), LINE_LENGTH)]})


def serve(calls: Connection, results: Connection, level: int) -> NoReturn:
    """Run calls in a new process, until its end.

    Args:
        calls, results: ends of the pipes.
        level: of the root logger of the process that plays the game.
    """
    try:
        ignore_interrupts()
        end_with_parent()
        if can_fork_bots():
            _close_all_but(calls, results)
        root = logging.getLogger()
        root.handlers[:] = [_LogLines(results)]
        root.setLevel(level)
        with bot_output_logged(whole_process=True):
            _serve(calls, results)
    finally:
        os._exit(1)


def _close_all_but(*kept: Connection) -> None:
    """Close the other descriptors that a forked process inherits, except those of the standard streams."""
    for descriptor in map(int, os.listdir("/dev/fd")):
        if descriptor > 2 and descriptor not in [connection.fileno() for connection in kept]:
            with suppress(OSError):  # the descriptor of the listing itself
                os.close(descriptor)


def _serve(calls: Connection, results: Connection) -> None:
    bot: Bot | None = None
    process = os.getpid()
    results.send_bytes(READY)
    while True:
        try:
            call = calls.recv_bytes()
        except (EOFError, OSError):
            return  # the process that plays the game has ended, or the bot has closed the pipe
        method, args = pickle.loads(call)
        try:
            if bot is None:
                bot = load_bot(*args)
                value: Any = [bot.spec, type(bot).inform is not Bot.inform]
            else:
                value = getattr(bot, method)(*args)
                if method == "choose":
                    value = plain_action(value, args[0].game.spec)
                elif method == "new_game":
                    value, game = None, args[0]
                elif method == "expected_return":
                    value = clean_value(value, game)
                else:
                    value = None
            message: dict[str, Any] = {"value": value}
        except BaseException as error:
            refusal = _refusal_of(error) if method in ("load", "check_game") else None
            message = {"failure": failure_of(error)} if refusal is None else {"refusal": refusal}
        if os.getpid() != process:
            os._exit(0)  # a copy that the bot has forked
        _write(results, message)


def _refusal_of(error: BaseException) -> tuple[str, str] | None:
    """Return the name of a refusal and its message; None for another error. Code of the bot may run in it."""
    name = type(error).__name__
    return (name, clean_line(error, LINE_LENGTH)) if REFUSALS.get(name) is type(error) else None


def _write(results: Connection, message: dict[str, Any]) -> None:
    results.send_bytes(json.dumps(message).encode())
