"""Turns: nobody waits for the long searches of others, and nothing is computed for nobody."""

import asyncio

import pytest
from waiting import HANG_SECONDS, Clock, TickingClock, wait_until
from web_client import API, Played, server

from bots.web.analysis.scheduler import Asker, Scheduler, Share
from bots.web.caps import Caps
from bots.web.matches import open_match
from bots.web.problems import Problem

LONG = 10.0 * HANG_SECONDS
"""Seconds of a decision of those who take all they can get: who waits for one hangs."""


@pytest.fixture
def clock(monkeypatch):
    """The clock of the scheduler, which computations move by the time that they take."""
    clock = Clock()
    monkeypatch.setattr("bots.web.analysis.scheduler.time", clock.module)
    return clock


def turns_of(clock, threads, asked, **options):
    """Names of computations in the order in which they begin, while the first of `asked` runs.

    A computation is a name, who asks, the seconds that it takes, options, and a name that has to begin before it ends.
    """
    begun = []

    def compute(name, seconds, until):
        begun.append(name)
        wait_until(lambda: until in (None, *begun))
        clock.now += seconds

    async def one(scheduler, name, asker, seconds, until=None, **more):
        await scheduler.run(asker, lambda: compute(name, seconds, until), **more)

    async def run():
        scheduler = Scheduler("test", threads, 64, **options)
        await asyncio.gather(*(one(scheduler, *arguments, **more) for *arguments, more in asked))
        scheduler.close()

    asyncio.run(run())
    return begun


def test_clients_and_their_matches_take_turns(clock):
    greedy, other = (Asker("greedy", str(number)) for number in (1, 2)), Asker("person", "3")
    one, two = greedy
    found = turns_of(clock, 1, [
        ("greedy 1", one, 0.02, {}), ("greedy 1 again", one, 0.02, {}), ("greedy 2", two, 0.02, {}),
        ("person", other, 0.001, {}), ("person again", other, 0.001, {}),
    ])  # fmt: skip
    assert found == ["greedy 1", "person", "person again", "greedy 2", "greedy 1 again"]


def test_short_computations_go_first_and_have_a_thread_of_their_own(clock):
    long, short = {"expected": 5.0}, {"expected": 0.01}
    found = turns_of(clock, 1, [
        ("long", Asker("a"), 0.1, {**long, "until": "short"}), ("second long", Asker("b"), 0.01, long),
        ("short", Asker("c"), 0.0, short),
    ], spare=1)  # fmt: skip
    assert found == ["long", "short", "second long"]


def test_a_search_is_stopped_when_it_has_had_its_share_and_others_wait(clock, monkeypatch):
    monkeypatch.setattr("bots.web.analysis.scheduler.CUT_SECONDS", 0.0)

    async def run():
        scheduler = Scheduler("test", 1, 64, Share(0.05, 0.1))
        stopped = asyncio.Event()

        async def search():
            async with scheduler.place(Asker("greedy"), stopped.set) as place:
                await stopped.wait()
                return place

        alone = asyncio.create_task(search())
        await asyncio.sleep(0)
        clock.now += 1
        for _ in range(10):
            await asyncio.sleep(0)
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
    with server(caps=Caps(workers=1, seconds=LONG)) as client:
        bots = [Played.begin(client, "mnk(m=7,n=7,k=5)", {"x": "mcts", "o": "mcts"}, seconds=LONG) for _ in range(3)]
        assert bots[0].match()["thinking"]
        match = Played.begin(client, "mnk", {"o": "level(3)"})
        match.act("x", "mark(2,2)")
        assert match.settled()["ply"] == 2
        match.post("/undo")
        assert match.post("/hint", simulations=10)["action"]
        assert match.get("/exact")["known"]
        match.post("/resign")
        match.get("/evaluation")


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
    clock = TickingClock()
    monkeypatch.setattr(open_match, "time", clock.module)
    with server() as client:
        match = Played.begin(client, "mnk(m=7,n=7,k=7)", {"x": "random", "o": "random"})
        opened = client.app.state.service.matches.in_memory[0]
        wait_until(lambda: not opened.is_thinking)
        before = opened.snapshot.ply
        assert before > 0
        assert not opened.snapshot.is_over
        match.match()
        wait_until(lambda: opened.snapshot.ply > before)


def test_checks_of_bots_wait_for_their_turn():
    """The check of the bot `exact` takes long in some games, so it has no thread of its own for each request."""
    with server() as client:
        answer = client.get(f"{API}/bots", params={"game": "mnk(m=4,n=3,k=3)"})
        assert {bot["name"] for bot in answer.json()} >= {"exact", "level"}
        checked = client.post(f"{API}/bots/check", json={"game": "mnk", "bot": "level:3"}).json()
        assert checked["spec"] == "level(3)"
