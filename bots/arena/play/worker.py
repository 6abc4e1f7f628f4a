"""What is done with a batch of games, wherever it is done: they are played, one after the other."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from mcts import Game, load_game

from ...base import Bot
from ...failures import DEATH
from ...registry import load_bot
from ...untrusted import failure_of
from ..records import NO_SEAT, GameRecord, ScheduledGame
from ..tournament.adjudication import Adjudication
from ..tournament.failure_policy import REPLAY, FailurePolicies
from ..tournament.limits import BotLimit
from ..tournament.schedule import Tournament
from . import tampering
from .heartbeat import NO_GAME, Heartbeat, at_worker_exit, my_heartbeat
from .isolation import IsolatedBot
from .lost import LostError
from .match import play_game

_kept = threading.local()
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MatchSettings:
    """All that a worker needs to know of a tournament, besides the games that it is to play.

    Args:
        game: spec of the game.
        bots: specs of the bots.
        limits: for each bot, what it may spend.
        deadline_seconds: a decision that takes longer is a failure.
        policies: what is done about failures.
        adjudication: rules that end a game early.
        isolated: True to run each bot in a process of its own.
    """

    game: str
    bots: tuple[str, ...]
    limits: tuple[BotLimit, ...]
    deadline_seconds: float
    policies: FailurePolicies
    adjudication: Adjudication
    isolated: bool = False


@dataclass(frozen=True)
class BatchResult:
    """Games that were played together."""

    records: tuple[GameRecord, ...]
    seconds: float
    """How long that took, from when they began."""


def match_settings(tournament: Tournament) -> MatchSettings:
    """What workers need to know of a tournament."""
    limits = tuple(tournament.limit_of(bot) for bot in range(len(tournament.bots)))
    return MatchSettings(
        tournament.game,
        tournament.bots,
        limits,
        tournament.deadline_seconds,
        tournament.policies,
        tournament.adjudication,
    )


def play_batch(settings: MatchSettings, games: Sequence[ScheduledGame], played_before: int = 0) -> BatchResult:
    """Play games, one after the other.

    Args:
        settings: how.
        games: which.
        played_before: how often each of them has been played before, and failed.

    Raises:
        LostError: something has gone wrong in a game outside of any call of a bot, such as an exception that a signal
            handler or a thread of a bot has brought about; nothing that this worker holds can be relied on.
    """
    begin = time.monotonic()
    table = _table(settings)
    heartbeat = my_heartbeat()
    try:
        records = tuple([table.play(scheduled, heartbeat, played_before) for scheduled in games])
    except BaseException as error:
        if heartbeat.game == NO_GAME or isinstance(error, LostError):
            raise
        facts = failure_of(error)
        _log.info("game %d broke off: %s\n%s", heartbeat.game, facts.message, facts.log)
        raise LostError(DEATH, heartbeat.game, detail=facts.message) from None
    return BatchResult(records, time.monotonic() - begin)


class _Table:
    """The game of a tournament and its bots, made once, so that a short game does not pay for making them."""

    def __init__(self, settings: MatchSettings) -> None:
        self.settings = settings
        self._game: Game = load_game(settings.game)
        self._seated: dict[tuple[int, int], Bot] = {}

    def play(self, scheduled: ScheduledGame, heartbeat: Heartbeat, played_before: int) -> GameRecord:
        settings = self.settings
        heartbeat.begin_game(scheduled.number, settings.bots, scheduled.seats)

        def bot_at(seat: int) -> Bot:
            key = scheduled.seats[seat], seat
            if key not in self._seated:
                self._seated[key] = self._new_bot(settings.bots[key[0]])
            return self._seated[key]

        def on_turn(seat: int) -> None:
            heartbeat.turn(seat, settings.deadline_seconds)

        limits = [settings.limits[bot] for bot in scheduled.seats]
        for played_again in count(played_before):
            record = play_game(
                self._game, bot_at, scheduled, limits, settings.deadline_seconds, on_turn, settings.adjudication
            )
            for failure in record.failures:  # a bot that failed may be in any condition: the next game gets a new one
                self._part_with((scheduled.seats[failure.seat], failure.seat), heartbeat)
            kinds = [failure.kind for failure in record.failures]
            if kinds and not settings.isolated and tampering.found():
                raise LostError(DEATH, scheduled.number, detail="a bot has left threads or signal handlers behind")
            if not kinds or settings.policies.verdict(kinds, played_again) != REPLAY:
                break
        heartbeat.begin_game(NO_GAME)
        return record

    def _new_bot(self, spec: str) -> Bot:
        return IsolatedBot(spec, self.settings.deadline_seconds) if self.settings.isolated else load_bot(spec)

    def _part_with(self, key: tuple[int, int], heartbeat: Heartbeat) -> None:
        """Close a bot, if it was made, as one of its calls: it may fail or hang in this, too."""
        if key not in self._seated:
            return
        heartbeat.turn(key[1], self.settings.deadline_seconds)
        try:
            self._seated.pop(key).close()
        except BaseException as error:
            _log.info("%s failed when it was closed: %s", self.settings.bots[key[0]], failure_of(error).message)
        heartbeat.turn(NO_SEAT, 0.0)

    def close(self) -> None:
        """Let the bots go."""
        heartbeat = my_heartbeat()
        for key in list(self._seated):
            self._part_with(key, heartbeat)


def _table(settings: MatchSettings) -> _Table:
    """The table of this thread; each thread has bots of its own."""
    found: _Table | None = getattr(_kept, "table", None)
    if found is None or found.settings != settings:
        if found is not None:
            found.close()
        found = _kept.table = _Table(settings)
        at_worker_exit(found.close)
    return found
