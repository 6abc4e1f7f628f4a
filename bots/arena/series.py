"""A series of tournaments whose games are in one store, such as the matches of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .play.executor import ArenaExecutor
from .runner import Outcome, run_tournament
from .store.store import Store
from .tournament.schedule import Tournament


class Series:
    """Plays tournaments one after the other. Games that are in the store are not played again.

    Args:
        store: store of the games.
        executor: an open executor.
        workers: number of games played at the same time.
        on_games: called with a number of games that were played or found.
    """

    def __init__(
        self, store: Store, executor: ArenaExecutor, workers: int, on_games: Callable[[int], Any] = lambda games: None
    ) -> None:
        self._store = store
        self._executor = executor
        self._workers = workers
        self._on_games = on_games
        self.games = 0
        """Number of games of all tournaments that are complete."""

    def play(self, tournament: Tournament) -> Outcome:
        """Play a tournament to its end.

        Raises:
            KeyboardInterrupt: Ctrl-C. The games that were played until then are in the store.
            StoreError: the games cannot be stored.
        """
        counted = 0

        def count(_: Any, tally: Any) -> None:
            nonlocal counted
            self._on_games(tally.known - counted)
            counted = tally.known

        outcome = run_tournament(tournament, self._workers, count, executor=self._executor, store=self._store)
        outcome.check_whole()
        self.games += outcome.tally.known
        return outcome
