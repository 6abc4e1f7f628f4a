"""Commands whose games are stored, and that can be continued after Ctrl-C."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from cext.arguments import counted

from ...arena.play.heartbeat import my_heartbeat
from ...arena.store.store import TEMPORARY, Store
from ...system.exit_status import INTERRUPTED
from ...system.output import bot_output_logged
from .progress import GamesShown


@contextmanager
def continuable_store(place: str, shown: GamesShown) -> Iterator[Store]:
    """Open a store and show progress while games are played; after Ctrl-C, print the command that continues, and exit.

    Args:
        place: file of the games; empty for a temporary one.
        shown: the progress.
    """
    try:
        with Store(place or TEMPORARY) as store, bot_output_logged(lambda: my_heartbeat().bot), shown:
            yield store
    except KeyboardInterrupt:
        print_how_to_continue(shown.console, place, shown.games)
        raise typer.Exit(INTERRUPTED) from None


def print_how_to_continue(console: Console, place: str, games: int) -> None:
    """Print after Ctrl-C whether games are stored, and the command that continues.

    Args:
        console: for messages.
        place: file of the games; empty if they are not stored.
        games: number of games that were played.
    """
    program = "playout" if Path(sys.argv[0]).name == "playout" else f"{sys.executable} -m playout"
    command = f"{program} {shlex.join(sys.argv[1:])}"
    if place:
        text = f"Interrupted: {counted(games, 'game is', 'games are')} stored in {place}. To continue:\n  {command}"
    else:
        text = f"Interrupted: no games are stored. To start again:\n  {command}"
    console.print(Text(text), soft_wrap=True)
