"""Spreads the games of a tournament over worker processes and collects their records.

What is played, and how it ends, is a function of the tournament alone: workers, batches and the order in which they
finish change nothing but the time it takes. A worker may die or hang at any moment: its unfinished games are played
again by a new one, except for a game in which that happens twice.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from collections import Counter, deque
from collections.abc import Callable, MutableSequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from mcts import BotError, Game, load_game

from ..failures import DEATH, STALL
from ..registry import load_bot
from .logs import LogRelay, LogSource
from .match import NOBODY, Failure, Record, forfeited_returns
from .policies import ABORT, REPLAY
from .schedule import Tournament
from .worker import DESK_SIZE, GAME, NO_GAME, SEAT, SINCE, work

BATCH_SECONDS = 0.2
"""How long a worker should be busy with what it is sent at once: long against the cost of sending."""
MAX_BATCH = 1000
LOOK_SECONDS = 0.25
"""How often to look for bots that do not answer."""
GRACE_SECONDS = 1.0
"""How long after the deadline a worker is ended from outside."""
FALSE_STARTS_ALLOWED = 3
"""How many workers in a row may die without having played anything."""


@dataclass
class Outcome:
    """What came of a tournament."""

    records: list[Record]
    """Of all finished games, by ascending number."""
    interrupted: bool
    """True when Ctrl-C ended it before all games were played."""


def check_tournament(tournament: Tournament) -> Game:
    """The game of a tournament, or raise the PlayoutError that says which of its names or bots will not do."""
    game = load_game(tournament.game)
    for spec in tournament.bots:
        load_bot(spec).check_game(game)
    return game


def run_tournament(
    tournament: Tournament,
    workers: int = 1,
    on_records: Callable[[list[Record]], None] = lambda records: None,
) -> Outcome:
    """Play all games of a tournament. Ctrl-C ends it with what is finished.

    Args:
        tournament: what to play.
        workers: processes that play at the same time, 1 and up.
        on_records: called in this process with records as they come in, in any order.

    Returns:
        The records; for bots that depend on nothing but their seeds, the same whatever the number of workers.

    Raises:
        PlayoutError: the game or a bot cannot be loaded, or workers die before they play.
        BotError: a bot failed in a way whose policy is to abort; records of what was finished have been passed on.
    """
    game = check_tournament(tournament)
    with LogRelay() as relay:
        return _Run(tournament, game, workers, on_records, relay.source).run()


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection
    places: MutableSequence[float]
    """What it is doing, as worker.Desk writes it."""
    numbers: list[int] = field(default_factory=list)
    """Games that it has been sent and has not answered for."""
    sent: float = 0.0
    """When, by the monotonic clock."""
    batch: int = 1
    """How many games to send it at once."""

    def overdue(self, deadline_seconds: float) -> bool:
        """True when a bot has not answered for longer than a worker would have let pass."""
        seat = self.places[SEAT]  # read before SINCE, which is written before it: never an old time with a new seat
        return seat != NOBODY and time.monotonic() - self.places[SINCE] > deadline_seconds + GRACE_SECONDS

    def end(self) -> None:
        """Make sure that the process is gone."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        self.connection.close()


