"""Run a bot in a process of its own, so that a failure of the process has one possible cause.

The process is forked from one in which no bot has run. It receives pickled calls and writes lines of JSON, which are
read as untrusted data: `{"value": ...}`, `{"failure": [KIND, MESSAGE, LOG]}` and `{"log": [LEVEL, TEXT]}`.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import select
import signal
from contextlib import suppress
from typing import Any, NoReturn

from mcts import Action, Game, Limit, View

from ...base import NO_LIMIT, Bot
from ...deadlines import Deadline
from ...failures import CRASH, DEATH, STALL, BotFailureError
from ...registry import load_bot
from ...ugi.supervisor import descendants
from ...untrusted import LINE_LENGTH, clean_line, clean_text, failure_of, plain_action
from .adjudicator import clean_value
from .children import die_with_parent

GRACE_SECONDS = 0.5
"""Time after the deadline in which a result still counts as late; afterwards the bot has stalled."""
POLL_SECONDS = 0.05
"""Interval between two checks whether the process is alive."""
MOST_BYTES = 1 << 20
"""Maximum length of a line."""
_CHUNK = 1 << 16
_LEVELS = frozenset({logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL})

_log = logging.getLogger(__name__)


class IsolatedBot(Bot):
    """A bot that runs in another process. Its methods raise BotFailureError only.

    Args:
        spec: for `load_bot`, which the other process calls.
        deadline_seconds: maximum duration of each call.
    """

    def __init__(self, spec: str, deadline_seconds: float) -> None:
        super().__init__()
        self._spec = spec
        self._deadline_seconds = deadline_seconds
        calls, self._calls = os.pipe()
        self._results, results = os.pipe()
        self._unread = b""
        self._is_open = True
        self._code: int | None = None  # exit code, once the process has ended
        self._pid = os.fork()
        if self._pid == 0:
            _serve_and_exit(spec, calls, results)
        os.close(calls)
        os.close(results)
        os.set_blocking(self._calls, False)
        os.set_blocking(self._results, False)
        try:
            self._overrides_inform = bool(self._call("load"))
        except BaseException:
            self.close()
            raise

    @property
    def spec(self) -> str:
        return self._spec

    def set_limit(self, limit: Limit) -> None:
        self._call("set_limit", limit)

    def new_game(self, game: Game, player: int, seed: int) -> None:
        self._call("new_game", game, player, seed)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        action: Action = self._call("choose", view, limit)
        return action

    def expected_return(self, player: int) -> float | None:
        value: float | None = self._call("expected_return", player)
        return value

    def inform(self, step: str) -> None:
        if self._overrides_inform:
            self._call("inform", step)

    def close(self) -> None:
        """Close the bot, then end its process and all descendants."""
        if not self._is_open:
            return
        try:
            self._call("close")
        except BotFailureError as error:
            _log.info("%s failed when it was closed: %s", self._spec, error)
        finally:
            self._end()

    def _call(self, method: str, *args: Any) -> Any:
        """Return the result of a method of the bot. Raises BotFailureError if there is none."""
        if not self._is_open:
            raise BotFailureError(DEATH, "its process has already ended")
        deadline = Deadline(self._deadline_seconds + GRACE_SECONDS)
        call = pickle.dumps((method, args), pickle.HIGHEST_PROTOCOL)
        self._send(len(call).to_bytes(4, "big") + call, deadline)
        while True:
            kind, value = self._read(deadline)
            if kind == "value":
                return value
            if kind == "failure":
                raise BotFailureError(*value)
            level, text = value
            _log.log(level, "%s: %s", self._spec, text)

    def _send(self, data: bytes, deadline: Deadline) -> None:
        while data:
            try:
                data = data[os.write(self._calls, data) :]
            except BlockingIOError:
                self._wait(self._calls, select.POLLOUT, deadline)
            except OSError:
                self._fail_for_closed_pipe(deadline)

    def _read(self, deadline: Deadline) -> tuple[str, Any]:
        """Return kind and content of the next line, checked."""
        while b"\n" not in self._unread:
            if len(self._unread) > MOST_BYTES:
                self._fail(CRASH, "it wrote junk into the pipe to the arena")
            self._wait(self._results, select.POLLIN, deadline)
            try:
                chunk = os.read(self._results, _CHUNK)
            except BlockingIOError:
                continue
            if not chunk:
                self._fail_for_closed_pipe(deadline)
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        found = _read_line(line)
        if found is None:
            self._fail(CRASH, f"it wrote junk into the pipe to the arena: {line[:60]!r}")
        return found

    def _fail_for_closed_pipe(self, deadline: Deadline) -> NoReturn:
        """Fail because the process has died or has closed its pipe."""
        self._wait(-1, 0, deadline.sooner(GRACE_SECONDS))
        self._fail(CRASH, "it closed its pipe to or from the arena")

    def _wait(self, descriptor: int, event: int, deadline: Deadline) -> None:
        """Wait until a descriptor is ready. With -1, wait until the process has ended or the deadline has passed."""
        poll = select.poll()
        if descriptor >= 0:
            poll.register(descriptor, event)
        while True:
            is_late = deadline.has_passed
            if poll.poll(1000 * min(deadline.seconds_left, POLL_SECONDS)):
                return
            if self._has_ended() and not (descriptor >= 0 and poll.poll(0)):
                self._fail(DEATH, f"its process died (exit code {self._code})")
            if is_late:
                if descriptor < 0:
                    return
                self._fail(STALL, f"no answer within {self._deadline_seconds:g} s; its process was ended")

    def _has_ended(self) -> bool:
        if self._code is None:
            ended, status = os.waitpid(self._pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if ended else None
        return self._code is not None

    def _fail(self, kind: str, message: str) -> NoReturn:
        self._end()
        raise BotFailureError(kind, message)

    def _end(self) -> None:
        """End the process and its descendants."""
        if not self._is_open:
            return
        self._is_open = False
        if self._code is None:
            for process in [*descendants(self._pid), self._pid]:
                with suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._calls)
        os.close(self._results)


def _read_line(line: bytes) -> tuple[str, Any] | None:
    """Return kind and content of a line as plain data of bounded size; None for junk."""
    try:
        ((kind, value),) = json.loads(line).items()
        if kind == "value" and (value is None or type(value) in (bool, int, float, list)):
            return kind, value
        if kind == "failure":
            failure, message, log = value
            return kind, (str(failure), clean_line(message), clean_text(log))
        level, text = value
        if kind == "log" and level in _LEVELS:
            return kind, (level, clean_line(text, LINE_LENGTH))
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return None


class _LogLines(logging.Handler):
    """Handler that sends records to the process that plays the game."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelno if record.levelno in _LEVELS else logging.INFO
        _write(self._descriptor, {"log": [level, clean_line(record.getMessage(), LINE_LENGTH)]})


