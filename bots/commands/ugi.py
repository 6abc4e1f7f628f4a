"""`playout ugi`: a bot as an engine for other programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mcts import Game, UnsupportedGameError, load_game

from ..base import Bot
from ..engines.server.ugi import UgiServer
from ..registry import load_bot
from ..system.output import bot_output_logged
from .common.options import BotArgument, GameArgument, SeedOfGames


def command(game: GameArgument, bot: BotArgument, seed: SeedOfGames = None) -> None:
    """Run a bot as a UGI engine on stdin and stdout.

    Any program that speaks the Universal Game Interface can play against the bot in two-player games with alternating
    turns. The page "External engines" of the documentation describes extensions
    for other games.

    Examples:
        playout ugi points_ttt mcts
        playout arena mnk greedy 'ugi(command="playout ugi mnk mcts")' --games 4 --no-db
    """
    serve_engine(UgiServer, game, bot, seed)


def serve_engine(server: type[UgiServer], game: str, bot: str, seed: int | None, only: str = "") -> None:
    """Serve a bot on stdin and stdout. The arguments after the first are those of `engine_of`, and the seed."""
    with engine_of(game, bot, only) as (loaded, player, write):
        if not server(loaded, player, write, seed).serve_stream(sys.stdin):
            os._exit(0)  # a bot that does not stop would keep the process alive


@contextmanager
def engine_of(game: str, bot: str, only: str = "") -> Iterator[tuple[Game, Bot, Callable[[str], None]]]:
    """Load a game and a bot, and give a function that writes lines to stdout, which the bot itself cannot.

    Args:
        game: spec of the game.
        bot: spec of the bot.
        only: name of the only game of the protocol; empty for any game.

    Raises:
        UnsupportedGameError: the protocol is for another game, or the bot cannot play it.
    """
    loaded = load_game(game)
    if only and loaded.name != only:
        raise UnsupportedGameError(f"the protocol is for {only}, not for {loaded.spec}; valid: {only}, or playout ugi")
    player = load_bot(bot)
    player.check_game(loaded)
    with bot_output_logged(lambda: player.spec) as protocol:  # a bot's own output must not be read as an answer

        def write(line: str) -> None:
            protocol.write(line + "\n")
            protocol.flush()

        yield loaded, player, write
