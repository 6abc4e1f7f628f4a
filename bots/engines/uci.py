"""The Universal Chess Interface as the arena speaks it, and what the Universal Game Interface shares with it."""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar, NoReturn

from mcts import Action, Game, IllegalActionError, Limit, View

from ..clocks import ClockFace, TurnLimit
from ..errors import LATE, STALL, UNREADABLE, BotFailureError
from ..system.untrusted import clean_line
from .client import SHOWN, AnswerTimes, EngineClient
from .options import read_option
from .process import SilenceError

MOST_OPTIONS = 1000
MOST_OPTION_LENGTH = 4096
"""Most characters of an `option` line; longer lines are ignored."""
CENTIPAWNS = 400.0
"""Advantage in centipawns with which the expected score is ten to one."""
_EXPECTED = ("id", "option", "info")
"""Valid first words of lines before `WELCOME` and `readyok`."""
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")


class UciClient(EngineClient):
    """An engine of the Universal Chess Interface. Subclasses change the words of the protocol."""

    HELLO: ClassVar[str] = "uci"
    """First line to the engine."""
    WELCOME: ClassVar[str] = "uciok"
    """Last line of its answer."""
    NEW_GAME: ClassVar[str] = "ucinewgame"
    """Line before each game."""

    KNOWS_STARTS = True
    ponders = False
    """True to let the engine think about the reply that it expects, in the time of the other player."""
    depth: int | None = None
    """Plies of a search, or None."""

    def __init__(self, command: Sequence[str], folder: str, memory_mb: int | None, deadline: float) -> None:
        self._set: dict[str, str] = {}  # last values of options
        self._noise = ""  # first unexpected line since `go`
        self._error = ""  # last error of the engine since `go`
        self._expected_steps: list[str] | None = None  # those of the position that the engine ponders
        self._expected_reply = ""
        self._searches = threading.Lock()
        """Held while `_stoppable` changes or `stop` is sent."""
        self._stoppable: float | None = None
        """During a search that was not stopped: seconds in which the engine has to obey `stop`."""
        super().__init__(command, folder, memory_mb, deadline)

    def options_of(self, game: Game, seed: int) -> dict[str, str]:
        return {"UCI_Chess960": "true" if game.parameters["chess960"] else "false"}

    def position(self, view: View, steps: Sequence[str] | None) -> str:
        """Return the line that sets a position. The arguments are those of `decide`."""
        return self._start_line(steps or ())

    def limit_words(self, limit: Limit, clocks: TurnLimit) -> list[str]:
        """Return the words after `go` for a limit, and for the depth of the whole limit."""
        words = []
        if limit.simulations is not None:
            words += ["nodes", str(limit.simulations)]
        if limit.seconds is not None:
            words += ["movetime", milliseconds(limit.seconds)]
        depths = [depth for depth in (self.depth, clocks.depth) if depth is not None]
        return [*words, "depth", str(min(depths))] if depths else words

    def clock_words(self, view: View, clocks: TurnLimit) -> list[str]:
        """Return the words after `go` for the clocks of all players."""
        words = words_of_clocks("wb", clocks)
        own = clocks.clock_of(view.player)
        return words if own is None or own.moves_to_go is None else [*words, "movestogo", str(own.moves_to_go)]

    def action(self, view: View, text: str) -> Action:
        move = text[:4] + text[4:].lower()
        if not _MOVE.fullmatch(move):
            raise IllegalActionError(f"{clean_line(text, SHOWN)!r} is not a move; valid: such as e2e4 and e7e8q")
        return view.string_to_action(move)

    def score_of(self, words: Sequence[str]) -> float | None:
        """Return the score in an `info` line, from -100 for a loss to 100 for a win, or None without one."""
        centipawns = read_score(words)
        return None if centipawns is None else points_of(centipawns)

    def new_game(self, game: Game, options: Mapping[str, str], deadline: float) -> None:
        self._stop_pondering(deadline)
        for name, value in options.items():
            if self._set.get(name) != value:
                self.process.send(f"setoption name {name} value {value}", deadline)
                self._set[name] = value
        self.process.send(self.NEW_GAME, deadline)
        self.process.send("isready", deadline)
        self._read_until("readyok", deadline)

    def synchronise(self, deadline: float) -> None:
        def look(line: str) -> None:
            if line.split(None, 1)[:1] == ["bestmove"]:
                self._fail(UNREADABLE, f"it answered {clean_line(line, SHOWN)!r} without being asked")

        self.process.send("isready", deadline)
        self._read_until("readyok", deadline, look)

    def decide(
        self, view: View, steps: Sequence[str] | None, limit: Limit, clocks: TurnLimit, times: AnswerTimes
    ) -> str:
        begin = time.monotonic()
        self._noise = self._error = self._expected_reply = ""
        self.score = None
        if steps is not None and self._expected_steps == list(steps):
            self._expected_steps = None
            self.process.send("ponderhit", times.deadline)
        else:
            self._stop_pondering(min(times.deadline, begin + times.stop_seconds))
            self.process.send(self.position(view, steps), times.deadline)
            words = [*self.seat_words(view), *self.limit_words(limit, clocks), *self.clock_words(view, clocks)]
            self.process.send(" ".join(["go", *words]), times.deadline)
        move = self._wait_for_move(begin, times)
        if self.ponders and steps is not None and self._expected_reply:
            self._ponder(view, [*steps, move, self._expected_reply], limit, clocks, times, time.monotonic() - begin)
        return move

    def seat_words(self, view: View) -> list[str]:
        """Return the words after `go` that name the player who decides."""
        return []

    def stop(self) -> None:
        """Ask the engine for its move soon, from another thread than that of `decide`.

        An engine that does not answer has stalled. Without effect if the engine does not search.
        """
        with self._searches:
            if self._stoppable is not None:
                self.process.latest = time.monotonic() + self._stoppable
                self._stoppable = None
                self.process.send_at_once("stop")

    def error_text(self) -> str:
        return f"; the engine says: {self._error}" if self._error else ""

    def _wait_for_move(self, begin: float, times: AnswerTimes) -> str:
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

    def _start_line(self, steps: Sequence[str]) -> str:
        start = f"fen {self.start.replace('_', ' ')}" if self.start else "startpos"
        return " ".join(["position", start, *(["moves", *steps] if steps else [])])

    def _ponder(
        self, view: View, steps: list[str], limit: Limit, clocks: TurnLimit, times: AnswerTimes, seconds: float
    ) -> None:
        """Let the engine think about the position after its move and the reply that it expects."""
        words = [*self.limit_words(limit, clocks), *self.clock_words(view, _after_move(clocks, view.player, seconds))]
        deadline = max(times.deadline, time.monotonic() + times.stop_seconds)
        self.process.send(self._start_line(steps), deadline)
        self.process.send(" ".join(["go ponder", *words]), deadline)
        self._expected_steps = steps

    def _stop_pondering(self, deadline: float) -> None:
        if self._expected_steps is None:
            return
        self._expected_steps = None
        self.process.send("stop", deadline)
        try:
            self._answer(deadline)
        except SilenceError:
            self._fail(STALL, "it ponders, and does not answer stop")
        self.score, self._noise, self._error, self._expected_reply = None, "", "", ""

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
                if words[2:3] == ["ponder"] and len(words) > 3:
                    self._expected_reply = words[3]
                return words[1]
            if words[:1] == ["info"]:
                if words[1:3] == ["string", "error"]:
                    self._error = clean_line(" ".join(words[3:]))
                score = self.score_of(words)
                self.score = self.score if score is None else score
            elif words:
                self._noise = self._noise or line

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

    def _read_until(self, last: str, deadline: float, look: Callable[[str], None] = lambda line: None) -> None:
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


