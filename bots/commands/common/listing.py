"""Lists of things with a name, a summary and parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cext.spec import format_value
from mcts.parameters import Choice, Flag, Parameter
from mcts.parameters import Text as TextParameter

from .consoles import stdout


def print_kinds(kinds: Iterable[Any], every: bool) -> None:
    """Print the classes of bots or searchers as entries; the parameters for experts only if `every` is true."""
    for kind in kinds:
        print_entry(stdout(), kind.NAME, kind.SUMMARY, kind.PARAMETERS, () if every else kind.EXPERT)


def print_entry(
    console: Console, name: str, summary: str, parameters: Mapping[str, Parameter], left_out: Collection[str] = ()
) -> None:
    """Print a name, its summary, and one line for each parameter with its default and valid values.

    left_out: parameters without a line, whose number is printed.
    """
    console.print(Text(name, "bold"))
    console.print(Padding(Text(summary), (0, 0, 0, 4)))
    table = Table.grid(padding=(0, 2))
    for key in [key for key in parameters if key not in left_out]:
        kind = parameters[key]
        default = "not set" if kind.default is None else format_value(kind.default)
        table.add_row("  ", Text(key), Text(default), Text(f"({_valid_values(kind)})", style="dim"))
    if parameters:
        console.print(table)
    if left_out:
        console.print(Text(f"    {len(left_out)} more with --all", style="dim"))


def _valid_values(kind: Parameter) -> str:
    if isinstance(kind, Choice):
        return ", ".join(kind.options)
    if isinstance(kind, Flag):
        return "true, false"
    if isinstance(kind, TextParameter):
        return "text; with spaces or commas, in quotes"
    return f"{_plain(kind.low)} to {_plain(kind.high)}"


def _plain(number: float) -> str:
    """Return a bound of a parameter without an exponent."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6f}".rstrip("0").rstrip(".")
