"""Tables with a column of specs."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...arena.report.short_names import folded
from ...arena.report.standings_table import table_width


def spec_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], specs: int, console: Console, least_width: int = 20
) -> Table:
    """Return a table with one column of specs, which are folded at their parameters where the console is narrow.

    Args:
        headings: of the columns.
        rows: their cells.
        specs: number of the column of specs.
        console: where the table is shown.
        least_width: of the column of specs.
    """

    def table(width: int | None) -> Table:
        made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for number, heading in enumerate(headings):
            made.add_column(heading, no_wrap=number != specs, overflow="fold")
        made.columns[specs].min_width = least_width
        for row in rows:
            lines = [] if width is None else [folded(line, width) for line in row[specs].split("\n")]
            made.add_row(*map(Text, row[:specs]), Text("\n".join(lines)), *map(Text, row[specs + 1 :]))
        return made

    return table(max(least_width, console.width - table_width(table(None), console) + least_width))