def points_of(centipawns: float) -> float:
    """Return an expected score, from -100 to 100, for a score in centipawns: 200 / (1 + 10^(-score / 400)) - 100."""
    return 200.0 / (1.0 + math.pow(10.0, -max(-4e3, min(centipawns, 4e3)) / CENTIPAWNS)) - 100.0


def centipawns_of(points: float) -> int:
    """Return the score in centipawns for an expected score from -100 to 100, at most 3,200 on each side."""
    share = min(max((points + 100.0) / 200.0, 1e-8), 1.0 - 1e-8)
    return round(CENTIPAWNS * math.log10(share / (1.0 - share)))


def read_score(words: Sequence[str]) -> float | None:
    """Return the exact score of the first line in an `info` line, or None without one.

    `score cp N` is N; `score mate N` is plus infinity, or minus infinity if N is negative or 0: the player is mated.
    Bounds, other lines of a search and the text after `string` do not count.
    """
    words = words[: words.index("string")] if "string" in words else words
    if "score" not in words or "lowerbound" in words or "upperbound" in words:
        return None
    if "multipv" in words and words[words.index("multipv") + 1 :][:1] != ["1"]:
        return None
    kind, number = (*words[words.index("score") + 1 :], "", "")[:2]
    try:
        value = float(number)
    except ValueError:
        return None
    if kind not in ("cp", "mate") or not math.isfinite(value):
        return None
    if kind == "mate":
        return math.inf if value > 0 else -math.inf
    return value


def milliseconds(seconds: float) -> str:
    """Return a time as a protocol writes it: at least 1 if it is not 0."""
    return str(max(1, int(seconds * 1000)) if seconds > 0 else 0)


def words_of_clocks(names: Iterable[str], clocks: TurnLimit) -> list[str]:
    """Return the words of `go` for the clocks of all players, by the names of the players in them."""
    words = []
    for name, clock in zip(names, clocks.clocks, strict=False):
        if clock is not None:
            words += [f"{name}time", milliseconds(clock.remaining_seconds)]
            words += [f"{name}inc", milliseconds(clock.increment_seconds)]
    return words


def _after_move(clocks: TurnLimit, player: int, seconds: float) -> TurnLimit:
    """Return the clocks after a move of a player that took some seconds."""
    own = clocks.clock_of(player)
    if own is None:
        return clocks
    left = max(own.remaining_seconds - seconds, 0.0) + own.increment_seconds
    moves = None if own.moves_to_go is None else max(own.moves_to_go - 1, 1)
    changed = ClockFace(left, own.increment_seconds, moves)
    faces = tuple(changed if seat == player else face for seat, face in enumerate(clocks.clocks))
    return TurnLimit(clocks.simulations, clocks.seconds, clocks.memory_mb, faces, clocks.deadline_seconds)
