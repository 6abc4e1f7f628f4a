"""The summary of tournaments in many games, as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from cext.game_info import WINS

from ..ratings.confidence import CONFIDENCE_TEXT
from ..results.report import Report
from .number_format import PLUS_MINUS, plain_minus, rating_text


@dataclass(frozen=True)
class GameResult:
    """The tournament in one game."""

    game: str
    """Name of the game."""
    seconds: float
    """Duration of the tournament."""
    report: Report | None
    """None if it could not be played."""
    error: str = ""
    """Reason why it could not be played."""

    @property
    def best(self) -> int | None:
        """Index of the bot with the highest rating; None if no bot has one."""
        lists = () if self.report is None else self.report.ratings.lists
        return lists[0][0] if lists else None

    @property
    def forfeits(self) -> int:
        """Number of games in which a bot failed."""
        return 0 if self.report is None else forfeits_of(self.report)

    @property
    def is_good(self) -> bool:
        """True if there is a result, without forfeits."""
        return self.best is not None and not self.forfeits


def forfeits_of(report: Report) -> int:
    """Return the number of games of a tournament in which a bot failed."""
    return len({number for number, _, _ in report.failures})


def print_summary(results: Sequence[GameResult], console: Console) -> None:
    """Print a row for each game, and a line for each game that could not be played."""
    good = sum(result.is_good for result in results)
    title = f"{good:,} of {len(results):,} games have a result without forfeits"
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, 0, 0, 0)
    for heading in ("game", "best bot"):
        table.add_column(heading, no_wrap=True)
    for heading in (f"Elo {PLUS_MINUS} {CONFIDENCE_TEXT}", "games", "forfeits", "seconds"):
        table.add_column(heading, justify="right", no_wrap=True)
    for result in results:
        table.add_row(*_cells(result))
    parts: list[RenderableType] = [table]
    parts += [Text(f"{result.game}: {result.error}", "red") for result in results if result.error]
    console.print(Group(*parts))


def _cells(result: GameResult) -> list[Text]:
    name, rating = Text("no result", "bold red"), Text("")
    if result.report is not None and result.best is not None:
        name = Text(result.report.tournament.labels[result.best])
        ratings = result.report.ratings
        unit = "" if ratings.score == WINS else f" {ratings.unit}"
        rating = Text(plain_minus(rating_text(ratings, result.best)) + unit)
    return [
        Text(result.game),
        name,
        rating,
        Text("" if result.report is None else f"{result.report.games:,}"),
        Text(f"{result.forfeits:,}", "bold red" if result.forfeits else ""),
        Text(f"{result.seconds:.1f}"),
    ]
