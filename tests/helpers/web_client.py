"""A server in this process and a client of it, for tests of the HTTP interface."""

from __future__ import annotations

import multiprocessing
from contextlib import contextmanager

import httpx
import psutil
import pytest
from starlette.testclient import TestClient
from support import environment
from waiting import HANG_SECONDS, wait_until

from bots.web.application import create_app
from bots.web.process import ServerProcess
from bots.web.run import serve
from bots.web.service import Settings

API = "/api/v1"


@contextmanager
def server(**settings):
    """A client of a new server."""
    with TestClient(create_app(Settings(**settings)), base_url="http://localhost") as client:
        yield client


class Process(ServerProcess):
    """`playout serve` in a process of its own, which ends by SIGKILL, and a client of it."""

    def __init__(self, file, *options):
        super().__init__("--matches", str(file), *options, environment=environment())
        self.client = httpx.Client(base_url=self.address, timeout=HANG_SECONDS)

    def close(self):
        self.client.close()
        self.kill()


class Forked:
    """A server in a forked process, which starts at once and ends by SIGKILL, and a client of it."""

    def __init__(self, file, port=0, **settings):
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe(duplex=False)
        arguments = Settings(matches=str(file), **settings), "127.0.0.1", port, theirs.send
        self._process = context.Process(target=serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        self.address = ours.recv()
        self.client = httpx.Client(base_url=self.address, timeout=HANG_SECONDS)

    @property
    def pid(self):
        return self._process.pid

    def end(self):
        """End the server as Ctrl-C and service managers do."""
        self._process.terminate()
        self._process.join(HANG_SECONDS)
        assert self._process.exitcode is not None, "the server does not end"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.client.close()
        self._process.kill()
        self._process.join()


def wait_for_search(process):
    """Wait until a server searches: until it has used a processor for longer than a request needs."""
    server = psutil.Process(process.pid)
    begun = server.cpu_times().user
    wait_until(lambda: server.cpu_times().user > begun + 0.3, "the server does not search")


def forks(test):
    """Mark a test with servers in forked processes."""
    has_fork = "fork" in multiprocessing.get_all_start_methods()
    quiet = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
    return pytest.mark.skipif(not has_fork, reason="the system has no fork")(quiet(test))


class Played:
    """One match by the interface, with the rights of one token."""

    def __init__(self, client, made, token):
        self.client = client
        self.made = made
        self.id = made["id"]
        self.path = f"{API}/matches/{self.id}"
        self.headers = {"Authorization": f"Bearer {token}"}

    @classmethod
    def begin(cls, client, game, seats=None, **more):
        """A new match, as its owner."""
        answer = client.post(f"{API}/matches", json={"game": game, "seats": seats or {}, **more})
        assert answer.status_code == 201, answer.text
        return cls(client, answer.json(), answer.json()["owner"])

    def with_token(self, token):
        """The same match with the rights of another token."""
        return Played(self.client, self.made, token)

    def seat(self, name):
        return self.with_token(self.made["seats"][name])

    def spectator(self):
        return self.with_token(self.made["spectator"])

    def live(self, **headers):
        """The live socket of the match, before its first frame."""
        return self.client.websocket_connect(f"{self.path}/live", headers={"host": "localhost", **headers})

    def get(self, path="", status=200, **query):
        answer = self.client.get(self.path + path, headers=self.headers, params=query)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.headers["content-type"] == "application/json" else answer.text

    def post(self, path, status=200, **body):
        answer = self.client.post(self.path + path, headers=self.headers, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def match(self, **query):
        return self.get(**query)

    def act(self, player, action, status=200, **more):
        return self.post("/actions", status, player=player, action=action, **more)

    def settled(self):
        """The match when no bot decides any more."""
        return wait_until(lambda: None if (match := self.match())["thinking"] else match, "the bots did not answer")

    def any_action(self, player):
        """A legal action of a player; of the hints in a game that cannot list its actions."""
        listed = self.match(player=player)["legal"][player]
        return listed[0] if listed else self.post("/hint", player=player, seconds=0.02)["action"]


def analyse(socket, **frame):
    """The last frame of an analysis."""
    socket.send_json({"type": "analyse", "id": 1, **frame})
    return last_frame(socket)


def last_frame(socket):
    while (frame := socket.receive_json())["type"] == "match" or (frame["type"] == "analysis" and not frame["done"]):
        pass
    return frame


def greet(socket, match, token=None):
    socket.send_json({"type": "hello", "token": token or match.made["owner"]})
    assert socket.receive_json()["type"] == "match"
