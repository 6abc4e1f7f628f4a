"""`Guard`: checks every request before the application sees it, and adds headers to every answer.

Pages of other sites can make a browser send requests to a server on loopback. They cannot set the header `Host` or
`Origin`, so the guard refuses a host name that is not one of the server (DNS rebinding), and an origin other than the
server itself.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections.abc import Iterable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..problems import Problem

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""Headers of every answer."""
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::[0-9]{1,5})?", re.ASCII)
"""A host of a request: a name or an address, and a port."""
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_BODY_SECONDS = 20.0
"""Time in which a client has to send a request."""
_REFUSED = 1008
"""Code with which a socket is closed: against the policy."""


class Guard:
    """ASGI middleware with the checks.

    Args:
        app: the application.
        hosts: names under which clients may reach the server, besides localhost and addresses.
        body_bytes: size of the largest body of a request.
        larger: path -> size, for paths that take a larger body.
    """

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str], body_bytes: int, larger: Mapping[str, int] | None = None
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts) | {"localhost"}
        self._body_bytes = body_bytes
        self._larger = larger or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        is_socket, sending = scope["type"] == "websocket", _with_headers(scope, send)
        try:
            self._check(scope, Headers(scope=scope))
            async with asyncio.timeout(_BODY_SECONDS):
                body = None if is_socket else await self._body(receive, self._most(scope))
        except (Problem, TimeoutError) as error:
            late = Problem(408, "too_slow", "the body of the request came too slowly")
            problem = error if isinstance(error, Problem) else late
            if is_socket:
                await receive()
                await send({"type": "websocket.close", "code": _REFUSED, "reason": problem.code})
            else:
                await JSONResponse(problem.to_dict(), problem.status)(scope, receive, sending)
            return
        if is_socket:
            await self._app(scope, receive, send)
        elif body is not None:
            await self._app(scope, _replayed(body, receive), sending)

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        if not self._is_known(host):
            valid = ", ".join(sorted(self._hosts))
            raise Problem(403, "wrong_host", f"this server does not answer to the host of the request; valid: {valid}")
        origin = headers.get("origin")
        asks_for_change = scope["type"] == "websocket" or scope["method"] in _CHANGING
        origins = [f"{scheme}://{host.lower()}" for scheme in ("http", "https")]
        if asks_for_change and origin is not None and origin.lower() not in origins:
            raise Problem(403, "wrong_origin", "the request comes from a page of another origin")
        if asks_for_change and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Problem(403, "wrong_origin", "the request comes from a page of another site")
        length = headers.get("content-length")
        if length is not None and (not length.isdecimal() or len(length) > 18 or int(length) > self._most(scope)):
            raise _too_large(self._most(scope))

    def _is_known(self, host: str) -> bool:
        """Return True for a host that no other site can point at this server."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        address, name = found["address"], found["name"]
        try:
            ipaddress.ip_address(address or name)
        except ValueError:
            return name is not None and name.lower() in self._hosts
        return True

    def _most(self, scope: Scope) -> int:
        return self._larger.get(scope["path"], self._body_bytes)

    async def _body(self, receive: Receive, most: int) -> bytes | None:
        """Return the body of a request; None if the client has left. Raises Problem if it is too large."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > most:
                raise _too_large(most)
            if not message.get("more_body", False):
                return b"".join(parts)


def _too_large(most: int) -> Problem:
    return Problem(413, "too_large", f"the request is too large; valid: up to {most} bytes")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body first."""
    is_given = False

    async def replay() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_headers(scope: Scope, send: Send) -> Send:
    """Return a `send` that adds the headers."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if scope["path"].startswith("/api/"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
