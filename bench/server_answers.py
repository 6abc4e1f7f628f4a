"""Times of answers of `playout serve` without a search, for persons who play many matches at once.

    python -m bench.server_answers [--matches 200] [--seconds 20] [--bot mcts]

A person makes a request every two to four seconds, against a bot of 200 simulations.
"""

import argparse
import asyncio
import gzip
import itertools
import json
import random
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from bots.web.process import ServerProcess

API = "/api/v1"
GAMES = (("mnk", "o"), ("points_ttt", "o"), ("bidding_ttt", "o"), ("tic_block", "obplayer"))
"""Games, and the seat of the bot in each."""
THINKS = (2.0, 4.0)
"""Shortest and longest time between two requests of a person."""


class Connection:
    """A connection that stays open, with one request at a time. A browser would ask for the same."""

    def __init__(self, host, port, times):
        self._host, self._port = host, port
        self._times = times
        self._reader = self._writer = None

    async def request(self, method, path, token, body=None):
        """Return the status and the data of an answer."""
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


async def person(connection, match, rounds, thinks, rng):
    """Play a match for some rounds of requests, from its first move again when it is over."""
    path = f"{API}/matches/{match['id']}"

    async def ask(method, of="", body=None):
        status, answer = await connection.request(method, path + of, match["owner"], body)
        assert status == 200, (status, answer)
        return answer

    await asyncio.sleep(rng.uniform(0, thinks[1]))
    for _ in rounds:
        seen = await ask("GET")
        if seen["is_over"]:
            await ask("GET", "/record")
            while (await ask("POST", "/undo", {}))["can_undo"]:
                pass
        elif seen["waits_for"]:
            player = seen["waits_for"][0]
            body = {"player": player, "action": rng.choice(seen["legal"][player])}
            after = await ask("POST", "/actions", body)
            assert after["ply"] > seen["ply"] or player in after["chosen"], (seen, after)
        await asyncio.sleep(rng.uniform(*thinks))


async def play(address, matches, rounds, thinks=THINKS):
    """Play matches at once, each with a connection of its own, as persons have browsers of their own.

    Args:
        address: URL of the server.
        matches: matches that the server has made.
        rounds: returns an iterable for each person, with an item for each round of requests.
        thinks: shortest and longest time between two requests of a person.

    Returns:
        Method, last part of the path, and seconds of each answer.
    """
    url = urlsplit(address)
    times = []
    await asyncio.gather(
        *(
            person(Connection(url.hostname, url.port, times), match, rounds(), thinks, random.Random(number))
            for number, match in enumerate(matches)
        )
    )
    return times


def play_for(seconds, address, matches):
    """Play matches at once for some seconds."""
    end = time.monotonic() + seconds
    return asyncio.run(
        play(address, matches, lambda: itertools.takewhile(lambda _: time.monotonic() < end, itertools.count()))
    )


def begin(http, count, bot):
    """Return new matches of a person against a bot with a small budget."""
    made = []
    for game, seat in itertools.islice(itertools.cycle(GAMES), count):
        body = {"game": game, "seats": {seat: bot}, "simulations": 200}
        made.append(http.post(f"{API}/matches", json=body).raise_for_status().json())
    return made


def main():
    """Measure and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200, help="matches at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=20, help="time of the measurement (default: %(default)s)")
    parser.add_argument("--bot", default="mcts", help="bot of all matches (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ServerProcess("--matches", str(Path(folder, "matches.db"))) as server:
        with httpx.Client(base_url=server.address, timeout=120) as http:
            made = begin(http, given.matches, given.bot)
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # whose clients do not share an interpreter
            times = pool.submit(play_for, given.seconds, server.address, made).result()
    taken = sorted(seconds for *_, seconds in times)
    middle, slow = (1000 * taken[int(share * len(taken))] for share in (0.5, 0.99))
    print(f"{given.matches} matches, {len(taken)} answers: half of them in {middle:.1f} ms, 99 % in {slow:.1f} ms")


if __name__ == "__main__":
    main()
