"""What a tournament comes to: standings with ratings, as plain data and as a table."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from mcts import Game

from .blocks import DRAW, LOSS, WIN, result_of
from .intervals import half_width
from .match import Failure
from .ratings import Ratings, rate
from .schedule import Tournament
from .tally import Tally

SHOWN_FAILURES = 5
"""How many different failures the printed report spells out; the JSON has all of them."""


@dataclass(frozen=True)
class SeatScore:
    """How a bot did as one of the players.

    With three and more players, won means alone at the top, and drawn at the top with others.
    """

    player: str
    wins: int
    draws: int
    losses: int
    mean_return: float | None


@dataclass(frozen=True)
class Standing:
    """All that is said of one bot."""

    bot: str
    """Its canonical spec, with #2 and so on where several bots have the same."""
    elo: float | None
    elo_error: float | None
    """Half the width of the 95 % interval; None where there is too little to tell."""
    elo_bound: str | None
    """`>` where no result keeps the rating from being higher, `<` lower, `<>` both; None where it is determined."""
    mean_return: float | None
    mean_return_error: float | None
    games: int
    seats: tuple[SeatScore, ...]
    failures: dict[str, int]
    """Kind -> how often."""

    @property
    def total(self) -> tuple[int, int, int]:
        """Wins, draws and losses in all seats."""
        return (sum(s.wins for s in self.seats), sum(s.draws for s in self.seats), sum(s.losses for s in self.seats))


@dataclass(frozen=True)
class Report:
    """What is shown of a tournament, best bot first."""

    tournament: Tournament
    game: Game
    standings: tuple[Standing, ...]
    games: int
    blocks: int
    """Whole ones, which the ratings rest on."""
    failures: tuple[tuple[int, str, Failure], ...]
    """Game number, bot, failure."""
    interrupted: bool
    notes: tuple[str, ...]
    """What a reader of the numbers must know."""


def summarise(
    tournament: Tournament,
    game: Game,
    tally: Tally,
    failures: Sequence[tuple[int, tuple[int, ...], Failure]],
    names: Sequence[str],
    interrupted: bool = False,
    notes: Sequence[str] = (),
) -> Report:
    """Put together what a tournament came to.

    Args:
        tournament: what was to be played.
        game: its game, loaded.
        tally: what was counted.
        failures: number, seats and failure of every failure.
        names: canonical specs of the bots, in the tournament's order.
        interrupted: True when there was more to play.
        notes: what a reader has to know besides what is said of the ratings.
    """
    labels = unique_labels(names)
    ratings = rate(len(labels), tally.blocks)
    standings = [_standing(bot, label, game, tally, ratings) for bot, label in enumerate(labels)]
    standings.sort(key=lambda s: (s.elo is None, -(s.elo or 0.0), -(s.mean_return or 0.0)))
    return Report(
        tournament,
        game,
        tuple(standings),
        tally.played,
        tally.blocks.total(),
        tuple((number, labels[seats[f.seat]] if f.seat >= 0 else "nobody", f) for number, seats, f in failures),
        interrupted,
        (*_notes(tournament, tally, interrupted, ratings, labels), *notes),
    )


def unique_labels(names: Sequence[str]) -> list[str]:
    """The names, with #2, #3 and so on added to those that have been before."""
    seen: Counter[str] = Counter()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return labels


def _standing(bot: int, label: str, game: Game, tally: Tally, ratings: Ratings) -> Standing:
    by_seat = [Counter[tuple[float, float]]() for _ in game.players]  # of each player: how often which return, result
    for played, times in tally.games.items():
        for player, seated in enumerate(played.seats):
            if seated == bot:
                by_seat[player][played.returns[player], result_of(played.returns, player)] += times
    seats = []
    for name, found in zip(game.players, by_seat, strict=True):
        results: Counter[float] = Counter()
        for (_, result), times in found.items():
            results[result] += times
        seats.append(SeatScore(name, results[WIN], results[DRAW], results[LOSS], _mean(_returns(found))))
    every = Counter[float]()
    for found in by_seat:
        every += _returns(found)
    block_means: Counter[float] = Counter()
    for block, times in tally.blocks.items():
        values = [g.returns[p] for g in block for p, seated in enumerate(g.seats) if seated == bot]
        if values:
            block_means[statistics.fmean(values)] += times
    return Standing(
        label,
        ratings.bounds[bot] if ratings.elo[bot] is None else ratings.elo[bot],
        ratings.errors[bot],
        ratings.marks[bot],
        _mean(every),
        _mean_error(block_means),
        every.total(),
        tuple(seats),
        {kind: times for (failed, kind), times in sorted(tally.failures.items()) if failed == bot},
    )


