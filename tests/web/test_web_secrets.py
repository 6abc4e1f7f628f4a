"""Whatever one seat hides is in no answer and no frame to others until it is revealed.

A session is played twice, with the same public course and other secrets. Everything that the others can ask for must be
the same in both: a bit that differs would tell them something. Requests are taken from the OpenAPI document, so that a
new one is watched too.
"""

import functools
import json
import random
from contextlib import ExitStack, closing, contextmanager

import pytest
from registries import forget_registered
from web_client import API, Played, server

import bots
import mcts
from bots.base import Bot

SIMULTANEOUS = ("bidding_3d_ttt", "bidding_ttt", "tic_block")
LIMIT = {"simulations": 50}


@pytest.fixture(scope="module")
def client():
    with server() as client:
        yield client


@functools.cache
def reads(client):
    """Paths of all requests that read a part of a match."""
    paths = client.get(f"{API}/openapi.json").json()["paths"]
    prefix = f"{API}/matches/{{match_id}}"
    return sorted(
        path[len(prefix) :] for path, methods in paths.items() if path.startswith(prefix) and "get" in methods
    )


def plain(answer, made):
    """An answer without what differs between any two matches: tokens, ids and times."""
    text = answer.text
    for token in (made["owner"], made["spectator"], *made["seats"].values()):
        assert token not in text
    try:
        data = json.loads(text)
    except ValueError:
        return answer.status_code, text
    return answer.status_code, without(data, {"id", "date", "seconds", "owner", "spectator", "limit"})


def without(data, keys):
    if isinstance(data, dict):
        return {key: without(value, keys) for key, value in data.items() if key not in keys}
    return [without(item, keys) for item in data] if isinstance(data, list) else data


class Watcher:
    """Somebody who asks for everything, and has an open socket."""

    def __init__(self, match, name, opponent):
        self.match, self.name, self.opponent = match, name, opponent
        self.socket = match.live()
        self.socket.__enter__()
        self.socket.send_json({"type": "hello", "token": match.headers["Authorization"].split()[1]})
        self.frames = [self.frame()]

    def frame(self):
        return without(self.socket.receive_json(), {"id", "seconds", "limit", "per_second"})

    def look(self):
        """Everything that can be asked for now, and a frame after all changes so far."""
        seen = []
        client, match = self.match.client, self.match
        ply = match.match()["ply"]
        for path in reads(client):
            for number in sorted({0, ply, ply + 1}) if "{ply}" in path or path == "/picture.svg" else (None,):
                for player in (None, self.name, self.opponent):
                    query = {"player": player} if player else {}
                    if number is not None and "{ply}" not in path:
                        query["ply"] = number
                    answer = client.get(
                        match.path + path.replace("{ply}", str(number)), headers=match.headers, params=query
                    )
                    seen.append((path, number, player, plain(answer, match.made)))
        for path, body in (
            ("/actions", {"player": self.opponent, "action": "bid(1)"}),
            ("/actions", {"player": self.name or self.opponent, "action": "nonsense"}),
            ("/actions", {"player": self.name or self.opponent, "action": "bid(1)", "version": 10**6}),
            ("/check", {"player": self.opponent, "action": "bid(1)"}),
            ("/check", {"player": self.name or self.opponent, "action": "bid(1)"}),
            ("/hint", {"player": self.opponent, **LIMIT}),
            ("/hint", LIMIT),
            ("/coach", {"player": self.opponent, "ply": 0, **LIMIT}),
            ("/coach", {"ply": ply - 1, **LIMIT} if ply else LIMIT),
            ("/undo", {"player": self.name}),
            ("/redo", {}),
            ("/branch", {"ply": 0}),
            ("/resign", {"player": self.opponent}),
        ):
            answer = client.post(match.path + path, headers=match.headers, json=body)
            seen.append((path, body, plain(answer, match.made)))
        for player in (self.name, self.opponent):
            self.socket.send_json({"type": "analyse", "id": 1, "player": player, **LIMIT})
            while (frame := self.frame())["type"] == "match" or frame.get("done") is False:
                self.frames.append(frame)
            seen.append(("live", player, frame))
        return seen

    def close(self):
        self.socket.__exit__(None, None, None)


@contextmanager
def watchers(owner, hider, other):
    """The seat of another player, and a spectator."""
    with ExitStack() as opened:
        seats = [(owner.seat(other), other), (owner.spectator(), None)]
        yield [opened.enter_context(closing(Watcher(match, name, hider))) for match, name in seats]


