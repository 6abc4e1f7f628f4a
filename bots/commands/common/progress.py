"""Progress on stderr."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


def progress_bar(console: Console, *, has_total: bool = True, is_counted: bool = True) -> Progress:
    """Return a bar for a terminal; elsewhere it shows nothing.

    Args:
        console: for stderr.
        has_total: False if the end is not known before.
        is_counted: False for a share of the work, without numbers.
    """
    columns = (
        (BarColumn(), *[MofNCompleteColumn()] * is_counted, TimeRemainingColumn())
        if has_total
        else (TextColumn("{task.completed}"), TimeElapsedColumn())
    )
    return Progress(
        TextColumn("{task.description}", markup=False),
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


class GamesShown:
    """A bar that counts games while a `with` block runs.

    Args:
        console: for stderr.
        total: number of all games; None if it is not known before.
    """

    def __init__(self, console: Console, total: int | None = None) -> None:
        self.console = console
        self.games = 0
        """Number of games that were played or found."""
        self.bar = progress_bar(console, has_total=total is not None)
        self.task = self.bar.add_task("games", total=total)

    def __enter__(self) -> GamesShown:
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def add_games(self, games: int) -> None:
        """Count games."""
        self.games += games
        self.bar.advance(self.task, games)
