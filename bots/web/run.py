"""The process of the server."""

from __future__ import annotations

import gc
import ipaddress
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import uvicorn

from mcts import ParameterError

from .application import create_app
from .security.clients import network_of
from .security.connections import Socket, connections_of
from .service import Service, Settings

_GRACE_SECONDS = 3
_MOST_FILES = 65_536
_GARBAGE = (10_000, 20, 100)


def serve(settings: Settings, host: str, port: int, started: Callable[[str], object]) -> None:
    """Serve until SIGINT or SIGTERM.

    Args:
        settings: the settings.
        host: address to listen on.
        port: its port; 0 for any that is free.
        started: called with the address of the page when clients can connect.

    Raises:
        PlayoutError: the address or another setting cannot be used.
    """
    proxies = tuple(map(network_of, settings.proxies))
    _allow_many_files()
    with _listening(host, port) as listener:
        address, found = listener.getsockname()[:2]
        settings = replace(settings, is_local=is_local(address) and not (settings.hosts or proxies))
        app = create_app(settings)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=True,
            http=connections_of(settings.caps, proxies),
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(map(str, proxies)),
            ws=Socket,
            ws_max_size=settings.caps.frame_bytes,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            timeout_keep_alive=20,
            timeout_graceful_shutdown=_GRACE_SECONDS,
            limit_concurrency=2 * settings.caps.sockets,
            h11_max_incomplete_event_size=1 << 16,
        )
        service: Service = app.state.service
        server = _Server(config, lambda: started(f"http://{_in_url(host, address)}:{found}/"), service.threads.end)
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_start: Callable[[], object], on_end: Callable[[], object]) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_end = on_end

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            _keep_pauses_short()
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._on_end()
        await super().shutdown(sockets)


def _keep_pauses_short() -> None:
    """Set up garbage collection for answers in time.

    A collection of everything takes a tenth of a second and more, in which nothing is answered. Modules are left out of
    it, and it comes rarely: nearly all objects are freed by their counts.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


def _allow_many_files() -> None:
    """Raise the number of open files to what the system allows: each connection is one."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, _MOST_FILES)), hard))


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # asyncio sends small answers at once only over sockets whose protocol is given.
        listener = socket.socket(family, kind, protocol or socket.IPPROTO_TCP)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(256)
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ParameterError(f"cannot listen on {host} port {port}: {reason}; valid: --host, --port") from None
    return listener


def is_local(address: str) -> bool:
    """Return True for an address that only this machine can reach."""
    return ipaddress.ip_address(address).is_loopback


def _in_url(host: str, address: str) -> str:
    """Return the host for a link: the loopback name for an address that means every interface."""
    if address in ("0.0.0.0", "::"):
        return "localhost"
    return f"[{address}]" if ":" in address else host
