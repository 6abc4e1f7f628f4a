"""Tables of numbers, and tables with a column of specs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...arena.report.short_names import folded, table_width

LEAST_WIDTH = 20
"""Least width of a column of specs."""


def plain_table(*headings: str, left: Collection[str] = ()) -> Table:
    """Return a table without rows, whose columns are justified to the right, except those of the headings in `left`."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right")
    return table


def spec_table(headings: Sequence[str], rows: Sequence[Sequence[str]], specs: int, console: Console) -> Table:
    """Return a table with one column of specs, which are folded at their parameters where the console is narrow.

    Args:
        headings: of the columns.
        rows: their cells.
        specs: number of the column of specs.
        console: where the table is shown.
    """

    def table(width: int | None) -> Table:
        made = plain_table(*headings, left=headings)
        for number, column in enumerate(made.columns):
            column.no_wrap, column.overflow = number != specs, "fold"
        made.columns[specs].min_width = LEAST_WIDTH
        for row in rows:
            lines = [] if width is None else [folded(line, width) for line in row[specs].split("\n")]
            made.add_row(*map(Text, row[:specs]), Text("\n".join(lines)), *map(Text, row[specs + 1 :]))
        return made

    return table(max(LEAST_WIDTH, console.width - table_width(table(None), console) + LEAST_WIDTH))
