"""Output after Ctrl-C of a command that can be continued."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text


def print_how_to_continue(console: Console, place: str, games: int) -> None:
    """Print after Ctrl-C whether games are stored, and the command that continues.

    Args:
        console: for messages.
        place: file of the games; empty if they are not stored.
        games: number of games that were played.
    """
    program = "playout" if Path(sys.argv[0]).name == "playout" else f"{sys.executable} -m bots.cli"
    command = f"{program} {shlex.join(sys.argv[1:])}"
    if place:
        text = f"Interrupted: {games:,} games are stored in {place}. To continue:\n  {command}"
    else:
        text = f"Interrupted: no games are stored. To start again:\n  {command}"
    console.print(Text(text), soft_wrap=True)
