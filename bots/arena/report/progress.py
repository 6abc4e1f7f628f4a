"""Progress of a tournament: a table on a terminal, lines in a log elsewhere."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table
from rich.text import Text

from ..ratings.confidence import CONFIDENCE_TEXT
from ..ratings.ratings import Ratings, rate
from ..records import GameRecord
from ..results.sequential import sequential_test
from ..results.tally import NO_BOT, Tally
from ..tournament.schedule import Tournament
from .number_format import PLUS_MINUS, plain_minus, rating_heading, rating_text
from .progress_lines import game_line, leader_text, progress_line, sequential_test_lines, summary_line, title_line

REFRESHES_PER_SECOND = 4.0
"""Updates of the table on a terminal."""
RATING_SECONDS = 2.0
"""Least time between two computations of the ratings."""
RATING_SHARE = 0.02
"""Largest share of the time for computing ratings."""
SHOWN_BOTS = 20
"""Most bots in the table."""
LINE_SECONDS = 30.0
"""Default time between two lines in a log."""


class Progress(AbstractContextManager["Progress"]):
    """Shows games done, games per second, time left, ratings and failures.

    On a terminal it shows a table. Elsewhere it writes a line at the beginning, at intervals, and at the end.

    Args:
        tournament: the tournament.
        console: the console to write to.
        path: path of the file in which games are stored; empty if they are not stored.
        line_seconds: time between two lines, above 0.
        log_games: True to write a line for each game too.

    Attributes:
        done: number of games played, including stored ones.
    """

    def __init__(
        self,
        tournament: Tournament,
        console: Console,
        path: str = "",
        line_seconds: float = LINE_SECONDS,
        log_games: bool = False,
    ) -> None:
        self._tournament = tournament
        self._console = console
        self._path = path
        self._line_seconds = line_seconds
        self._log_games = log_games
        self._tally: Tally | None = None
        self._is_titled = False
        self.done = self._failures = self._found = 0
        self._begin = time.monotonic()
        self._next_line = math.inf
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
            Live(console=console, refresh_per_second=REFRESHES_PER_SECOND, transient=True)
            if console.is_terminal
            else None
        )

    def __enter__(self) -> Progress:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self._live is not None:
            self._live.stop()
        if kind is None:
            self._write_title()
            of = self._tournament
            self._write(summary_line(of, self.done, self._found, self._rate(), self._failures))

    def add(self, records: Sequence[GameRecord], tally: Tally) -> None:
        """Count games that were played. The first call has no games, and the tally of the stored games."""
        if not records:
            self._tally = tally
            self._found = self.done = tally.known
            self._failures = tally.failures.total()
            self._begin = time.monotonic()
            self._next_line = self._begin + self._line_seconds
            return
        self.done += len(records)
        self._failures += sum(bool(record.failures) for record in records)
        if self._log_games:
            for record in records:
                self._write_title()
                self._write(game_line(self._tournament, record))
        self.tick()

    def tick(self) -> None:
        """Update the table, or write a line, if it is time. Called repeatedly while games are played."""
        if self._tally is None:
            return
        self._write_title()
        now = time.monotonic()
        if self._live is None:
            if now >= self._next_line:
                self._write_line(self._tally)
        elif now >= self._next_update and self.done > self._found:
            self._next_update = now + 1 / REFRESHES_PER_SECOND
            self._update(self._live, self._tally)

    def _update(self, live: Live, tally: Tally) -> None:
        """Update the table on the terminal."""
        now = time.monotonic()
        if now >= self._next_rating:
            labels = self._tournament.labels
            standings = _standings(labels, self._ratings(tally), tally)
            test = sequential_test(self._tournament, tally.blocks)
            self._standings = standings if test is None else Group(*map(Text, sequential_test_lines(test)), standings)
            taken = time.monotonic() - now
            self._next_rating = time.monotonic() + max(RATING_SECONDS, taken / RATING_SHARE)
        failures = f"{self._failures:,} failed" if self._failures else ""
        self._bar.update(self._task, completed=self.done, rate=f"{self._rate():,.0f}/s", failures=failures)
        live.update(self.table())

    def table(self) -> RenderableType:
        """Return the standings and the bar of games as of the last update."""
        return Group(self._standings, self._bar)

    def _write_line(self, tally: Tally) -> None:
        """Write a line to the log, with ratings of the games counted so far."""
        of = self._tournament
        now = time.monotonic()
        test = sequential_test(of, tally.blocks)
        state = leader_text(of.labels, self._ratings(tally)) if test is None else test.describe_state()
        self._write(progress_line(of, self.done, self._rate(), self._failures, state))
        taken = time.monotonic() - now
        self._next_line = time.monotonic() + max(self._line_seconds, taken / RATING_SHARE)

    def _ratings(self, tally: Tally) -> Ratings:
        return rate(len(self._tournament.labels), tally.blocks, score=self._tournament.score)

    def _write_title(self) -> None:
        """Write the title line once, when there is something to play or to show."""
        if not self._is_titled:
            self._is_titled = True
            self._write(title_line(self._tournament, self._path))

    def _write(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)

    def _rate(self) -> float:
        return (self.done - self._found) / max(time.monotonic() - self._begin, 1e-6)


def _standings(labels: Sequence[str], ratings: Ratings, tally: Tally) -> Table:
    """Return the table of the best bots so far."""
    failed = dict.fromkeys(range(len(labels)), 0)
    for (bot, _), times in tally.failures.items():
        if bot != NO_BOT:
            failed[bot] += times
    table = Table("bot", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in (rating_heading(ratings), f"{PLUS_MINUS} {CONFIDENCE_TEXT}", "failed"):
        table.add_column(name, justify="right")
    order = [bot for some in ratings.lists for bot in some]
    order += [bot for bot in failed if bot not in order]
    for bot in order[:SHOWN_BOTS]:
        value, precision = (rating_text(ratings, bot) or "-").partition(" ")[::2]
        table.add_row(
            Text(labels[bot]),
            plain_minus(value),
            precision,
            f"{failed[bot]:,}" if failed[bot] else "",
        )
    if len(order) > SHOWN_BOTS:
        table.add_row(f"... and {len(order) - SHOWN_BOTS} more")
    return table
