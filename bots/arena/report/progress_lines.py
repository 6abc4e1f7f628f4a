"""Lines that tell the progress of a tournament in a log, each complete in itself."""

from __future__ import annotations

import math
import time

from ..ratings.ratings import Ratings
from ..records import GameRecord
from ..tournament.schedule import Tournament
from .number_format import elo_text, plain_minus

SHOWN_BOTS = 4
"""How many bots a title names."""


def title_line(tournament: Tournament, place: str) -> str:
    """Return what is played, and where it is stored; an empty place is nowhere."""
    of = tournament
    separator = " against " if of.pairing.is_test else ", "
    bots = separator.join(of.labels[:SHOWN_BOTS])
    if len(of.labels) > SHOWN_BOTS:
        bots += f" and {len(of.labels) - SHOWN_BOTS} more"
    most = "at most " if of.sprt is not None else ""
    rounds = f" in {of.rounds} rounds" if of.pairing.has_rounds else ""
    stored = f"stored in {place}" if place else "not stored"
    system = of.system.replace("_", " ")
    return f"{of.game}: {bots}; {system}, {most}{of.num_games:,} games{rounds}, seed {of.seed}; {stored}"


def progress_line(tournament: Tournament, done: int, pace: float, failures: int, state: str) -> str:
    """Return the time of day, games done, pace, time left, the state and failures.

    Args:
        tournament: what is played.
        done: games played, those stored before among them.
        pace: games a second.
        failures: games in which a bot failed.
        state: who leads, or how the sequential test stands; empty where there is nothing to say.
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
    """Return one game: who got what, how many plies, and why it was not played to its end."""
    seats = [tournament.labels[bot] for bot in record.seats]
    returns = ["-"] * len(seats) if record.returns is None else [f"{value:g}" for value in record.returns]
    parts = [", ".join(f"{bot} {value}" for bot, value in zip(seats, returns, strict=True)), f"{record.plies} plies"]
    if record.ending:
        parts.append(record.ending)
    parts += [
        f"{seats[failure.seat] if failure.seat >= 0 else 'nobody'}: {failure.kind}: {failure.message}"
        for failure in record.failures
    ]
    return f"{_now()} game {record.number}: {'; '.join(parts)}"


def summary_line(tournament: Tournament, done: int, found: int, pace: float, failures: int) -> str:
    """Return the line at the end; `found` games of those done had been stored before."""
    failed = f", {failures:,} failed" if failures else ""
    stored = f" ({found:,} of them stored before)" if found else ""
    return f"{done:,} of {tournament.num_games:,} games{stored}, {pace:,.0f} a second{failed}"


def leader_text(labels: tuple[str, ...], ratings: Ratings) -> str:
    """Return the bot with the highest rating and its error; empty where nobody is rated."""
    if not ratings.lists:
        return ""
    best = ratings.lists[0][0]
    rating = elo_text(ratings.elo[best] or 0.0, ratings.errors[best], ratings.lower[best], ratings.upper[best])
    return f"{labels[best]} leads with {plain_minus(rating)} Elo"


def pace_text(pace: float) -> str:
    """Return games a second, or an hour where they take long."""
    return f"{pace:,.0f} a second" if pace >= 1 else f"{3600 * pace:,.0f} an hour"


def time_text(seconds: float) -> str:
    """Return a time in its two largest units."""
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
