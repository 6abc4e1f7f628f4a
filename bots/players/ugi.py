"""Any program that speaks the Universal Game Interface, as a bot."""

from __future__ import annotations

import json
import logging
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cext.spec import format_spec
from mcts import Action, Game, IllegalActionError, Limit, ParameterError, State, View
from mcts.parameters import Integer, Real, Text

from ..base import NO_LIMIT, Bot
from ..clocks import TurnLimit, decision_limit
from ..errors import CRASH, ILLEGAL, UNREADABLE, BotError, BotFailureError
from ..steps import apply_step, is_in_turns
from ..system.command_line import split_command
from ..system.untrusted import clean_line
from ..ugi.client import SHOWN, AnswerTimes, EngineClient
from ..ugi.options import checked_options

DEADLINE_SECONDS = 60.0
"""Deadline of a decision without another one."""
_log = logging.getLogger(__name__)

OPTION = "option."
"""Prefix of parameters that are options of the engine."""


class UgiBot(Bot):
    """An external engine. It starts for the first game and runs until the bot is closed or the engine fails.

    docs/ugi.md describes the protocol. Every failure of the engine raises BotFailureError with the reason.
    """

    NAME = "ugi"
    SUMMARY = (
        'an external UGI engine, such as ugi(command="path/to/engine --flag",option.Hash=64); '
        "without a limit, the engine decides how long it searches"
    )
    PARAMETERS = {  # noqa: RUF012 (declared a ClassVar by the base)
        "command": Text(None),
        "folder": Text(None),
        "simulations": Integer(None, 1, 2**31 - 1),
        "seconds": Real(None, 1e-6, 1e6),
        "memory_mb": Integer(None, 1, 32_000),
        "start_seconds": Real(10.0, 0.001, 1e6),
        "stop_seconds": Real(0.5, 0.0, 60.0),
        "quit_seconds": Real(0.5, 0.0, 60.0),
    }

    def __init__(self, **given: Any) -> None:
        self.options = {key[len(OPTION) :]: _option_text(key, v) for key, v in given.items() if key.startswith(OPTION)}
        super().__init__(**{key: value for key, value in given.items() if not key.startswith(OPTION)})
        self.command = _read_command(self.parameters["command"])
        self._engine: EngineClient | None = None
        self._memory_mb: int | None = self.parameters["memory_mb"]
        self._deadline_seconds = DEADLINE_SECONDS
        self._game: Game | None = None
        self._state: State | None = None  # state after the steps received; None if unknown
        self._steps: list[str] = []
        self._failed = False  # since the engine was started

    def changed(self, changes: Mapping[str, Any]) -> UgiBot:
        options = {OPTION + name: value for name, value in self.options.items()}
        return type(self)(**{**self.parameters, **options, **changes})

    @property
    def spec(self) -> str:
        changed = {name: value for name, value in self.parameters.items() if value != self.PARAMETERS[name].default}
        return format_spec(self.name, {**changed, **{OPTION + name: value for name, value in self.options.items()}})

    def check_game(self, game: Game) -> None:
        super().check_game(game)
        folder = self.parameters["folder"]
        if folder is not None and not Path(folder).is_dir():
            raise BotError(f"bot {self.spec}: folder {folder!r} does not exist; valid: an existing folder")
        program = self.command[0]
        relative = Path(program).name != program and not Path(program).is_absolute()
        if shutil.which(str(Path(folder) / program) if relative and folder else program) is None:
            raise BotError(
                f"bot {self.spec}: program {program!r} does not exist or is not executable; valid: a program"
            )
        self._check_engine()

    def set_limit(self, limit: Limit) -> None:
        self._memory_mb = decision_limit(None, limit, self.parameters).memory_mb
        if isinstance(limit, TurnLimit) and limit.deadline_seconds is not None:
            self._deadline_seconds = limit.deadline_seconds

    def new_game(self, game: Game, player: int, seed: int) -> None:
        super().new_game(game, player, seed)
        deadline = time.monotonic() + min(self.parameters["start_seconds"], self._deadline_seconds)
        self._game, self._state, self._steps = game, game.new_initial_state(), []
        if self._engine is not None and (self._failed or self._engine.process.has_ended):
            _log.warning(
                "%s %s and is started again", self.spec, "failed" if self._failed else "ended between two games"
            )
            self.close()
        if self._engine is None:
            folder = self.parameters["folder"] or ""
            self._engine = EngineClient(self.command, folder, self._memory_mb, deadline)
            self._failed = False
        self._engine.process.limit_memory(self._memory_mb)
        try:
            self._engine.new_game(self._options_for(self._engine, game, seed), deadline)
        except BotFailureError:
            self._failed = True
            raise

    def inform(self, step: str) -> None:
        if self._state is not None:
            try:
                apply_step(self._state, step)
            except IllegalActionError:
                self._state = None  # not the steps of this game: positions are sent as views
            else:
                self._steps.append(step)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Action:
        if self._engine is None or self._game != view.game:
            self.new_game(view.game, view.player, 0)
        assert self._engine is not None
        mine = decision_limit(None, limit, self.parameters)
        self._engine.process.limit_memory(mine.memory_mb)
        clocked = limit if isinstance(limit, TurnLimit) else TurnLimit()
        words = [*_seat_words(view), *_limit_words(mine), *_clock_words(clocked)]
        go = " ".join(["go", *words])
        try:
            text = self._engine.best_move(self._position(view), go, self._times(view.player, mine, clocked))
        except BotFailureError:
            self._failed = True
            raise
        try:
            return view.string_to_action(text)
        except Exception as error:  # rules written in Python may raise any exception
            illegal = isinstance(error, IllegalActionError)
            reason = str(error) if illegal else f"it answered {clean_line(text, SHOWN)!r}"
            message = clean_line(reason) + self._engine.error_text()
            raise BotFailureError(ILLEGAL if illegal else UNREADABLE, message, self._engine.process.log) from error

    def expected_return(self, player: int) -> float | None:
        game, score = self._game, None if self._engine is None else self._engine.score
        if game is None or score is None:
            return None
        return game.min_utility + (score + 100) / 200 * (game.max_utility - game.min_utility)

    def stop(self) -> None:
        engine = self._engine
        if engine is not None:
            engine.stop()

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.process.close("quit", self.parameters["quit_seconds"])

    def _check_engine(self) -> None:
        """Start the engine and check the options against its own. Raises ParameterError, BotError."""
        deadline = time.monotonic() + self.parameters["start_seconds"]
        try:
            engine = EngineClient(self.command, self.parameters["folder"] or "", self.parameters["memory_mb"], deadline)
        except BotFailureError as error:
            raise BotError(f"bot {self.spec}: the engine failed at its start: {error}") from None
        try:
            checked_options(self.options, engine.options)
        except ParameterError as error:
            raise ParameterError(f"bot {self.spec}: {error}") from None
        finally:
            engine.process.close("quit", self.parameters["quit_seconds"])

    def _options_for(self, engine: EngineClient, game: Game, seed: int) -> dict[str, str]:
        """Return the options to set before a game. Game and seed are included if the engine has such options."""
        try:
            given = checked_options(self.options, engine.options)
        except ParameterError as error:
            raise BotFailureError(CRASH, str(error), engine.process.log) from None
        names = {option.name for option in engine.options}
        common = {"game": game.spec, "seed": str(seed >> 1)}  # many engines read numbers of up to 63 bits
        return {**{name: value for name, value in common.items() if name in names}, **given}

    def _position(self, view: View) -> str:
        """Return the `position` line: the steps since the start if they are known and public, else the view."""
        if not view.game.has_hidden_information and self._state is not None and self._state.view(view.player) == view:
            return " ".join(["position startpos", *(["moves", *self._steps] if self._steps else [])])
        return f"position view {json.dumps(view.to_dict(), separators=(',', ':'))}"

    def _times(self, player: int, mine: Limit, limit: TurnLimit) -> AnswerTimes:
        now = time.monotonic()
        seconds = self._deadline_seconds if limit.deadline_seconds is None else limit.deadline_seconds
        clock = limit.clock_of(player)
        by_clock = clock is not None and clock.remaining_seconds < seconds
        if clock is not None and by_clock:
            seconds = clock.remaining_seconds
        free = clock is None and mine.simulations is None and mine.seconds is None
        return AnswerTimes(
            now + seconds, by_clock, self.parameters["stop_seconds"], now + seconds / 2 if free else None
        )


