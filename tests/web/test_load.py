"""Many matches at once, and clients that misbehave beside them: answers without a search stay quick."""

import asyncio
import json
import random
import socket
import time
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import pytest
import websockets
from web_client import API, Played, Process

MATCHES = 200
SECONDS = 10.0
BAR_SECONDS = 0.05
"""Bar of the slowest hundredth of the answers."""

pytestmark = pytest.mark.long


async def person(client, made, times, end, rng):
    """Play a match, again and again from its first move, and note the time of every answer."""
    path, headers = f"{API}/matches/{made['id']}", {"Authorization": f"Bearer {made['owner']}"}

    async def timed(method, address, **more):
        begun = time.perf_counter()
        answer = await client.request(method, address, headers=headers, **more)
        times.append(time.perf_counter() - begun)
        return answer

    await asyncio.sleep(rng.random() * 4)
    while time.monotonic() < end:
        match = (await timed("GET", path)).json()
        if match["is_over"]:
            await timed("GET", f"{path}/record")
            for _ in range(9):
                if not (await timed("POST", f"{path}/undo", json={})).json().get("can_undo"):
                    break
        elif match["waits_for"]:
            player = match["waits_for"][0]
            action = rng.choice(match["legal"][player])
            answer = await timed("POST", f"{path}/actions", json={"player": player, "action": action})
            assert answer.status_code == 200, answer.text
        await asyncio.sleep(2 + 2 * rng.random())


async def play_all(address, made, times, beside=()):
    """Play all matches for some seconds, with some other tasks beside them."""
    end = time.monotonic() + SECONDS
    others = [asyncio.create_task(task) for task in beside]
    limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
    async with httpx.AsyncClient(base_url=address, limits=limits, timeout=20) as client:
        await asyncio.gather(
            *(person(client, match, times, end, random.Random(number)) for number, match in enumerate(made))
        )
    for other in others:
        other.cancel()
    return await asyncio.gather(*others, return_exceptions=True)


def begun(process, bot):
    games = (("mnk", "o"), ("points_ttt", "o"), ("bidding_ttt", "o"), ("tic_block", "obplayer"))
    return [
        Played.begin(process.client, game, {seat: bot}, simulations=200).made
        for game, seat in (games[number % len(games)] for number in range(MATCHES))
    ]


def slowest_hundredth(times):
    assert len(times) > MATCHES
    return sorted(times)[int(0.99 * len(times))]


def test_200_matches_are_answered_quickly(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        made, times = begun(process, "mcts"), []
        asyncio.run(play_all(process.address, made, times))
        p99 = slowest_hundredth(times)
        print(f"{len(times)} answers, p50 {sorted(times)[len(times) // 2] * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms")
        assert p99 < BAR_SECONDS


async def flood(address, made):
    """Send frames as fast as the server takes them, until it closes the socket; then again."""
    while True:
        with suppress(websockets.ConnectionClosed):
            async with websockets.connect(live_address(address, made), origin=address.rstrip("/")) as live:
                await live.send(json.dumps({"type": "hello", "token": made["owner"]}))
                while True:
                    await live.send(json.dumps({"type": "look", "player": made["match"]["players"][0]}))
        await asyncio.sleep(0.2)


async def read_nothing(address, made):
    """Ask for analyses, and never read a frame."""
    url = urlsplit(address)
    reader, writer = await asyncio.open_connection(url.hostname, url.port, limit=1)
    writer.write(
        f"GET {API}/matches/{made['id']}/live HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    await writer.drain()
    await asyncio.sleep(1000)
    del reader


async def half_open(address, count):
    """Open connections and send nothing, or the beginning of a request."""
    url = urlsplit(address)
    opened = []
    for number in range(count):
        connection = socket.create_connection((url.hostname, url.port))
        if number % 2:
            connection.send(b"POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        opened.append(connection)
        await asyncio.sleep(0.005)
    await asyncio.sleep(1000)


async def large_requests(address):
    """Send bodies that are too large."""
    async with httpx.AsyncClient(base_url=address, timeout=20) as client:
        while True:
            answer = await client.post(f"{API}/matches", content=b"[" * 3_000_000)
            assert answer.status_code == 413
            await asyncio.sleep(0.2)


def live_address(address, made):
    return f"{address.replace('http', 'ws')}api/v1/matches/{made['id']}/live"


def test_misbehaving_clients_do_not_slow_the_others(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        made, times = begun(process, "random"), []
        bad = [Played.begin(process.client, "mnk", {"o": "random"}).made for _ in range(8)]
        beside = [
            *(flood(process.address, match) for match in bad[:3]),
            *(read_nothing(process.address, match) for match in bad[3:]),
            half_open(process.address, 300),
            large_requests(process.address),
        ]
        ends = asyncio.run(play_all(process.address, made, times, beside))
        assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
        p99 = slowest_hundredth(times)
        print(f"{len(times)} answers, p99 {p99 * 1000:.1f} ms")
        assert p99 < BAR_SECONDS
        assert process.client.get(f"{API}/info").status_code == 200


def test_silent_connections_are_closed(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        url = urlsplit(process.address)
        silent = socket.create_connection((url.hostname, url.port), timeout=60)
        partial = socket.create_connection((url.hostname, url.port), timeout=60)
        partial.send(b"GET / HTTP/1.1\r\nHost: loc")
        with websockets_client(process, Played.begin(process.client, "mnk").made) as live:
            assert silent.recv(1) == b""
            assert partial.recv(1) == b""
            live.send(json.dumps({"type": "look", "player": "o"}))
            assert json.loads(live.recv())["match"]["player"] == "o"


def websockets_client(process, made):
    from websockets.sync.client import connect

    live = connect(live_address(process.address, made))
    live.send(json.dumps({"type": "hello", "token": made["owner"]}))
    assert json.loads(live.recv())["match"]["player"] == "x"
    return live
