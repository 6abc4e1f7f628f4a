"""Plays a tournament: hands its games out to an executor in batches, stores and counts what comes back.

What is played, and how it ends, is a function of the tournament alone: executors, batches and the order in which they
finish change nothing but the time it takes. A worker may die or hang at any moment: its unfinished games are played
again, except for a game in which that happens twice. Games that are in the store are not played again.
"""

from __future__ import annotations

import concurrent.futures
import math
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any

from mcts import Game, load_game

from ..errors import BotError, StoreError
from ..failures import DEATH, STALL
from ..fingerprints import code_of
from .play.executor import ArenaExecutor
from .play.executors import DEFAULT_EXECUTOR, open_executor
from .play.heartbeat import NO_GAME
from .play.interrupts import Interrupts
from .play.worker import BatchResult, match_settings, play_batch
from .play.worker_lost import WorkerLostError
from .ratings.rating_model import RatingModel
from .records import NO_SEAT, Failure, GameRecord, ScheduledGame
from .results.queries import report_of_tally
from .results.report import Report, assemble_report
from .results.tally import StopRule, Tally
from .store.store import COMMIT_SECONDS, TEMPORARY, Store
from .tournament.description import check_tournament
from .tournament.failure_policy import ABORT, REPLAY, forfeited_returns
from .tournament.plan import Plan
from .tournament.schedule import Tournament

BATCH_SECONDS = 0.2
"""How long a worker should be busy with what it is sent at once: long against the cost of sending."""
MAX_BATCH = 1000
BATCHES_A_SLOT = 2
"""How many batches are under way for each worker: the one it plays, and one that waits for it."""
UNEXPLAINED_LOSSES = 2
"""How often a game is played again, whatever the policy, where nobody is known to have ended its worker."""
LOOKAHEAD = 20_000
"""In a test, how many games may be played beyond the first that is not finished, by default."""


@dataclass
class Outcome:
    """What came of a tournament."""

    tournament: Tournament
    tally: Tally
    store: Store
    """Where its games are."""
    key: int
    """Of the tournament in the store."""
    interrupted: bool
    """True when Ctrl-C, or an error of the store, ended it before all games were played."""
    found: int = 0
    """How many of its games were in the store before."""
    store_error: StoreError | None = None
    """Why games could not be kept. What was counted by then is in the tally."""

    @property
    def records(self) -> list[GameRecord]:
        """Of all games that are counted, by ascending number, read from the store."""
        return [game.record for game in self.store.games(self.key) if game.record.number < self.tally.end]

    @property
    def failures(self) -> list[tuple[int, tuple[int, ...], Failure]]:
        """Number, seats and failure of every failure in a game that is counted, by ascending number."""
        return [found for found in self.store.failures(self.key) if found[0] < self.tally.end]

    def report(self, anchors: Mapping[int, float] | None = None, model: RatingModel | None = None) -> Report:
        """Return the report of the results, as far as the store can still be read.

        Args:
            anchors: given Elo by index of the bot.
            model: the rating model; the default is that of `rate`.
        """
        of = self.tournament
        try:
            return report_of_tally(self.store, self.key, of, self.tally, anchors, model, interrupted=self.interrupted)
        except StoreError:
            if self.store_error is None:
                raise
        notes = ["Failures and repeated games are not shown: the file of games cannot be read."]
        game = load_game(of.game)
        return assemble_report(of, game, self.tally, [], of.labels, self.interrupted, anchors, notes=notes, model=model)

    @property
    def nothing_played(self) -> bool:
        """True where all games were in the store."""
        return self.found > 0 and self.tally.known == self.found


