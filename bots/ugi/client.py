"""The arena's side of the Universal Game Interface: what is said to an engine, and what is made of its answers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from ..failures import LATE, STALL, UNREADABLE, BotFailureError
from ..untrusted import clean_line
from .options import EngineOption, read_option
from .process import EngineProcess, SilenceError

SHOWN = 60
"""Characters shown of an answer that cannot be read."""
MOST_OPTIONS = 1000
MOST_OPTION_LENGTH = 4096
"""Characters of a line that announces an option; a longer one is passed over."""
_EXPECTED = ("id", "option", "info")
"""Words that lines may begin with before `ugiok` and `readyok`."""


@dataclass(frozen=True)
class AnswerTimes:
    """How long an engine may take for a move."""

    deadline: float
    """When an answer is late, on the monotonic clock."""
    by_clock: bool
    """True where that is because its clock has run out."""
    stop_seconds: float
    """How long an engine that is late may take to obey `stop`: it then was late, else it does not answer at all."""
    stop_at: float | None = None
    """When to say `stop` without any blame, on the monotonic clock; None for never."""


class EngineClient:
    """An engine that has been started and has said what it is.

    Deadlines are points on the monotonic clock.

    Args:
        command: the program and its arguments.
        folder: where it runs; empty for this process's.
        memory_mb: what all its processes may take together; None for no limit.
        deadline: when it must have answered.

    Raises:
        BotFailureError: it cannot be started, or does not answer as an engine does.
    """

    def __init__(self, command: Sequence[str], folder: str, memory_mb: int | None, deadline: float) -> None:
        self.process = EngineProcess(command, folder, memory_mb)
        self.name = ""
        self.options: list[EngineOption] = []
        self._set: dict[str, str] = {}  # options as they were last set
        self._noise = ""  # the first line since `go` that says nothing
        self._error = ""  # the last error that it has told since then
        self.score: float | None = None
        """Of the last `info score` before the last move, -100 for a loss to 100 for a win; None where it said none."""
        try:
            self._shake_hands(deadline)
        except BaseException:
            self.process.close()
            raise

    def new_game(self, options: Mapping[str, str], deadline: float) -> None:
        """Set the options that are not so yet, and have it get ready for another game."""
        for name, value in options.items():
            if self._set.get(name) != value:
                self.process.send(f"setoption name {name} value {value}", deadline)
                self._set[name] = value
        self.process.send("uginewgame", deadline)
        self.synchronise(deadline, strict=False)

    def synchronise(self, deadline: float, strict: bool = True) -> None:
        """Wait until it has read all that it was sent. Raises BotFailureError if it has moved without being asked."""

        def look(line: str) -> None:
            if strict and line.split(None, 1)[:1] == ["bestmove"]:
                self._fail(UNREADABLE, f"it answered {clean_line(line, SHOWN)!r} without being asked")

        self.process.send("isready", deadline)
        self._read_until("readyok", deadline, look)

    def best_move(self, position: str, go: str, times: AnswerTimes) -> str:
        """The text of the action that it answers with.

        Args:
            position: the line that says where.
            go: the line that says how long.
            times: how long it may take.

        Raises:
            BotFailureError: there is no answer, or none that can be read.
        """
        begin = time.monotonic()
        self._noise = self._error = ""
        self.score = None
        self.synchronise(times.deadline)
        self.process.send(position, times.deadline)
        self.process.send(go, times.deadline)
        try:
            if times.stop_at is not None:
                with suppress(SilenceError):
                    return self._answer(min(times.stop_at, times.deadline))
                self.process.send("stop", times.deadline)
            return self._answer(times.deadline)
        except SilenceError:
            self._blame(time.monotonic() - begin, times)

    def _blame(self, waited: float, times: AnswerTimes) -> NoReturn:
        """Say how an engine failed that has not answered in time: it is late, or does not answer at all."""
        within = f"within {waited:.3g} s"
        if times.by_clock and not self._noise:
            self._fail(LATE, f"its clock ran out: no answer {within}")
        try:
            self.process.send("stop", times.deadline + times.stop_seconds)
            self._answer(times.deadline + times.stop_seconds)
        except SilenceError:
            if self._noise:
                self._fail(UNREADABLE, f"no bestmove {within}, but lines such as {clean_line(self._noise, SHOWN)!r}")
            self._fail(STALL, f"no answer {within}, nor after stop")
        self._fail(LATE, f"no answer {within} until it was told to stop")

    def _answer(self, deadline: float) -> str:
        """The move of the next `bestmove`; what is neither that nor `info` is remembered."""
        while True:
            line = self.process.read_line(deadline)
            words = line.split()
            if words[:1] == ["bestmove"]:
                if len(words) < 2:
                    self._fail(UNREADABLE, f"it answered bestmove without a move{self.told_error()}")
                return words[1]
            if words[:1] == ["info"]:
                if words[1:3] == ["string", "error"]:
                    self._error = clean_line(" ".join(words[3:]))
                score = read_score(words)
                self.score = self.score if score is None else score
            elif words:
                self._noise = self._noise or line

    def told_error(self) -> str:
        """The last `info string error` since the last `go`, as the end of a message; empty where there was none."""
        return f"; the engine says: {self._error}" if self._error else ""

    def _shake_hands(self, deadline: float) -> None:
        def look(line: str) -> None:
            if line.startswith("id name "):
                self.name = clean_line(line[len("id name ") :])
            elif len(line) <= MOST_OPTION_LENGTH and len(self.options) < MOST_OPTIONS:
                option = read_option(line)
                if option is not None:
                    self.options.append(option)

        self.process.send("ugi", deadline)
        self._read_until("ugiok", deadline, look)

    def _read_until(self, last: str, deadline: float, look: Callable[[str], None]) -> None:
        """Read lines until a certain one, and have a look at each before it."""
        strange = ""
        try:
            while (line := self.process.read_line(deadline)).strip() != last:
                if not strange and line.split(None, 1)[:1] not in ([], *([word] for word in _EXPECTED)):
                    strange = clean_line(line, SHOWN)
                look(line)
        except SilenceError as silence:
            if strange:
                raise BotFailureError(UNREADABLE, f"no {last}, but lines such as {strange!r}", silence.log) from None
            raise BotFailureError(STALL, f"no {last} in time", silence.log) from None

    def _fail(self, kind: str, message: str) -> NoReturn:
        raise BotFailureError(kind, message, self.process.log)


def read_score(words: Sequence[str]) -> float | None:
    """The score in the words of an `info` line, from -100 for a loss to 100 for a win; None where there is none.

    `score cp N` is N, kept within the range; `score mate N` is a win, for N below 0 a loss. A bound is no score.
    """
    if "score" not in words or "lowerbound" in words or "upperbound" in words:
        return None
    kind, number = (*words[words.index("score") + 1 :], "", "")[:2]
    try:
        value = float(number)
    except ValueError:
        return None
    if kind not in ("cp", "mate") or not math.isfinite(value):
        return None
    if kind == "mate":
        return 100.0 if value > 0 else -100.0
    return min(max(value, -100.0), 100.0)
