"""The Go Text Protocol, version 2, as the arena speaks it. docs/engines.md describes what is used of it."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from cext.games.go.position_text import STONES, point_texts
from mcts import Game, Limit, State, View

from ..clocks import TurnLimit
from ..errors import LATE, RESIGN, STALL, UNREADABLE, BotFailureError
from ..system.untrusted import clean_line
from .client import SHOWN, AnswerTimes, EngineClient
from .process import MAX_LINE, SilenceError

ANALYSIS = ("kata-genmove_analyze", "lz-genmove_analyze")
"""Commands that answer with values of moves, the best known first."""
_VALUE = re.compile(r"\bmove \S+ .*?\bwinrate ([0-9.eE+-]+)")


class GtpClient(EngineClient):
    """An engine of the Go Text Protocol, which plays `go`."""

    def __init__(self, command: Sequence[str], folder: str, memory_mb: int | None, deadline: float) -> None:
        self._number = 0  # of the last command
        self._commands: set[str] = set()
        self._steps: list[str] | None = None  # what the engine has on its board, in lower case; None if it is unknown
        self._time_settings = ""
        super().__init__(command, folder, memory_mb, deadline)

    def new_game(self, game: Game, options: Mapping[str, str], deadline: float) -> None:
        parameters = game.parameters
        self._game = game
        self._ask(f"boardsize {parameters['size']}", deadline)
        self._ask(f"komi {parameters['komi']:g}", deadline)
        self._clear(deadline)
        self._time_settings = ""

    def decide(
        self, view: View, steps: Sequence[str] | None, limit: Limit, clocks: TurnLimit, times: AnswerTimes
    ) -> str:
        begin = time.monotonic()
        self.score = None
        try:
            self._set_position(view, steps, times.deadline)
            color = STONES[view.player]
            self._tell_time(color, limit, clocks, view.player, times.deadline)
            analysis = next((name for name in ANALYSIS if name in self._commands), None)
            answer = self._ask(f"{analysis or 'genmove'} {color}", times.deadline)
        except SilenceError:
            within = f"no answer within {time.monotonic() - begin:.3g} s"
            if times.by_clock:
                self._fail(LATE, f"its clock ran out: {within}")
            self._fail(STALL, within)
        move = self._read_analysis(answer) if analysis else answer.strip()
        if move.lower() == "resign":
            self._fail(RESIGN, "it resigns")
        self._steps = None if steps is None else [*(step.lower() for step in steps), move.lower()]
        return move

    def _shake_hands(self, deadline: float) -> None:
        self.name = clean_line(self._ask("name", deadline))
        with suppress(_RefusalError):
            self._commands.update(self._ask("list_commands", deadline).split())

    def _clear(self, deadline: float) -> None:
        """Set the initial position of the game."""
        self._ask("clear_board", deadline)
        self._steps = []
        self._set_stones(self._game.new_initial_state(), deadline)  # those of a handicap

    def _set_position(self, view: View, steps: Sequence[str] | None, deadline: float) -> None:
        """Make the board of the engine that of a view: by the moves that are new to it, or by stones."""
        if steps is None:
            self._ask("clear_board", deadline)
            self._steps = None
            self._set_stones(view.resample(0), deadline)
            return
        lower = [step.lower() for step in steps]
        if self._steps is None or self._steps != lower[: len(self._steps)]:
            self._clear(deadline)
        first = self._game.new_initial_state().acting_players()[0]
        assert self._steps is not None
        for number in range(len(self._steps), len(steps)):
            self._ask(f"play {STONES[(first + number) % 2]} {steps[number]}", deadline)
        self._steps = lower

    def _set_stones(self, state: State, deadline: float) -> None:
        """Put the stones of a position on an empty board."""
        for color, vertex in stones_of(state):
            self._ask(f"play {color} {vertex}", deadline)

    def _tell_time(self, color: str, limit: Limit, clocks: TurnLimit, player: int, deadline: float) -> None:
        """Send the time in whole seconds, and no increment: the protocol has neither fractions nor increments."""
        clock = clocks.clock_of(player)
        if clock is not None:
            left = 0 if clock.remaining_seconds <= 0 else max(1, math.floor(clock.remaining_seconds))
            moves = clock.moves_to_go or 0
            settings = f"time_settings 0 {left} {moves}" if moves else f"time_settings {left} 0 0"
            if not self._time_settings:
                self._try(settings, deadline)
                self._time_settings = settings
            self._try(f"time_left {color} {left} {moves}", deadline)
        elif limit.seconds is not None:
            settings = f"time_settings 0 {math.ceil(limit.seconds)} 1"
            if settings != self._time_settings:
                self._try(settings, deadline)
                self._time_settings = settings

    def _read_analysis(self, answer: str) -> str:
        """Return the move of an answer with lines of analysis, and keep the value of the first move of the last."""
        move = ""
        for line in answer.splitlines():
            word, _, rest = line.partition(" ")
            if word == "play":
                move = rest.strip()
            elif word == "info" and (found := _VALUE.search(line)) is not None:
                with suppress(ValueError):
                    share = float(found[1])
                    share = share / 10_000 if share > 1 or "." not in found[1] else share
                    self.score = min(max(200 * share - 100, -100.0), 100.0) if math.isfinite(share) else None
        if not move:
            self._fail(UNREADABLE, f"no move, but lines such as {clean_line(answer, SHOWN)!r}")
        return move

    def _try(self, command: str, deadline: float) -> None:
        """Send a command that the engine may refuse."""
        with suppress(_RefusalError):
            self._ask(command, deadline)

    def _ask(self, command: str, deadline: float) -> str:
        """Return the answer to a command. Raises BotFailureError if it is refused, unreadable or late."""
        self._number += 1
        self.process.send(f"{self._number} {command}", deadline)
        lines: list[str] = []
        size = 0
        while True:
            line = self.process.read_line(deadline)
            size += len(line) + 1
            if size > MAX_LINE:
                self._fail(UNREADABLE, f"its answer to {command.split()[0]} has more than {MAX_LINE:,} bytes")
            if not lines:
                if not line.strip():
                    size = 0  # an engine may write empty lines before an answer
                elif line[0] in "=?":
                    lines.append(line)
                else:
                    self._fail(UNREADABLE, f"it answered {clean_line(line, SHOWN)!r}; valid: = or ? at the start")
            elif line.strip():
                lines.append(line)
            else:
                break
        number = re.match(r"[=?](\d*)\s*", lines[0])
        assert number is not None
        if number[1] and int(number[1][:18]) != self._number:
            self._fail(UNREADABLE, f"it answered command {clean_line(number[1], SHOWN)} of {self._number}")
        answer = "\n".join([lines[0][number.end() :], *lines[1:]])
        if lines[0][0] == "?":
            raise _RefusalError(UNREADABLE, f"it refused {command!r}: {clean_line(answer, SHOWN)}", self.process.log)
        return answer


class _RefusalError(BotFailureError):
    """The engine has answered a command with an error."""


def stones_of(state: State) -> list[tuple[str, str]]:
    """Return the color and the vertex of each stone of a position of `go`, from the first row of its board."""
    rows = state.to_dict()["board"]
    points = zip("".join(rows), point_texts(len(rows)), strict=True)
    return [(stone, vertex) for stone, vertex in points if stone in STONES]
