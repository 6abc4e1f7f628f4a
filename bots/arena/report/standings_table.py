"""The standings as tables for the terminal: one for each list of ratings, in the roomiest layout that fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ..results.report import Report
from ..results.standings import Standing
from .number_format import PLUS_MINUS, elo_text, likelihood, plain_minus
from .short_names import short_names

LOS, MEAN_RETURN, SEATS, GAMES, FAILED = "los", "mean return", "seats", "games", "failed"
_COLUMNS: tuple[tuple[str, ...], ...] = (
    (LOS, MEAN_RETURN, SEATS, GAMES, FAILED),
    (MEAN_RETURN, SEATS, GAMES, FAILED),
    (SEATS, GAMES, FAILED),
    (GAMES, FAILED),
    (GAMES,),
    (),
)
"""Columns beside name and Elo, from all of them to none."""
_SHORT_NAME = 16
"""Characters of a name below which columns are left out instead."""
_LEAST_NAME = 8


class _Layout(NamedTuple):
    columns: tuple[str, ...]
    gap: int
    """Room between columns beyond what is needed."""
    names: Mapping[str, str]
    """By label."""


def standings_tables(report: Report, console: Console) -> list[Table]:
    """The standings, one table for each list of ratings and one for the bots that are not rated.

    No table is wider than the console unless even short names beside their Elo are. Columns that are left out for want
    of room stand in the JSON.
    """
    lists = _lists(report)
    for layout in _layouts(report, console):
        tables = [_table(report, layout, number, lists) for number in range(len(lists))]
        if max(table_width(table, console) for table in tables) <= console.width:
            break
    return tables


def table_width(table: Table, console: Console) -> int:
    """Characters of a table in which nothing is folded."""
    table_alone = console.options.update(max_width=10 * console.width)
    title, table.title = table.title, None  # titles may be folded
    try:
        return Measurement.get(console, table_alone, table).maximum
    finally:
        table.title = title


def _lists(report: Report) -> list[list[Standing]]:
    """The standings by list, those that are in none last."""
    by_list: dict[int | None, list[Standing]] = {}
    for standing in report.standings:
        by_list.setdefault(standing.list, []).append(standing)
    return list(by_list.values())


def _layouts(report: Report, console: Console) -> Iterator[_Layout]:
    """Layouts, from the roomiest to the narrowest."""
    labels = [standing.bot for standing in report.standings]
    whole = {label: label for label in labels}
    for columns, gap in ((_COLUMNS[0], 1), (_COLUMNS[0], 0), (_COLUMNS[1], 0)):
        yield _Layout(columns, gap, whole)
    yield _Layout(_COLUMNS[1], 0, {label: label.replace("(", "\n(").replace(",", ",\n ") for label in labels})
    lists = _lists(report)
    for columns in _COLUMNS[1:]:
        nameless = _Layout(columns, 0, dict.fromkeys(labels, "x"))
        tables = [_table(report, nameless, number, lists) for number in range(len(lists))]
        room = console.width - max(table_width(table, console) for table in tables) + len("bot")
        if room >= _SHORT_NAME or not columns:
            yield _Layout(columns, 0, short_of(labels, max(room, _LEAST_NAME)))


def short_of(labels: Sequence[str], width: int) -> dict[str, str]:
    """Short names by label."""
    return dict(zip(labels, short_names(labels, width), strict=True))


def _title(report: Report, number: int, lists: Sequence[Sequence[Standing]]) -> str:
    of = f"{report.pooled} tournaments" if report.pooled else f"seed {report.tournament.seed}"
    title = f"{report.game.spec}: {report.games:,} games, {of}"
    if len(lists) == 1:
        return title
    if lists[number][0].list is None:
        return "Not rated: no games against others in whole blocks"
    which = f"List {number + 1} of {len(report.ratings.lists)}"
    return f"{title}\n{which}" if number == 0 else which


def _table(report: Report, layout: _Layout, number: int, lists: Sequence[Sequence[Standing]]) -> Table:
    table = Table(title=Text(_title(report, number, lists)), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, layout.gap, 0, 0)
    shown = [column for column in layout.columns if column != FAILED or any(s.failures for s in report.standings)]
    table.add_column("\nbot", no_wrap=True)
    table.add_column(f"\nElo {PLUS_MINUS} 95 %", justify="right", no_wrap=True)
    for column in shown:
        for header in _headers(report, column):
            table.add_column(header, justify="right", no_wrap=True)
    for standing in lists[number]:
        cells: list[RenderableType] = [Text(layout.names[standing.bot]), _elo_cell(standing)]
        for column in shown:
            cells += _cells(standing, column)
        table.add_row(*cells)
    return table


def _headers(report: Report, column: str) -> list[str | Text]:
    if column == SEATS:
        return [Text(f"{player}\nW/D/L") for player in report.game.players]
    return [{LOS: "better\nthan next", MEAN_RETURN: "mean\nreturn", GAMES: "\ngames", FAILED: "\nfailed"}[column]]


def _cells(s: Standing, column: str) -> list[Text]:
    if column == LOS:
        return [Text("-" if s.los_next is None else likelihood(s.los_next))]
    if column == MEAN_RETURN:
        error = "" if s.mean_return_error is None else f" {PLUS_MINUS} {s.mean_return_error:.1f}"
        return [Text("-" if s.mean_return is None else f"{s.mean_return:.1f}{error}")]
    if column == SEATS:
        return [Text(f"{seat.wins}/{seat.draws}/{seat.losses}") for seat in s.seats]
    if column == GAMES:
        return [Text(f"{s.games:,}")]
    count = sum(s.failures.values())
    return [Text(f"{count:,}", style="bold red" if count else "")]


def _elo_cell(s: Standing) -> Text:
    if s.elo is None:
        return Text("-")
    return Text(plain_minus(elo_text(s.elo, s.elo_error, s.elo_lower, s.elo_upper)))
