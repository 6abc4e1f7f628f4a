"""Tournaments of a database, which is only read. Another process may be playing them.

A database can come from anywhere. It is read in one thread with limits on its size and on the time, and nothing that it
names is imported: the results of games that the server does not offer are not shown.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from mcts import PlayoutError

from ...arena.store.store import Store, StoredTournament
from ...errors import StoreError
from ...system.untrusted import clean_line
from ..analysis.scheduler import Scheduler
from ..problems import Problem
from ..security.admission import Admission
from . import tournament_data
from .refreshed import Answer, Refreshed

MOST_TOURNAMENTS = 1000
READ_SECONDS = 60.0
"""Longest time for which SQLite reads for one answer."""
_MOST_WAITING = 32


class Tournaments:
    """The tournaments of a file.

    Args:
        path: path of the database; None for a server without one.
        admission: games of the server.
    """

    def __init__(self, path: str | None, admission: Admission) -> None:
        self._path = path
        self._admission = admission
        self._closed = threading.Event()
        # A file of games must not be opened and closed by several threads at once: a process that closes a file loses
        # its locks.
        self._pool = Scheduler("tournaments", 1, _MOST_WAITING)
        self._answers = Refreshed(path or "", self._pool)
        if path is not None:
            Store(path, read_only=True).close()

    async def listed(self) -> Answer:
        """Return the tournaments, oldest first. Raises Problem."""
        return await self._answer("list", self._listed)

    async def of(self, compute: Callable[..., dict[str, Any]], digest: str, *given: Hashable) -> Answer:
        """Return the answer of a function about one tournament. Raises Problem.

        Args:
            compute: a function of `tournament_data`, called with the store, the tournament, its game, and `given`.
            digest: id of the tournament.
            given: further arguments of the function.
        """

        def find(store: Store) -> dict[str, Any]:
            stored = self._found(store, digest)
            return compute(store, stored, self._admission.game(stored.tournament.game), *given)

        return await self._answer((compute, digest, *given), find)

    async def leaderboard(self, game: str | None) -> Answer:
        """Return the ratings of all bots of a game; None for the game that was played last. Raises Problem."""

        def compute(store: Store) -> dict[str, Any]:
            every = self._tournaments(store)
            shown = [stored for stored in every if stored.games and self._refused(stored.tournament.game) is None]
            if not shown:
                raise Problem(404, "no_games", "the database has no games that this server can show")
            specs = {one.tournament.game for one in shown}
            newest = max(shown, key=lambda stored: (stored.last_played, stored.key)).tournament.game
            spec = newest if game is None else self._admission.game(game).spec
            if spec not in specs:
                raise Problem(404, "no_games", f"the database has no games of {clean_line(spec)}", sorted(specs))
            tournament_data.check_size([stored for stored in shown if stored.tournament.game == spec])
            return tournament_data.leaderboard_of(store, every, spec, self._refused)

        return await self._answer(("leaderboard", game), compute)

    def close(self) -> None:
        """End what is being read."""
        self._closed.set()
        self._pool.close()

    async def _answer(self, key: Hashable, compute: Callable[[Store], Any]) -> Answer:
        if self._path is None:
            raise Problem(404, "no_database", "the server has no database; valid: playout serve --db FILE")

        def work() -> Any:
            with self._store() as store:
                return compute(store)

        return await self._answers.answer(key, work)

    @contextmanager
    def _store(self) -> Iterator[Store]:
        """Open the file for one answer. Errors of the file become a Problem without its path."""
        assert self._path is not None
        end = time.monotonic() + READ_SECONDS
        try:
            with Store(
                self._path, read_only=True, give_up=lambda: self._closed.is_set() or time.monotonic() > end
            ) as store:
                yield store
        except StoreError as error:
            text = clean_line(str(error).replace(repr(self._path), "the database"), 500)
            raise Problem(409, "bad_database", text) from None

    def _listed(self, store: Store) -> dict[str, Any]:
        every = self._tournaments(store)
        last = max(every, key=lambda stored: (stored.last_played, stored.key), default=None)
        return {
            "tournaments": [tournament_data.head_of(one, self._refused(one.tournament.game)) for one in every],
            "last": None if last is None else last.tournament.digest,
        }

    def _tournaments(self, store: Store) -> list[StoredTournament]:
        """Return the tournaments of the file, oldest first. Raises Problem if there are too many."""
        count = store.num_tournaments()
        if count > MOST_TOURNAMENTS:
            raise Problem(409, "too_large", f"the database has {count:,} tournaments; valid: up to {MOST_TOURNAMENTS}")
        return store.tournaments()

    def _found(self, store: Store, digest: str) -> StoredTournament:
        """Return a tournament whose results can be shown. One that was extended has its former ids too."""
        every = self._tournaments(store)
        found = next((stored for stored in every if stored.tournament.digest == digest), None)
        # Only the parts of tournaments of offered games are read: their games are loaded.
        if found is None and all(self._refused(stored.tournament.game) is None for stored in every):
            found = next((part for part in store.parts() if part.tournament.digest == digest), None)
        if found is None:
            raise Problem(404, "unknown_tournament", "no tournament has this id")
        if (refused := self._refused(found.tournament.game)) is not None:
            raise Problem(409, "refused_game", refused)
        return found

    def _refused(self, game: str) -> str | None:
        """Return the reason why results of a game are not shown; None if they are."""
        try:
            self._admission.game(game)
        except (Problem, PlayoutError) as error:
            return f"{clean_line(error, 300)}; valid: playout serve with --game and this game"
        return None
