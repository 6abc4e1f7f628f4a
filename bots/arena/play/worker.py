"""What is done with a batch of games, wherever it is done: they are played, one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from mcts import Game, load_game

from ...base import Bot
from ...registry import load_bot
from ..tournament.adjudication import Adjudication
from ..tournament.failure_policy import REPLAY, FailurePolicies
from ..tournament.limits import BotLimit
from ..tournament.schedule import Scheduled, Tournament
from .heartbeat import NO_GAME, Desk, my_desk, when_leaving
from .match import Record, play_game

_kept = threading.local()


@dataclass(frozen=True)
class Terms:
    """All that a worker needs to know of a tournament, besides the games that it is to play.

    Args:
        game: spec of the game.
        bots: specs of the bots.
        limits: for each bot, what it may spend.
        deadline_seconds: a decision that takes longer is a failure.
        policies: what is done about failures.
        adjudication: rules that end a game early.
    """

    game: str
    bots: tuple[str, ...]
    limits: tuple[BotLimit, ...]
    deadline_seconds: float
    policies: FailurePolicies
    adjudication: Adjudication


@dataclass(frozen=True)
class Batch:
    """Games that were played together."""

    records: tuple[Record, ...]
    seconds: float
    """How long that took, from when they began."""


def terms_of(tournament: Tournament) -> Terms:
    """What workers need to know of a tournament."""
    limits = tuple(tournament.limit_of(bot) for bot in range(len(tournament.bots)))
    return Terms(
        tournament.game,
        tournament.bots,
        limits,
        tournament.deadline_seconds,
        tournament.policies,
        tournament.adjudication,
    )


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

        limits = [terms.limits[bot] for bot in scheduled.seats]
        for played_again in count():
            record = play_game(
                self._game, bot_at, scheduled, limits, terms.deadline_seconds, on_turn, terms.adjudication
            )
            for failure in record.failures:  # a bot that failed may be in any condition: the next game gets a new one
                if (bot := self._seated.pop((scheduled.seats[failure.seat], failure.seat), None)) is not None:
                    bot.close()
            kinds = [failure.kind for failure in record.failures]
            if not kinds or terms.policies.verdict(kinds, played_again) != REPLAY:
                break
        desk.sit_down(NO_GAME)
        return record

    def close(self) -> None:
        """Let the bots go."""
        for bot in self._seated.values():
            bot.close()
        self._seated.clear()


def _table(terms: Terms) -> _Table:
    """The table of this thread; each thread has bots of its own."""
    found: _Table | None = getattr(_kept, "table", None)
    if found is None or found.terms != terms:
        if found is not None:
            found.close()
        found = _kept.table = _Table(terms)
        when_leaving(found.close)
    return found
