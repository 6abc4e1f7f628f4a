"""`EngineBot`: an engine as a bot, whatever its protocol is."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from cext.spec import format_spec
from mcts import Action, Game, IllegalActionError, Limit, ParameterError, State, View
from mcts.parameters import Integer, Real, Text
from mcts.primitives.failures import failures_named

from ..base import NO_LIMIT, Bot
from ..clocks import TurnLimit, answer_seconds, decision_limit
from ..errors import CRASH, ILLEGAL, UNREADABLE, BotError, BotFailureError
from ..steps import apply_step
from ..system.command_line import split_command
from ..system.untrusted import clean_line
from .client import SHOWN, AnswerTimes, EngineClient
from .options import checked_options

DEADLINE_SECONDS = 60.0
"""Deadline of a decision without another one."""
_log = logging.getLogger(__name__)

OPTION = "option."
"""Prefix of parameters that are options of the engine."""


class EngineBot(Bot):
    """An external engine. It starts for the first game and runs until the bot is closed or the engine fails.

    Every failure of the engine raises BotFailureError with the reason. A subclass sets `NAME` and `CLIENT`.
    """

    CLIENT: ClassVar[type[EngineClient]]
    """The protocol."""
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
        self.options = {
            key[len(OPTION) :]: self._option_text(key, value) for key, value in given.items() if key.startswith(OPTION)
        }
        super().__init__(**{key: value for key, value in given.items() if not key.startswith(OPTION)})
        self.command = self._read_command(self.parameters["command"])
        self._engine: EngineClient | None = None
        self._memory_mb: int | None = self.parameters["memory_mb"]
        self._deadline_seconds = DEADLINE_SECONDS
        self._game: Game | None = None
        self._state: State | None = None  # state after the steps received; None if unknown
        self._steps: list[str] = []
        self._engine_start = ""  # position before these steps; empty for the initial state
        self._failed = False  # since the engine was started
        self._has_decided = False  # since it was asked whether it is ready

    def changed(self, changes: Mapping[str, Any]) -> Self:
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
        self._game, self._state, self._steps, self._engine_start = game, game.new_initial_state(), [], ""
        self._has_decided = False
        if self._engine is not None and (self._failed or self._engine.process.has_ended):
            _log.warning(
                "%s %s and is started again", self.spec, "failed" if self._failed else "ended between two games"
            )
            self.close()
        if self._engine is None:
            self._engine = self._start(self._memory_mb, deadline)
            self._failed = False
        self._engine.process.limit_memory(self._memory_mb)
        try:
            self._engine.new_game(game, self._options_for(self._engine, game, seed), deadline)
        except BotFailureError:
            self._failed = True
            raise

    def inform(self, step: str) -> None:
        self._synchronise()  # here it costs no time of a clock
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
        self._synchronise()
        mine = decision_limit(None, limit, self.parameters)
        self._engine.process.limit_memory(mine.memory_mb)
        clocked = limit if isinstance(limit, TurnLimit) else TurnLimit()
        try:
            times = self._times(view.player, mine, clocked)
            self._has_decided = True
            text = self._engine.decide(view, self._steps_to(view), mine, clocked, times)
        except BotFailureError:
            self._failed = True
            raise
        try:
            return self._engine.action(view, text)
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

    def _synchronise(self) -> None:
        """Wait until the engine is ready after a decision."""
        if self._engine is not None and self._has_decided:
            self._has_decided = False
            try:
                self._engine.synchronise(time.monotonic() + self._deadline_seconds)
            except BotFailureError:
                self._failed = True
                raise

    def _start(self, memory_mb: int | None, deadline: float) -> EngineClient:
        return self.CLIENT(self.command, self.parameters["folder"] or "", memory_mb, deadline)

    def _check_engine(self) -> None:
        """Start the engine and check the options against its own. Raises ParameterError, BotError."""
        deadline = time.monotonic() + self.parameters["start_seconds"]
        with failures_named(f"bot {self.spec}: the engine failed at its start", BotError, BotFailureError):
            engine = self._start(self.parameters["memory_mb"], deadline)
        try:
            with failures_named(f"bot {self.spec}", ParameterError, ParameterError):
                checked_options(self.options, engine.options)
        finally:
            engine.process.close("quit", self.parameters["quit_seconds"])

    def _options_for(self, engine: EngineClient, game: Game, seed: int) -> dict[str, str]:
        """Return the options to set before a game. Game and seed are included if the engine has such options."""
        try:
            given = checked_options(self.options, engine.options)
        except ParameterError as error:
            raise BotFailureError(CRASH, str(error), engine.process.log) from None
        names = {option.name for option in engine.options}
        common = engine.options_of(game, seed)
        return {**{name: value for name, value in common.items() if name in names}, **given}

    def _steps_to(self, view: View) -> list[str] | None:
        """Return the steps since the start of the engine's position if they are known and public.

        In a game that began elsewhere, this start is the position of the first decision.
        """
        assert self._engine is not None
        if view.game.has_hidden_information:
            return None
        if self._state is None or self._state.view(view.player) != view:
            self._state, self._steps, self._engine_start = view.resample(0), [], view.to_text()
        if self._engine_start and not self._engine.KNOWS_STARTS:
            return None
        self._engine.start = self._engine_start
        return self._steps

    def _times(self, player: int, mine: Limit, limit: TurnLimit) -> AnswerTimes:
        now = time.monotonic()
        seconds, by_clock = answer_seconds(limit, player, self._deadline_seconds)
        free = limit.clock_of(player) is None and mine.simulations is None and mine.seconds is None
        return AnswerTimes(
            now + seconds, by_clock, self.parameters["stop_seconds"], now + seconds / 2 if free else None
        )

    def _option_text(self, name: str, value: Any) -> str:
        """Return the value of an option as text for one line. Raises ParameterError."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if not f"{name}{text}".isprintable():
            raise ParameterError(
                f"bot {self.name}: {name}={text!r} contains characters that cannot be sent; valid: printable characters"
            )
        return text

    def _read_command(self, command: str | None) -> list[str]:
        if "\0" in (command or ""):
            raise ParameterError(
                f"bot {self.name}: command={command!r} contains a NUL character; valid: text without NUL"
            )
        try:
            words = split_command(command or "")
        except ValueError as error:
            raise ParameterError(f"bot {self.name}: command={command!r} cannot be split into words: {error}") from None
        if not words:
            raise ParameterError(
                f'bot {self.name} needs a command; valid: such as {self.name}(command="path/to/engine --flag")'
            )
        return words
