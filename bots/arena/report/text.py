"""The report of a tournament as text for the terminal."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..records import shown_number
from ..results.report import Report
from .failure_groups import FailureGroups
from .number_format import plain_minus, seat_text
from .progress_lines import sequential_test_lines
from .standings_table import standings_tables

SHOWN_FAILURES = 5
"""Most groups of failures in the printed report; the JSON has all failures."""


def print_report(report: Report, console: Console) -> None:
    """Print the standings, the failures and the notes."""
    parts: list[RenderableType] = list(standings_tables(report, console))
    of = report.tournament
    parts += [Text(f"{name}: {spec}", "dim") for name, spec in zip(of.names, of.bots, strict=False) if name]
    if report.test is not None:
        parts += map(Text, sequential_test_lines(report.test))
    if report.ratings.seats is not None:
        parts.append(_seat_line(report))
    parts += _failure_lines(report)
    parts += [Text(note, style="yellow") for note in report.notes]
    console.print(Group(*parts))


def _failure_lines(report: Report) -> list[Text]:
    """Return a line for each group of failures, with the number of failures and the first game."""
    groups = FailureGroups[str]()
    for number, bot, failure in report.failures:
        groups.add(number, bot, failure)
    lines = []
    for group in groups.sorted():
        first = shown_number(group.numbers[0])
        games = f"in game {first}" if group.count == 1 else f"in {group.count:,} games, first in game {first}"
        lines.append(Text.assemble((f"{group.bot}: {group.kind}", "red"), f" {games}: {group.message}"))
    if len(lines) > SHOWN_FAILURES:
        lines[SHOWN_FAILURES:] = [Text(f"... and {len(lines) - SHOWN_FAILURES:,} more; --output FILE has all of them")]
    return lines


def _seat_line(report: Report) -> Text:
    """Return the line with the seat effects."""
    ratings, players = report.ratings, report.game.players
    seats = [f"{player} {plain_minus(seat_text(ratings, seat))}" for seat, player in enumerate(players)]
    return Text(f"Seat effects in {ratings.unit}: {', '.join(seats)}")
