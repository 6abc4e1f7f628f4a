"""Players of general game playing on this machine: ours in a thread, and scripted ones that misbehave."""

import asyncio
import socket
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress

import pytest
from waiting import HANG_SECONDS

from bots import Bot
from bots.base import NO_LIMIT
from bots.ggp import player as player_module
from bots.ggp.compiling import Sheets
from bots.ggp.player import GgpPlayer
from bots.ggp.server import GgpServer
from bots.registry import load_bot


class NotedSheets(Sheets):
    """Counts the calls that wait or have waited for each rulesheet, and those that have got their game."""

    def __init__(self):
        super().__init__()
        self.begun, self.num_loaded = Counter(), 0

    async def load(self, rules, seconds):
        asyncio.get_running_loop().call_soon(self.begun.update, [rules])  # when this call waits
        game = await super().load(rules, seconds)
        self.num_loaded += 1
        return game


class Port(int):
    """The port of a player in this process, and its rulesheets."""

    sheets: NotedSheets


@contextmanager
def serving(bot="random", *, margin=0.1, request_seconds=HANG_SECONDS):
    """Run a player in a thread; yield its port."""
    ready, found = threading.Event(), {}

    def started(host, port):
        found["port"] = port
        ready.set()

    RELEASED.clear()
    for kind in (Hanger, Unmade):
        kind.count = 0
    load_bot(bot).close()  # imports take longer than the clocks of the tests
    sheets = NotedSheets()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(player_module, "Sheets", lambda: sheets)
        player = GgpPlayer(lambda: load_bot(bot), "Tester", margin, 1)

    async def serve():
        found["loop"] = asyncio.get_running_loop()
        found["task"] = asyncio.current_task()
        await GgpServer(player, request_seconds).serve("127.0.0.1", 0, started)

    def run():
        with suppress(asyncio.CancelledError):
            asyncio.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(HANG_SECONDS)
    port = Port(found["port"])
    port.sheets = sheets
    try:
        yield port
    finally:
        found["loop"].call_soon_threadsafe(found["task"].cancel)
        thread.join(HANG_SECONDS)
        assert not thread.is_alive()
        player.close()


def exchange(port, data, *, slowly=0.0):
    """Send bytes and return all that comes back.

    slowly: seconds between the bytes.
    """
    with socket.create_connection(("127.0.0.1", int(port)), timeout=HANG_SECONDS) as connection:
        try:
            if slowly:
                for byte in data:
                    connection.sendall(bytes([byte]))
                    time.sleep(slowly)
            else:
                connection.sendall(data)
        except OSError:
            pass  # the other side has heard enough
        answer = b""
        try:
            while chunk := connection.recv(65536):
                answer += chunk
        except ConnectionResetError:
            pass
        return answer


def request(body, *fields, method="POST", length=None):
    """Return a request with a message."""
    given = len(body) if length is None else length
    lines = [f"{method} / HTTP/1.0", *([] if given is False else [f"Content-Length: {given}"]), *fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body.encode()


def say(port, body):
    """Send a message; return the status and the text of the answer."""
    head, _, text = exchange(port, request(body)).partition(b"\r\n\r\n")
    return int(head.split()[1]), text.decode()


@contextmanager
def scripted(answer):
    """Run a player whose every answer is made by `answer(message, connection)`; yield its port.

    answer: returns the body of a proper answer; or sends what it wants itself, and returns None.
    """
    server = socket.create_server(("127.0.0.1", 0))
    closing = threading.Event()

    def handle(connection):
        with connection:
            try:
                data = b""
                while b"\r\n\r\n" not in data:
                    data += connection.recv(65536)
                head, _, body = data.partition(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length:")[1].split()[0])
                while len(body) < length:
                    body += connection.recv(65536)
                text = answer(body.decode(), connection)
                if text is not None:
                    connection.sendall(f"HTTP/1.0 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
            except OSError:
                pass

    def accept():
        while not closing.is_set():
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        closing.set()
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(HANG_SECONDS)


def drip(message, connection):
    """Answer slowly, byte for byte."""
    for byte in b"HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\n(take 1)":
        connection.sendall(bytes([byte]))
        time.sleep(0.05)


RELEASED = threading.Event()
"""Lets the bots go that wait for the test."""


class Slow(Bot):
    """Does not decide until the test lets it, whatever the limit."""

    def choose(self, view, limit=NO_LIMIT):
        RELEASED.wait()
        return view.legal_actions()[0]


class Sleeper(Bot):
    """Begins no game until the test lets it; plays the last legal action."""

    def new_game(self, game, player, seed):
        RELEASED.wait()

    def choose(self, view, limit=NO_LIMIT):
        return view.legal_actions()[-1]


class Hanger(Sleeper):
    """Begins its first game only when the test lets it, and all others at once."""

    count = 0

    def new_game(self, game, player, seed):
        Hanger.count += 1
        if Hanger.count == 1:
            RELEASED.wait()


class Unmade(Sleeper):
    """Can be made once. The next ones wait until the test lets them."""

    count = 0

    def __init__(self, **parameters):
        super().__init__(**parameters)
        Unmade.count += 1
        if Unmade.count > 1:
            RELEASED.wait()


class Crasher(Sleeper):
    """Cannot begin a game."""

    def new_game(self, game, player, seed):
        raise RuntimeError("not today")


class Exiter(Sleeper):
    """Ends the program in its first call."""

    def new_game(self, game, player, seed):
        raise SystemExit(3)
