"""Tables of every bot against every other, for the terminal: results, and likelihoods of superiority."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..results.report import Report
from ..results.standings import Standing
from .number_format import likelihood
from .standings_table import short_of, table_width

_STRONG = 0.95
"""Likelihoods from here on, and the opposite ones, are shown in colour."""
_LONGEST_NAME = 0.4
"""Part of the console's width that names may take where tables do not fit otherwise."""
_LEAST_NAME = 8

Cell = Callable[[int, int], Text]
"""The cell in the row of a bot and the column of another, by their indices."""


def print_cross_tables(report: Report, console: Console) -> None:
    """Print the cross table and the likelihoods of superiority; nothing where there are not two bots that met.

    Bots of different lists of ratings never met, so each list has tables of its own. Where a table is too wide, names
    are shortened, and its columns are shown in several tables one below the other.
    """
    for number, bots in enumerate(report.ratings.lists):
        standings = [standing for standing in report.standings if standing.index in bots]
        which = f", list {number + 1}" if len(report.ratings.lists) > 1 else ""
        results = f"Won/drawn/lost in whole blocks, row against column{which}"
        _print(standings, results, _results(report), console)
        likelihoods = f"Likelihood that the row is better than the column{which}"
        if any(report.ratings.los[one][other] is not None for one in bots for other in bots):
            _print(standings, likelihoods, _likelihoods(report), console)


def _print(standings: Sequence[Standing], title: str, cell: Cell, console: Console) -> None:
    labels = [standing.bot for standing in standings]
    every = range(len(standings))
    table = _table(standings, title, cell, {label: label for label in labels}, every)
    if table_width(table, console) <= console.width:
        console.print(table)
        return
    names = short_of(labels, max(_LEAST_NAME, min(max(map(len, labels)), int(_LONGEST_NAME * console.width))))
    first = 0
    while first < len(standings):
        last = first + 1
        while last < len(standings):
            wider = _table(standings, title, cell, names, range(first, last + 1))
            if table_width(wider, console) > console.width:
                break
            last += 1
        console.print(_table(standings, title, cell, names, range(first, last)))
        first, title = last, ""


def _table(
    standings: Sequence[Standing], title: str, cell: Cell, names: dict[str, str], columns: Sequence[int]
) -> Table:
    """Columns are numbered by the standings: names would not fit."""
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True)
    for place in columns:
        table.add_column(f"{place + 1}", justify="right", no_wrap=True)
    for place, standing in enumerate(standings, 1):
        others = [standings[column].index for column in columns]
        cells = [Text() if other == standing.index else cell(standing.index, other) for other in others]
        table.add_row(f"{place}", Text(names[standing.bot]), *cells)
    return table


def _results(report: Report) -> Cell:
    found = {(pair.first, pair.second): (pair.wins, pair.draws, pair.losses) for pair in report.pairings}
    found |= {(second, first): results[::-1] for (first, second), results in found.items()}

    def cell(bot: int, other: int) -> Text:
        results = found.get((bot, other))
        return Text("-") if results is None else Text("/".join(map(str, results)))

    return cell


def _likelihoods(report: Report) -> Cell:
    def cell(bot: int, other: int) -> Text:
        likely = report.ratings.los[bot][other]
        if likely is None:
            return Text("-")
        style = "green" if likely >= _STRONG else "red" if likely <= 1 - _STRONG else ""
        return Text(likelihood(likely), style)

    return cell
