"""Calls of `playout serve`: one client with one connection, over loopback."""

import http.client
import json
import re
import subprocess
import sys

import pytest

from bots.benchmark.workloads import Workload

pytest.importorskip("fastapi", reason="the server needs the extra web")

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

    def call(self, method, path, body=None, status=200):
        """Return the body of the answer to one call."""
        self._connection.request(method, API + path, None if body is None else json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != status:
            raise RuntimeError(f"{method} {path} was answered by {answer.status}: {text[:300]!r}")
        return text

    def play(self, count):
        """Play and take back the first plies until that many calls are made."""
        for number in range(count):
            ply = number % 4
            if ply < 2:
                self.call("POST", f"{self.path}/actions", {"player": "xo"[ply], "action": OPENING[ply]})
            else:
                self.call("POST", f"{self.path}/undo", {})


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Return a client of a server in a process of its own."""
    file = tmp_path_factory.mktemp("server") / "matches.db"
    command = [sys.executable, "-P", "-m", "bots.cli", "serve", "--port", "0", "--matches", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Client(re.search(r"http://([\w.]+:\d+)", process.stdout.readline())[1])
        finally:
            process.terminate()


def several(function):
    """Return a function for `Workload.prepare` whose rounds call another one for each call."""

    def prepare(count):
        return lambda: [function() for _ in range(count)]

    return prepare


CASES = ["GET /games", "GET /matches/ID", "POST /matches/ID/check", "POST /matches/ID/actions"]


@pytest.mark.passes(3)
@pytest.mark.parametrize("case", CASES)
def bench_server(measure, client, case):
    """Measure one kind of call. Actions and undo alternate, so that each round begins at the first ply."""
    prepare = {
        "GET /games": several(lambda: client.call("GET", "/games")),
        "GET /matches/ID": several(lambda: client.call("GET", client.path)),
        "POST /matches/ID/check": several(
            lambda: client.call("POST", f"{client.path}/check", {"player": "x", "action": "mark(9,9)"})
        ),
        "POST /matches/ID/actions": lambda count: lambda: client.play(count),
    }[case]
    measure(Workload(f"server/{case}", "calls", CALLS, prepare, short_units=4))
