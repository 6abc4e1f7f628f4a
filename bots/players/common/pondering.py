"""A search in a thread of its own while the other players decide."""

from __future__ import annotations

from threading import Thread

from mcts import Searcher, State

from ...system.background import END_SECONDS

MOST_SECONDS = 60.0
"""Longest search. After the last decision of a game, a bot may not be told that the game is over."""


class Pondering:
    """A running search, which has to be ended before its searcher is used again.

    Args:
        searcher: the searcher. Nothing else may use it until `end` returns.
        state: the state to search, not over.
    """

    def __init__(self, searcher: Searcher, state: State) -> None:
        self._searcher = searcher
        self._state = state
        self._error: BaseException | None = None
        self._thread = Thread(target=self._search, name="pondering", daemon=True)
        self._thread.start()

    def _search(self) -> None:
        try:
            self._searcher.run(self._state, seconds=MOST_SECONDS)
        except BaseException as error:
            self._error = error

    def end(self) -> BaseException | None:
        """End the search, wait for its thread, and return the error with which it failed, if it did."""
        while self._thread.is_alive():
            self._searcher.stop()
            self._thread.join(END_SECONDS)
        return self._error