def run_tournament(
    tournament: Tournament,
    workers: int = 1,
    on_records: Callable[[Sequence[GameRecord], Tally], Any] = lambda records, tally: None,
    *,
    executor: str | ArenaExecutor = DEFAULT_EXECUTOR,
    store: Store | None = None,
    stop_rule: StopRule | None = None,
    on_tick: Callable[[], Any] = lambda: None,
    lookahead: int = LOOKAHEAD,
) -> Outcome:
    """Play all games of a tournament that are not in the store. Ctrl-C ends it with what is finished.

    Args:
        tournament: what to play.
        workers: how many play at the same time, 1 and up.
        on_records: called in this thread with games as they come in, in any order, and with what is counted by then;
            first of all with none, when the games of the store have been counted.
        executor: as `open_executor` has it, or one that is open, which stays so.
        store: where games are kept; a temporary one by default.
        stop_rule: in a test, says when to stop; by default, the tournament's own.
        on_tick: called in this thread while games are played, every tenth of a second or more often.
        lookahead: in a test, how many games may be played beyond the first that is not finished.

    Returns:
        What came of it; for bots that depend on nothing but their seeds, the same whatever it ran on. Where games could
        not be written any more, `store_error` says why, and the tally has those that were played by then.

    Raises:
        StoreError: the store cannot be read, or does not take this tournament.
        PlayoutError: the game or a bot cannot be loaded, or workers die before they play.
        BotError: a bot failed in a way whose policy is to abort; what was finished is in the store.
    """
    game = check_tournament(tournament)
    store = Store(TEMPORARY) if store is None else store
    run = _Run(tournament, game, store, on_records, stop_rule, on_tick, lookahead)
    return run.run(executor, workers)


