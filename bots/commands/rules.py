"""`playout rules`: the rules of a game. `show_rules` prints them for other commands."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown

import mcts

from .common import GameArgument, stdout


def rules(game: GameArgument) -> None:
    """Show the rules of a game.

    They cover the play, the parameters, the texts of actions, the returns, and have a position and an example game, as
    the pages in docs/games do. In a pipe they are plain Markdown.

    Examples:
        playout rules points_ttt
        playout rules mnk > mnk.md
    """
    show_rules(mcts.load_game(game), stdout())


def show_rules(game: mcts.Game, console: Console) -> None:
    """Print the rules of a game, laid out for a terminal, or as plain Markdown elsewhere."""
    text = mcts.rules(game)
    if console.is_terminal:
        console.print(Markdown(text, hyperlinks=False))
    else:
        console.print(text, markup=False, soft_wrap=True, end="")
