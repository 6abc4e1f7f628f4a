"""Connections that say nothing are closed, so that half-open ones do not collect."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SILENT_SECONDS = 20.0
"""Time in which a connection has to bring a request, from its beginning or since the last answer."""


class Connection(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, for connections that bring whole requests in time."""

    _check: asyncio.TimerHandle | None = None
    _last_cycle: Any = None
    """The request that was last seen by a check."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._check = self.loop.call_later(SILENT_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._check is not None:
            self._check.cancel()
        super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # a socket has taken over
            return
        is_working = self.cycle is not None and not self.cycle.response_complete
        if self.cycle is self._last_cycle and not is_working:
            self.transport.abort()
            return
        self._last_cycle = self.cycle
        self._check = self.loop.call_later(SILENT_SECONDS, self._close_if_silent)
