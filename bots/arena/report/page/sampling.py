"""A fair sample of a stream of any length, in bounded memory."""

from __future__ import annotations

import heapq

from ....seeds import seed_for
from ...store.store import StoredGame


class GameSample:
    """Keeps a fair sample of games that does not depend on the order in which they come.

    Args:
        size: how many to keep, 1 and up.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, int, StoredGame]] = []  # the kept ones, that of the highest draw first

    def add(self, game: StoredGame) -> None:
        """Look at a game, and keep it if its draw is among the lowest."""
        number = game.record.number
        draw = seed_for(0, number)
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, (-draw, number, game))
        elif -draw > self._heap[0][0]:
            heapq.heapreplace(self._heap, (-draw, number, game))

    def games(self) -> list[StoredGame]:
        """What was kept, the lowest draw first: a beginning of it is a fair sample, too."""
        return [game for _, _, game in sorted(self._heap, key=lambda kept: (-kept[0], kept[1]))]
