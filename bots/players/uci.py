"""Any program that speaks the Universal Chess Interface, as a bot."""

from __future__ import annotations

from mcts import Game
from mcts.parameters import Flag, Integer

from ..engines.bot import EngineBot
from ..engines.client import EngineClient
from ..engines.uci import UciClient


class UciBot(EngineBot):
    """An engine of the Universal Chess Interface, which docs/engines.md describes."""

    NAME = "uci"
    SUMMARY = (
        "a chess engine, such as uci(command=stockfish,option.Hash=64); "
        "without a limit, the engine decides how long it searches"
    )
    CLIENT = UciClient
    PARAMETERS = EngineBot.PARAMETERS | {"depth": Integer(None, 1, 1000), "ponder": Flag(False)}

    def why_unsupported(self, game: Game) -> str | None:
        return None if game.name == "chess" else "its engine plays chess; use ugi for engines of other games"

    def _start(self, memory_mb: int | None, deadline: float) -> EngineClient:
        engine = super()._start(memory_mb, deadline)
        assert isinstance(engine, UciClient)
        engine.depth, engine.ponders = self.parameters["depth"], self.parameters["ponder"]
        return engine


BOT = UciBot
