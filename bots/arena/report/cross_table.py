"""Tables of every bot against every other, for the terminal: how they did, and how likely who is the better one."""

from __future__ import annotations

from collections.abc import Callable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..results.standings import Report
from .number_format import percent

_STRONG = 0.95
"""Likelihoods from here on, and the opposite ones, are shown in colour."""

Cell = Callable[[int, int], Text]
"""What stands in the line of a bot and the column of another, by their indices."""


def print_matrices(report: Report, console: Console) -> None:
    """Print the cross table and the likelihoods of superiority; nothing where there are not two bots that met."""
    if not report.pairings:
        return
    console.print(_table(report, "Won/drawn/lost in whole blocks, line against column", _results(report)))
    if any(likely is not None for row in report.ratings.los for likely in row):
        console.print(_table(report, "How likely the line is better than the column", _likelihoods(report)))


def _table(report: Report, title: str, cell: Cell) -> Table:
    """Columns are numbered by the standings: names would not fit."""
    order = [standing.index for standing in report.standings]
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    table.add_column("bot", overflow="fold", min_width=12)
    for place in range(1, len(order) + 1):
        table.add_column(f"{place}", justify="right", no_wrap=True)
    for place, standing in enumerate(report.standings, 1):
        cells = [Text() if other == standing.index else cell(standing.index, other) for other in order]
        table.add_row(f"{place}", Text(standing.bot), *cells)
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
        return Text(percent(likely), style)

    return cell
