"""Turns: nobody waits for the long searches of others, and nothing is computed for nobody."""

import asyncio
import time

import pytest
from web_client import API, Played, server

from bots.web.analysis.scheduler import Asker, Scheduler, Share
from bots.web.caps import Caps
from bots.web.matches import open_match
from bots.web.problems import Problem

LONG = 30.0
"""Seconds of a decision of those who take all they can get."""
SOON = 10.0
"""Bar for the others, on a busy machine."""


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def turns_of(threads, asked, **options):
    """Names of computations in the order in which they begin, while the first of `asked` runs."""
    begun = []

    async def one(scheduler, name, asker, seconds, **more):
        await scheduler.run(asker, lambda: (begun.append(name), burn(seconds)), **more)

    async def run():
        scheduler = Scheduler("test", threads, 64, **options)
        await asyncio.gather(*(one(scheduler, *arguments, **more) for *arguments, more in asked))
        scheduler.close()

    asyncio.run(run())
    return begun


def test_clients_and_their_matches_take_turns():
    greedy, other = (Asker("greedy", str(number)) for number in (1, 2)), Asker("person", "3")
    one, two = greedy
    found = turns_of(1, [
        ("greedy 1", one, 0.02, {}), ("greedy 1 again", one, 0.02, {}), ("greedy 2", two, 0.02, {}),
        ("person", other, 0.001, {}), ("person again", other, 0.001, {}),
    ])  # fmt: skip
    assert found == ["greedy 1", "person", "person again", "greedy 2", "greedy 1 again"]


def test_short_computations_go_first_and_have_a_thread_of_their_own():
    long, short = {"expected": 5.0}, {"expected": 0.01}
    found = turns_of(1, [
        ("long", Asker("a"), 0.1, long), ("second long", Asker("b"), 0.01, long), ("short", Asker("c"), 0.0, short),
    ], spare=1)  # fmt: skip
    assert found == ["long", "short", "second long"]


def test_a_search_is_stopped_when_it_has_had_its_share_and_others_wait():
    async def run():
        scheduler = Scheduler("test", 1, 64, Share(0.05, 0.1))
        stopped = asyncio.Event()

        async def search():
            async with scheduler.place(Asker("greedy"), stopped.set) as place:
                await stopped.wait()
                return place

        alone = asyncio.create_task(search())
        await asyncio.sleep(0.3)
        assert not stopped.is_set()  # nobody waits
        await scheduler.run(Asker("person"), lambda: None)
        assert (await alone).was_stopped
        scheduler.close()

    asyncio.run(run())


def test_a_full_queue_refuses_only_those_who_have_something_in_it():
    async def run():
        scheduler = Scheduler("test", 1, 2)
        ends = asyncio.Event()

        async def hold(client):
            async with scheduler.place(Asker(client)):
                await ends.wait()

        tasks = [asyncio.create_task(hold("greedy")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="wait for a place"):
            await hold("greedy")
        tasks.append(asyncio.create_task(hold("person")))
        await asyncio.sleep(0)
        ends.set()
        await asyncio.gather(*tasks)
        scheduler.close()

    asyncio.run(run())


def test_a_waiting_computation_can_be_cancelled():
    async def run():
        scheduler = Scheduler("test", 1, 64)
        ends = asyncio.Event()

        async def hold():
            async with scheduler.place():
                await ends.wait()

        first, second, third = (asyncio.create_task(hold()) for _ in range(3))
        await asyncio.sleep(0)
        second.cancel()
        ends.set()
        await asyncio.gather(first, third)
        assert second.cancelled()
        assert scheduler.running == 0
        scheduler.close()

    asyncio.run(run())


def test_nobody_waits_for_the_long_decisions_of_others():
    with server(caps=Caps(workers=1)) as client:
        bots = [Played.begin(client, "mnk(m=7,n=7,k=5)", {"x": "mcts", "o": "mcts"}, seconds=LONG) for _ in range(3)]
        assert bots[0].match()["thinking"]
        begun = time.monotonic()
        match = Played.begin(client, "mnk", {"o": "level(3)"})
        match.act("x", "mark(2,2)")
        assert match.settled()["ply"] == 2
        match.post("/undo")
        assert match.post("/hint", simulations=10)["action"]
        assert match.get("/exact")["known"]
        match.post("/resign")
        match.get("/evaluation")
        assert time.monotonic() - begun < SOON


def test_matches_of_bots_alone_play_only_while_somebody_watches(monkeypatch):
    monkeypatch.setattr(open_match, "WATCH_SECONDS", -1.0)
    with server() as client:
        match = Played.begin(client, "mnk", {"x": "random", "o": "random"})
        for _ in range(3):
            seen = match.match()
            assert (seen["ply"], seen["thinking"], seen["is_over"]) == (0, [], False)
        with match.live() as socket:
            socket.send_json({"type": "hello", "token": match.made["spectator"]})
            while not socket.receive_json()["match"]["is_over"]:
                pass
        assert match.match()["is_over"]
        person = Played.begin(client, "mnk", {"x": "random"})
        assert person.settled()["ply"] == 1


def test_a_request_lets_bots_that_paused_play_on(monkeypatch):
    monkeypatch.setattr(open_match, "WATCH_SECONDS", 0.2)
    with server() as client:
        match = Played.begin(
            client, "three_player_ttt", dict.fromkeys(("xplayer", "oplayer", "zplayer"), "mcts"), seconds=0.15
        )
        opened = client.app.state.service.matches.in_memory[0]
        while opened.is_thinking:
            time.sleep(0.01)
        before = opened.snapshot.ply
        assert not opened.snapshot.is_over
        match.match()
        while opened.snapshot.ply == before:
            time.sleep(0.01)


def test_checks_of_bots_wait_for_their_turn():
    """The check of the bot `exact` takes long in some games, so it has no thread of its own for each request."""
    with server() as client:
        answer = client.get(f"{API}/bots", params={"game": "mnk(m=4,n=3,k=3)"})
        assert {bot["name"] for bot in answer.json()} >= {"exact", "level"}
        checked = client.post(f"{API}/bots/check", json={"game": "mnk", "bot": "level:3"}).json()
        assert checked["spec"] == "level(3)"
