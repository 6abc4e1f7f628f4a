"""Clients that misbehave, all at once: those that behave are answered."""

import asyncio
import json
import os
import socket
import struct
from contextlib import suppress
from urllib.parse import urlsplit

import psutil
import pytest
from test_web_load import ROUNDS, THINKS
from waiting import HANG_SECONDS, until, wait_until
from web_client import API, Played, Process

from bench.server_answers import begin, play

pytestmark = pytest.mark.long

MATCHES = 100
CONNECTIONS = 400
FLOODS, SILENT = ("127.0.0.2", 0), ("127.0.0.3", 0)
"""Addresses of clients that misbehave, where the system has them: that of clients behind a proxy has no limit."""


REFUSED = "connections that were refused"


def is_here(origin):
    """Return True if the system has an address."""
    with socket.socket() as one, suppress(OSError):
        one.bind(origin)
        return True
    return False


async def connected(address, origin=FLOODS):
    url = urlsplit(address)
    try:
        return await asyncio.open_connection(url.hostname, url.port, local_addr=origin)
    except OSError:
        return await asyncio.open_connection(url.hostname, url.port)


def frame(data):
    """A frame of a client with a text."""
    content = json.dumps(data).encode() if isinstance(data, dict) else data
    mask = os.urandom(4)
    masked = bytes(byte ^ mask[number % 4] for number, byte in enumerate(content))
    if len(content) < 126:
        size = struct.pack("!B", 0x80 | len(content))
    elif len(content) < 1 << 16:
        size = struct.pack("!BH", 0x80 | 126, len(content))
    else:
        size = struct.pack("!BQ", 0x80 | 127, len(content))
    return b"\x81" + size + mask + masked


def handshake(match):
    """The beginning of the socket of a match."""
    return (
        f"GET {API}/matches/{match['id']}/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )


def hello(match):
    return frame({"type": "hello", "token": match["owner"]})


async def live(address, match):
    """An open socket of a match."""
    reader, writer = await connected(address)
    writer.write(handshake(match))
    await reader.readuntil(b"\r\n\r\n")
    writer.write(hello(match))
    return reader, writer


async def flood(address, match, done):
    """Send frames as fast as the server takes them, until it closes the socket; then again."""
    one = frame({"type": "look", "player": match["match"]["players"][0]})
    while True:
        reader, writer = await live(address, match)
        with suppress(ConnectionError):  # the socket may be closed while frames are on their way
            for _ in range(200):
                writer.write(one)
                await writer.drain()
            while await reader.read(1 << 16):
                pass
        done["floods that were ended"] += 1
        writer.close()
        await asyncio.sleep(0.2)


async def huge_frame(address, match, done):
    """Send frames that are too large."""
    while True:
        reader, writer = await live(address, match)
        with suppress(ConnectionError):
            writer.write(frame(b" " * 200_000))
            await writer.drain()
            while await reader.read(1 << 16):
                pass
        done["huge frames that were refused"] += 1
        writer.close()
        await asyncio.sleep(0.3)


async def read_nothing(address, match, done):
    """Begin analyses that end soon, and never read a frame."""
    _, writer = await live(address, match)
    writer.transport.pause_reading()
    with suppress(ConnectionError):
        while True:
            writer.write(frame({"type": "analyse", "simulations": 200, "id": "1"}))
            await writer.drain()
            done["frames of those who read nothing"] += 1
            await asyncio.sleep(0.25)


async def half_open(address, done):
    """Open connections, and send nothing, or the beginning of a request, or its body in small parts.

    Those that end while the first one is open are refused; later all are closed in turn, since they bring no request.
    """
    opened = []
    for number in range(CONNECTIONS):
        with suppress(ConnectionError):
            reader, writer = await connected(address, SILENT)
            if number % 3:
                writer.write(b"POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{")
            opened.append((reader, writer, number % 3 == 2))
        await asyncio.sleep(0.002)
    first = opened[0]
    while True:
        left = [one for one in opened if not one[0].at_eof() and one[0].exception() is None]
        if first in left:
            done[REFUSED] += len(opened) - len(left)
        opened = left
        for _, writer, is_slow in opened:
            if is_slow:
                writer.write(b" ")
        await asyncio.sleep(1)


async def giant_bodies(address, done):
    """Send bodies that are too large, also without saying so."""
    part = b" " * 100_000
    while True:
        for head in (b"Content-Length: 50000000", b"Transfer-Encoding: chunked"):
            with suppress(ConnectionError):
                reader, writer = await connected(address)
                writer.write(b"POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n")
                for _ in range(20):
                    writer.write(b"%x\r\n%s\r\n" % (len(part), part) if head.startswith(b"T") else part)
                    await writer.drain()
                answer = await reader.readline()
                assert b"413" in answer, answer
                done["giant bodies that were refused"] += 1
                writer.close()
            await asyncio.sleep(0.1)


async def disturbed(process, made, bad):
    """Let clients behave while others do not. Return what happened to the others."""
    done = dict.fromkeys(
        (
            "floods that were ended", "huge frames that were refused", "frames of those who read nothing",
            "giant bodies that were refused", REFUSED,
        ),
        0,
    )  # fmt: skip
    if not is_here(SILENT):
        done[REFUSED] = CONNECTIONS  # nothing counts the connections of this address
    address = process.address
    others = [
        *(flood(address, match, done) for match in bad[:3]),
        *(read_nothing(address, match, done) for match in bad[3:8]),
        *(huge_frame(address, match, done) for match in bad[8:]),
        half_open(address, done),
        giant_bodies(address, done),
    ]
    tasks = [asyncio.create_task(other) for other in others]
    await asyncio.sleep(0)
    await play(address, made, lambda: range(ROUNDS), THINKS)
    await until(lambda: all(done.values()) or any(task.done() for task in tasks), "the server bears what it should end")
    for task in tasks:
        task.cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert not [end for end in ends if isinstance(end, Exception)], ends
    return done


def test_clients_that_misbehave_do_not_disturb_the_others(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        made = begin(process.client, MATCHES, "random")
        bad = [Played.begin(process.client, "mnk", {"o": "random"}, assist=True).made for _ in range(10)]
        print(asyncio.run(disturbed(process, made, bad)))
        assert process.client.get(f"{API}/info").status_code == 200


def test_connections_that_say_or_read_nothing_are_closed(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        url = urlsplit(process.address)
        process.client.close()

        def opened(first=b""):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(HANG_SECONDS)
            connection.connect((url.hostname, url.port))
            connection.sendall(first)
            return connection

        request = f"GET {API}/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        opened_ones = opened(), opened(b"GET / HTTP/1.1\r\nHost: loc"), opened(300 * request)
        wait_until(lambda: len(connections_of(process)) >= 3)
        wait_until(lambda: not connections_of(process), "the connections stay open")
        for connection in opened_ones:
            connection.close()


def connections_of(process):
    """The connections of clients with a server."""
    port = urlsplit(process.address).port
    every = psutil.Process(process.pid).net_connections("tcp")
    return [one for one in every if one.laddr.port == port and one.status in ("ESTABLISHED", "CLOSE_WAIT")]
