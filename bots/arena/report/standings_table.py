"""The standings as tables for the terminal: one for each list of ratings, in the widest layout that fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from cext.arguments import counted
from cext.game_info import RETURNS

from ..ratings.confidence import CONFIDENCE_TEXT
from ..results.report import Report
from ..results.standings import Standing
from .number_format import (
    PLUS_MINUS,
    likelihood,
    plain_minus,
    rating_heading,
    rating_text,
    results_text,
    return_text,
)
from .short_names import folded, short_names

LOS, MEAN_RETURN, SEATS, GAMES, FAILED = "los", "mean return", "seats", "games", "failed"
_COLUMNS: tuple[tuple[str, ...], ...] = (
    (LOS, MEAN_RETURN, SEATS, GAMES, FAILED),
    (MEAN_RETURN, SEATS, GAMES, FAILED),
    (SEATS, GAMES, FAILED),
    (GAMES, FAILED),
    (GAMES,),
    (),
)
"""Columns beside name and rating, from all columns to none."""
_SHORT_NAME = 16
"""Shortest width of names in characters; columns are left out before names are folded narrower or get shorter."""
LEAST_NAME = 8
"""Shortest width of names in characters in any table."""


class _Layout(NamedTuple):
    columns: tuple[str, ...]
    gap: int
    """Additional spaces between columns."""
    names: Mapping[str, str]
    """Shown names by label."""


def standings_tables(report: Report, console: Console) -> list[Table]:
    """Return a table for each list of ratings, and one for the bots that are not rated.

    A table is wider than the console only if short names and ratings alone do not fit. The JSON has all columns.
    """
    for layout in _layouts(report, console):
        tables = _tables(report, layout)
        if max(table_width(table, console) for table in tables) <= console.width:
            break
    return tables


def table_width(table: Table, console: Console) -> int:
    """Return the width in characters of a table whose cells are not folded."""
    table_alone = console.options.update(max_width=10 * console.width)
    title, table.title = table.title, None  # titles may be folded
    try:
        return Measurement.get(console, table_alone, table).maximum
    finally:
        table.title = title


def _layouts(report: Report, console: Console) -> Iterator[_Layout]:
    """Yield layouts, from the widest to the narrowest."""
    labels = [standing.bot for standing in report.standings]
    whole = {label: label for label in labels}
    for columns, gap in ((_COLUMNS[0], 1), (_COLUMNS[0], 0), (_COLUMNS[1], 0)):
        yield _Layout(columns, gap, whole)
    widths = {}
    for columns in _COLUMNS[1:]:
        tables = _tables(report, _Layout(columns, 0, dict.fromkeys(labels, "x")))
        widths[columns] = console.width - max(table_width(table, console) for table in tables) + len("bot")
    for columns, width in widths.items():
        yield _Layout(columns, 0, {label: folded(label, width) for label in labels})
    for columns, width in widths.items():
        if width >= _SHORT_NAME or not columns:
            yield _Layout(columns, 0, short_of(labels, max(width, LEAST_NAME)))


def short_of(labels: Sequence[str], width: int) -> dict[str, str]:
    """Return short names by label."""
    return dict(zip(labels, short_names(labels, width), strict=True))


def _tables(report: Report, layout: _Layout) -> list[Table]:
    origin = counted(report.pooled, "tournament") if report.pooled else f"seed {report.tournament.seed}"
    counts = ", mean returns count" if report.score == RETURNS else ""
    head = f"{report.game.spec}: {counted(report.games, 'game')}, {origin}{counts}"
    tables = []
    for number, some in enumerate(report.lists):
        reason = ": no games against others in whole blocks" if some.title and some.standings[0].list is None else ""
        titles = [head if number == 0 else "", f"{some.title}{reason}"]
        tables.append(_table(report, layout, "\n".join(filter(None, titles)), some.standings))
    return tables


def _table(report: Report, layout: _Layout, title: str, standings: Sequence[Standing]) -> Table:
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, layout.gap, 0, 0)
    shown = [column for column in layout.columns if column != FAILED or any(s.failures for s in report.standings)]
    table.add_column("\nbot", no_wrap=True)
    heading = f"{rating_heading(report.ratings)} {PLUS_MINUS} {CONFIDENCE_TEXT}"
    table.add_column(f"\n{heading}", justify="right", no_wrap=True)
    for column in shown:
        for header in _headers(report, column):
            table.add_column(header, justify="right", no_wrap=True)
    for standing in standings:
        rating = plain_minus(rating_text(report.ratings, standing.index)) or "-"
        cells: list[RenderableType] = [Text(layout.names[standing.bot]), Text(rating)]
        for column in shown:
            cells += _cells(report, standing, column)
        table.add_row(*cells)
    return table


def _headers(report: Report, column: str) -> list[str | Text]:
    if column == SEATS:
        return [Text(f"{player}\nW/D/L") for player in report.game.players]
    return [{LOS: "better\nthan next", MEAN_RETURN: "mean\nreturn", GAMES: "\ngames", FAILED: "\nfailed"}[column]]


def _cells(report: Report, s: Standing, column: str) -> list[Text]:
    if column == LOS:
        return [Text("-" if s.los_next is None else likelihood(s.los_next))]
    if column == MEAN_RETURN:
        return [Text(plain_minus(return_text(s, report.ratings)))]
    if column == SEATS:
        return [Text(results_text(seat.results)) for seat in s.seats]
    if column == GAMES:
        return [Text(f"{s.games:,}")]
    count = sum(s.failures.values())
    return [Text(f"{count:,}", style="bold red" if count else "")]
