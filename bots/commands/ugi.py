"""`playout ugi`: a bot as an engine for other programs."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from mcts import load_game

from ..output import bot_output_logged
from ..registry import load_bot
from ..ugi.server import UgiServer
from .common import BotArgument, GameArgument


def ugi(
    game: GameArgument,
    bot: BotArgument,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", help="seed of all random numbers [default: a new one in each game]"),
    ] = None,
) -> None:
    """Run a bot as a UGI engine on stdin and stdout.

    Any program that speaks the Universal Game Interface can play against the bot, in games of two players in turns.
    docs/ugi.md describes the additions for other games.

    Examples:
        playout ugi points_ttt mcts
        playout arena mnk greedy 'ugi(command="playout ugi mnk mcts")' --games 4 --no-db
    """
    loaded = load_game(game)
    player = load_bot(bot)
    player.check_game(loaded)

    with bot_output_logged(lambda: player.spec) as own:  # a line that a bot prints would be read as an answer

        def write(line: str) -> None:
            own.write(line + "\n")
            own.flush()

        if not UgiServer(loaded, player, write, seed).serve_stream(sys.stdin):
            os._exit(0)  # a bot that does not obey must not keep the process alive
