"""Rulesheets compiled in a process of its own, which is ended when nobody waits for the result any more."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from mcts import Game
from mcts.errors import GameLoadError
from mcts.gdl.game import RulesheetGame
from mcts.gdl.secret_game import refuse_gdl_ii

from .compiler import LONGEST_SECONDS, Compiler


class Sheets:
    """Loads games of rulesheets that are texts. It keeps the last game.

    Its methods belong to one event loop.
    """

    def __init__(self) -> None:
        self._last: tuple[str, Game] | None = None
        self._current: _Compilation | None = None
        self._process = Compiler()

    async def warm_up(self) -> None:
        """Wait until the process can compile: it has to import the compiler."""
        with suppress(GameLoadError):
            await asyncio.to_thread(self._process.compile, "")

    async def load(self, rules: str, seconds: int) -> Game:
        """Return the game of a rulesheet. Another one that is being compiled is given up.

        If this is cancelled and no other call waits for the same rulesheet, it is given up too.

        Args:
            rules: the rulesheet.
            seconds: time in which it must be compiled, at most LONGEST_SECONDS.

        Raises:
            GameLoadError: the rulesheet is refused or given up.
        """
        if self._last is not None and self._last[0] == rules:
            return self._last[1]
        current = self._current
        if current is None or current.is_given_up or current.rules != rules:
            if current is not None:
                self._give_up(current)
            current = self._current = _Compilation(rules, self._process)
        current.waiting += 1
        try:
            async with asyncio.timeout(seconds):
                game = await asyncio.shield(current.game)
        except TimeoutError:
            raise GameLoadError(f"the rules are not compiled after {seconds} seconds") from None
        finally:
            current.waiting -= 1
            if not current.waiting:
                self._give_up(current)
        self._last = rules, game
        return game

    def close(self) -> None:
        """End the process."""
        self._process.end()

    def _give_up(self, compilation: _Compilation) -> None:
        """End a compilation that is not complete, and start a process for the next one."""
        if not compilation.game.done() and not compilation.is_given_up:
            compilation.is_given_up = True
            self._process.end()
            self._process = Compiler()
            self._process.start()


class _Compilation:
    """A rulesheet that is being compiled, as long as any call waits for it.

    Args:
        rules: the rulesheet.
        process: the process.
    """

    def __init__(self, rules: str, process: Compiler) -> None:
        self.rules = rules
        self.waiting = 0
        """Number of calls that wait for it."""
        self.is_given_up = False
        self.game = asyncio.ensure_future(asyncio.to_thread(_load, rules, process))
        self.game.add_done_callback(lambda done: done.cancelled() or done.exception())  # maybe nobody waits


def _load(rules: str, process: Compiler) -> Game:
    return RulesheetGame(rules, "match.kif", refuse_gdl_ii(process.compile(rules)), seconds=LONGEST_SECONDS)
