"""A tournament's report as text for the terminal."""

from __future__ import annotations

from collections import defaultdict

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..results.report import Report
from .number_format import elo_text, plain_minus
from .standings_table import standings_tables

SHOWN_FAILURES = 5
"""How many different failures the printed report spells out; the JSON has all of them."""


def print_report(report: Report, console: Console) -> None:
    """Print the standings, the failures and the notes."""
    parts: list[RenderableType] = list(standings_tables(report, console))
    of = report.tournament
    parts += [Text(f"{name}: {spec}", "dim") for name, spec in zip(of.names, of.bots, strict=False) if name]
    if report.test is not None:
        parts += [Text(report.test.describe()), Text(report.test.describe_state())]
    if report.ratings.seats is not None:
        parts.append(_seat_line(report))
    parts += _failure_lines(report)
    parts += [Text(note, style="yellow") for note in report.notes]
    console.print(Group(*parts))


def _failure_lines(report: Report) -> list[Text]:
    """A line for each kind of failure, with its number of games and the first of them."""
    alike: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for number, bot, failure in report.failures:
        alike[bot, failure.kind, failure.message].append(number)
    lines = []
    for (bot, kind, message), numbers in sorted(alike.items(), key=lambda item: (-len(item[1]), item[1][0])):
        often = (
            f"in game {numbers[0]}" if len(numbers) == 1 else f"in {len(numbers):,} games, first in game {numbers[0]}"
        )
        lines.append(Text.assemble((f"{bot}: {kind}", "red"), f" {often}: {message}"))
    if len(lines) > SHOWN_FAILURES:
        lines[SHOWN_FAILURES:] = [Text(f"... and {len(lines) - SHOWN_FAILURES:,} more; --json has all of them")]
    return lines


def _seat_line(report: Report) -> Text:
    """The seat effects."""
    seats = [
        f"{player} {plain_minus(elo_text(seat.elo, seat.error, None, None))}"
        for player, seat in zip(report.game.players, report.ratings.seats or (), strict=True)
    ]
    return Text(f"Seat effects in Elo: {', '.join(seats)}")
