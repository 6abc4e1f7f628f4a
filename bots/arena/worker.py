"""What is done with a batch of games, wherever it is done: they are played, one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

from mcts import Game, Limit, load_game

from ..base import Bot
from ..registry import load_bot
from .desk import NO_GAME, Desk, my_desk
from .match import Record, play_game
from .schedule import Scheduled, Tournament

_kept = threading.local()


@dataclass(frozen=True)
class Terms:
    """All that a worker needs to know of a tournament, besides the games that it is to play.

    Args:
        game: spec of the game.
        bots: specs of the bots.
        limit: what every decision may cost.
        deadline_seconds: a decision that takes longer is a failure.
    """

    game: str
    bots: tuple[str, ...]
    limit: Limit
    deadline_seconds: float


@dataclass(frozen=True)
class Batch:
    """Games that were played together."""

    records: tuple[Record, ...]
    seconds: float
    """How long that took, from when they began."""


def terms_of(tournament: Tournament) -> Terms:
    """What workers need to know of a tournament."""
    return Terms(tournament.game, tournament.bots, tournament.limit, tournament.deadline_seconds)


def play_batch(terms: Terms, games: Sequence[Scheduled]) -> Batch:
    """Play games, one after the other."""
    begin = time.monotonic()
    table = _table(terms)
    desk = my_desk()
    return Batch(tuple(table.play(scheduled, desk) for scheduled in games), time.monotonic() - begin)


class _Table:
    """The game of a tournament and its bots, made once, so that a short game does not pay for making them."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._game: Game = load_game(terms.game)
        self._seated: dict[tuple[int, int], Bot] = {}

    def play(self, scheduled: Scheduled, desk: Desk) -> Record:
        desk.sit_down(scheduled.number)
        terms = self.terms

        def bot_at(seat: int) -> Bot:
            key = scheduled.seats[seat], seat
            if key not in self._seated:
                self._seated[key] = load_bot(terms.bots[key[0]])
            return self._seated[key]

        def on_turn(seat: int) -> None:
            desk.turn(seat, terms.deadline_seconds)

        record = play_game(self._game, bot_at, scheduled, terms.limit, terms.deadline_seconds, on_turn)
        for failure in record.failures:  # a bot that failed may be in any condition: the next game gets a new one
            self._seated.pop((scheduled.seats[failure.seat], failure.seat), None)
        desk.sit_down(NO_GAME)
        return record


def _table(terms: Terms) -> _Table:
    """The table of this thread; each thread has bots of its own."""
    found: _Table | None = getattr(_kept, "table", None)
    if found is None or found.terms != terms:
        found = _kept.table = _Table(terms)
    return found
