"""Connections of clients: few of each, and those that say nothing or read nothing are closed, so that they end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ..caps import Caps
from .clients import Network, client_of, is_within, network_of

SILENT_SECONDS = 20.0
"""Idle timeout: seconds to wait for the next request."""
_CLOSE_SECONDS = 2.0
"""Time in which the client of a socket that is closed has to close it too."""
_LOOPBACK = ("127.0.0.1", "::1")
"""Addresses whose connections are those of many clients, as those of a proxy."""


class Connection(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, for connections that bring whole requests and read the answers in time."""

    most: int
    """Most connections of one address."""
    open_of: Counter[str]
    """Client -> number of open connections."""
    exempt: tuple[Network, ...]
    """Addresses that may have any number."""

    _check: asyncio.TimerHandle | None = None
    _last_cycle: Any = None
    """The request that was last seen by a check."""
    _last_unread = 0
    """Bytes of answers that the client had not read at the last check."""
    _address: str | None = None
    """Client for which this connection is counted."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        address = peer[0] if peer else ""
        if not any(is_within(address, network) for network in self.exempt):
            address = client_of(address)
            if self.open_of[address] >= self.most:
                transport.abort()
                return
            self.open_of[address] += 1
            self._address = address
        self._check = self.loop.call_later(SILENT_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Give the connection to a socket. Sockets have limits of their own."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def _leave(self) -> None:
        if self._check is not None:
            self._check.cancel()
        if self._address is not None:
            self.open_of[self._address] -= 1
            if not self.open_of[self._address]:
                del self.open_of[self._address]
            self._address = None

    def _close_if_silent(self) -> None:
        is_working = self.cycle is not None and not self.cycle.response_complete
        unread = self.transport.get_write_buffer_size()
        if (self.cycle is self._last_cycle and not is_working) or 0 < unread == self._last_unread:
            self.transport.abort()
            return
        self._last_cycle, self._last_unread = self.cycle, unread
        self._check = self.loop.call_later(SILENT_SECONDS, self._close_if_silent)


class Socket(WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them. Those that are closed, or whose clients read nothing, end."""

    _check: asyncio.TimerHandle | None = None
    _last_unread = 0

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.close_timeout = _CLOSE_SECONDS
        self._check = asyncio.get_running_loop().call_later(SILENT_SECONDS, self._close_if_stuck)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._check is not None:
            self._check.cancel()
        super().connection_lost(exc)

    def _close_if_stuck(self) -> None:
        # A transport that is closing waits until the client has read everything.
        unread = self.transport.get_write_buffer_size()
        if 0 < unread == self._last_unread:
            self.transport.abort()
            return
        self._last_unread = unread
        self._check = asyncio.get_running_loop().call_later(SILENT_SECONDS, self._close_if_stuck)


def connections_of(caps: Caps, proxies: Iterable[Network]) -> type[Connection]:
    """Return the class of the connections of a server, which counts them, but not those of proxies."""
    exempt = (*map(network_of, _LOOPBACK), *proxies)
    attributes = {"most": caps.connections_per_client, "open_of": Counter(), "exempt": exempt}
    return type("CountedConnection", (Connection,), attributes)
