"""Connections are counted by the address of the client; those of this machine and of proxies are not."""

import asyncio

import pytest

pytest.importorskip("uvicorn")

import uvicorn
from uvicorn.server import ServerState

from bots.web.caps import Caps
from bots.web.security.clients import network_of
from bots.web.security.connections import connections_of


class Transport(asyncio.Transport):
    """A connection from an address, which notes that it is aborted."""

    def __init__(self, address):
        super().__init__({"peername": (address, 50_000), "sockname": ("10.0.0.1", 80)})
        self.is_aborted = False

    def abort(self):
        self.is_aborted = True

    def close(self):
        pass

    def set_protocol(self, protocol):
        self.protocol = protocol

    def get_protocol(self):
        return self.protocol

    def get_write_buffer_size(self):
        return 0


class Socket(asyncio.Protocol):
    """A connection that has been given to a web socket."""

    def __init__(self, **given):
        pass


UPGRADE = (
    b"GET /live HTTP/1.1\r\nHost: playout\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def refused(addresses, most=2, proxies=(), closing=(), upgrading=()):
    """Open connections in turn; True for each that is refused.

    Those at the places in `closing` close at once, and those in `upgrading` ask for a web socket.
    """

    async def opened():
        made = connections_of(Caps(connections_per_client=most), map(network_of, proxies))
        config = uvicorn.Config(lambda scope, receive, send: None, log_config=None, lifespan="off", ws=Socket)
        config.load()
        found, state = [], ServerState()
        for number, address in enumerate(addresses):
            transport, connection = Transport(address), made(config, state, {}, asyncio.get_running_loop())
            connection.connection_made(transport)
            found.append(transport.is_aborted)
            if number in upgrading:
                connection.data_received(UPGRADE)
                assert isinstance(transport.get_protocol(), Socket)
            if number in closing:
                connection.connection_lost(None)
                connection.connection_lost(None)  # a connection that has ended counts once
        return found

    return asyncio.run(opened())


def test_a_client_has_no_more_connections_than_the_cap():
    assert refused(["198.51.100.7"] * 4) == [False, False, True, True]
    assert refused(["198.51.100.7", "198.51.100.8"] * 3) == [False] * 4 + [True] * 2


def test_a_connection_that_ends_makes_room():
    assert refused(["198.51.100.7"] * 4, closing=[0]) == [False, False, False, True]
    assert refused(["198.51.100.7"] * 5, closing=[0, 2]) == [False, False, False, False, True]


def test_a_connection_that_becomes_a_web_socket_makes_room():
    assert refused(["198.51.100.7"] * 4, upgrading=[1]) == [False, False, False, True]


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "203.0.113.9"])
def test_this_machine_and_proxies_may_have_any_number(address):
    assert refused([address] * 5, proxies=["203.0.113.0/24"]) == [False] * 5


def test_a_client_of_version_6_is_its_network():
    same = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:2::3"]
    assert refused(same) == [False, False, True]
    assert refused(["2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:1:4::1"], most=1) == [False] * 3
    assert refused(["::ffff:198.51.100.7", "198.51.100.7"], most=1) == [False, True]
