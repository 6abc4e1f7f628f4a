"""Opponents of ten strengths that people can beat, from a beginner to a strong player."""

from __future__ import annotations

from typing import Any

from cext.spec import format_spec
from mcts import Game
from mcts.parameters import Integer, Text

from .common.levels import NUM_LEVELS, Setting, table_for, tables_of_file
from .fallible import FallibleBot


class LevelBot(FallibleBot):
    """The bot `fallible` with the setting of a level, from a table for the game.

    Each level has about the same distance to the next one in rating. Tables come with the package; `playout calibrate`
    makes others.
    """

    NAME = "level"
    SUMMARY = (
        f"level(1) to level({NUM_LEVELS}): opponents of even steps in strength, from a beginner to a strong player"
    )
    PARAMETERS = {"level": Integer(5, 1, NUM_LEVELS), "table": Text(None)}  # noqa: RUF012 (declared a ClassVar)
    FIRST_PARAMETER = "level"

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._settings: dict[Game, Setting] = {}
        if self.parameters["table"] is not None:
            tables_of_file(self.parameters["table"])  # so that a bad file is an error before the game

    @property
    def spec(self) -> str:
        """Canonical text of this bot. The level is always shown."""
        return format_spec(self.name, {"": self.parameters["level"], "table": self.parameters["table"]})

    def setting(self, game: Game) -> Setting:
        """Return the setting for a game, from the table."""
        if game not in self._settings:
            table = table_for(game, self.parameters["table"])
            self._settings[game] = table.levels[self.parameters["level"] - 1]
        return self._settings[game]


BOT = LevelBot
