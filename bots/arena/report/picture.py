"""The table of ratings as a picture, for notebooks: the rating of each bot with its interval."""

from __future__ import annotations

from cext.arguments import counted
from mcts.pictures import Bar, Group, bars_to_svg

from ..ratings.confidence import CONFIDENCE_TEXT
from ..results.report import Report
from ..results.standings import StandingList
from .number_format import PLUS_MINUS, mean_text, rating_heading, rating_text, return_decimals


def report_to_svg(report: Report, *, size: float | None = 640, theme: str = "auto") -> str:
    """Return the ratings of a report as SVG, list by list. The look is as in `mcts.pictures.bars_to_svg`."""
    head = report.game.spec
    groups = [_group(report, some, head if number == 0 else "") for number, some in enumerate(report.lists)]
    words = [f"{bar.label}: {', '.join(filter(None, bar.numbers))}" for group in groups for bar in group.bars]
    return bars_to_svg(
        groups,
        title=f"Ratings in {head}: {counted(report.games, 'game')}",
        description="; ".join(words),
        size=size,
        theme=theme,
    )


def _group(report: Report, some: StandingList, head: str) -> Group:
    ratings = report.ratings
    bots = [standing.index for standing in some.standings]
    ends = [
        end for bot in bots for end in (ratings.values[bot], ratings.lower[bot], ratings.upper[bot]) if end is not None
    ]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    span = (high - low) or 1.0

    def place(value: float | None, open_end: float) -> float:
        return open_end if value is None else (value - low) / span

    bars = []
    for standing in some.standings:
        bot = standing.index
        rating = rating_text(ratings, bot) or "not rated"
        numbers = (
            rating,
            mean_text(standing.mean_return, decimals=return_decimals(ratings)),
            f"{standing.results.games:,}",
        )
        value = ratings.values[bot]
        interval = None if value is None else (place(ratings.lower[bot], 0.0), place(ratings.upper[bot], 1.0))
        bars.append(Bar(standing.bot, place(value, 0.0), numbers, interval, is_best=standing is some.standings[0]))
    columns = (f"{rating_heading(ratings)} {PLUS_MINUS} {CONFIDENCE_TEXT}", "mean return", "games")
    return Group("; ".join(filter(None, (head, some.title))), tuple(bars), columns)
