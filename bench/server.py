"""Calls of `playout serve`: one client with one connection, over loopback."""

import atexit
import http.client
import json
import tempfile
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlsplit

from bots.benchmark.workloads import Workload
from bots.web.process import ServerProcess

API = "/api/v1"
CALLS = 500
OPENING = ("mark(2,2)", "mark(1,1)")


class Client:
    """A client of a server, with the rights of the owner of one match of two persons.

    Args:
        address: host and port.
    """

    def __init__(self, address):
        self._connection = http.client.HTTPConnection(address, timeout=30)
        self._headers = {"Content-Type": "application/json"}
        made = json.loads(self.call("POST", "/matches", {"game": "mnk", "assist": True}, 201))
        self.path = f"/matches/{made['id']}"
        self._headers["Authorization"] = f"Bearer {made['owner']}"

    def connect(self):
        """Begin a new connection: the server closes those that are silent for some seconds."""
        self._connection.close()
        self._connection.connect()

    def call(self, method, path, body=None, status=200):
        """Return the body of the answer to one call."""
        self._connection.request(method, API + path, None if body is None else json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != status:
            raise RuntimeError(f"{method} {path} was answered by {answer.status}: {text[:300]!r}")
        return text

    def play(self, number):
        """Play the first two plies, or take them back, in a cycle of four calls."""
        ply = number % 4
        if ply < 2:
            self.call("POST", f"{self.path}/actions", {"player": "xo"[ply], "action": OPENING[ply]})
        else:
            self.call("POST", f"{self.path}/undo", {})


CASES = {
    "GET /games": lambda client, number: client.call("GET", "/games"),
    "GET /matches/ID": lambda client, number: client.call("GET", client.path),
    "POST /matches/ID/check": lambda client, number: client.call(
        "POST", f"{client.path}/check", {"player": "x", "action": "mark(9,9)"}
    ),
    "POST /matches/ID/actions": lambda client, number: client.play(number),
}
"""Name -> function of a client and the number of the call."""


@cache
def client():
    """Start a server in a process of its own, which ends with this one, and return a client of it."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    server = stack.enter_context(ServerProcess("--matches", str(Path(folder) / "m.db")))
    return Client(urlsplit(server.address).netloc)


def prepare(call, count):
    """Return the function of a round of a number of calls."""
    connected = client()
    connected.connect()
    return lambda: [call(connected, number) for number in range(count)]


SERVER_WORKLOADS = tuple(
    Workload(f"server/{name}", "calls", CALLS, partial(prepare, call), short_units=4, passes=3)
    for name, call in CASES.items()
)
"""One workload for each kind of call. Two actions and two `undo` alternate, so each round begins at the first ply."""
