"""Run a bot in a process of its own, so that a failure of the process has one possible cause.

`bot_main` has the other side. What it writes is untrusted.
"""

from __future__ import annotations

import json
import logging
import pickle
from contextlib import suppress
from typing import Any, NoReturn

from mcts import Action, Game, Limit, View

from ...base import NO_LIMIT, Bot
from ...errors import CRASH, DEATH, STALL, BotFailureError
from ...system.deadlines import Deadline
from ...system.untrusted import LINE_LENGTH, clean_line, clean_text, plain_steps
from .bot_main import LOG_LEVELS, REFUSALS
from .bot_process import BotProcess

GRACE_SECONDS = 0.5
"""Time after the deadline in which a result still counts as late; afterwards the bot has stalled."""
POLL_SECONDS = 0.05
"""Interval between two checks whether the process is alive."""
LAST_WORDS_SECONDS = 0.5
"""Longest wait for the last message of a process that has ended."""

_log = logging.getLogger(__name__)


class IsolatedBot(Bot):
    """A bot that runs in another process. Its methods raise BotFailureError only.

    The constructor and `check_game` also raise the errors of bots that cannot be made as described, or cannot play.

    Args:
        spec: for `load_bot`, which the other process calls.
        deadline_seconds: maximum duration of each call.
        process: a process that is ready, which belongs to the bot from now on.
    """

    def __init__(self, spec: str, deadline_seconds: float, process: BotProcess) -> None:
        super().__init__()
        self._spec = spec
        self._deadline_seconds = deadline_seconds
        self._is_open = True
        self._process = process
        try:
            match self._call("load", spec):
                case [str(canonical), bool(overrides_inform)] if canonical.isprintable():
                    self._spec, self._overrides_inform = canonical, overrides_inform
                case other:
                    self._fail(CRASH, f"it wrote junk into the pipe to the arena: {clean_line(other, 60)!r}")
        except BaseException:
            self._end()
            raise

    @property
    def spec(self) -> str:
        return self._spec

    def check_game(self, game: Game) -> None:
        self._call("check_game", game)

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
        self._process.calls.send(pickle.dumps((method, args), pickle.HIGHEST_PROTOCOL))
        while True:
            kind, value = self._read(deadline)
            if kind == "value":
                return value
            if kind == "failure":
                raise BotFailureError(*value)
            if kind == "refusal":
                raise REFUSALS[value[0]](value[1])
            level, text = value
            _log.log(level, "%s: %s", self._spec, text)

    def _read(self, deadline: Deadline) -> tuple[str, Any]:
        """Return kind and content of the next message, checked. Fails if there is none before the deadline."""
        while True:
            is_late = deadline.has_passed
            has_ended = self._process.exit_code is not None  # before its last words are looked for
            try:
                patience = LAST_WORDS_SECONDS if has_ended else min(deadline.seconds_left, POLL_SECONDS)
                message = self._process.results.get(patience)
                break
            except EOFError:
                self._fail_for_closed_pipe(deadline)
            except TimeoutError:
                if has_ended:
                    self._fail_if_ended()
                if is_late:
                    self._fail(STALL, f"no answer within {self._deadline_seconds:g} s; its process was ended")
        found = _read_message(message)
        if found is None:
            self._fail(CRASH, f"it wrote junk into the pipe to the arena: {message[:60]!r}")
        return found

    def _fail_for_closed_pipe(self, deadline: Deadline) -> NoReturn:
        """Fail because the process has died or has closed its pipe."""
        self._process.process.join(min(GRACE_SECONDS, deadline.seconds_left))
        self._fail_if_ended()
        self._fail(CRASH, "it closed its pipe to or from the arena")

    def _fail_if_ended(self) -> None:
        if self._process.exit_code is not None:
            self._fail(DEATH, f"its process died (exit code {self._process.exit_code})")

    def _fail(self, kind: str, message: str) -> NoReturn:
        self._end()
        raise BotFailureError(kind, message)

    def _end(self) -> None:
        """End the process and its descendants."""
        if self._is_open:
            self._is_open = False
            self._process.end()


def _read_message(message: bytes) -> tuple[str, Any] | None:
    """Return kind and content of a message as plain data of bounded size; None for junk."""
    with suppress(ValueError, TypeError, AttributeError, RecursionError):
        ((kind, value),) = json.loads(message).items()
        if kind == "value" and (value is None or type(value) in (bool, int, float, list)):
            return kind, value
        if kind == "failure":
            failure, message, log, steps = value
            return kind, (str(failure), clean_line(message), clean_text(log), plain_steps(steps))
        first, text = value
        if kind == "refusal" and first in REFUSALS:
            return kind, (first, clean_line(text, LINE_LENGTH))
        if kind == "log" and first in LOG_LEVELS:
            return kind, (first, clean_line(text, LINE_LENGTH))
    return None