@pytest.mark.sample(1)
@pytest.mark.parametrize("assist", [False, True])
@pytest.mark.parametrize("game", SIMULTANEOUS)
def test_a_sealed_choice_is_seen_by_nobody(client, game, assist):
    """At every simultaneous decision a player chooses, and chooses again: nobody else sees a difference."""
    loaded = mcts.load_game(game)
    rng = random.Random(5)
    owner = Played.begin(client, game, assist=assist)
    hider, other = loaded.players
    seats = {name: owner.seat(name) for name in loaded.players}
    with watchers(owner, hider, other) as eyes:
        state = loaded.new_initial_state()
        compared = 0
        while not state.is_terminal() and compared < 2:
            actions = {}
            for seat in state.acting_players():
                drawn = {
                    state.action_to_string(seat, state.sample_action(seat, rng.getrandbits(32))) for _ in range(30)
                }
                actions[loaded.players[seat]] = sorted(drawn)
            if len(actions) == 2 and len(actions[hider]) > 1:
                before = []
                for action in (actions[hider][0], actions[hider][-1]):
                    frames = [len(eye.frames) for eye in eyes]
                    seats[hider].act(hider, action)
                    before.append([eye.look() for eye in eyes])
                assert before[0] == before[1]
                assert [len(eye.frames) for eye in eyes] == frames  # a second choice sends nothing
                compared += 1
            chosen = {name: options[-1] for name, options in actions.items()}
            for name, action in chosen.items():
                seats[name].act(name, action)
            joint = {loaded.players.index(name): action for name, action in chosen.items()}
            state.apply_actions(state.joint_action(joint))
        assert compared == 2


HIDDEN = (["bid(A1:5)", "bid(A2:4)", "bid(A3:6)"], ["bid(A1:9)", "bid(A2:2)", "bid(A3:1)"])
"""Two ways to win the same tiles with other bids."""


def course(client, hidden, seats, steps):
    """Everything that others see of a game of three rounds with hidden bids."""
    owner = Played.begin(client, "bidding_3d_ttt", seats, assist=True)
    with watchers(owner, "red", "blue") as eyes:
        seen = []
        for number in range(steps):
            if "red" in owner.made["seats"]:
                owner.seat("red").act("red", hidden[number])
                seen += [eye.look() for eye in eyes]
            owner.seat("blue").act("blue", f"bid(B{number + 1}:{number + 2})")
            if not owner.settled()["is_over"] and (number == 1 or "red" not in owner.made["seats"]):
                seen += [eye.look() for eye in eyes]
        frames = [frame for eye in eyes for frame in eye.frames]
    return owner, seen, frames


def test_hidden_bids_are_seen_by_nobody_until_the_end(client):
    results = [course(client, hidden, {}, 3) for hidden in HIDDEN]
    assert results[0][1] == results[1][1]
    for (owner, _, frames), hidden in zip(results, HIDDEN, strict=True):
        text = json.dumps([frame for frame in frames if not frame.get("match", {}).get("is_over")])
        assert not any(bid in text for bid in hidden)
        assert owner.seat("blue").match()["history"][0]["red"] == hidden[0]


def test_refused_tries_are_noticed_by_nobody_else(client):
    results = []
    for cells in (["1,1", "2,2"], ["1,1", "3,3", "2,2"], ["2,2"]):
        owner = Played.begin(client, "dark_mnk", {}, assist=True)
        with watchers(owner, "o", "x") as eyes:
            for player, cell in (("x", "1,1"), ("o", "2,1"), ("x", "3,3"), *(("o", cell) for cell in cells)):
                owner.seat(player).act(player, f"mark({cell})")
            looks = [eye.look() for eye in eyes]
        results.append(json.loads(json.dumps(looks)))
    assert results[0] == results[1] == results[2]
    assert owner.seat("x").match()["history"] == [{"x": "mark(1,1)"}, {"o": "?"}, {"x": "mark(3,3)"}, {"o": "?"}]


def test_the_time_of_a_decision_is_seen_by_nobody_else(client):
    owner = Played.begin(client, "bidding_3d_ttt")
    for player, action in (("red", HIDDEN[0][0]), ("blue", "bid(B1:2)")):
        owner.seat(player).act(player, action)
    for player in ("red", "blue"):
        record = owner.seat(player).get("/record")
        known = {seat["player"] for seat in record["seats"] if seat.get("seconds") is not None}
        assert known == {player}


class Whisperer(Bot):
    """A bot whose bids and expectations are not those of its twin, and win the same tiles."""

    NAME = "whisperer"
    SUMMARY = "for tests"
    hidden = HIDDEN[0]

    def choose(self, view, limit=None):
        text = self.hidden[view.to_dict()["round"] - 1]
        self.expected = 10.0 + int(text[-2])
        return view.string_to_action(text)

    def expected_return(self, player):
        return self.expected


def test_the_bids_and_values_of_a_bot_are_seen_by_nobody_until_the_end(client, monkeypatch):
    forget_registered(monkeypatch, "bots")
    bots.register_bot(Whisperer)
    results = []
    for hidden in HIDDEN:
        Whisperer.hidden = hidden
        results.append(course(client, hidden, {"red": "whisperer"}, 3))
    assert results[0][1] == results[1][1]
    owner = results[0][0]
    assert owner.get("/record")["plies"][0]["values"] == {"red": 10.0 + int(HIDDEN[0][0][-2])}
