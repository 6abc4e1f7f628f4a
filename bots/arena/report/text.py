"""A tournament's report as data for machines and as a table for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ..results.standings import Report, Standing

SHOWN_FAILURES = 5
"""How many different failures the printed report spells out; the JSON has all of them."""


def to_json(report: Report) -> dict[str, Any]:
    """The report as plain data; the same for the same tournament, whatever it ran on."""
    tournament = report.tournament
    labels = {standing.index: standing.bot for standing in report.standings}
    return {
        "game": report.game.spec,
        "players": list(report.game.players),
        "seed": tournament.seed,
        "limits": [tournament.limit_of(bot).to_dict() for bot in range(len(tournament.bots))],
        "deadline_seconds": tournament.deadline_seconds,
        "policies": str(tournament.policies),
        "games": report.games,
        "games_scheduled": tournament.num_games,
        "block_size": tournament.block_size,
        "blocks": report.blocks,
        "interrupted": report.interrupted,
        "test": None if report.test is None else report.test.to_dict(),
        "adjudication": tournament.adjudication.to_dict(),
        "endings": report.endings,
        "bots": [
            {
                "bot": s.bot,
                "spec": tournament.bots[s.index],
                "elo": _rounded(s.elo),
                "elo_error": _rounded(s.elo_error),
                "elo_bound": s.elo_bound,
                "elo_bound_at": _rounded(s.elo_bound_at),
                "los_next": _rounded(s.los_next),
                "mean_return": _rounded(s.mean_return),
                "mean_return_error": _rounded(s.mean_return_error),
                "games": s.games,
                "wins": s.total[0],
                "draws": s.total[1],
                "losses": s.total[2],
                "seats": [{**asdict(seat), "mean_return": _rounded(seat.mean_return)} for seat in s.seats],
                "failures": s.failures,
            }
            for s in report.standings
        ],
        "ratings": _ratings_json(report),
        "pairings": [
            {
                **asdict(pairing),
                "first": labels[pairing.first],
                "second": labels[pairing.second],
                "pentanomial": None if pairing.pentanomial is None else list(pairing.pentanomial),
                "elo": None if pairing.elo is None else _all_rounded(asdict(pairing.elo)),
            }
            for pairing in report.pairings
        ],
        "repeats": None if report.repeats is None else asdict(report.repeats),
        "failures": [{"game": number, "bot": bot, **asdict(failure)} for number, bot, failure in report.failures],
        "notes": list(report.notes),
    }


def _ratings_json(report: Report) -> dict[str, Any]:
    """What is not of one bot alone. Rows and columns are in the order of the standings."""
    ratings = report.ratings
    order = [standing.index for standing in report.standings]
    covariance = ratings.covariance
    return {
        "model": ratings.model,
        "seats": None
        if ratings.seats is None
        else [
            {"player": player, "elo": _rounded(seat.elo), "elo_error": _rounded(seat.error)}
            for player, seat in zip(report.game.players, ratings.seats, strict=True)
        ],
        "log_tie_strengths": {str(tied): _rounded(value) for tied, value in ratings.ties.items()},
        "anchors": {
            standing.bot: ratings.anchors[bot]
            for bot, standing in zip(order, report.standings, strict=True)
            if bot in ratings.anchors
        },
        "covariance": None if covariance is None else [[_rounded(covariance[i][j]) for j in order] for i in order],
        "difference_errors": [[_rounded(ratings.differences[i][j]) for j in order] for i in order],
        "los": [[_rounded(ratings.los[i][j]) for j in order] for i in order],
    }


def _all_rounded(values: dict[str, float | None]) -> dict[str, float | None]:
    return {key: _rounded(value) for key, value in values.items()}


def _rounded(value: float | None) -> float | None:
    """Four decimals: beyond them, the last bits may differ between processors."""
    return None if value is None else round(value, 4)


def print_report(report: Report, console: Console) -> None:
    """Print the standings, the failures and the notes."""
    for table in _tables(report):
        if _width(table, console) <= console.width:
            break
    parts: list[RenderableType] = [table]
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
    """A line for each thing that went wrong, with how often and where first."""
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
    """What each seat is worth."""
    seats = []
    for player, seat in zip(report.game.players, report.ratings.seats or (), strict=True):
        error = "" if seat.error is None else f" ± {seat.error:.0f}"
        seats.append(f"{player} {round(seat.elo):+d}{error}")
    return Text(f"Seats, in Elo: {', '.join(seats)}")


def _tables(report: Report) -> Iterator[Table]:
    """The standings, from the roomiest layout to the narrowest."""
    yield _table(report, 1, fold_names=False, with_los=True)
    yield _table(report, 0, fold_names=False, with_los=True)
    yield _table(report, 0, fold_names=False, with_los=False)
    yield _table(report, 0, fold_names=True, with_los=False)


def _width(table: Table, console: Console) -> int:
    """What a table takes when nothing in it is folded."""
    return Measurement.get(console, console.options.update(max_width=10 * console.width), table).maximum


def _table(report: Report, gap: int, fold_names: bool, with_los: bool) -> Table:
    """The standings, with so much room more than needed between columns, with names of bots whole or folded at their
    parameters, and with or without how likely each is to be better than the next."""
    of = f"{report.pooled} tournaments" if report.pooled else f"seed {report.tournament.seed}"
    title = f"{report.game.spec}: {report.games:,} games, {of}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, gap, 0, 0)
    table.add_column("\nbot", overflow="fold", min_width=12)
    table.add_column("\nElo ± 95 %", justify="right", no_wrap=True)
    if with_los:
        table.add_column("better\nthan next", justify="right", no_wrap=True)
    table.add_column("mean\nreturn", justify="right", no_wrap=True)
    for player in report.game.players:
        table.add_column(f"{player}\nW/D/L", justify="right", no_wrap=True)
    table.add_column("\ngames", justify="right", no_wrap=True)
    failed = any(s.failures for s in report.standings)
    if failed:
        table.add_column("\nfailed", justify="right", no_wrap=True)
    for s in report.standings:
        name = s.bot.replace("(", "\n(").replace(",", ",\n ") if fold_names else s.bot
        cells: list[RenderableType] = [Text(name), _elo_text(s)]
        if with_los:
            cells.append(_los_text(s))
        cells.append(_return_text(s))
        cells += [Text(f"{seat.wins}/{seat.draws}/{seat.losses}") for seat in s.seats]
        cells.append(f"{s.games:,}")
        if failed:
            count = sum(s.failures.values())
            cells.append(Text(f"{count:,}", style="bold red" if count else ""))
        table.add_row(*cells)
    return table


def _elo_text(s: Standing) -> Text:
    if s.elo_bound is not None and s.elo_bound_at is not None:
        return Text(f"{s.elo_bound} {round(s.elo_bound_at):+d}", style="dim")
    if s.elo is None:
        return Text("-")
    error = "" if s.elo_error is None else f" ± {s.elo_error:.0f}"
    return Text(f"{round(s.elo):+d}{error}")


def _los_text(s: Standing) -> Text:
    if s.los_next is None:
        return Text("-")
    return Text("> 99.9 %" if s.los_next > 0.999 else f"{100 * s.los_next:.1f} %")


def _return_text(s: Standing) -> Text:
    if s.mean_return is None:
        return Text("-")
    error = "" if s.mean_return_error is None else f" ± {s.mean_return_error:.1f}"
    return Text(f"{s.mean_return:.1f}{error}")
