"""Matches by the interface: begun, played, taken back, resigned, recorded."""

import threading

import pytest
from sampling import sweep
from web_client import API, Played, server

import bots
import mcts
from bots.web.matches.served_match import ServedMatch
from mcts.registry import native_games

GAMES = native_games()


@pytest.fixture(scope="module")
def client():
    with server() as client:
        yield client


@sweep("game", GAMES, 3)
def test_a_person_plays_every_game_to_its_end(client, game):
    players = mcts.load_game(game).players
    match = Played.begin(client, game, dict.fromkeys(players[1:], "random"), seed="7")
    while not (seen := match.settled())["is_over"]:
        assert seen["waits_for"] == [players[0]]
        assert seen["error"] is None
        match.act(players[0], match.any_action(players[0]), version=seen["version"])
    record = bots.Match.load(bots.Record.from_dict(match.get("/record")), {}, game=game)
    assert seen["returns"] == list(record.returns)
    assert seen["history"] == record.history()
    assert (seen["ply"], seen["ending"]) == (len(record.history()), "finished")


@sweep("game", GAMES, 3)
def test_persons_play_each_other_by_their_tokens(client, game):
    owner = Played.begin(client, game)
    spectator = owner.spectator()
    seats = {name: owner.seat(name) for name in owner.made["seats"]}
    bids = bots.load_bot("greedy")
    for _ in range(400):
        seen = spectator.settled()
        if seen["is_over"]:
            break
        mover = seen["waits_for"][0]
        listed = seats[mover].match()["legal"][mover]
        if listed is None:
            found = seats[mover].match()
            game_now = mcts.load_game(found["game"])
            view = game_now.view_from_dict(game_now.players.index(mover), found["facts"])
            listed = [view.action_to_string(bids.choose(view))]
        for name, seat in seats.items():
            if name != mover:
                seat.act(mover, listed[-1], 403)
        for player in (mover, None):
            spectator.act(player, listed[-1], 403)
        seats[mover].act(None, listed[-1])
    assert seen["is_over"]
    assert owner.match()["returns"] == seen["returns"]


def test_undo_redo_and_resign(client):
    match = Played.begin(client, "mnk", {"o": "random"})
    match.act("x", "mark(2,2)")
    after = match.settled()
    assert after["ply"] == 2
    assert after["can_undo"]
    back = match.post("/undo")
    assert (back["ply"], back["can_redo"]) == (0, True)
    assert match.post("/redo")["history"] == after["history"]
    match.post("/redo", 422)
    given_up = match.post("/resign")
    assert (given_up["ending"], given_up["resigned"], given_up["returns"]) == ("resigned", ["x"], [0.0, 100.0])
    match.act("x", "mark(1,1)", 422)


def test_undo_takes_a_choice_back_while_the_bot_thinks(client):
    match = Played.begin(client, "bidding_ttt(coins=20)", {"o": "mcts"}, seconds=20)
    waiting = match.act("x", "bid(2)")
    assert (waiting["thinking"], waiting["chosen"], waiting["ply"]) == (["o"], ["x"], 0)
    back = match.post("/undo")
    assert (back["thinking"], back["chosen"], back["waits_for"]) == ([], [], ["x"])
    assert (back["can_undo"], back["can_redo"]) == (False, True)
    again = match.post("/redo")
    assert (again["thinking"], again["chosen"]) == (["o"], ["x"])


def test_somebody_looks_while_a_decision_is_taken_back(client, monkeypatch):
    undo, goes_on = ServedMatch.undo, threading.Event()
    match = Played.begin(client, "three_player_ttt", {"oplayer": "mcts", "zplayer": "random"}, seconds=20)
    match.act("xplayer", "mark(3,3)")
    assert match.match()["thinking"] == ["oplayer"]
    monkeypatch.setattr(ServedMatch, "undo", lambda served: (goes_on.wait(20), undo(served)))
    back = []
    taking = threading.Thread(target=lambda: back.append(match.post("/undo")))
    taking.start()
    while match.match()["thinking"]:
        pass
    goes_on.set()
    taking.join()
    assert (back[0]["ply"], back[0]["waits_for"]) == (0, ["xplayer"])


def test_choices_are_sealed_until_all_have_chosen(client):
    owner = Played.begin(client, "bidding_ttt")
    x, o = owner.seat("x"), owner.seat("o")
    first = x.act("x", "bid(2)")
    assert (first["chosen"], first["waits_for"], first["ply"]) == (["x"], ["o"], 0)
    assert o.match()["version"] == first["version"]
    assert o.act("o", "bid(1)", version=first["version"])["history"] == [{"x": "bid(2)", "o": "bid(1)"}]


def test_a_stale_version_and_an_illegal_action_change_nothing(client):
    match = Played.begin(client, "mnk")
    match.act("x", "mark(1,1)", version=0)
    assert match.act("o", "mark(1,2)", 409, version=0)["error"]["code"] == "stale"
    error = match.act("o", "mark(1,1)", 422)["error"]
    assert error["code"] == "illegal_action"
    assert match.act("o", "nonsense", 422)["error"]["code"] == "illegal_action"
    assert match.match()["ply"] == 1
    assert match.post("/check", player="o", action="mark(1,1)")["legal"] is False
    assert match.post("/check", player="o", action="mark(1,2)") == {"legal": True, "why": None}


def test_tokens_are_needed(client):
    match = Played.begin(client, "mnk")
    other = Played.begin(client, "mnk")
    assert client.get(match.path).status_code == 401
    assert match.with_token("wrong").get(status=403)["error"]["code"] == "wrong_token"
    assert match.with_token(other.made["owner"]).get(status=403)["error"]["code"] == "wrong_token"
    assert client.get(f"{API}/matches/0").status_code == 404


def test_a_record_is_continued(client):
    match = Played.begin(client, "points_ttt", {"o": "random"})
    match.act("x", "mark(2,2)")
    match.settled()
    again = Played.begin(client, "points_ttt", record=match.get("/record"))
    assert again.match()["history"] == match.match()["history"]


def test_a_live_socket_sends_changes_and_analyses(client):
    match = Played.begin(client, "mnk", {"o": "random"})
    with match.live() as socket:
        socket.send_json({"type": "hello", "token": match.made["owner"]})
        assert socket.receive_json()["match"]["ply"] == 0
        socket.send_json({"type": "analyse", "id": 3, "seconds": 5})
        frame = socket.receive_json()
        while not frame["done"]:
            frame = socket.receive_json()
        assert (frame["type"], frame["id"], frame["proven"]) == ("analysis", 3, True)
        assert {player["value"] for player in frame["players"]} == {50.0}
        match.act("x", "mark(2,2)")
        while (frame := socket.receive_json())["match"]["ply"] < 2:
            pass
        assert frame["match"]["waits_for"] == ["x"]
