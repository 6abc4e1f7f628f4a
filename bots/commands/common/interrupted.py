"""Commands whose games are stored, and that can be continued after Ctrl-C."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console

from cext.arguments import counted

from ...arena.play.heartbeat import my_heartbeat
from ...arena.store.store import TEMPORARY, Store
from ...system.exit_status import INTERRUPTED
from ...system.output import bot_output_logged
from .consoles import print_line
from .progress import GamesShown


@contextmanager
def continuable_store(place: str, shown: GamesShown) -> Iterator[Store]:
    """Open a store and show progress while games are played; after Ctrl-C, print the command that continues, and exit.

    Args:
        place: file of the games; empty for a temporary one.
        shown: the progress.
    """
    with (
        continuable(shown.console, place, lambda: shown.games),
        Store(place or TEMPORARY) as store,
        bot_output_logged(lambda: my_heartbeat().bot),
        shown,
    ):
        yield store


@contextmanager
def continuable(console: Console, place: str, games: Callable[[], int]) -> Iterator[None]:
    """After Ctrl-C, print whether games are stored, and the command that continues, and exit.

    Args:
        console: for messages.
        place: file of the games; empty if they are not stored.
        games: returns the number of games that were played.
    """
    try:
        yield
    except KeyboardInterrupt:
        _print_how_to_continue(console, place, games())
        raise typer.Exit(INTERRUPTED) from None


def _print_how_to_continue(console: Console, place: str, games: int) -> None:
    program = "playout" if Path(sys.argv[0]).name == "playout" else f"{sys.executable} -m playout"
    command = f"{program} {shlex.join(sys.argv[1:])}"
    if place:
        text = f"Interrupted: {counted(games, 'game is', 'games are')} stored in {place}. To continue:\n  {command}"
    else:
        text = f"Interrupted: no games are stored. To start again:\n  {command}"
    print_line(console, text)
