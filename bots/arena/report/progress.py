"""How far a tournament has got: on a terminal a table of ratings kept up to date, elsewhere a line at the end."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from ..play.match import Record
from ..ratings.ratings import Ratings, rate
from ..results.tally import Tally
from ..tournament.schedule import Tournament

REFRESHES_A_SECOND = 4.0
RATE_SECONDS = 2.0
"""Between two computations of the ratings; longer, where they take long."""
MOST_SHARE = 0.02
"""Of the time, for the ratings."""
SHOWN_BOTS = 20


class Progress(AbstractContextManager["Progress"]):
    """Shows ratings with their errors, games played, games a second, time left and failures.

    Args:
        tournament: what is played.
        console: where to show it; where that is no terminal, only a line is written at the end.
    """

    def __init__(self, tournament: Tournament, console: Console) -> None:
        self._tournament = tournament
        self._labels = tournament.labels
        self._console = console
        self._done = self._failures = self._found = 0
        self._begin = time.monotonic()
        self._next_rating = 0.0
        self._next_update = 0.0
        self._standings: RenderableType = Text("")
        self._bar = Bar(
            TextColumn("games"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("[red]{task.fields[failures]}"),
            console=console,
        )
        self._task = self._bar.add_task("games", total=tournament.num_games, rate="", failures="")
        self._live = (
            Live(console=console, refresh_per_second=REFRESHES_A_SECOND, transient=True)
            if console.is_terminal
            else None
        )

    def __enter__(self) -> Progress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        elif kind is None:
            self._line()

    def add(self, records: Sequence[Record], tally: Tally) -> None:
        """Take notice of games that have been played; of none, at first, with what had been played before."""
        if not records:
            self._found = self._done = tally.known
            self._failures = tally.failures.total()
            self._begin = time.monotonic()
        self._done += len(records)
        self._failures += sum(bool(record.failures) for record in records)
        now = time.monotonic()
        if self._live is None or now < self._next_update:
            return
        self._next_update = now + 1 / REFRESHES_A_SECOND
        if now >= self._next_rating:
            self._standings = _standings(self._labels, rate(len(self._labels), tally.blocks), tally)
            taken = time.monotonic() - now
            self._next_rating = time.monotonic() + max(RATE_SECONDS, taken / MOST_SHARE)
        failures = f"{self._failures:,} failed" if self._failures else ""
        self._bar.update(self._task, completed=self._done, rate=f"{self._rate():,.0f}/s", failures=failures)
        self._live.update(Group(self._standings, self._bar))

    def _rate(self) -> float:
        return (self._done - self._found) / max(time.monotonic() - self._begin, 1e-6)

    def _line(self) -> None:
        failures = f", {self._failures:,} failed" if self._failures else ""
        found = f" ({self._found:,} of them stored before)" if self._found else ""
        self._console.print(
            f"{self._done:,} of {self._tournament.num_games:,} games{found}, {self._rate():,.0f} a second{failures}"
        )


def _standings(labels: Sequence[str], ratings: Ratings, tally: Tally) -> Table:
    """The best bots by now."""
    failed = dict.fromkeys(range(len(labels)), 0)
    for (bot, _), times in tally.failures.items():
        if bot >= 0:
            failed[bot] += times
    table = Table("bot", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("Elo", "± 95 %", "failed"):
        table.add_column(name, justify="right")
    order = sorted(failed, key=lambda bot: -_shown_elo(ratings, bot))
    for bot in order[:SHOWN_BOTS]:
        elo, error = _shown_elo(ratings, bot), ratings.errors[bot]
        table.add_row(
            Text(labels[bot]),
            "-" if elo == -math.inf else f"{ratings.marks[bot] or ''}{round(elo):+d}",
            "" if error is None else f"{error:.0f}",
            f"{failed[bot]:,}" if failed[bot] else "",
        )
    if len(order) > SHOWN_BOTS:
        table.add_row(f"... and {len(order) - SHOWN_BOTS} more")
    return table


def _shown_elo(ratings: Ratings, bot: int) -> float:
    """The rating of a bot, or what bounds it; minus infinity where nothing is known."""
    found = ratings.bounds[bot] if ratings.elo[bot] is None else ratings.elo[bot]
    return -math.inf if found is None else found
