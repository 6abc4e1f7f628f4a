"""Any program that speaks the Go Text Protocol, as a bot."""

from __future__ import annotations

from mcts import Game

from ..engines.bot import EngineBot
from ..engines.gtp import GtpClient


class GtpBot(EngineBot):
    """An engine of the Go Text Protocol, which docs/engines.md describes."""

    NAME = "gtp"
    SUMMARY = 'a Go engine, such as gtp(command="gnugo --mode gtp"); it knows limits of time in whole seconds only'
    CLIENT = GtpClient

    def why_unsupported(self, game: Game) -> str | None:
        return None if game.name == "go" else "its engine plays go; use ugi for engines of other games"


BOT = GtpBot