def _option_text(name: str, value: Any) -> str:
    """Return the value of an option as text for one line. Raises ParameterError."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if not f"{name}{text}".isprintable():
        raise ParameterError(
            f"bot ugi: {name}={text!r} contains characters that cannot be sent; valid: printable characters"
        )
    return text


def _read_command(command: str | None) -> list[str]:
    if "\0" in (command or ""):
        raise ParameterError(f"bot ugi: command={command!r} contains a NUL character; valid: text without NUL")
    try:
        words = split_command(command or "")
    except ValueError as error:
        raise ParameterError(f"bot ugi: command={command!r} cannot be split into words: {error}") from None
    if not words:
        raise ParameterError('bot ugi needs a command; valid: such as ugi(command="path/to/engine --flag")')
    return words


def _seat_words(view: View) -> list[str]:
    """Return the words for the seat of the engine; none in games of two players in turns, where it is clear."""
    game = view.game
    clear = game.num_players == 2 and not game.has_hidden_information and is_in_turns(game)
    return [] if clear else ["seat", str(view.player + 1)]


def _limit_words(limit: Limit) -> list[str]:
    words = []
    if limit.simulations is not None:
        words += ["nodes", str(limit.simulations)]
    if limit.seconds is not None:
        words += ["movetime", _milliseconds(limit.seconds)]
    return words


def _clock_words(limit: TurnLimit) -> Sequence[str]:
    words = []
    for number, clock in enumerate(limit.clocks, 1):
        if clock is not None:
            words += [f"p{number}time", _milliseconds(clock.remaining_seconds)]
            words += [f"p{number}inc", _milliseconds(clock.increment_seconds)]
    return words


def _milliseconds(seconds: float) -> str:
    return str(max(1, int(seconds * 1000)) if seconds > 0 else 0)


BOT = UgiBot
