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
        self._rules = ""
        self._game: asyncio.Future[Game] | None = None
        """The game of these rules, which may still be compiled."""
        self._waiting = 0
        """Number of calls that wait for it."""
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
        if self._game is None or rules != self._rules or (self._game.done() and self._game.exception()):
            self._give_up()
            self._rules, self._waiting = rules, 0
            self._game = asyncio.ensure_future(asyncio.to_thread(_load, rules, self._process))
            self._game.add_done_callback(lambda done: done.exception())  # maybe nobody waits
        game = self._game
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(game)
        except TimeoutError:
            raise GameLoadError(f"the rules are not compiled after {seconds} seconds") from None
        finally:
            if game is self._game:
                self._waiting -= 1
                if not self._waiting:
                    self._give_up()

    def close(self) -> None:
        """End the process."""
        self._process.end()

    def _give_up(self) -> None:
        """End a compilation that is not complete, and start a process for the next one."""
        if self._game is not None and not self._game.done():
            self._game = None
            self._process.end()
            self._process = Compiler()
            self._process.start()


def _load(rules: str, process: Compiler) -> Game:
    return RulesheetGame(rules, "match.kif", refuse_gdl_ii(process.compile(rules)), seconds=LONGEST_SECONDS)
