"""Counts of open sockets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ..caps import Caps
from ..problems import Problem


class Sockets:
    """The open sockets of a server, by address of the client."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._open: Counter[str] = Counter()

    @contextmanager
    def admit(self, client: str) -> Iterator[None]:
        """Count a socket for a `with` block. Raises Problem if there are too many."""
        if self._open[client] >= self._caps.sockets_per_client or self._open.total() >= self._caps.sockets:
            raise Problem(429, "too_many_sockets", "too many open sockets", retry_seconds=30)
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
