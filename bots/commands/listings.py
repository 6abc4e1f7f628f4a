"""`playout games` and `playout bots`: what there is to play, and who can play it."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcts import format_spec, game_info, registered_games
from mcts.parameters import Choice, Flag, Parameter
from mcts.parameters import Text as TextParameter

from ..registry import registered_bots
from .common import stdout


def games() -> None:
    """List the games and their parameters.

    Each parameter is shown with its default and its valid values.

    Examples:
        playout games
    """
    console = stdout()
    for name in registered_games():
        info = game_info(name)
        _print_entry(console, name, f"{info.summary}\nplayers: {', '.join(info.players)}", info.parameters)


def bots() -> None:
    """List the bots and their parameters.

    Each parameter is shown with its default and its valid values. A bot of another package is named by the path of its
    class, as in `my_package.my_bots.Careful(depth=2)`.

    Examples:
        playout bots
    """
    console = stdout()
    for name, kind in registered_bots().items():
        _print_entry(console, name, kind.SUMMARY, kind.PARAMETERS)


def _print_entry(console: Console, name: str, summary: str, parameters: Mapping[str, Parameter]) -> None:
    """Print a name, its summary, and a line for each parameter."""
    console.print(Text(name, "bold"))
    console.print(Padding(Text(summary), (0, 0, 0, 4)))
    table = Table.grid(padding=(0, 2))
    for key, kind in parameters.items():
        default = "not set" if kind.default is None else format_spec("", {"": kind.default})[2:-1]
        table.add_row("  ", Text(key), Text(default), Text(f"({_valid_values(kind)})", style="dim"))
    if parameters:
        console.print(table)


def _valid_values(kind: Parameter) -> str:
    if isinstance(kind, Choice):
        return ", ".join(kind.options)
    if isinstance(kind, Flag):
        return "true, false"
    if isinstance(kind, TextParameter):
        return "a text, in quotes where it has spaces or commas"
    return f"{_plain(kind.low)} to {_plain(kind.high)}"


def _plain(number: float) -> str:
    """A bound of a parameter, without an exponent."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.6f}".rstrip("0").rstrip(".")
