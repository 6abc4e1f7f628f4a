"""`KeptTrees`: the memory of trees that outlive their search, in total."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Protocol


class Owner(Protocol):
    """Keeps trees."""

    def release_trees(self) -> object:
        """Give the trees up, unless they are in use; then they are counted again afterwards."""


class KeptTrees:
    """The trees that bots and analyses keep: up to a number of bytes, and for some time without use.

    Args:
        most_bytes: memory of all of them. At the limit, those that were used least lately are released.
        seconds: time without use after which `release_idle` releases a tree.
    """

    def __init__(self, most_bytes: int, seconds: float) -> None:
        self._most_bytes = most_bytes
        self._seconds = seconds
        self._kept: OrderedDict[Owner, tuple[int, float]] = OrderedDict()
        """Owner -> bytes, and the time of the last use, which orders them."""

    @property
    def bytes(self) -> int:
        """Memory of all trees."""
        return sum(size for size, _ in self._kept.values())

    def keep(self, owner: Owner, size: int) -> None:
        """Note that an owner uses its trees now, and their size."""
        self.drop(owner)
        if size:
            self._kept[owner] = size, time.monotonic()
        while self.bytes > self._most_bytes:
            self._release(next(iter(self._kept)))

    def drop(self, owner: Owner) -> None:
        """Forget an owner, which has no trees any more."""
        self._kept.pop(owner, None)

    def release_idle(self) -> None:
        """Release the trees that nobody has used for some time."""
        before = time.monotonic() - self._seconds
        for owner in [owner for owner, (_, used) in self._kept.items() if used < before]:
            self._release(owner)

    def _release(self, owner: Owner) -> None:
        self.drop(owner)
        owner.release_trees()
