"""Server of the Universal Game Interface: a bot as an engine for other programs.

One thread reads and answers commands while the bot works in another (`thinker`). So `isready`, `query` and `stop` are
answered at any time. docs/ugi.md describes the protocol.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

from mcts import Game, PlayoutError, load_game

from ...base import Bot
from ..options import EMPTY, option_line
from .output import Output
from .positions import Position, read_position
from .requests import GoRequest, RequestError, read_go, read_whole
from .search_info import info_line
from .thinker import Decision, GameSetup, Thinker

AUTHOR = "the Playout authors"
LAST_SECONDS = 2.0
"""Time for a bot to end its search when the engine quits."""
MAX_LINE = 1 << 20
"""Characters of the longest line that is accepted."""
OVERHEAD_MILLISECONDS = 10
MOST_OVERHEAD_MILLISECONDS = 10_000


class UgiServer:
    """A session of the protocol.

    Each `ugi` gets one `ugiok`, each `isready` one `readyok`, each `query` one `response` and each `go` one `bestmove`,
    also after errors, which are reported in a line `info string error ...` before the answer.

    Args:
        game: the game, until the option `game` changes it.
        bot: the bot that plays.
        write: called with every line, from several threads, but one call at a time.
        seed: root of all random numbers of the bot; None for a new one in each game.
    """

    HELLO, NEW_GAME = "ugi", "uginewgame"
    """Commands of the handshake and of a new game; the answer to the first is its text and `ok`."""
    NO_MOVE = "none"
    """Argument of `bestmove` without an action."""
    INFO_LINE = staticmethod(info_line)

    def __init__(self, game: Game, bot: Bot, write: Callable[[str], None], seed: int | None = None) -> None:
        self._output = Output(write)
        self._thinker = Thinker(self._output, self.INFO_LINE, self.NO_MOVE)
        common = {name: getattr(self, f"do_{name}") for name in COMMANDS}
        self._commands = {self.HELLO: self._hello, **common, self.NEW_GAME: self._new_game}
        self._seed = seed
        self._overhead_seconds = OVERHEAD_MILLISECONDS / 1000
        self._position: Position | None = None
        self._refusal = ""  # reason for a missing position
        self._setup = self._begin(game, bot)

    @property
    def game(self) -> Game:
        """The game."""
        return self._setup.game

    @property
    def bot(self) -> Bot:
        """The bot that plays."""
        return self._setup.bot

    def serve(self, lines: Iterable[str]) -> bool:
        """Answer lines until `quit` or the last line.

        Returns:
            True if the bot has ended; False if it did not end within LAST_SECONDS.

        Raises:
            OSError: the answers cannot be written.
        """
        ended = False
        try:
            for line in lines:
                command, rest = (*line.split(None, 1), "", "")[:2]
                if command == "quit":
                    break
                if command:
                    self._answer(command, rest.strip())
                if self._output.failure is not None:
                    raise self._output.failure
        finally:
            self._thinker.retire(self.bot)
            ended = self._thinker.end(LAST_SECONDS)
        return ended

    def serve_stream(self, stream: TextIO) -> bool:
        """Answer the lines of a stream, as `serve` does. A line of more than MAX_LINE characters is refused."""

        def lines() -> Iterator[str]:
            while line := stream.readline(MAX_LINE):
                if len(line) < MAX_LINE:
                    yield line
                    continue
                self._position, self._refusal = None, f"the line has more than {MAX_LINE:,} characters"
                self._error(self._refusal)
                while line and not line.endswith("\n"):
                    line = stream.readline(MAX_LINE)

        return self.serve(lines())

    def _answer(self, command: str, rest: str) -> None:
        try:
            if command not in self._commands:
                raise RequestError(f"unknown command {command!r}; valid: {', '.join(self._commands)}, quit")
            self._commands[command](rest)
        except PlayoutError as error:
            self._error(str(error))
        except Exception as error:  # rules written in Python may raise any exception: the session continues
            self._error(f"{type(error).__name__}: {error}")

    def _error(self, text: str) -> None:
        self._thinker.in_order(lambda: self._output.error(text))

    def _begin(self, game: Game, bot: Bot) -> GameSetup:
        """Set the initial position of a game, and return a new setup."""
        self._position = Position(game.new_initial_state())
        return self._new_setup(game, bot)

    def _new_setup(self, game: Game, bot: Bot) -> GameSetup:
        return GameSetup(game, bot, secrets.randbits(64) if self._seed is None else self._seed)

    def _option_lines(self) -> list[str]:
        """Return the lines that announce all options."""
        milliseconds = round(1000 * self._overhead_seconds)
        return [
            f"option name game type string default {self.game.spec}",
            f"option name seed type string default {'random' if self._seed is None else self._seed}",
            f"option name Move Overhead type spin default {milliseconds} min 0 max {MOST_OVERHEAD_MILLISECONDS}",
            *(option_line(name, kind, self.bot.parameters[name]) for name, kind in self.bot.PARAMETERS.items()),
        ]

    def _hello(self, _: str) -> None:
        lines = [f"id name Playout {self.bot.spec}", f"id author {AUTHOR}", *self._option_lines(), f"{self.HELLO}ok"]

        def say_all() -> None:
            for line in lines:
                self._output.say(line)

        self._thinker.in_order(say_all)

    def do_isready(self, _: str) -> None:
        if self._thinker.latest is None:
            self._thinker.prepare(self._setup, lambda: self._output.say("readyok"))
        else:
            self._output.say("readyok")

    def do_setoption(self, rest: str) -> None:
        first, _, rest = rest.partition(" ")
        name, has_value, value = (f"{rest} ").partition(" value ")
        name, value = name.strip(), value.strip()
        if first != "name":
            raise RequestError(f"setoption {first!r} names no option; valid: setoption name N value V")
        self._set_option(name, None if value == EMPTY or not has_value else value)

    def _set_option(self, name: str, value: str | None) -> None:
        """Set an option; None for a missing value."""
        key, text = name.lower(), value or ""
        if key == "game":
            self._load(text)
        elif key == "seed":
            self._seed = None if text == "random" else read_whole("seed", text, 0, 2**64 - 1)
        elif key == "move overhead":
            overhead = read_whole("Move Overhead", text, 0, MOST_OVERHEAD_MILLISECONDS)
            self._overhead_seconds = overhead / 1000
        elif key in self.bot.PARAMETERS:
            old = self.bot
            bot = old.changed({key: value})
            bot.check_game(self.game)
            self._setup = self._new_setup(self.game, bot)
            self._thinker.retire(old)
        else:
            valid = ", ".join(["game", "seed", *self.bot.PARAMETERS, "Move Overhead"])
            raise RequestError(f"unknown option {name!r}; valid: {valid}")

    def _load(self, spec: str) -> None:
        """Change the game."""
        game = load_game(spec)
        self.bot.check_game(game)
        self._setup = self._begin(game, self.bot)

    def _new_game(self, _: str) -> None:
        self._setup = self._begin(self.game, self.bot)

    def do_position(self, rest: str) -> None:
        self._position = None  # after a refused position, there is none
        self._refusal = f"the position {rest!r} was refused"
        try:
            self._position = self._read_position(rest)
        except Exception as error:
            self._refusal = f"the last position was refused: {error}"
            raise

    def _read_position(self, text: str) -> Position:
        return read_position(self.game, text)

    def _read_go(self, words: list[str]) -> GoRequest:
        return read_go(words, self.game.num_players)

    def _current(self, purpose: str) -> Position:
        if self._position is None:
            raise RequestError(f"no position to {purpose}: {self._refusal}")
        return self._position

    def do_go(self, rest: str) -> None:
        latest = self._thinker.latest
        if latest is not None and not latest.is_stopped:
            raise RequestError("go while thinking; valid: stop, isready, query, position, setoption, quit")
        try:
            request = self._read_go(rest.split())
            view = self._current("go from").view_for(request.seat)
        except Exception as error:
            self._thinker.decline(error)
            return
        if request.unknown:
            words = " ".join(request.unknown)
            self._thinker.in_order(lambda: self._output.warning(f"unknown words after go: {words}"))
        limit = request.limit_with(self._overhead_seconds, view.player)
        self._thinker.decide(Decision(self._setup, view, limit, request.infinite, request.ponder))

    def do_stop(self, _: str) -> None:
        self._thinker.stop()

    def do_ponderhit(self, _: str) -> None:
        decision = self._thinker.latest
        if decision is None or not decision.ponders:
            raise RequestError("ponderhit without go ponder")
        if decision.is_unlimited:
            self._thinker.stop()
        decision.released.set()

    def do_query(self, rest: str) -> None:
        try:
            answer, reason = self._current("ask about").answer(rest), None
        except Exception as error:
            answer, reason = "error", error

        def say() -> None:
            if reason is not None:
                self._output.error(reason)
            self._output.say(f"response {answer}")

        self._thinker.in_order(say)


COMMANDS = tuple(name.removeprefix("do_") for name in vars(UgiServer) if name.startswith("do_"))
"""The commands of both protocols, each a method of the server; `quit` ends the session."""
