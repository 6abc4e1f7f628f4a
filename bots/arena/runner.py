"""Run a tournament: send its games to an executor in batches, and store and count the results.

The results are a function of the tournament alone. Executors, batches and the order in which they finish affect the
duration only. If a worker dies or hangs, its unfinished games are played again, as the failure policies allow. Games
in the store are not played again.
"""

from __future__ import annotations

import concurrent.futures
import math
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any

from mcts import Game, PlayoutError, load_game

from ..errors import CRASH, DEATH, ILLEGAL, STALL, BotError, GameFaultError, StoreError
from ..game.failures import NO_SEAT, Failure
from ..game.faults import fault_of
from ..system.untrusted import Steps, failure_of
from .description import check_tournament
from .fingerprints import code_of
from .play.executor import ArenaExecutor
from .play.executors import DEFAULT_EXECUTOR, open_executor
from .play.heartbeat import WorkerLostError
from .play.interrupts import Interrupts
from .play.soundness import is_sound
from .play.worker import BatchResult, match_settings, play_batch
from .ratings.rating_model import RatingModel
from .records import GameRecord, ScheduledGame, shown_number
from .results.queries import report_of_tally
from .results.report import Report, assemble_report
from .results.tally import StopRule, Tally
from .store.replay import ReplayError, replayed
from .store.store import COMMIT_SECONDS, TEMPORARY, Store
from .tournament.failure_policy import ABORT, REPLAY, forfeited_returns
from .tournament.plan import Plan
from .tournament.schedule import Tournament

BATCH_SECONDS = 0.2
"""Target duration of a batch. It is long in comparison with the time for sending."""
MAX_BATCH = 1000
BATCHES_PER_SLOT = 2
"""Number of batches submitted for each worker: the one that it plays, and one that waits."""
UNEXPLAINED_LOSSES = 2
"""Number of replays, whatever the policy, of a game whose worker died while no bot was running."""
LOOKAHEAD = 20_000
"""In a test, default maximum number of games beyond the first unfinished one."""


@dataclass(frozen=True)
class _Batch:
    """Games that were sent to a worker."""

    games: list[ScheduledGame]
    is_clean: bool
    """True if they cannot be played in a cleaner process: errors of this one end the tournament."""


