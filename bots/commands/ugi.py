"""`playout ugi`: a bot as an engine for other programs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from ..engines.server.ugi import UgiServer
from .common.engine import engine_of
from .common.options import SEED_HELP, BotArgument, GameArgument, option


def command(
    game: GameArgument,
    bot: BotArgument,
    seed: Annotated[int | None, option(SEED_HELP, "N", default="a new one for each game")] = None,
) -> None:
    """Run a bot as a UGI engine on stdin and stdout.

    Any program that speaks the Universal Game Interface can play against the bot in two-player games with alternating
    turns. The page "External engines" of the documentation describes extensions
    for other games.

    Examples:
        playout ugi points_ttt mcts
        playout arena mnk greedy 'ugi(command="playout ugi mnk mcts")' --games 4 --no-db
    """
    with engine_of(game, bot) as (loaded, player, write):
        if not UgiServer(loaded, player, write, seed).serve_stream(sys.stdin):
            os._exit(0)  # a bot that does not stop would keep the process alive
