"""The server of a player: connections, their limits, and errors as statuses of HTTP."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress

from ..system.untrusted import clean_line
from .errors import MessageError, WireError
from .messages import MOST_MESSAGE_BYTES, read_message
from .player import GgpPlayer
from .wire import MOST_HEAD_BYTES, read_body, read_head, send_answer, text_of

MOST_CONNECTIONS = 16
REQUEST_SECONDS = 10.0
"""Time in which a request must have arrived, and in which an answer must be taken."""

_log = logging.getLogger(__name__)


class GgpServer:
    """Serves a player.

    Args:
        player: the player.
        request_seconds: time in which a request must have arrived.
    """

    def __init__(self, player: GgpPlayer, request_seconds: float = REQUEST_SECONDS) -> None:
        self.player = player
        self._request_seconds = request_seconds
        self._connections = 0

    async def serve(self, host: str, port: int, started: Callable[[str, int], object]) -> None:
        """Serve until the task is cancelled.

        Args:
            host: address to listen on.
            port: port; 0 for any that is free.
            started: called with the address and the port when the server listens.
        """
        await self.player.warm_up()
        server = await asyncio.start_server(self._connected, host, port, limit=MOST_HEAD_BYTES)
        async with server:
            started(*server.sockets[0].getsockname()[:2])
            await server.serve_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received = time.monotonic()
        self._connections += 1
        try:
            status, text = 503, "too many connections"
            if self._connections <= MOST_CONNECTIONS:
                status, text = await self._answer(reader, received)
            async with asyncio.timeout(self._request_seconds):
                await send_answer(writer, status, text)
        except (OSError, TimeoutError):
            _log.info("a client went away")
        finally:
            self._connections -= 1
            writer.close()
            with suppress(OSError, TimeoutError):
                await asyncio.wait_for(writer.wait_closed(), 1.0)

    async def _answer(self, reader: asyncio.StreamReader, received: float) -> tuple[int, str]:
        """Return the status and the text of the answer to a request."""
        try:
            async with asyncio.timeout(self._request_seconds):
                text = await self._read(reader)
            return 200, await self.player.answer(read_message(text), received)
        except TimeoutError:
            return 408, "the request took too long"
        except WireError as error:
            return error.status, str(error)
        except MessageError as error:
            _log.warning("a message is refused: %s", clean_line(error))
            return 400, clean_line(error)

    @staticmethod
    async def _read(reader: asyncio.StreamReader) -> str:
        """Return the text of a request."""
        first, fields = await read_head(reader)
        words = first.split()
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            raise WireError("this is not a request of HTTP/1")
        if words[0] != "POST":
            raise WireError("valid: POST with a message of general game playing", 405)
        if "origin" in fields:  # pages in browsers send it: none of them shall reach a player on this machine
            raise WireError("requests of pages in browsers are refused", 403)
        return text_of(await read_body(reader, fields, MOST_MESSAGE_BYTES, may_end=False))
