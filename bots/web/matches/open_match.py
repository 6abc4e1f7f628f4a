"""`OpenMatch`: one match of the server, used by any number of clients at once."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcts import Action, Limit, View

from ...errors import BotFailureError
from ...game.course import noticed
from ...system.background import wait_for
from ..analysis.exact_values import ExactValues
from ..analysis.scheduler import Asker, Threads, expected_seconds
from ..problems import Problem
from ..security.access import SPECTATOR, Access
from .evaluation import SIMULATIONS, Evaluator
from .served_match import ServedMatch, Snapshot

_log = logging.getLogger(__name__)

WATCH_SECONDS = 10.0
"""Time after a request in which a match without persons plays on. An open socket keeps it playing."""


@dataclass(frozen=True)
class Terms:
    """Identity and rights of a match, for its whole life."""

    match_id: str
    hashes: dict[str, Access]
    """Hash of a token -> its rights."""
    assist: bool
    """True if hints, analyses and undo are allowed before the end."""
    created: float
    """Seconds since 1970."""
    client: str
    """The client that began it."""


Keep = Callable[["OpenMatch", Snapshot, list[int]], Awaitable[None]]
"""Stores a match after a change: its new snapshot and its changes, of which nobody has learnt."""
EVERYBODY = -1
"""Bits of all players."""


class OpenMatch:
    """One match: its rules in a `ServedMatch`, its clients, and the task in which its bots play.

    Methods run in the event loop. One change at a time is made; reading needs no turn, because it uses the snapshot
    after the last change. A match without persons plays while somebody listens or asks for it.

    Args:
        terms: identity and rights.
        match: the match. Nothing else may use it.
        threads: threads for its work.
        keep: called after each change, before anybody learns of it.
        changes: for each change of the position so far, the bits of the players who noticed it.
    """

    def __init__(
        self, terms: Terms, match: ServedMatch, threads: Threads, keep: Keep, changes: Sequence[int] = ()
    ) -> None:
        self.terms = terms
        self.match = match
        self.changes = list(changes)
        self.touched = time.monotonic()
        self.asker = Asker(terms.client, terms.match_id)
        self._asked = self.touched
        self._listeners: set[Callable[[], object]] = set()
        self._threads = threads
        self._expected = 0.0
        """Seconds that the next decision is likely to take. A bot may be much faster than its limit."""
        self._keep = keep
        self._turn = asyncio.Lock()
        self._bots_play: asyncio.Task[None] | None = None
        self._searches = False
        self._closed = False
        self.is_deleted = False
        self._evaluation: tuple[Snapshot, dict[str, Any]] | None = None
        self._play_known()
        self.snapshot: Snapshot = match.snapshot()

    @property
    def is_in_use(self) -> bool:
        """True while clients listen, bots decide, or a change is made."""
        return bool(self._listeners) or self.is_thinking or self._turn.locked()

    def ask(self, client: str, access: Access) -> None:
        """Note that a client uses the match now. Its bots play for the last one that is not a spectator."""
        self.touched = self._asked = time.monotonic()
        if access.kind != SPECTATOR:
            self.asker = Asker(client, self.terms.match_id)
        self._play_on()

    @contextmanager
    def listened(self, listener: Callable[[], object]) -> Iterator[None]:
        """Call a listener in the event loop when the match has changed, for a `with` block."""
        self._listeners.add(listener)
        self._play_on()
        try:
            yield
        finally:
            self._listeners.discard(listener)
            self.touched = time.monotonic()

    @property
    def is_thinking(self) -> bool:
        """True while bots have to decide."""
        return self._bots_play is not None

    @property
    def thinking(self) -> tuple[str, ...]:
        """Names of the players whose bots decide now."""
        return self.snapshot.deciding_bots if self.is_thinking else ()

    @property
    def may_assist(self) -> bool:
        """True if hints and analyses are allowed now."""
        return self.terms.assist or self.snapshot.is_over

    def check_assist(self) -> None:
        """Raise Problem while hints and analyses are not allowed."""
        if not self.may_assist:
            raise Problem(403, "no_assist", "this match allows no hints and analyses before its end")

    @property
    def may_go_back(self) -> bool:
        """True if decisions may be taken back now. At the end, what was hidden is known."""
        return self.terms.assist and not (self.snapshot.is_over and self.match.game.has_hidden_information)

    def version(self, seats: Sequence[int]) -> int:
        """Return the number of changes that some of the players noticed; without players, that all noticed."""
        mask = sum(1 << seat for seat in seats)
        return sum(bits == EVERYBODY or bits & mask != 0 for bits in self.changes)

    # Changes

    async def choose(self, seat: int, action: Action | str, seen: int | None, seats: Sequence[int] = ()) -> None:
        """Play the action of a person, as soon as all persons have chosen. The bots answer afterwards.

        A ply in which bots decide too is played with their answers.

        Args:
            seat: number of the player.
            action: of this player.
            seen: the version that the person has seen; None: the present one.
            seats: the players of the person.
        """
        async with self._change(seen, seats):
            await self._wait_for_bots()
            self.match.choose(action, seat)
        self.let_bots_play()

    async def undo(self) -> None:
        """Take the last decision of a person back."""
        try:
            async with self._change():
                await self._interrupt()
                await self._in_thread(self.match.undo)
        finally:
            self.let_bots_play()

    async def redo(self) -> None:
        """Play again what the last `undo` took back."""
        async with self._change():
            await self._wait_for_bots()
            await self._in_thread(self.match.redo)
        self.let_bots_play()

    async def resign(self, seat: int) -> None:
        """Give the game up for a person."""
        try:
            async with self._change():
                await self._interrupt()
                self.match.resign(seat)
        finally:
            self.let_bots_play()

    def let_bots_play(self) -> None:
        """Begin to play the decisions of bots and of chance, if it is their turn, also after a bot has failed."""
        if self._bots_play is None and not self._closed and self._is_turn_of_bots() and self._is_watched():
            self._bots_play = asyncio.create_task(self._play_bots(), name=f"bots of {self.terms.match_id}")
            self._tell()

    def release_trees(self) -> None:
        """Let the bots forget what they keep, also while they wait for their turn, but not while they search."""
        if not self._searches and not self._turn.locked() and not self._closed:
            self.match.release_bots()

    async def delete(self) -> None:
        """End the match for all who listen."""
        self.is_deleted = True
        await self.close()
        self._tell()

    async def close(self) -> None:
        """End the bots, and play no more."""
        self._closed = True
        async with self._turn:
            await self._interrupt()
        await asyncio.to_thread(self.match.close)

    async def evaluation(self, exact: ExactValues) -> dict[str, Any]:
        """Return the evaluation of the match, which is over. It is made once."""
        snapshot = self.snapshot
        if self._evaluation is None or self._evaluation[0] is not snapshot:
            solution = await exact.solution(self.match.game, self.asker)
            evaluator = await self._threads.decisions.run(self.asker, partial(Evaluator, snapshot, solution))
            plies = []
            for ply in range(snapshot.ply + 1):  # each has a turn of its own
                expected = expected_seconds(Limit(simulations=SIMULATIONS))
                plies.append(
                    await self._threads.decisions.run(self.asker, partial(evaluator.entry, ply), expected=expected)
                )
            self._evaluation = snapshot, evaluator.whole(plies)
        return self._evaluation[1]

    async def decision(
        self, snapshot: Snapshot, ply: int, seat: int, exact: ExactValues, limit: Limit
    ) -> dict[str, Any]:
        """Return how good an action of a person was, who sees the match as in a snapshot: see `Evaluator.decision`."""
        threads = self._threads.decisions
        solution = await exact.solution(self.match.game, self.asker)
        evaluator = await threads.run(self.asker, partial(Evaluator, snapshot, solution, limit))
        async with threads.place(self.asker, evaluator.stop, expected=2 * expected_seconds(limit)) as place:
            return await wait_for(partial(evaluator.decision, ply, seat), evaluator.stop, place)

    # Inside

    def _is_turn_of_bots(self) -> bool:
        return not self.snapshot.is_over and not self.snapshot.waits_for

    def _is_watched(self) -> bool:
        return bool(self.match.persons or self._listeners) or time.monotonic() < self._asked + WATCH_SECONDS

    def _play_on(self) -> None:
        """Let the bots play if they paused because nobody watched. One that has failed waits for `let_bots_play`."""
        if self.snapshot.failure is None and not self._turn.locked():  # a change lets them play at its end
            self.let_bots_play()

    async def _wait_for_bots(self) -> None:
        """Wait until the bots have ended. Raises Problem if they still decide."""
        if self.thinking:
            raise Problem(409, "not_now", "bots decide now; valid: wait until `thinking` is empty, or undo or resign")
        if self._bots_play is not None:
            await asyncio.wait([self._bots_play])

    def _play_known(self) -> None:
        """Play what needs no search: plies that all persons have chosen for, and outcomes of chance."""
        while self.match.is_decided:
            try:
                self.match.go_on(1)
            except BotFailureError as error:  # the ply is played; a bot could not learn of it
                _log.warning("match %s: %s", self.terms.match_id, error)

    @asynccontextmanager
    async def _change(self, seen: int | None = None, seats: Sequence[int] = ()) -> AsyncIterator[None]:
        async with self._turn:
            if self._closed:
                raise Problem(404, "unknown_match", "the match was closed")
            if seen is not None and seen != self.version(seats):
                raise Problem(409, "stale", f"version {seen} of the match is over; valid: {self.version(seats)}")
            yield
            await self._changed()

    async def _changed(self) -> None:
        """Take a new snapshot, keep it, and only then show it."""
        self._play_known()
        before, after = self.snapshot, self.match.snapshot()
        changes = list(self.changes)
        if (before.states, before.is_over) != (after.states, after.is_over):
            changes.append(_noticed(before, after))
        self.touched = time.monotonic()
        await self._keep(self, after, changes)
        self.snapshot, self.changes = after, changes
        self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    async def _in_thread(self, work: Callable[[], object]) -> None:
        """Run a function that replays the match."""
        await self._threads.setups.run(self.asker, work, must=True)

    async def _interrupt(self) -> None:
        """End the decisions of bots, which are not played."""
        task = self._bots_play
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _play_bots(self) -> None:
        try:
            while self._is_turn_of_bots() and self._is_watched():
                try:
                    if self.match.running.bots_to_start():
                        self._searches = True
                        try:
                            start = self.match.running.start_deciding_bots
                            await self._threads.decisions.run(self.asker, start, must=True)
                        finally:
                            self._searches = False
                    async with self._threads.decisions.place(
                        self.asker, self.match.stop, expected=self._expected, must=True
                    ) as place:
                        self._searches = True
                        try:
                            await self.match.go_on_async(1, executor=place)
                        finally:
                            self._searches = False
                        self._expected = place.expected
                except BotFailureError as error:
                    _log.warning("match %s: %s", self.terms.match_id, error)
                    await self._changed()
                    return
                await self._changed()
        except Problem as problem:  # the server ends, or its file cannot be used
            _log.info("match %s: %s", self.terms.match_id, problem)
        finally:
            self._bots_play = None
            self._tell()


def _noticed(before: Snapshot, after: Snapshot) -> int:
    """Return the bits of the players who notice the change from a snapshot to the next one."""

    def look(snapshot: Snapshot, player: int) -> tuple[int, View]:
        return len(noticed(snapshot.states, player)), snapshot.states[-1].view(player)

    if after.revealed:
        return EVERYBODY
    players = range(after.states[0].game.num_players)
    found = [look(before, player) != look(after, player) for player in players]
    return EVERYBODY if all(found) else sum(1 << player for player in players if found[player])
