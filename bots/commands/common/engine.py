"""Bots as engines: the standard streams of a protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mcts import Game, UnsupportedGameError, load_game

from ...base import Bot
from ...registry import load_bot
from ...system.output import bot_output_logged


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
