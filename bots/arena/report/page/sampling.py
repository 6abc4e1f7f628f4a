"""A uniform sample of a stream of games of any length, in bounded memory."""

from __future__ import annotations

import heapq

from mcts.seeds import seed_for

from ...store.store import StoredGame


class GameSample:
    """Keeps the games with the lowest random draws. A draw depends only on the number of the game.

    The sample therefore does not depend on the order of the stream (bottom-k sampling: Cohen and Kaplan, "Summarizing
    data using bottom-k sketches", 2007).

    Args:
        size: most games to keep, 1 and up.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, int, StoredGame]] = []  # kept games, the one with the highest draw first

    def add(self, game: StoredGame) -> None:
        """Keep a game if its draw is among the lowest so far."""
        number = game.record.number
        draw = seed_for(0, number)
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, (-draw, number, game))
        elif -draw > self._heap[0][0]:
            heapq.heapreplace(self._heap, (-draw, number, game))

    def games(self) -> list[StoredGame]:
        """Return the kept games, the lowest draw first. Every beginning of the list is a uniform sample too."""
        return [game for _, _, game in sorted(self._heap, key=lambda kept: (-kept[0], kept[1]))]
