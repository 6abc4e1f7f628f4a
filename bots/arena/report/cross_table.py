"""Tables of every bot against every other for the terminal: results, and likelihoods of superiority."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cext.game_info import RETURNS
from mcts.primitives.confidence import CONFIDENCE

from ..results.report import Report
from ..results.standings import Standing
from .number_format import likelihood, plain_minus, results_text, signed_in
from .short_names import folded, table_width
from .standings_table import LEAST_NAME, short_of

_LONGEST_NAME = 0.4
"""Share of the width of the console for names, where tables do not fit otherwise."""

Cell = Callable[[int, int], Text]
"""Returns the cell in the row of a bot and the column of another one, by their indices."""


def print_cross_tables(report: Report, console: Console) -> None:
    """Print the results and the likelihoods of superiority of each list of ratings.

    Bots of different lists never met, so each list has its own tables. If a table is too wide for the console, names
    are folded or shortened, and its columns are printed as several tables one below the other.
    """
    for number, bots in enumerate(report.ratings.lists):
        standings = [standing for standing in report.standings if standing.list == number]
        of_list = f", list {number + 1}" if len(report.ratings.lists) > 1 else ""
        counted = "Won/drawn/lost in whole blocks, row against column"
        if report.score == RETURNS:
            counted = "Mean return in whole blocks, row minus column"
        _print(standings, counted + of_list, _results(report), console)
        if any(report.ratings.los[one][other] is not None for one in bots for other in bots):
            title = f"Likelihood that the row is better than the column{of_list}"
            _print(standings, title, _likelihoods(report), console)


def _print(standings: Sequence[Standing], title: str, cell: Cell, console: Console) -> None:
    labels = [standing.bot for standing in standings]
    every = range(len(standings))
    table = _table(standings, title, cell, {label: label for label in labels}, every)
    if table_width(table, console) <= console.width:
        console.print(table)
        return
    width = max(LEAST_NAME, min(max(map(len, labels)), int(_LONGEST_NAME * console.width)))
    names = {label: folded(label, width) for label in labels}
    if max(len(line) for name in names.values() for line in name.split("\n")) > width:
        names = short_of(labels, width)
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
    """Make a table. Its columns are numbered by rank, since names would not fit."""
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True)
    for column in columns:
        table.add_column(f"{column + 1}", justify="right", no_wrap=True)
    for rank, standing in enumerate(standings, 1):
        others = [standings[column].index for column in columns]
        cells = [Text() if other == standing.index else cell(standing.index, other) for other in others]
        table.add_row(f"{rank}", Text(names[standing.bot]), *cells)
    return table


def _results(report: Report) -> Cell:
    text = signed_in(report.ratings)

    def cell(bot: int, other: int) -> Text:
        results = report.head_to_head.get((bot, other))
        if results is None:
            return Text("-")
        if report.score == RETURNS:
            return Text(plain_minus(text(report.differences[bot, other])))
        return Text(results_text(results))

    return cell


def _likelihoods(report: Report) -> Cell:
    def cell(bot: int, other: int) -> Text:
        likely = report.ratings.los[bot][other]
        if likely is None:
            return Text("-")
        style = "green" if likely >= CONFIDENCE else "red" if likely <= 1 - CONFIDENCE else ""
        return Text(likelihood(likely), style)

    return cell
