"""Lines of a log on the progress of a tournament. Each line is complete in itself."""

from __future__ import annotations

import math
import time

from cext.arguments import counted

from ..ratings.ratings import Ratings
from ..records import NOBODY_LABEL, GameRecord, shown_number
from ..results.sequential import SequentialTest
from ..tournament.schedule import Tournament
from .number_format import plain_minus, rating_text

SHOWN_BOTS = 4
"""Most bots that a title names."""


def title_line(tournament: Tournament, path: str) -> str:
    """Return the line with the game, the bots and the file of the games; an empty path means that none is stored."""
    of = tournament
    separator = " against " if of.pairing.is_test else ", "
    bots = separator.join(of.labels[:SHOWN_BOTS])
    if len(of.labels) > SHOWN_BOTS:
        bots += f" and {len(of.labels) - SHOWN_BOTS} more"
    most = "at most " if of.sprt is not None else ""
    rounds = f" in {counted(of.rounds, 'round')}" if of.pairing.has_rounds else ""
    stored = f"stored in {path}" if path else "not stored"
    return f"{of.game}: {bots}; {of.pairing.title}, {most}{of.num_games:,} games{rounds}, seed {of.seed}; {stored}"


def progress_line(tournament: Tournament, done: int, pace: float, failures: int, state: str) -> str:
    """Return the line with time of day, games done, pace, time left, state and failures.

    Args:
        tournament: the tournament.
        done: number of games played, including stored ones.
        pace: games per second.
        failures: number of games in which a bot failed.
        state: the leader, or the state of the sequential test; may be empty.
    """
    total = tournament.num_games
    parts = [
        f"{done:,} of {total:,} games ({100 * done // total} %)",
        pace_text(pace),
        f"{'at most ' if tournament.sprt is not None else ''}{time_text((total - done) / pace)} left"
        if pace > 0
        else "",
        state,
        f"{failures:,} failed" if failures else "no failures",
    ]
    return f"{_now()} {', '.join(filter(None, parts))}"


def game_line(tournament: Tournament, record: GameRecord) -> str:
    """Return the line of a game: returns, number of plies, kind of ending, and failures."""
    seats = [tournament.labels[bot] for bot in record.seats]
    returns = ["-"] * len(seats) if record.returns is None else [f"{value:g}" for value in record.returns]
    parts = [
        ", ".join(f"{bot} {value}" for bot, value in zip(seats, returns, strict=True)),
        counted(record.plies, "ply", "plies"),
    ]
    if record.ending:
        parts.append(record.ending)
    parts += [f"{failure.whose(seats, NOBODY_LABEL)}: {failure.kind}: {failure.message}" for failure in record.failures]
    return f"{_now()} game {shown_number(record.number)}: {'; '.join(parts)}"


def summary_line(tournament: Tournament, done: int, found: int, pace: float, failures: int) -> str:
    """Return the last line; `found` of the games had been stored before."""
    failed = f", {failures:,} failed" if failures else ""
    stored = f" ({found:,} of them stored before)" if found else ""
    most = "at most " if tournament.sprt is not None else ""
    return f"{done:,} of {most}{tournament.num_games:,} games{stored}, {pace:,.0f} a second{failed}"


def leader_text(labels: tuple[str, ...], ratings: Ratings) -> str:
    """Return the bot with the highest rating and its precision; empty if no bot is rated."""
    if not ratings.lists:
        return ""
    best = ratings.lists[0][0]
    return f"{labels[best]} leads with {plain_minus(rating_text(ratings, best))} {ratings.unit}"


def sequential_test_lines(test: SequentialTest) -> list[str]:
    """Return the line with the hypotheses of a sequential test, and the line with its state."""
    return [f"Test of {test.describe()}", test.describe_state()]


def pace_text(pace: float) -> str:
    """Return a pace in games per second, or per hour if it is below 1 per second."""
    return f"{pace:,.0f} a second" if pace >= 1 else f"{3600 * pace:,.0f} an hour"


def time_text(seconds: float) -> str:
    """Return a time in seconds as a text with its two largest units."""
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
