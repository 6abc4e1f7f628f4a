"""`EngineClient`: a running engine that is asked for its moves, in time.

A protocol is a subclass in a file of its own, such as `ugi`. This class has what the family of UCI shares: a handshake,
options, `isready`, `position`, `go`, `stop` and `bestmove`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from mcts import Action, Game, Limit, View

from ..clocks import TurnLimit
from ..errors import LATE, STALL, UNREADABLE, BotFailureError
from ..system.untrusted import clean_line
from .options import EngineOption, read_option
from .process import EngineProcess, SilenceError

SHOWN = 60
"""Most characters of an unreadable answer in a message."""
MOST_OPTIONS = 1000
MOST_OPTION_LENGTH = 4096
"""Most characters of an `option` line; longer lines are ignored."""
_EXPECTED = ("id", "option", "info")
"""Valid first words of lines before `WELCOME` and `readyok`."""


@dataclass(frozen=True)
class AnswerTimes:
    """Time limits for one answer of an engine."""

    deadline: float
    """Time after which an answer is late, on the monotonic clock."""
    by_clock: bool
    """True if the deadline is the end of the player's clock."""
    stop_seconds: float
    """Time for a late engine to answer `stop`. With an answer the failure is "late", without one "stall"."""
    stop_at: float | None = None
    """Time to send `stop` to an engine without a limit, on the monotonic clock; None for never."""


