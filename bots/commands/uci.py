"""`playout uci`: a bot as a chess engine for other programs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from ..engines.server.uci import UciServer
from .common.options import SEED_HELP, BotArgument, GameArgument, option
from .ugi import engine_of


def command(
    game: GameArgument,
    bot: BotArgument,
    seed: Annotated[int | None, option(SEED_HELP, "N", default="a new one for each game")] = None,
) -> None:
    """Run a bot as a UCI chess engine on stdin and stdout.

    Chess programs that speak the Universal Chess Interface can play against the bot. The page "Chess and Go engines" of
    the documentation has what is understood.

    Examples:
        playout uci chess "mcts(leaf=static)"
        playout uci "chess(chess960=true)" mcts
    """
    with engine_of(game, bot, only="chess") as (loaded, player, write):
        if not UciServer(loaded, player, write, seed).serve_stream(sys.stdin):
            os._exit(0)  # a bot that does not stop would keep the process alive
