"""`playout uci`: a bot as a chess engine for other programs."""

from __future__ import annotations

from ..engines.server.uci import UciServer
from .common.options import BotArgument, GameArgument, SeedOfGames
from .ugi import serve_engine


def command(game: GameArgument, bot: BotArgument, seed: SeedOfGames = None) -> None:
    """Run a bot as a UCI chess engine on stdin and stdout.

    Chess programs that speak the Universal Chess Interface can play against the bot. The page "Chess and Go engines" of
    the documentation has what is understood.

    Examples:
        playout uci chess "mcts(leaf=static)"
        playout uci "chess(chess960=true)" mcts
    """
    serve_engine(UciServer, game, bot, seed, only="chess")