def _returns(found: Counter[tuple[float, float]]) -> Counter[float]:
    returns: Counter[float] = Counter()
    for (value, _), times in found.items():
        returns[value] += times
    return returns


def _mean(values: Counter[float]) -> float | None:
    """The mean of values, each so often as it is counted."""
    if not values:
        return None
    return math.fsum(value * times for value, times in sorted(values.items())) / values.total()


def _mean_error(values: Counter[float]) -> float | None:
    """Half the width of the 95 % interval of the mean of independent values."""
    mean, number = _mean(values), values.total()
    width = half_width(number - 1)
    if mean is None or width is None:
        return None
    squares = math.fsum((value - mean) ** 2 * times for value, times in sorted(values.items()))
    return width * math.sqrt(squares / number / number)


def _notes(
    tournament: Tournament, tally: Tally, interrupted: bool, ratings: Ratings, labels: Sequence[str]
) -> list[str]:
    notes = []
    rated = tally.blocks.total() * tournament.block_size
    if tally.stopped is not None:
        most = f"{tally.played:,} of at most {tournament.num_games:,} games"
        notes.append(f"The test ended after {most}: {tally.stopped}.")
    if interrupted:
        notes.append(f"Stopped after {tally.played} of {tournament.num_games} games.")
    if rated < tally.played:
        notes.append(
            f"{tally.played - rated} games are not in the Elo: "
            f"their blocks of {tournament.block_size} seatings are not complete."
        )
    notes += ratings.notes(labels)
    return notes


def to_json(report: Report) -> dict[str, Any]:
    """The report as plain data; the same for the same tournament, whatever it ran on."""
    tournament = report.tournament
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
        "bots": [
            {
                "bot": s.bot,
                "elo": _rounded(s.elo),
                "elo_error": _rounded(s.elo_error),
                "elo_bound": s.elo_bound,
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
        "failures": [{"game": number, "bot": bot, **asdict(failure)} for number, bot, failure in report.failures],
        "notes": list(report.notes),
    }


def _rounded(value: float | None) -> float | None:
    """Four decimals: beyond them, the last bits may differ between processors."""
    return None if value is None else round(value, 4)


def print_report(report: Report, console: Console) -> None:
    """Print the standings, the failures and the notes."""
    for table in _tables(report):
        if _width(table, console) <= console.width:
            break
    parts: list[RenderableType] = [table]
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


def _tables(report: Report) -> Iterator[Table]:
    """The standings, from the roomiest layout to the narrowest."""
    yield _table(report, 1, fold_names=False)
    yield _table(report, 0, fold_names=False)
    yield _table(report, 0, fold_names=True)


def _width(table: Table, console: Console) -> int:
    """What a table takes when nothing in it is folded."""
    return Measurement.get(console, console.options.update(max_width=10 * console.width), table).maximum


def _table(report: Report, gap: int, fold_names: bool) -> Table:
    """The standings, with so much room more than needed between columns, and with names of bots whole or folded at
    their parameters."""
    tournament = report.tournament
    title = f"{report.game.spec}: {report.games:,} games, seed {tournament.seed}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, gap, 0, 0)
    table.add_column("\nbot", overflow="fold", min_width=12)
    table.add_column("\nElo ± 95 %", justify="right", no_wrap=True)
    table.add_column("mean\nreturn", justify="right", no_wrap=True)
    for player in report.game.players:
        table.add_column(f"{player}\nW/D/L", justify="right", no_wrap=True)
    table.add_column("\ngames", justify="right", no_wrap=True)
    failed = any(s.failures for s in report.standings)
    if failed:
        table.add_column("\nfailed", justify="right", no_wrap=True)
    for s in report.standings:
        name = s.bot.replace("(", "\n(").replace(",", ",\n ") if fold_names else s.bot
        cells: list[RenderableType] = [Text(name), _elo_text(s), _return_text(s)]
        cells += [Text(f"{seat.wins}/{seat.draws}/{seat.losses}") for seat in s.seats]
        cells.append(f"{s.games:,}")
        if failed:
            count = sum(s.failures.values())
            cells.append(Text(f"{count:,}", style="bold red" if count else ""))
        table.add_row(*cells)
    return table


def _elo_text(s: Standing) -> Text:
    if s.elo is None:
        return Text("-")
    mark = f"{s.elo_bound} " if s.elo_bound else ""
    error = "" if s.elo_error is None else f" ± {s.elo_error:.0f}"
    return Text(f"{mark}{round(s.elo):+d}{error}")


def _return_text(s: Standing) -> Text:
    if s.mean_return is None:
        return Text("-")
    error = "" if s.mean_return_error is None else f" ± {s.mean_return_error:.1f}"
    return Text(f"{s.mean_return:.1f}{error}")
