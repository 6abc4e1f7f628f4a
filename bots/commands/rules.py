"""`playout rules`: the rules of a game."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown

import mcts

from .common.consoles import stdout
from .common.options import GameArgument


def command(game: GameArgument) -> None:
    """Show the rules of a game.

    They describe the play, the parameters, the texts of actions and the returns, with a position and an example game;
    for a rulesheet of the library, the play in words, then its text.
    On a terminal they are formatted; in a pipe or a file they are Markdown.

    Examples:
        playout rules points_ttt
        playout rules mnk > mnk.md
    """
    show_rules(mcts.load_game(game), stdout())


def show_rules(game: mcts.Game, console: Console) -> None:
    """Print the rules of a game: formatted on a terminal, as Markdown elsewhere."""
    text = mcts.rules(game)
    if console.is_terminal:
        console.print(Markdown(text, hyperlinks=False))
    else:
        console.print(text, markup=False, soft_wrap=True, end="")
