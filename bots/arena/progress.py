"""How far a tournament has got, on a terminal as a bar, elsewhere as a short line now and then."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from types import TracebackType

import rich.progress
from rich.console import Console

from .match import Record

LINE_SECONDS = 10.0
"""Between two lines where there is no terminal."""


class Progress(AbstractContextManager["Progress"]):
    """Shows games played, games a second, time left and failures.

    Args:
        total: games to be played.
        console: where to show it.
    """

    def __init__(self, total: int, console: Console) -> None:
        self._total = total
        self._console = console
        self._done = self._failures = 0
        self._begin = self._last_line = time.monotonic()
        self._bar = rich.progress.Progress(
            rich.progress.TextColumn("games"),
            rich.progress.BarColumn(),
            rich.progress.MofNCompleteColumn(),
            rich.progress.TextColumn("{task.fields[rate]}"),
            rich.progress.TimeRemainingColumn(),
            rich.progress.TextColumn("[red]{task.fields[failures]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("games", total=total, rate="", failures="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        if not self._console.is_terminal and kind is None:
            self._line()

    def add(self, records: Sequence[Record], tally: Tally) -> None:
        """Count games that have been played."""
        self._done += len(records)
        self._failures += sum(bool(record.failures) for record in records)
        now = time.monotonic()
        if self._console.is_terminal:
            failures = f"{self._failures:,} failed" if self._failures else ""
            self._bar.update(self._task, completed=self._done, rate=f"{self._rate():,.0f}/s", failures=failures)
        elif now - self._last_line >= LINE_SECONDS:
            self._last_line = now
            self._line()

    def _rate(self) -> float:
        return self._done / max(time.monotonic() - self._begin, 1e-6)

    def _line(self) -> None:
        failures = f", {self._failures:,} failed" if self._failures else ""
        self._console.print(f"{self._done:,} of {self._total:,} games, {self._rate():,.0f} a second{failures}")
