"""Looks at a stream of any length in bounded memory: a fair sample of it, and how much of it repeats itself."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Hashable, Mapping
from typing import cast

from ...seeds import seed_for
from ..match import Record
from ..repeats import Repeats, count_repeats

MOST_KEYS = 50_000
"""Different games that are told apart at most; of more, a share is looked at."""


class RecordSample:
    """Keeps a fair sample of records that does not depend on the order in which they come.

    Args:
        size: how many to keep, 1 and up.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._heap: list[tuple[int, int, Record]] = []  # the kept ones, that of the highest draw first

    def add(self, record: Record) -> None:
        """Look at a record, and keep it if its draw is among the lowest."""
        draw = seed_for(0, record.number)
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, (-draw, record.number, record))
        elif -draw > self._heap[0][0]:
            heapq.heapreplace(self._heap, (-draw, record.number, record))

    def records(self) -> list[Record]:
        """What was kept, the lowest draw first: a beginning of it is a fair sample, too."""
        return [record for _, _, record in sorted(self._heap, key=lambda kept: (-kept[0], kept[1]))]


class RepeatCounter:
    """Counts games that repeat others. Exact for few different games; of many, it looks at a share of the kinds.

    What is dropped is chosen by the hash of the game itself, so that of each game all repetitions are looked at, or
    none (distinct sampling, Gibbons 2001).
    """

    def __init__(self, most_keys: int = MOST_KEYS) -> None:
        self._most_keys = most_keys
        self._mask = 0  # games whose hash has none of these bits are looked at
        self._times: dict[int, int] = {}

    def add(self, record: Record) -> None:
        """Look at a finished game."""
        text = f"{record.seats} {record.moves}".encode()
        key = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
        if key & self._mask:
            return
        self._times[key] = self._times.get(key, 0) + 1
        while len(self._times) > self._most_keys:
            self._mask = 2 * self._mask + 1
            self._times = {key: times for key, times in self._times.items() if not key & self._mask}

    def result(self) -> Repeats:
        """What was found in the games that were looked at."""
        return count_repeats(cast("Mapping[Hashable, int]", self._times))
