"""`playout games`: the games that can be loaded by name."""

from __future__ import annotations

from mcts import game_info, registered_games

from .common.consoles import stdout
from .common.listing import print_entry


def command() -> None:
    """List the games and their parameters.

    Each line below a game shows a parameter, its default and its valid values. A game of your own is named by the path
    of its class, such as `my_package.my_games.Nim(heap=7)`.

    Examples:
        playout games
    """
    console = stdout()
    for name in registered_games():
        info = game_info(name)
        print_entry(console, name, f"{info.summary}\nplayers: {', '.join(info.players)}", info.parameters)