@dataclass
class Outcome:
    """Results of a tournament, finished or interrupted."""

    tournament: Tournament
    tally: Tally
    store: Store
    """Store of its games."""
    key: int
    """Key of the tournament in the store."""
    interrupted: bool
    """True if Ctrl-C or an error of the store ended it before all games were played."""
    num_stored_before: int = 0
    """Number of its games that were in the store before."""
    store_error: StoreError | None = None
    """Error because of which games could not be stored. The tally has the games counted until then."""

    @property
    def records(self) -> list[GameRecord]:
        """Records of all counted games by ascending number, read from the store."""
        return [game.record for game in self.store.games(self.key) if game.record.number < self.tally.end]

    @property
    def failures(self) -> list[tuple[int, tuple[int, ...], Failure]]:
        """Number of the game, seats and failure, for every failure in a counted game, by ascending number."""
        return [found for found in self.store.failures(self.key) if found[0] < self.tally.end]

    def report(self, anchors: Mapping[int, float] | None = None, model: RatingModel | None = None) -> Report:
        """Return the report, as far as the store can be read.

        Args:
            anchors: ratings by index of the bot; the other ratings are relative to them.
            model: rating model; by default, as in `rate`.
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

    def check_whole(self) -> None:
        """Raise the error that kept games from being stored, or KeyboardInterrupt if the tournament was interrupted."""
        if self.store_error is not None:
            raise self.store_error
        if self.interrupted:
            raise KeyboardInterrupt

    @property
    def nothing_played(self) -> bool:
        """True if all games were in the store before."""
        return self.num_stored_before > 0 and self.tally.known == self.num_stored_before


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
    """Play all games of a tournament that are not in the store. After Ctrl-C, return the results so far.

    Args:
        tournament: to be played.
        workers: number of games played at the same time, 1 and up.
        on_records: called in this thread with finished games, in any order, and the tally; first with no games, after
            the games of the store were counted.
        executor: text for `open_executor`, or an open executor, which stays open.
        store: store of the games; a temporary one by default.
        stop_rule: decides when a test stops; by default, by the SPRT of the tournament.
        on_tick: called in this thread at least every tenth of a second while games are played.
        lookahead: in a test, maximum number of games beyond the first unfinished one.

    Returns:
        The results. They do not depend on the executor if the bots depend on their seeds alone. If games could not be
        stored any more, `store_error` has the reason, and the tally has the games played until then.

    Raises:
        StoreError: the store cannot be read, or cannot store this tournament.
        PlayoutError: the game or a bot cannot be loaded, or workers die before they play.
        BotError: a bot failed, and the policy for this failure is `abort`. Finished games are in the store.
        GameFaultError: the code of the game failed, without any bot. Finished games are in the store.
    """
    game = check_tournament(tournament)
    store = Store(TEMPORARY) if store is None else store
    run = _Run(tournament, game, store, on_records, stop_rule, on_tick, lookahead)
    return run.run(executor, workers)


@dataclass
class _Run:
    """State of a running tournament."""

    tournament: Tournament
    game: Game
    store: Store
    on_records: Callable[[Sequence[GameRecord], Tally], Any]
    stop_rule: StopRule | None
    on_tick: Callable[[], Any]
    lookahead: int

    def __post_init__(self) -> None:
        tournament = self.tournament
        self.settings = match_settings(tournament)
        self.key = self.store.open_tournament(tournament, code_of(tournament.bots))
        self.plan = Plan(tournament, self.game)
        self.tally = Tally(tournament, self.stop_rule)
        self.finished = bytearray(tournament.num_games)  # 1 for games that are finished
        self.left = tournament.num_games
        self.next_number = 0  # first game that was never submitted
        self.again: deque[list[ScheduledGame]] = deque()  # batches to be submitted again
        self.suspicious: deque[ScheduledGame] = deque()  # games to be played with each bot in a process of its own
        self.losses: Counter[int] = Counter()  # game -> number of workers that died or hung in it
        self.batch_size = 1
        self.submitted: dict[concurrent.futures.Future[BatchResult], _Batch] = {}

    def run(self, executor: str | ArenaExecutor, workers: int) -> Outcome:
        """Count the stored games, play the others, and return the results."""
        for record in self.store.results(self.key):
            self._count(record)
        self.on_records((), self.tally)
        num_stored_before = self.tally.known
        interrupted = False
        store_error: StoreError | None = None
        try:
            with ExitStack() as stack:
                if self._has_more():
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
        return Outcome(self.tournament, self.tally, self.store, self.key, interrupted, num_stored_before, store_error)

    def _has_more(self) -> bool:
        return self.left > 0 and self.tally.stopped is None

    def _play(self, executor: ArenaExecutor) -> bool:
        """Play until no game is left. Return True if Ctrl-C ended it earlier."""
        try:
            with Interrupts() as interrupts:
                while self._has_more():
                    if interrupts.requested:
                        return True
                    self._submit_batches(executor)
                    done, _ = concurrent.futures.wait(
                        self.submitted, COMMIT_SECONDS, return_when=concurrent.futures.FIRST_COMPLETED
                    )
                    for future in done:
                        self._receive(future)
                    self.store.flush_if_due()
                    self.on_tick()
                return False
        finally:
            for future in self.submitted:
                future.cancel()

    def _submit_batches(self, executor: ArenaExecutor) -> None:
        """Submit batches until every worker has enough of them."""
        slots = executor.slots
        isolated = replace(self.settings, isolated=True)
        while len(self.submitted) < BATCHES_PER_SLOT * slots:
            if self.suspicious and executor.can_isolate:
                game = self.suspicious.popleft()
                future = executor.submit_clean(play_batch, isolated, [game], self.losses[game.number])
                self.submitted[future] = _Batch([game], is_clean=True)
            elif not (games := [self.suspicious.popleft()] if self.suspicious else self._next_games(slots)):
                break
            elif executor.isolates_bots:
                self.submitted[executor.submit_clean(play_batch, isolated, games)] = _Batch(games, is_clean=True)
            else:
                future = executor.submit(play_batch, self.settings, games)
                self.submitted[future] = _Batch(games, is_clean=not executor.can_isolate)

    def _next_games(self, slots: int) -> list[ScheduledGame]:
        """Return the games of the next batch; none if all games are submitted."""
        if self.again:
            return self.again.popleft()
        ready = self.plan.ready
        if self.tally.counts_in_order:
            ready = min(ready, self.tally.prefix * self.tournament.block_size + self.lookahead)
        # The last batches are small, so that all workers finish at about the same time.
        share = math.ceil((ready - self.next_number) / (2 * BATCHES_PER_SLOT * slots))
        games: list[ScheduledGame] = []
        while self.next_number < ready and len(games) < min(self.batch_size, share):
            if not self.finished[self.next_number]:
                games.append(self.plan.scheduled(self.next_number))
            self.next_number += 1
        return games

    def _receive(self, future: concurrent.futures.Future[BatchResult]) -> None:
        """Store and count the games of a batch. Play them again if the worker was lost or its result is not sound."""
        batch = self.submitted.pop(future)
        games = batch.games
        error = future.exception()  # as a value, so that no error of a worker passes for one of this thread
        if error is None and not is_sound(result := future.result(), games, self.game):
            error = WorkerLostError(DEATH, detail="its result is not sound")
        if isinstance(error, WorkerLostError):
            self._replay(games, error)
            return
        if error is not None:
            if not batch.is_clean:  # a bot may have caused it
                self.suspicious.extend(games)
                return
            raise (
                error if isinstance(error, PlayoutError) else BotError(f"a worker failed: {failure_of(error).message}")
            )
        wanted = int(len(games) * BATCH_SECONDS / max(result.seconds, 1e-6))
        self.batch_size = max(1, min(wanted, 4 * len(games), MAX_BATCH))
        self._add(result.records)

    def _add(self, records: Sequence[GameRecord]) -> None:
        """Store and count games.

        Raises:
            BotError: a game has a failure whose policy is `abort`.
        """
        for record in records:
            for failure in record.failures:
                if failure.kind in (CRASH, ILLEGAL):
                    self._check_game(record, record.moves, failure.steps)
        for record in records:
            self.store.add(self.key, record)
            self._count(record)
        self.on_records(records, self.tally)
        for record in records:
            for failure in record.failures:
                if self.tournament.policies.verdict([failure.kind]) == ABORT:
                    raise _aborted(self.tournament, record, failure)

    def _check_game(self, played: ScheduledGame, moves: str, steps: Steps) -> None:
        """Raise GameFaultError if the code of the game fails without bots, after the moves or after some more steps."""
        with suppress(ReplayError):
            *_, course = replayed(self.game, played.opening, moves)
            fault = fault_of((course.state, course.start, self.game.new_initial_state()), steps)
            if fault is not None:
                number = shown_number(played.number)
                raise GameFaultError(f"nothing is rated, as no bot is to blame in game {number}: {fault}")

    def _count(self, record: GameRecord) -> None:
        """Count a game in the tally and in the plan."""
        self.finished[record.number] = 1
        self.left -= 1
        self.plan.count(record.seats, record.returns)
        self.tally.add(record)

    def _replay(self, games: list[ScheduledGame], lost: WorkerLostError) -> None:
        """Play the games of a lost worker again, or forfeit the game in which it was lost.

        That game is replayed with each bot in a process of its own. The bot that fails is then known, even if a thread,
        a timer or a child process of one bot strikes while another bot is running.
        """
        seat = lost.seat if lost.seat < self.game.num_players else NO_SEAT
        suspects = [game for game in games if len(games) == 1 or game.number == lost.game]
        if not suspects:
            self.again.extend([scheduled] for scheduled in games)  # one by one, to find the game that loses the worker
            return
        (culprit,) = suspects
        if lost.steps:
            self._check_game(culprit, "", lost.steps)
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
        self._add([GameRecord.of(culprit, returns=returns, failures=failures)])


def _aborted(tournament: Tournament, record: GameRecord, failure: Failure) -> BotError:
    """Return the error for a failure whose policy is `abort`."""
    who = failure.whose([tournament.labels[bot] for bot in record.seats], "a bot")
    return BotError(
        f"the tournament was stopped in game {shown_number(record.number)}, as its policy for {failure.kind!r} is "
        f"{ABORT}: {who}: {failure.message}"
    )
