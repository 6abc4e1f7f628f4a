"""A bot in a process of its own: whatever becomes of the process, it is clear whose fault it is.

The process is forked from one that has run no bot. It gets pickled calls, and writes lines of JSON, which are read as
untrusted data: `{"value": ...}`, `{"failure": [KIND, MESSAGE, LOG]}` and `{"log": [LEVEL, TEXT]}`.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import select
import signal
import time
from contextlib import suppress
from typing import Any, NoReturn

from mcts import Action, Game, Limit, View

from ...base import NO_LIMIT, Bot
from ...failures import CRASH, DEATH, STALL, BotFailureError
from ...registry import load_bot
from ...ugi.supervisor import descendants
from ...untrusted import LINE_LENGTH, clean_line, clean_text, failure_of, plain_action
from .adjudicator import clean_value
from .children import die_with_parent

GRACE_SECONDS = 0.5
"""How long after its deadline an answer is waited for, to tell a late one from none."""
LOOK_SECONDS = 0.05
"""How often to look whether the process lives."""
MOST_BYTES = 1 << 20
"""Of a line that it writes."""
_CHUNK = 1 << 16
_LEVELS = frozenset({logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL})

_log = logging.getLogger(__name__)


class IsolatedBot(Bot):
    """A bot that runs in another process, and fails in this one by BotFailureError only.

    Args:
        spec: as `load_bot` reads it; it is loaded in the other process.
        deadline_seconds: what each call may take.
    """

    def __init__(self, spec: str, deadline_seconds: float) -> None:
        super().__init__()
        self._spec = spec
        self._deadline_seconds = deadline_seconds
        calls, self._calls = os.pipe()
        self._results, results = os.pipe()
        self._unread = b""
        self._is_open = True
        self._code: int | None = None  # its exit code, once it has ended
        self._pid = os.fork()
        if self._pid == 0:
            _serve_and_exit(spec, calls, results)
        os.close(calls)
        os.close(results)
        os.set_blocking(self._calls, False)
        os.set_blocking(self._results, False)
        try:
            self._listens = bool(self._call("load"))
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
        if self._listens:
            self._call("inform", step)

    def close(self) -> None:
        """Close the bot, then end its process and what it has started."""
        if not self._is_open:
            return
        try:
            self._call("close")
        except BotFailureError as error:
            _log.info("%s failed when it was closed: %s", self._spec, error)
        finally:
            self._end()

    def _call(self, method: str, *args: Any) -> Any:
        """What a method of the bot returns. Raises BotFailureError for whatever else happens."""
        if not self._is_open:
            raise BotFailureError(DEATH, "its process has ended before")
        deadline = time.monotonic() + self._deadline_seconds + GRACE_SECONDS
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

    def _send(self, data: bytes, deadline: float) -> None:
        while data:
            try:
                data = data[os.write(self._calls, data) :]
            except BlockingIOError:
                self._wait(self._calls, select.POLLOUT, deadline)
            except OSError:
                self._has_closed_its_pipe(deadline)

    def _read(self, deadline: float) -> tuple[str, Any]:
        """The next thing that it says, checked."""
        while b"\n" not in self._unread:
            if len(self._unread) > MOST_BYTES:
                self._fail(CRASH, "it wrote junk into the pipe to the arena")
            self._wait(self._results, select.POLLIN, deadline)
            try:
                chunk = os.read(self._results, _CHUNK)
            except BlockingIOError:
                continue
            if not chunk:
                self._has_closed_its_pipe(deadline)
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        found = _read_line(line)
        if found is None:
            self._fail(CRASH, f"it wrote junk into the pipe to the arena: {line[:60]!r}")
        return found

    def _has_closed_its_pipe(self, deadline: float) -> NoReturn:
        """Say that the process has died, or else what it has done."""
        self._wait(-1, 0, min(deadline, time.monotonic() + GRACE_SECONDS))
        self._fail(CRASH, "it closed its pipe to or from the arena")

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        """Wait until a descriptor is ready; with -1, until the process has ended or the deadline passes."""
        poll = select.poll()
        if descriptor >= 0:
            poll.register(descriptor, event)
        while True:
            remaining = deadline - time.monotonic()
            if poll.poll(1000 * max(0.0, min(remaining, LOOK_SECONDS))):
                return
            if self._has_ended() and not (descriptor >= 0 and poll.poll(0)):
                self._fail(DEATH, f"its process died (exit code {self._code})")
            if remaining <= 0:
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
    """What a line of the process says, in plain and bounded data; None for junk."""
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
    """Sends records to the process that plays the game."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelno if record.levelno in _LEVELS else logging.INFO
        _write(self._descriptor, {"log": [level, clean_line(record.getMessage(), LINE_LENGTH)]})


def _serve_and_exit(spec: str, calls: int, results: int) -> NoReturn:
    """Be the process of a bot, to its end."""
    try:
        die_with_parent(signal.SIGKILL)
        for descriptor in map(int, os.listdir("/dev/fd")):
            if descriptor > 2 and descriptor not in (calls, results):
                with suppress(OSError):  # the one that has listed them
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
            said: dict[str, Any] = {"value": value}
        except BaseException as error:
            said = {"failure": failure_of(error)}
        if os.getpid() != process:
            os._exit(0)  # a copy that the bot has forked
        _write(results, said)


def _exactly(descriptor: int, size: int) -> bytes:
    """So many bytes; fewer at the end of the pipe."""
    found = b""
    while len(found) < size and (chunk := os.read(descriptor, size - len(found))):
        found += chunk
    return found


def _write(descriptor: int, said: dict[str, Any]) -> None:
    data = json.dumps(said).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]
