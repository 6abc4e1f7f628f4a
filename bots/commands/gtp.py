"""`playout gtp`: a bot as a Go engine for other programs."""

from __future__ import annotations

import secrets
import sys

from ..engines.server.gtp import GtpServer
from .common.options import BotArgument, GameArgument, NewSeed
from .ugi import engine_of


def command(game: GameArgument, bot: BotArgument, seed: NewSeed = None) -> None:
    """Run a bot as a GTP Go engine on stdin and stdout.

    Go programs that speak the Go Text Protocol can play against the bot. The page "Chess and Go engines" of the
    documentation has what is understood.

    Examples:
        playout gtp "go(size=9)" mcts
    """
    with engine_of(game, bot, only="go") as (loaded, player, write):
        GtpServer(loaded, player, write, secrets.randbits(64) if seed is None else seed).serve(sys.stdin)
