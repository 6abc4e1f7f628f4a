"""A server that is killed at any moment while clients play: what it has acknowledged is there when it starts again."""

import random
import threading
from functools import partial

import httpx
import pytest
from waiting import HANG_SECONDS, let_pass, wait_until
from web_client import API, Forked, forks, server

import bots
import mcts
from bots.game import Record

MATCHES = (
    ("mnk", {"o": "random"}),
    ("bidding_ttt", {}),
    ("three_player_ttt", {"oplayer": "random", "zplayer": "mcts(simulations=20)"}),
    ("bidding_3d_ttt", {"blue": "random"}),
)
MOST_ANSWERS = 30
"""Most answers of a server until it is killed."""
LAST_SECONDS = 0.02
"""Longest time from the last of them to the kill."""


class Client:
    """A client that plays one match after the other, and remembers what the server has acknowledged."""

    def __init__(self, number):
        self.rng = random.Random(number)
        self.kind = MATCHES[number % len(MATCHES)]
        self.made = self.seen = self.asked = None
        """The match, its last answer, and the request without an answer."""
        self.finished = []
        self.checked = self.answers = 0
        self.error = None

    def play(self, address, ends):
        """Play until the server is gone."""
        with httpx.Client(base_url=address, timeout=HANG_SECONDS) as http:
            try:
                if self.made is not None:
                    self.check(self.call(http, "GET"))
                while not ends.is_set():
                    self.step(http)
            except httpx.TransportError:
                return
            except Exception as error:
                self.error = error

    def call(self, http, method, path="", **body):
        headers = {"Authorization": f"Bearer {self.made['owner']}"}
        answer = http.request(method, f"{API}/matches/{self.made['id']}{path}", headers=headers, json=body or None)
        self.answers += 1
        assert answer.status_code in (200, 409), answer.text
        return answer.json() if answer.status_code == 200 else None

    def step(self, http):
        if self.made is None:
            game, seats = self.kind
            made = http.post(f"{API}/matches", json={"game": game, "seats": seats, "assist": True})
            assert made.status_code == 201, made.text
            self.made, self.seen = made.json(), made.json()["match"]
        elif self.seen["is_over"]:
            self.finished.append((self.made, self.seen))
            self.made = None
        elif self.seen["waits_for"] and self.seen["can_undo"] and self.rng.random() < 0.1:
            self.ask(http, "/undo", player=self.seen["waits_for"][0])
        elif self.seen["waits_for"]:
            player = self.seen["waits_for"][0]
            self.ask(http, "/actions", player=player, action=self.action(http, player))
        else:
            self.seen = self.call(http, "GET")

    def action(self, http, player):
        found = self.call(http, "GET", f"?player={player}")
        if listed := found["legal"].get(player):
            return self.rng.choice(listed)
        game = mcts.load_game(found["game"])
        view = game.view_from_dict(game.players.index(player), found["facts"])
        return view.action_to_string(bots.load_bot("greedy").choose(view))

    def ask(self, http, path, **body):
        self.asked = path
        found = self.call(http, "POST", path, **body)
        self.asked = None
        if found is not None:
            self.seen = found

    def check(self, now):
        """Compare the match with what the server has acknowledged before it was killed."""
        before, history = self.seen, now["history"]
        assert now["version"] >= before["version"]
        assert all(ply[name] == text for ply, known in zip(history, before["history"], strict=False)
                   for name, text in known.items() if text != "?")  # fmt: skip
        if self.asked != "/undo":  # which may have been done or not
            assert now["ply"] >= before["ply"]
            assert set(before["chosen"]) <= set(now["chosen"]) or now["ply"] > before["ply"]
        if before["is_over"]:
            assert (now["returns"], now["ending"]) == (before["returns"], before["ending"])
        self.seen, self.asked = now, None
        self.checked += 1


def has_enough(clients, threads, enough):
    """True if the clients have had enough answers, or have failed."""
    return sum(client.answers for client in clients) >= enough or not any(thread.is_alive() for thread in threads)


@forks
@pytest.mark.parametrize("kills", [3, pytest.param(300, marks=pytest.mark.long)])
def test_whatever_was_acknowledged_is_there_after_a_kill(tmp_path, kills):
    file, rng = tmp_path / "matches.db", random.Random(kills)
    clients = [Client(number) for number in range(len(MATCHES))]
    for _ in range(kills):
        ends = threading.Event()
        enough = sum(client.answers for client in clients) + rng.randrange(MOST_ANSWERS)
        with Forked(file) as process:
            threads = [threading.Thread(target=client.play, args=(process.address, ends)) for client in clients]
            for thread in threads:
                thread.start()
            wait_until(partial(has_enough, clients, threads, enough))
            let_pass(rng.uniform(0, LAST_SECONDS))
        ends.set()
        for thread in threads:
            thread.join()
        assert [client.error for client in clients] == [None] * len(clients)
    finished = [one for client in clients for one in client.finished]
    with server(matches=str(file)) as client:
        for made, seen in finished:
            headers = {"Authorization": f"Bearer {made['owner']}"}
            record = client.get(f"{API}/matches/{made['id']}/record", headers=headers).json()
            replayed = bots.Match.load(Record.from_dict(record), {})
            assert (list(replayed.returns), replayed.history()) == (seen["returns"], seen["history"])
    checked = sum(client.checked for client in clients)
    print(f"{kills} kills, {checked} matches compared afterwards, {len(finished)} finished ones replayed")
    assert checked > kills / 2