def _serve_and_exit(spec: str, calls: int, results: int) -> NoReturn:
    """Run the process of a bot until its end."""
    try:
        die_with_parent(signal.SIGKILL)
        for descriptor in map(int, os.listdir("/dev/fd")):
            if descriptor > 2 and descriptor not in (calls, results):
                with suppress(OSError):  # the descriptor of the listing itself
                    os.close(descriptor)
        logging.getLogger().handlers[:] = [_LogLines(results)]
        _serve(spec, calls, results)
    finally:
        os._exit(1)


def _serve(spec: str, calls: int, results: int) -> None:
    bot = None
    process = os.getpid()
    while len(size := _exactly(calls, 4)) == 4:
        method, args = pickle.loads(_exactly(calls, int.from_bytes(size, "big")))
        try:
            if bot is None:
                bot = load_bot(spec)
                value: Any = type(bot).inform is not Bot.inform
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
            message = {"failure": failure_of(error)}
        if os.getpid() != process:
            os._exit(0)  # a copy that the bot has forked
        _write(results, message)


def _exactly(descriptor: int, size: int) -> bytes:
    """Read a number of bytes; fewer at the end of the pipe."""
    found = b""
    while len(found) < size and (chunk := os.read(descriptor, size - len(found))):
        found += chunk
    return found


def _write(descriptor: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]
