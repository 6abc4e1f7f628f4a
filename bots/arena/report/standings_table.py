"""The standings as tables for the terminal, with the same columns in every width."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from cext.arguments import counted
from cext.game_info import RETURNS

from ..ratings.confidence import CONFIDENCE_TEXT
from ..results.report import Report
from ..results.standings import Standing
from .number_format import PLUS_MINUS, likelihood, plain_minus, rating_heading, rating_text, results_text, return_text
from .short_names import folded, short_names, table_width

LOS, MEAN_RETURN, GAMES, FAILED = "los", "mean return", "games", "failed"
_Column = str | int
"""A column beside name and rating: one of these, or the number of a seat."""
_SHORT_NAME = 16
"""Shortest width of names in characters in one table of all columns; where it does not fit, there are several."""
_PART_NAME = 24
"""Width of names in characters where the columns are in several tables."""
LEAST_NAME = 8
"""Shortest width of names in characters in any table."""


class _Layout(NamedTuple):
    names: Mapping[str, str]
    """Shown names by label."""
    gap: int = 0
    """Additional spaces between columns."""


def standings_tables(report: Report, console: Console) -> list[Table]:
    """Return the tables of each list of ratings, and of the bots that are not rated.

    The columns are always the same. Where they do not fit beside each other, names are folded, then shortened, and then
    the columns are in several tables. A table is wider than the console only if a short name and a column do not fit.
    """
    columns = _columns(report)
    for layout in _layouts(report, columns, console):
        tables = _tables(report, layout, [columns])
        if _fit(tables, console):
            return tables
    labels = [standing.bot for standing in report.standings]
    space = min(_PART_NAME, _space(report, [columns[:1]], console))
    for names in ({label: folded(label, space) for label in labels}, short_of(labels, max(space, LEAST_NAME))):
        layout = _Layout(names)
        if _fit(_tables(report, layout, [columns[:1]]), console):
            break
    parts: list[list[_Column]] = [[]]
    for column in columns:
        if parts[-1] and not _fit(_tables(report, layout, [*parts[:-1], [*parts[-1], column]]), console):
            parts.append([])
        parts[-1].append(column)
    return _tables(report, layout, parts)


def _fit(tables: Sequence[Table], console: Console) -> bool:
    return max(table_width(table, console) for table in tables) <= console.width


def _columns(report: Report) -> list[_Column]:
    """Return the columns beside name and rating."""
    failed = [FAILED] * any(standing.failures for standing in report.standings)
    return [LOS, MEAN_RETURN, *range(len(report.game.players)), GAMES, *failed]


def _layouts(report: Report, columns: Sequence[_Column], console: Console) -> Iterator[_Layout]:
    """Yield layouts of one table, from the widest to the narrowest."""
    labels = [standing.bot for standing in report.standings]
    whole = {label: label for label in labels}
    yield _Layout(whole, 1)
    yield _Layout(whole)
    width = _space(report, [columns], console)
    yield _Layout({label: folded(label, width) for label in labels})
    if width >= _SHORT_NAME:
        yield _Layout(short_of(labels, width))


def _space(report: Report, parts: Sequence[Sequence[_Column]], console: Console) -> int:
    """Return the width that tables leave to names."""
    tables = _tables(report, _Layout(dict.fromkeys((standing.bot for standing in report.standings), "x")), parts)
    return console.width - max(table_width(table, console) for table in tables) + len("bot")


def short_of(labels: Sequence[str], width: int) -> dict[str, str]:
    """Return short names by label."""
    return dict(zip(labels, short_names(labels, width), strict=True))


def _tables(report: Report, layout: _Layout, parts: Sequence[Sequence[_Column]]) -> list[Table]:
    """Return a table for each list of ratings and each part of the columns."""
    origin = counted(report.pooled, "tournament") if report.pooled else f"seed {report.tournament.seed}"
    counts = ", mean returns count" if report.score == RETURNS else ""
    head = f"{report.game.spec}: {counted(report.games, 'game')}, {origin}{counts}"
    tables = []
    for number, some in enumerate(report.lists):
        reason = ": no games against others in whole blocks" if some.title and some.standings[0].list is None else ""
        titles = [head if number == 0 else "", f"{some.title}{reason}"]
        for part, columns in enumerate(parts):
            title = "" if part else "\n".join(filter(None, titles))
            tables.append(_table(report, layout, title, columns, some.standings, has_rating=part == 0))
    return tables


def _table(
    report: Report,
    layout: _Layout,
    title: str,
    columns: Sequence[_Column],
    standings: Sequence[Standing],
    *,
    has_rating: bool,
) -> Table:
    table = Table(title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, layout.gap, 0, 0)
    table.add_column("\nbot", no_wrap=True)
    if has_rating:
        heading = f"{rating_heading(report.ratings)} {PLUS_MINUS} {CONFIDENCE_TEXT}"
        table.add_column(f"\n{heading}", justify="right", no_wrap=True)
    for column in columns:
        table.add_column(_header(report, column), justify="right", no_wrap=True)
    for standing in standings:
        rating = plain_minus(rating_text(report.ratings, standing.index)) or "-"
        cells: list[RenderableType] = [Text(layout.names[standing.bot]), *[Text(rating)] * has_rating]
        table.add_row(*cells, *(_cell(report, standing, column) for column in columns))
    return table


def _header(report: Report, column: _Column) -> str | Text:
    if isinstance(column, int):
        return Text(f"{report.game.players[column]}\nW/D/L")
    return {LOS: "better\nthan next", MEAN_RETURN: "mean\nreturn", GAMES: "\ngames", FAILED: "\nfailed"}[column]


def _cell(report: Report, s: Standing, column: _Column) -> Text:
    if isinstance(column, int):
        return Text(results_text(s.seats[column].results))
    if column == LOS:
        return Text("-" if s.los_next is None else likelihood(s.los_next))
    if column == MEAN_RETURN:
        return Text(plain_minus(return_text(s, report.ratings)))
    if column == GAMES:
        return Text(f"{s.games:,}")
    count = sum(s.failures.values())
    return Text(f"{count:,}", style="bold red" if count else "")
