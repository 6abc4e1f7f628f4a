"""Clients of a server, in a process of their own: persons who play many matches at once and note the times of answers.

Reads a job as JSON from standard input, plays for some seconds, and writes the times to standard output.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import subprocess
import sys
import time
from urllib.parse import urlsplit

THINKS = (2.0, 4.0)
"""Shortest and longest time between two requests of a person."""


class Connection:
    """A connection that stays open, with one request at a time. A browser would ask for the same."""

    def __init__(self, host, port, times):
        self._host, self._port = host, port
        self._times = times
        self._reader = self._writer = None

    async def request(self, method, path, token, body=None):
        """The status and the data of an answer."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nAccept-Encoding: gzip\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        begun = time.perf_counter()
        self._writer.write(head.encode() + content)
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        answer = await self._reader.readexactly(int(headers["content-length"]))
        self._times.append((method, path.rpartition("/")[2][:8], time.perf_counter() - begun))
        if headers.get("connection") == "close":
            self._writer.close()
            self._writer = None
        if headers.get("content-encoding") == "gzip":
            answer = gzip.decompress(answer)
        return int(lines[0].split()[1]), json.loads(answer)


async def person(connection, match, end, rng):
    """Play a match until the end of the time, from its first move again when it is over."""
    path = f"/api/v1/matches/{match['id']}"

    async def ask(method, of="", body=None):
        status, answer = await connection.request(method, path + of, match["token"], body)
        assert status == 200, (status, answer)
        return answer

    await asyncio.sleep(rng.uniform(0, THINKS[1]))
    while time.monotonic() < end:
        seen = await ask("GET")
        if seen["is_over"]:
            await ask("GET", "/record")
            while (await ask("POST", "/undo", {}))["can_undo"]:
                pass
        elif seen["waits_for"]:
            player = seen["waits_for"][0]
            await ask("POST", "/actions", {"player": player, "action": rng.choice(seen["legal"][player])})
        await asyncio.sleep(rng.uniform(*THINKS))


async def play(job):
    """The times of all answers."""
    url = urlsplit(job["address"])
    times = []
    end = time.monotonic() + job["seconds"]
    # A connection for each match, as persons have browsers of their own.
    await asyncio.gather(
        *(
            person(Connection(url.hostname, url.port, times), match, end, random.Random(number))
            for number, match in enumerate(job["matches"])
        )
    )
    return times


class Load:
    """Persons who play in a process of their own.

    Args:
        address: that of the server.
        matches: their matches, as the server has made them.
        seconds: time for which they play.
    """

    def __init__(self, address, matches, seconds):
        made = [{"id": match["id"], "token": match["owner"]} for match in matches]
        job = json.dumps({"address": address, "matches": made, "seconds": seconds})
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._process.stdin.write(job)
        self._process.stdin.close()

    def times(self):
        """Method, last part of the path, and seconds of each answer, when the time is over."""
        output = self._process.stdout.read()
        self._process.stdout.close()
        assert self._process.wait() == 0
        return [tuple(one) for one in json.loads(output)]


if __name__ == "__main__":
    json.dump(asyncio.run(play(json.load(sys.stdin))), sys.stdout)
