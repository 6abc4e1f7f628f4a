"""HTTP with one request for each connection, for both sides. Every size and every time has a limit.

Nothing that is received is trusted. The errors contain no text of the other program.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from mcts import ParameterError

from ..system.untrusted import clean_line
from .errors import WireError

DEFAULT_PORT = 9147
"""The customary port of players."""
MOST_HEAD_BYTES = 16_384
MOST_FIELDS = 64
CONTENT_TYPE = "text/acl"


@dataclass(frozen=True)
class Address:
    """The place at which a player listens."""

    host: str
    port: int
    path: str = "/"

    @property
    def url(self) -> str:
        """The address as text."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}{self.path}"


def read_address(text: str) -> Address:
    """Return the address that a text such as `http://localhost:9147` names.

    Raises:
        ParameterError: it is not the URL of a player.
    """
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if (
        not host
        or parts.scheme != "http"
        or parts.username is not None
        or parts.query
        or parts.fragment
        or not all("!" <= letter <= "~" for letter in text)
    ):
        raise ParameterError(f"{clean_line(repr(text))} is not the URL of a player; valid: http://HOST:PORT")
    return Address(host, DEFAULT_PORT if port is None else port, parts.path or "/")


async def read_head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]]:
    """Return the first line of a request or an answer, and its fields by lower-case name.

    Raises:
        WireError: it is malformed or too large.
    """
    lines: list[str] = []
    size = 0
    while True:
        try:
            line = await reader.readline()
        except ValueError:  # a line beyond the limit of the reader
            raise WireError("the head is too large", 431) from None
        size += len(line)
        if size > MOST_HEAD_BYTES or len(lines) > MOST_FIELDS:
            raise WireError("the head is too large", 431)
        if not line.endswith(b"\n"):
            raise WireError("the connection was closed in the head")
        text = line.decode("latin-1").rstrip("\r\n")
        if not text:
            break
        lines.append(text)
    if not lines:
        raise WireError("the head is empty")
    fields: dict[str, str] = {}
    for text in lines[1:]:
        name, colon, value = text.partition(":")
        name = name.lower()
        if not colon or not name or name != name.strip():
            raise WireError("a field of the head is malformed")
        if fields.setdefault(name, value.strip()) != value.strip() and name in ("content-length", "transfer-encoding"):
            raise WireError(f"the head has {name} twice")
    return lines[0], fields


async def read_body(
    reader: asyncio.StreamReader, fields: Mapping[str, str], most_bytes: int, *, may_end: bool
) -> bytes:
    """Return the body behind a head.

    Args:
        reader: the connection.
        fields: those of the head.
        most_bytes: length of the longest body.
        may_end: without a length, the body ends with the connection.

    Raises:
        WireError: the body is too long, or shorter than its length says, or has no length.
    """
    if "transfer-encoding" in fields:
        raise WireError("transfer-encoding is not supported", 501)
    given = fields.get("content-length")
    if given is None:
        if not may_end:
            raise WireError("content-length is missing", 411)
        body = b""
        while len(body) <= most_bytes and (chunk := await reader.read(65_536)):
            body += chunk
        if len(body) > most_bytes:
            raise WireError("the body is too long", 413)
        return body
    if not (given.isascii() and given.isdecimal()):
        raise WireError("content-length is not a number")
    if len(given) > 12 or int(given) > most_bytes:
        raise WireError("the body is too long", 413)
    try:
        return await reader.readexactly(int(given))
    except asyncio.IncompleteReadError:
        raise WireError("the body is shorter than content-length says") from None


def text_of(body: bytes) -> str:
    """Return a body as text. Raises WireError unless it is UTF-8."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise WireError("the body is not UTF-8") from None


async def send_answer(writer: asyncio.StreamWriter, status: int, text: str) -> None:
    """Send the answer to a request."""
    await _send(writer, f"HTTP/1.0 {status} {HTTPStatus(status).phrase}", text)


async def _send(writer: asyncio.StreamWriter, head: str, text: str) -> None:
    """Send the first lines of a head, the rest of it and a body."""
    body = text.encode()
    head += f"\r\nContent-Type: {CONTENT_TYPE}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()


async def post(address: Address, text: str, seconds: float, most_bytes: int) -> str:
    """Send a message to a player and return the text of its answer.

    Args:
        address: of the player.
        text: the message.
        seconds: time in which the whole answer must have come.
        most_bytes: length of the longest answer.

    Raises:
        TimeoutError: it has not.
        WireError: the player could not be reached, or its answer is not one of HTTP, too long, or not a success.
    """
    async with asyncio.timeout(seconds):
        return await _post(address, text, most_bytes)


async def _post(address: Address, text: str, most_bytes: int) -> str:
    try:
        reader, writer = await asyncio.open_connection(address.host, address.port, limit=MOST_HEAD_BYTES)
    except (OSError, UnicodeError):
        raise WireError(f"{address.url} cannot be reached") from None
    try:
        sender = "Accept: text/delim\r\nSender: GAMESERVER\r\nReceiver: player"
        host = f"{address.host}:{address.port}"
        await _send(writer, f"POST {address.path} HTTP/1.0\r\nHost: {host}\r\n{sender}", text)
        first, fields = await read_head(reader)
        words = first.split()
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isascii() or not words[1].isdecimal():
            raise WireError("the answer is not one of HTTP")
        if not words[1].startswith("2") or len(words[1]) != 3:
            raise WireError(f"the answer has the status {words[1][:3]}")
        return text_of(await read_body(reader, fields, most_bytes, may_end=True))
    except OSError:
        raise WireError("the connection was closed") from None
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()