class EngineClient:
    """A running engine that has completed the handshake.

    Deadlines are points in time on the monotonic clock. A protocol sets the words, and overrides the methods that
    raise NotImplementedError.

    Args:
        command: the program and its arguments.
        folder: working directory; empty for that of this process.
        memory_mb: memory limit of all its processes together; None for no limit.
        deadline: end of the handshake.

    Raises:
        BotFailureError: the engine cannot be started, or its handshake fails.
    """

    HELLO: ClassVar[str]
    """First line to the engine."""
    WELCOME: ClassVar[str]
    """Last line of its answer."""
    NEW_GAME: ClassVar[str]
    """Line before each game."""

    def __init__(self, command: Sequence[str], folder: str, memory_mb: int | None, deadline: float) -> None:
        self.process = EngineProcess(command, folder, memory_mb)
        self.name = ""
        self.options: list[EngineOption] = []
        self._set: dict[str, str] = {}  # last values of options
        self._noise = ""  # first unexpected line since `go`
        self._error = ""  # last error of the engine since `go`
        self._searches = threading.Lock()
        """Held while `_stoppable` changes or `stop` is sent."""
        self._stoppable: float | None = None
        """During a search that was not stopped: seconds in which the engine has to obey `stop`."""
        self.score: float | None = None
        """Last `score` before the last move, from -100 for a loss to 100 for a win; None without one."""
        try:
            self._shake_hands(deadline)
        except BaseException:
            self.process.close()
            raise

    def options_of(self, game: Game, seed: int) -> dict[str, str]:
        """Return the values of options that name a game and a seed; none of them need exist."""
        return {}

    def position(self, view: View, steps: Sequence[str] | None) -> str:
        """Return the line that sets a position.

        Args:
            view: of the player who decides.
            steps: those since the start of the game, as `Bot.inform` takes them; None if they are secret or unknown.
        """
        raise NotImplementedError

    def go(self, view: View, limit: Limit, clocks: TurnLimit) -> str:
        """Return the line that asks for a move.

        Args:
            view: of the player who decides.
            limit: of the decision.
            clocks: has the clocks of all players.
        """
        raise NotImplementedError

    def action(self, view: View, text: str) -> Action:
        """Return the action of an answer. Any error means that there is none."""
        return view.string_to_action(text)

    def score_of(self, words: Sequence[str]) -> float | None:
        """Return the score in an `info` line, from -100 for a loss to 100 for a win, or None without one."""
        return None

    def new_game(self, options: Mapping[str, str], deadline: float) -> None:
        """Set the options that have changed, and prepare the engine for another game."""
        for name, value in options.items():
            if self._set.get(name) != value:
                self.process.send(f"setoption name {name} value {value}", deadline)
                self._set[name] = value
        self.process.send(self.NEW_GAME, deadline)
        self.synchronise(deadline, strict=False)

    def synchronise(self, deadline: float, strict: bool = True) -> None:
        """Wait until the engine has read all commands. Raises BotFailureError for a `bestmove` without a `go`."""

        def look(line: str) -> None:
            if strict and line.split(None, 1)[:1] == ["bestmove"]:
                self._fail(UNREADABLE, f"it answered {clean_line(line, SHOWN)!r} without being asked")

        self.process.send("isready", deadline)
        self._read_until("readyok", deadline, look)

    def best_move(self, position: str, go: str, times: AnswerTimes) -> str:
        """Return the text of the engine's action.

        Args:
            position: the `position` line.
            go: the `go` line.
            times: time limits.

        Raises:
            BotFailureError: the engine does not answer in time, or its answer cannot be read.
        """
        begin = time.monotonic()
        self._noise = self._error = ""
        self.score = None
        self.synchronise(times.deadline)
        self.process.send(position, times.deadline)
        self.process.send(go, times.deadline)
        self._stoppable = times.stop_seconds
        try:
            if times.stop_at is not None:
                with suppress(SilenceError):
                    return self._answer(min(times.stop_at, times.deadline))
                self.process.send("stop", times.deadline)
            return self._answer(times.deadline)
        except SilenceError:
            self._blame(time.monotonic() - begin, times)
        finally:
            with self._searches:
                self._stoppable = self.process.latest = None

    def stop(self) -> None:
        """Ask the engine for its move soon, from another thread than that of `best_move`.

        An engine that does not answer has stalled. Without effect if the engine does not search.
        """
        with self._searches:
            if self._stoppable is not None:
                self.process.latest = time.monotonic() + self._stoppable
                self._stoppable = None
                self.process.send_at_once("stop")

    def _blame(self, waited: float, times: AnswerTimes) -> NoReturn:
        """Raise the failure of an engine that has not answered in time: late, stall or unreadable."""
        within = f"within {waited:.3g} s"
        if times.by_clock and not self._noise and self.process.latest is None:
            self._fail(LATE, f"its clock ran out: no answer {within}")
        try:
            self.process.send("stop", times.deadline + times.stop_seconds)
            self._answer(times.deadline + times.stop_seconds)
        except SilenceError:
            if self._noise:
                self._fail(UNREADABLE, f"no bestmove {within}, but lines such as {clean_line(self._noise, SHOWN)!r}")
            self._fail(STALL, f"no answer {within}, nor after stop")
        self._fail(LATE, f"no answer {within} until it received stop")

    def _answer(self, deadline: float) -> str:
        """Return the move of the next `bestmove`. Keep scores and errors, and the first unexpected line."""
        while True:
            line = self.process.read_line(deadline)
            words = line.split()
            if words[:1] == ["bestmove"]:
                if len(words) < 2:
                    self._fail(UNREADABLE, f"it answered bestmove without a move{self.error_text()}")
                return words[1]
            if words[:1] == ["info"]:
                if words[1:3] == ["string", "error"]:
                    self._error = clean_line(" ".join(words[3:]))
                score = self.score_of(words)
                self.score = self.score if score is None else score
            elif words:
                self._noise = self._noise or line

    def error_text(self) -> str:
        """Return the last `info string error` since the last `go` as the end of a message; empty without one."""
        return f"; the engine says: {self._error}" if self._error else ""

    def _shake_hands(self, deadline: float) -> None:
        def look(line: str) -> None:
            if line.startswith("id name "):
                self.name = clean_line(line[len("id name ") :])
            elif len(line) <= MOST_OPTION_LENGTH and len(self.options) < MOST_OPTIONS:
                option = read_option(line)
                if option is not None:
                    self.options.append(option)

        self.process.send(self.HELLO, deadline)
        self._read_until(self.WELCOME, deadline, look)

    def _read_until(self, last: str, deadline: float, look: Callable[[str], None]) -> None:
        """Read lines until the line `last`, and call `look` with each line before it."""
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
