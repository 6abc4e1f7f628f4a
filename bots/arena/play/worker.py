"""Play batches of games in a worker, one game after the other."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from time import monotonic

from mcts import Game, load_game

from ...base import Bot
from ...errors import DEATH
from ...game.failures import NO_SEAT
from ...registry import load_bot
from ...system.untrusted import failure_of
from ..records import GameRecord, ScheduledGame, shown_number
from ..tournament.adjudication import Adjudication
from ..tournament.failure_policy import REPLAY, FailurePolicies
from ..tournament.limits import BotLimit
from ..tournament.schedule import Tournament
from . import tampering
from .bot_process import BotProcess
from .heartbeat import NO_GAME, Heartbeat, WorkerLostError, at_worker_exit, my_heartbeat
from .isolation import IsolatedBot
from .match import play_game

_local = threading.local()
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MatchSettings:
    """Settings of a tournament that a worker needs to play its games.

    Args:
        game: spec of the game.
        bots: specs of the bots.
        limits: for each bot, its limit.
        deadline_seconds: maximum duration of a decision.
        policies: failure policies.
        adjudication: rules that end a game early.
        isolated: True to run every bot in a process of its own.
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
    """Records of the games of a batch."""

    records: tuple[GameRecord, ...]
    seconds: float
    """Duration of the batch."""


def match_settings(tournament: Tournament) -> MatchSettings:
    """Return the settings of a tournament."""
    return MatchSettings(
        tournament.game,
        tournament.bots,
        tuple(tournament.limit_of(bot) for bot in range(len(tournament.bots))),
        tournament.deadline_seconds,
        tournament.policies,
        tournament.adjudication,
    )


def play_batch(settings: MatchSettings, games: Sequence[ScheduledGame], replays: int = 0) -> BatchResult:
    """Play games one after the other.

    Args:
        settings: of the tournament.
        games: to be played.
        replays: number of times that each of the games has been replayed already.

    Raises:
        WorkerLostError: an error occurred outside of the calls of bots, for example in a signal handler or a thread of
            a bot. The condition of this worker is then unknown.
    """
    begin = monotonic()
    player = _player(settings)
    heartbeat = my_heartbeat()
    try:
        records = tuple([player.play(scheduled, heartbeat, replays) for scheduled in games])
    except WorkerLostError:
        raise
    except BaseException as error:
        facts = failure_of(error)
        _log.info("game %d broke off: %s\n%s", shown_number(heartbeat.game), facts.message, facts.log)
        raise WorkerLostError(DEATH, heartbeat.game, detail=facts.message, steps=facts.steps) from None
    return BatchResult(records, monotonic() - begin)


class _MatchPlayer:
    """The game of a tournament and its bots. They are kept between games, because making them takes time."""

    def __init__(self, settings: MatchSettings) -> None:
        self.settings = settings
        self._game: Game = load_game(settings.game)
        self._bots: dict[tuple[int, int], Bot] = {}  # (index of the bot, seat) -> instance
        self._processes: list[BotProcess] = []  # ready for bots that do not exist yet

    def play(self, scheduled: ScheduledGame, heartbeat: Heartbeat, replays: int) -> GameRecord:
        """Play a game, and replay it as often as the failure policies allow."""
        settings = self.settings
        heartbeat.begin_game(scheduled.number, settings.bots, scheduled.seats)

        def bot_at(seat: int) -> Bot:
            key = scheduled.seats[seat], seat
            if key not in self._bots:
                self._bots[key] = self._new_bot(settings.bots[key[0]])
            return self._bots[key]

        def on_turn(seat: int) -> None:
            heartbeat.turn(seat, settings.deadline_seconds)
            if not settings.isolated and tampering.has_other_clocks():
                raise WorkerLostError(DEATH, scheduled.number, detail="a bot has changed the functions of time")

        limits = [settings.limits[bot] for bot in scheduled.seats]
        for replay in count(replays):
            if settings.isolated:
                self._prepare_processes(sum((bot, seat) not in self._bots for seat, bot in enumerate(scheduled.seats)))
                heartbeat.turn(NO_SEAT, 0.0)
            record = play_game(
                self._game, bot_at, scheduled, limits, settings.deadline_seconds, on_turn, settings.adjudication
            )
            for failure in record.failures:  # its condition is unknown: the next game gets a new bot
                self._close_bot((scheduled.seats[failure.seat], failure.seat), heartbeat)
            kinds = [failure.kind for failure in record.failures]
            if kinds and not settings.isolated and tampering.is_tampered():
                detail = "a bot has left threads or signal handlers behind"
                raise WorkerLostError(DEATH, scheduled.number, detail=detail)
            if not kinds or settings.policies.verdict(kinds, replay) != REPLAY:
                break
        heartbeat.begin_game(NO_GAME)
        return record

    def _new_bot(self, spec: str) -> Bot:
        if not self.settings.isolated:
            return load_bot(spec)
        return IsolatedBot(spec, self.settings.deadline_seconds, self._processes.pop())

    def _prepare_processes(self, number: int) -> None:
        """Start processes for a number of bots. The time of a bot does not include the start of its process."""
        started = [BotProcess() for _ in range(number - len(self._processes))]
        self._processes += started
        for process in started:
            process.wait_until_ready()

    def _close_bot(self, key: tuple[int, int], heartbeat: Heartbeat) -> None:
        """Close a bot if it exists. It runs under the deadline, as it may fail or hang."""
        if key not in self._bots:
            return
        heartbeat.turn(key[1], self.settings.deadline_seconds)
        try:
            self._bots.pop(key).close()
        except BaseException as error:
            _log.info("%s failed when it was closed: %s", self.settings.bots[key[0]], failure_of(error).message)
        heartbeat.turn(NO_SEAT, 0.0)

    def close(self) -> None:
        """Close all bots and end all processes for bots."""
        for process in self._processes:
            process.end()
        self._processes.clear()
        heartbeat = my_heartbeat()
        for key in list(self._bots):
            self._close_bot(key, heartbeat)


def _player(settings: MatchSettings) -> _MatchPlayer:
    """Return the player of this thread for these settings. Every thread has its own bots."""
    found: _MatchPlayer | None = getattr(_local, "player", None)
    if found is None or found.settings != settings:
        if found is not None:
            found.close()
        found = _local.player = _MatchPlayer(settings)
        at_worker_exit(found.close)
    return found