class _Run:
    def __init__(
        self,
        tournament: Tournament,
        game: Game,
        workers: int,
        on_records: Callable[[list[Record]], None],
        logs: LogSource,
    ) -> None:
        self.tournament = tournament
        self.game = game
        self.on_records = on_records
        self.logs = logs
        self.num_workers = min(workers, tournament.num_games)
        self.team: list[_Worker] = []
        self.records: dict[int, Record] = {}
        self.next_number = 0  # games from here on have never been sent to a worker
        self.again: deque[list[int]] = deque()  # games to be sent once more
        self.losses: Counter[int] = Counter()  # game -> how often its worker died or hung in it
        self.false_starts = 0

    def run(self) -> Outcome:
        interrupted = False
        try:
            while len(self.records) < self.tournament.num_games:
                while len(self.team) < self.num_workers:
                    self._hire()
                for worker in self.team:
                    if not worker.numbers:
                        self._send(worker)
                wait([end for w in self.team for end in (w.connection, w.process.sentinel)], LOOK_SECONDS)
                for worker in list(self.team):
                    self._attend(worker)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            self._dismiss()
        return Outcome([self.records[number] for number in sorted(self.records)], interrupted)

    def _hire(self) -> None:
        ours, theirs = multiprocessing.Pipe()
        places = multiprocessing.RawArray("d", DESK_SIZE)
        places[GAME], places[SEAT] = NO_GAME, NOBODY
        forks = multiprocessing.get_start_method() == "fork"
        not_mine = [ours, *(worker.connection for worker in self.team)] if forks else []
        process = multiprocessing.Process(
            target=work, args=(self.tournament, theirs, not_mine, places, self.logs), name="arena-worker", daemon=True
        )
        process.start()
        theirs.close()
        self.team.append(_Worker(process, ours, places))

    def _send(self, worker: _Worker) -> None:
        """Give an idle worker something to do, if there is anything."""
        if self.again:
            numbers = self.again.popleft()
        else:
            left = self.tournament.num_games - self.next_number
            share = math.ceil(left / (2 * self.num_workers))  # so that all workers finish at about the same time
            end = self.next_number + min(worker.batch, share)
            numbers = list(range(self.next_number, end))
            self.next_number = end
        if numbers:
            worker.numbers, worker.sent = numbers, time.monotonic()
            with suppress(BrokenPipeError, ConnectionResetError):  # it has just died: _attend will notice
                worker.connection.send(numbers)

    def _attend(self, worker: _Worker) -> None:
        """Take what a worker has finished; replace it if it is dead or hangs."""
        try:
            found = worker.connection.recv() if worker.connection.poll() else None
        except (EOFError, OSError):
            found = None  # it died while it was sending
        if found is not None:
            seconds = max(time.monotonic() - worker.sent, 1e-6)
            wanted = int(len(found) * BATCH_SECONDS / seconds)
            worker.batch = max(1, min(wanted, 4 * len(found), MAX_BATCH))
            worker.numbers = []
            self.false_starts = 0
            self._take(found)
        elif worker.overdue(self.tournament.deadline_seconds):
            self._lose(worker, STALL)
        elif not worker.process.is_alive():
            self._lose(worker, DEATH)

    def _take(self, found: list[Record]) -> None:
        self.records.update((record.number, record) for record in found)
        self.on_records(found)
        for record in found:
            for failure in record.failures:
                if self.tournament.policies.verdict([failure.kind]) == ABORT:
                    raise _aborted(self.tournament, record, failure)

    def _lose(self, worker: _Worker, kind: str) -> None:
        """Part with a worker that hangs or has died, and see to it that its games are played."""
        number, seat = int(worker.places[GAME]), int(worker.places[SEAT])
        worker.end()
        self.team.remove(worker)
        unfinished = [other for other in worker.numbers if other != number]
        if unfinished:
            self.again.append(unfinished)
        if number not in worker.numbers:
            self._false_start(worker)
            return
        self.false_starts = 0
        self.losses[number] += 1
        if self.tournament.policies.verdict([kind], self.losses[number] - 1) == REPLAY:
            self.again.append([number])
            return
        if kind == STALL:
            message = f"no answer within {self.tournament.deadline_seconds:g} s; the process was ended"
        else:
            often = "" if self.losses[number] == 1 else f" {self.losses[number]} times"
            message = f"the process died{often} in this game (exit code {worker.process.exitcode})"
        scheduled = self.tournament.scheduled(number)
        failures = (Failure(seat, kind, message, 0),)
        returns = forfeited_returns(self.game, failures)
        self._take([Record(number, scheduled.block, scheduled.seats, returns, 0, "", failures)])

    def _false_start(self, worker: _Worker) -> None:
        self.false_starts += 1
        if self.false_starts > FALSE_STARTS_ALLOWED:
            raise BotError(
                f"{self.false_starts} worker processes in a row died without playing a game "
                f"(exit code {worker.process.exitcode})"
            )

    def _dismiss(self) -> None:
        """Send idle workers home and end the others."""
        for worker in self.team:
            if not worker.numbers:
                with suppress(OSError):
                    worker.connection.send(None)
        patience = time.monotonic() + 2.0
        for worker in self.team:
            if not worker.numbers:
                worker.process.join(max(0.0, patience - time.monotonic()))
            worker.end()
        self.team.clear()


def _aborted(tournament: Tournament, record: Record, failure: Failure) -> BotError:
    who = tournament.bots[record.seats[failure.seat]] if failure.seat != NOBODY else "a bot"
    return BotError(
        f"the tournament was stopped in game {record.number}, as its policy for {failure.kind!r} is {ABORT}: "
        f"{who}: {failure.message}"
    )