class _Run:
    def __init__(
        self,
        tournament: Tournament,
        game: Game,
        store: Store,
        on_records: Callable[[Sequence[GameRecord], Tally], Any],
        stop_rule: StopRule | None,
        on_tick: Callable[[], Any],
        lookahead: int,
    ) -> None:
        self.tournament = tournament = store.match(tournament)
        self.settings = match_settings(tournament)
        self.game = game
        self.store = store
        self.key = store.open_tournament(tournament, code_of(tournament.bots))
        self.on_records = on_records
        self.on_tick = on_tick
        self.lookahead = lookahead
        self.plan = Plan(tournament, game)
        self.tally = Tally(tournament, stop_rule)
        self.finished = bytearray(tournament.num_games)  # 1 for games that are in the store
        self.left = tournament.num_games
        self.next_number = 0  # games from here on have never been handed out
        self.again: deque[list[ScheduledGame]] = deque()  # games to be handed out once more
        self.suspicious: deque[ScheduledGame] = deque()  # the same, with each bot in a process of its own
        self.losses: Counter[int] = Counter()  # game -> how often its worker died or hung in it
        self.batch = 1  # how many games to hand out at once
        self.under_way: dict[concurrent.futures.Future[BatchResult], list[ScheduledGame]] = {}

    def run(self, executor: str | ArenaExecutor, workers: int) -> Outcome:
        for record in self.store.results(self.key):
            self._count(record)
        self.on_records((), self.tally)
        found = self.tally.known
        interrupted = False
        store_error: StoreError | None = None
        try:
            with ExitStack() as stack:
                if self._goes_on():
                    opened = executor
                    if isinstance(opened, str):
                        opened = stack.enter_context(open_executor(opened, min(workers, self.left)))
                    interrupted = self._play(opened)
        except KeyboardInterrupt:
            interrupted = True
        except StoreError as error:
            store_error = error
        finally:
            with suppress(StoreError):
                self.store.flush()
        try:
            self.store.check()
        except StoreError as error:
            store_error = store_error or error
        store_error = store_error or self.store.broken
        interrupted = interrupted or store_error is not None
        return Outcome(self.tournament, self.tally, self.store, self.key, interrupted, found, store_error)

    def _goes_on(self) -> bool:
        return self.left > 0 and self.tally.stopped is None

    def _play(self, executor: ArenaExecutor) -> bool:
        """Play until nothing is left, or until Ctrl-C: then True."""
        try:
            with Interrupts() as interrupts:
                while self._goes_on():
                    if interrupts.requested:
                        return True
                    self._hand_out(executor)
                    done, _ = concurrent.futures.wait(
                        self.under_way, COMMIT_SECONDS, return_when=concurrent.futures.FIRST_COMPLETED
                    )
                    for future in done:
                        self._take(future)
                    self.store.flush_if_due()
                    self.on_tick()
                return False
        finally:
            for future in self.under_way:
                future.cancel()

    def _hand_out(self, executor: ArenaExecutor) -> None:
        slots = executor.slots
        isolated = replace(self.settings, isolated=True)
        while len(self.under_way) < BATCHES_A_SLOT * slots:
            if self.suspicious and executor.can_isolate:
                game = self.suspicious.popleft()
                future = executor.submit_clean(play_batch, isolated, [game], self.losses[game.number])
                self.under_way[future] = [game]
            elif not (games := [self.suspicious.popleft()] if self.suspicious else self._next_games(slots)):
                break
            elif executor.isolates_bots:
                self.under_way[executor.submit_clean(play_batch, isolated, games)] = games
            else:
                self.under_way[executor.submit(play_batch, self.settings, games)] = games

    def _next_games(self, slots: int) -> list[ScheduledGame]:
        """What to hand out next; nothing where everything is under way."""
        if self.again:
            return self.again.popleft()
        ready = self.plan.ready
        if self.tally.counts_in_order:
            ready = min(ready, self.tally.prefix * self.tournament.block_size + self.lookahead)
        # The last batches are small, so that all workers finish at about the same time.
        share = math.ceil((ready - self.next_number) / (2 * BATCHES_A_SLOT * slots))
        games: list[ScheduledGame] = []
        while self.next_number < ready and len(games) < min(self.batch, share):
            if not self.finished[self.next_number]:
                games.append(self.plan.scheduled(self.next_number))
            self.next_number += 1
        return games

    def _take(self, future: concurrent.futures.Future[BatchResult]) -> None:
        """Store and count what has been played, or see to it that what was lost is played again."""
        games = self.under_way.pop(future)
        try:
            found = future.result()
        except WorkerLostError as lost:
            self._replay(games, lost)
            return
        if not _are_of(games, found):
            self._replay(games, WorkerLostError(DEATH, detail="its records are of other games"))
            return
        wanted = int(len(games) * BATCH_SECONDS / max(found.seconds, 1e-6))
        self.batch = max(1, min(wanted, 4 * len(games), MAX_BATCH))
        self._keep(games, found.records)

    def _keep(self, games: Sequence[ScheduledGame], records: Sequence[GameRecord]) -> None:
        for scheduled, record in zip(games, records, strict=True):
            self.store.add(self.key, scheduled, record)
            self._count(record)
        self.on_records(records, self.tally)
        for record in records:
            for failure in record.failures:
                if self.tournament.policies.verdict([failure.kind]) == ABORT:
                    raise _aborted(self.tournament, record, failure)

    def _count(self, record: GameRecord) -> None:
        self.finished[record.number] = 1
        self.left -= 1
        self.plan.count(record.seats, record.returns)
        self.tally.add(record)

    def _replay(self, games: list[ScheduledGame], lost: WorkerLostError) -> None:
        """See to the games of a worker that hung or died.

        One that has to be played again is played with each bot in a process of its own: then it is clear which of them
        it was, even where a thread, a timer or a child of one bot has struck while another one was to decide.
        """
        seat = lost.seat if lost.seat < self.game.num_players else NO_SEAT
        suspects = games if lost.game == NO_GAME else [game for game in games if game.number == lost.game]
        if len(suspects) != 1:
            self.again.extend([scheduled] for scheduled in games)  # to find out in which of them that happens
            return
        (culprit,) = suspects
        others = [scheduled for scheduled in games if scheduled is not culprit]
        if others:
            self.again.append(others)
        self.losses[culprit.number] += 1
        verdict = self.tournament.policies.verdict([lost.kind], self.losses[culprit.number] - 1)
        if verdict == REPLAY or (seat == NO_SEAT and self.losses[culprit.number] <= UNEXPLAINED_LOSSES):
            self.suspicious.append(culprit)
            return
        if lost.kind == STALL:
            message = f"no answer within {self.tournament.deadline_seconds:g} s; {lost.detail}"
        else:
            often = "" if self.losses[culprit.number] == 1 else f" {self.losses[culprit.number]} times"
            message = f"the process died{often} in this game ({lost.detail})"
        failures = (Failure(seat, lost.kind, message, 0),)
        returns = forfeited_returns(self.game, failures)
        self._keep([culprit], [GameRecord(culprit.number, culprit.block, culprit.seats, returns, 0, "", failures)])


def _are_of(games: Sequence[ScheduledGame], batch: BatchResult) -> bool:
    """True where the records are of these games."""
    return len(games) == len(batch.records) and all(
        record.number == game.number and record.seats == game.seats
        for game, record in zip(games, batch.records, strict=True)
    )


def _aborted(tournament: Tournament, record: GameRecord, failure: Failure) -> BotError:
    who = tournament.labels[record.seats[failure.seat]] if failure.seat != NO_SEAT else "a bot"
    return BotError(
        f"the tournament was stopped in game {record.number}, as its policy for {failure.kind!r} is {ABORT}: "
        f"{who}: {failure.message}"
    )
