"""Times of answers of `playout serve` for persons, while greedy clients take all they can get.

    python -m bench.server_load [--greedy 50] [--persons 5] [--seconds 60]

A person plays `level(3)` and thinks for a moment. A greedy client has matches of bots alone and against a bot of 30
seconds a decision, and asks for hints, analyses, exact values and new matches as fast as they are answered. Each client
has an address of its own on loopback, on Linux.
"""

import argparse
import asyncio
import itertools
import json
import random
import statistics
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psutil
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from bots.web.process import ServerProcess

API = "/api/v1"
GAMES = (("mnk", "x", "o"), ("points_ttt", "x", "o"), ("bidding_ttt", "x", "o"), ("tic_block", "xplayer", "obplayer"))
LONG = 30.0
"""Seconds a decision that greedy clients ask for."""
SOLVED = ("mnk", "points_ttt", "bidding_ttt", "mnk(m=4,n=3,k=3)", "bidding_ttt(coins=6)", "bidding_ttt(coins=20)")
THINKS = (0.5, 2.0)
"""Shortest and longest time between an answer to a person and the next action."""


class Client:
    """A client of a server.

    Args:
        url: the server.
        address: its own address.
        statuses: counts the statuses of its answers.
    """

    def __init__(self, url, address, statuses):
        self._url = url
        self._address = address
        self._statuses = statuses
        transport = httpx.AsyncHTTPTransport(local_address=address, limits=httpx.Limits(max_connections=20))
        self._http = httpx.AsyncClient(base_url=url, transport=transport, timeout=120)

    async def call(self, method, path, match=None, body=None):
        """Return the data of an answer, or None if the request was refused."""
        headers = {} if match is None else {"Authorization": f"Bearer {match['owner']}"}
        answer = await self._http.request(method, API + path, json=body, headers=headers)
        self._statuses[answer.status_code] += 1
        return answer.json() if answer.is_success else None

    async def begin(self, game, seats, **more):
        """Return a new match, or None."""
        return await self.call("POST", "/matches", body={"game": game, "seats": seats, "assist": True, **more})

    def socket(self, match):
        """Return the live socket of a match, as a context manager."""
        url = f"ws://{urlsplit(self._url).netloc}{API}/matches/{match['id']}/live"
        return connect(url, local_addr=(self._address, 0), max_size=None, ping_interval=None)

    async def person(self, number, times):
        """Play `level(3)`, and note the seconds from each action to the answer of the bot."""
        rng = random.Random(number)
        for game, me, bot in itertools.islice(itertools.cycle(GAMES), number, None):
            begun = time.perf_counter()
            match = await self.begin(game, {bot: "level(3)"})
            times["begin"].append(time.perf_counter() - begun)
            async with self.socket(match) as socket:
                await socket.send(json.dumps({"type": "hello", "token": match["owner"]}))
                acted = None
                async for text in socket:
                    seen = json.loads(text)["match"]
                    if acted is not None and not seen["thinking"] and seen["ply"] > acted[1]:
                        times["answer"].append(time.perf_counter() - acted[0])
                        acted = None
                    if seen["is_over"]:
                        break
                    if acted is None and me in seen["waits_for"]:
                        await asyncio.sleep(rng.uniform(*THINKS))
                        acted = time.perf_counter(), seen["ply"]
                        action = rng.choice(seen["legal"][me])
                        path = f"/matches/{match['id']}/actions"
                        await self.call("POST", path, match, {"player": me, "action": action})

    async def bots_alone(self, times):
        """Listen to matches of two bots."""
        while True:
            match = await self.begin("mnk(m=7,n=7,k=5)", {"x": "mcts", "o": "mcts"}, seconds=LONG)
            await self._listen(match, [])

    async def analyses(self, times):
        """Ask for one analysis after the other."""
        match = await self.begin("three_player_ttt", {"zplayer": "random"})
        while True:
            await self._listen(match, [{"type": "analyse", "id": 1}])

    async def _listen(self, match, frames):
        """Read the frames of a match until an analysis or the match is over."""
        if match is None:
            await asyncio.sleep(1)
            return
        async with self.socket(match) as socket:
            for frame in ({"type": "hello", "token": match["owner"]}, *frames):
                await socket.send(json.dumps(frame))
            async for text in socket:
                frame = json.loads(text)
                if frame.get("done") or frame.get("match", {}).get("is_over"):
                    return

    async def hints(self, times):
        """Ask for one hint after the other."""
        match = await self.begin("three_player_ttt", {"zplayer": "random"})
        while match is not None:
            if await self.call("POST", f"/matches/{match['id']}/hint", match, {"seconds": LONG}) is None:
                await asyncio.sleep(0.2)

    async def plays(self, times):
        """Play the strongest bot without a moment of thought."""
        while True:
            match = await self.begin("mnk(m=7,n=7,k=5)", {"o": "mcts"}, seconds=LONG)
            while match is not None:
                seen = await self.call("GET", f"/matches/{match['id']}", match)
                if seen is None or seen["is_over"]:
                    break
                if "x" in seen["waits_for"]:
                    body = {"player": "x", "action": seen["legal"]["x"][0]}
                    await self.call("POST", f"/matches/{match['id']}/actions", match, body)
                await asyncio.sleep(0.2)

    async def makes(self, times):
        """Make matches with solved games, and ask for exact values."""
        for game in itertools.cycle(SOLVED):
            match = await self.begin(game, {"o": "exact"})
            if match is None:
                await asyncio.sleep(1)
                continue
            await self.call("GET", f"/matches/{match['id']}/exact", match)


GREED = (Client.bots_alone, Client.hints, Client.analyses, Client.plays, Client.makes)


async def lasting(task):
    """Run a client again when its connection was closed."""
    while True:
        with suppress(OSError, httpx.HTTPError, WebSocketException):
            await task()
        await asyncio.sleep(0.5)


async def measured(url, given):
    """Return name -> seconds of the answers to persons, and the statuses of all answers to greedy clients."""
    times = {"begin": [], "answer": []}
    statuses, persons = Counter(), Counter()
    tasks = []
    for number in range(given.greedy):
        client = Client(url, f"127.0.1.{number + 1}", statuses)
        tasks += [asyncio.create_task(lasting(lambda of=of, client=client: of(client, times))) for of in GREED]
    await asyncio.sleep(5)
    for number in range(given.persons):
        client = Client(url, f"127.0.2.{number + 1}", persons)
        tasks.append(asyncio.create_task(lasting(lambda n=number, client=client: client.person(n, times))))
    await asyncio.sleep(given.seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return times, statuses, persons


def percentile(times, share):
    """Return the time that a share of the times does not exceed."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def main():
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--greedy", type=int, default=50, help="greedy clients (default: %(default)s)")
    parser.add_argument("--persons", type=int, default=5, help="persons (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="time of the measurement (default: %(default)s)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ServerProcess("--matches", str(Path(folder, "matches.db"))) as server:
        process = psutil.Process(server.pid)
        times, statuses, persons = asyncio.run(measured(server.address, given))
        memory = process.memory_info().rss >> 20
    print(f"{given.greedy} greedy clients, statuses of answers {dict(statuses)}; persons {dict(persons)}")
    print("| Answer to a person | Number | Median, s | 95 %, s | Slowest, s |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, text in (("begin", "a new match"), ("answer", "an action of `level(3)`")):
        found = times[name]
        slow = percentile(found, 0.95)
        print(f"| {text} | {len(found)} | {statistics.median(found):.2f} | {slow:.2f} | {max(found):.2f} |")
    print(f"memory of the server afterwards: {memory} MB")


if __name__ == "__main__":
    main()
