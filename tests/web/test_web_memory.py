"""The memory of a server: bounded in total, and little for matches that nobody uses."""

import psutil
import pytest
from waiting import Clock, wait_until
from web_client import Played, Process, server

from bots.web.analysis import exact_values
from bots.web.analysis.kept_trees import KeptTrees
from bots.web.caps import Caps

GAME = "mnk(m=7,n=7,k=5)"
SIMULATIONS = 20_000


def grown(client, seats=None, **more):
    """A match in which a bot has searched and a person is to decide."""
    match = Played.begin(client, GAME, seats or {"o": "mcts"}, simulations=SIMULATIONS, **more)
    match.act("x", "mark(4,4)")
    assert match.settled()["ply"] == 2
    return match


def test_trees_have_a_bound_in_total():
    caps = Caps(trees_mb=24)
    with server(caps=caps) as client:
        trees = client.app.state.service.trees
        matches, kept = [], []
        for _ in range(8):
            matches.append(grown(client))
            kept.append(trees.bytes)
        assert 8 * kept[0] > caps.trees_mb << 19 >= max(kept) > kept[0] > 0
        opened = client.app.state.service.matches.in_memory
        wait_until(lambda: sum(one.match.tree_bytes for one in opened) == trees.bytes)
        assert matches[0].act("x", "mark(1,1)")["ply"] == 3  # its bot begins anew
        assert matches[0].settled()["ply"] == 4


def test_idle_matches_give_up_their_trees_and_leave_the_memory(monkeypatch):
    clock = Clock()
    for module in ("analysis.kept_trees", "matches.matches", "matches.open_match"):
        monkeypatch.setattr(f"bots.web.{module}.time", clock.module)
    with server(caps=Caps(rest_seconds=0.3)) as client:
        service = client.app.state.service
        watched, left = grown(client), grown(client)
        with watched.live() as socket:
            socket.send_json({"type": "hello", "token": watched.made["owner"]})
            socket.receive_json()
            assert service.trees.bytes > 0
            clock.now += 1
            wait_until(lambda: service.trees.bytes == 0 and len(service.matches.in_memory) == 1)
            (opened,) = service.matches.in_memory
            wait_until(lambda: opened.match.tree_bytes == 0)
            assert opened.terms.match_id == watched.id
            watched.act("x", "mark(1,1)")
            assert watched.settled()["ply"] == 4
        assert left.act("x", "mark(1,1)")["ply"] == 3
        assert left.settled()["ply"] == 4


def test_the_tree_of_an_analysis_counts_until_it_is_stopped():
    with server() as client:
        trees = client.app.state.service.trees
        match = Played.begin(client, GAME, {"o": "random"})
        with match.live() as socket:
            socket.send_json({"type": "hello", "token": match.made["owner"]})
            socket.receive_json()
            socket.send_json({"type": "analyse", "id": 1, "simulations": SIMULATIONS})
            while not socket.receive_json().get("done"):
                pass
            wait_until(lambda: trees.bytes > 0)
            socket.send_json({"type": "stop"})
            wait_until(lambda: trees.bytes == 0)


def test_bots_of_one_match_share_the_memory_of_a_search():
    with server() as client:
        Played.begin(client, GAME, {"x": "mcts", "o": "mcts"}, simulations=10)
        (opened,) = client.app.state.service.matches.in_memory
        assert opened.match.limit.memory_mb == Caps().search_mb // 2


def test_solutions_have_a_bound(monkeypatch):
    monkeypatch.setattr(exact_values, "MOST_SOLUTIONS", 2)
    with server() as client:
        for game in ("mnk", "mnk(m=2,n=3,k=2)", "mnk(m=3,n=2,k=2)", "mnk(m=2,n=2,k=2)", "mnk"):
            match = Played.begin(client, game, {"o": "random"})
            assert match.get("/exact")["known"]
            assert client.app.state.service.exact.in_memory <= 2


@pytest.mark.parametrize("workers", [2, 8, 64])
def test_searches_that_run_at_once_keep_to_their_half(workers):
    caps = Caps(workers=workers, analyses=workers // 2, trees_mb=512 * workers)
    assert (caps.workers + 1 + caps.analyses) * caps.search_mb <= caps.trees_mb // 2
    assert caps.search_mb >= 128


@pytest.mark.long
def test_500_idle_matches_are_within_600_mb(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        server_process = psutil.Process(process.pid)
        matches, most = [], 0
        for number in range(500):
            match = Played.begin(process.client, GAME, {"o": "mcts"}, simulations=SIMULATIONS)
            match.act("x", "mark(4,4)")
            matches.append(match)
            if number % 20 == 19:
                assert match.settled()["ply"] == 2
                most = max(most, server_process.memory_info().rss >> 20)
        wait_until(lambda: server_process.memory_info().rss >> 20 < 600, "the memory is not given back")
        print(f"{most} MB at most while they are played")
        assert matches[0].match()["ply"] == 2


class Owner:
    released = False

    def release_trees(self):
        self.released = True


def test_trees_are_released_after_their_time_without_use(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("bots.web.analysis.kept_trees.time.monotonic", lambda: now[0])
    trees, old, new = KeptTrees(1000, 60.0), Owner(), Owner()
    trees.keep(old, 10)
    now[0] += 61.0
    trees.keep(new, 20)
    trees.release_idle()
    assert (old.released, new.released, trees.bytes) == (True, False, 20)
