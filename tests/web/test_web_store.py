"""Matches in a file: they go on after the server was killed, and the file has no token."""

import os
import sqlite3
import time

import pytest
from support import environment
from web_client import API, DICE, Played, Process, server

import bots
import mcts
from bots.web.caps import Caps
from bots.web.process import ServerProcess
from bots.web.store import MatchStore

STEPS = 4
"""Decisions of persons before the server is killed."""


def visible(match):
    """What must be the same after a restart. Times of decisions and who thinks may differ."""
    return {key: value for key, value in match.items() if key != "thinking"}


def test_nothing_is_lost_when_the_server_is_killed(tmp_path):
    file = tmp_path / "matches.db"
    games = [*mcts.registered_games(), DICE]
    with Process(file, "--game", DICE) as process:
        client, matches = process.client, []
        for game in games:
            players = mcts.load_game(game).players
            match = Played.begin(client, game, {players[-1]: "random"})
            for _ in range(STEPS):
                seen = match.settled()
                if seen["is_over"]:
                    break
                match.act(seen["waits_for"][0], match.any_action(seen["waits_for"][0]))
            matches.append(match)
        sealed = Played.begin(client, "bidding_ttt")
        sealed.act("x", "bid(2)")
        undone = Played.begin(client, "mnk", {"o": "random"})
        undone.act("x", "mark(2,2)")
        undone.settled()
        undone.post("/undo")
        withdrawn = Played.begin(client, "bidding_ttt", assist=True)
        withdrawn.act("x", "bid(3)")
        withdrawn.post("/undo")
        before = [visible(match.settled()) for match in (*matches, sealed, undone, withdrawn)]
        thinking = Played.begin(client, "three_player_ttt", {"oplayer": "mcts"}, seconds=20)
        thinking.act("xplayer", "mark(3,3)")
        assert thinking.match()["thinking"] == ["oplayer"]
    with Process(file, "--game", DICE) as process:
        for match in (*matches, sealed, undone, withdrawn, thinking):
            match.client = process.client
        assert [visible(match.settled()) for match in (*matches, sealed, undone, withdrawn)] == before
        assert thinking.match()["thinking"] == ["oplayer"]
        assert sealed.seat("o").match()["chosen"] == ["x"]
        assert sealed.act("o", "bid(1)")["history"] == [{"x": "bid(2)", "o": "bid(1)"}]
        assert undone.post("/redo")["ply"] == 2
        assert withdrawn.post("/redo")["chosen"] == ["x"]
        for match in matches:
            while not (seen := match.settled())["is_over"]:
                match.act(seen["waits_for"][0], match.any_action(seen["waits_for"][0]))
            assert match.get("/record")["ending"] == "finished"


def test_a_server_that_cannot_start_is_an_error_in_words(tmp_path, capfd):
    with pytest.raises(mcts.PlayoutError, match="has not started"):
        ServerProcess("--matches", str(tmp_path), environment=environment())
    assert "unable to open database file" in capfd.readouterr().err


def test_the_file_has_no_token_and_only_its_owner_can_read_it(tmp_path):
    file = tmp_path / "folder" / "matches.db"
    with server(matches=str(file)) as client:
        made = Played.begin(client, "bidding_ttt").made
    content = b"".join(path.read_bytes() for path in file.parent.iterdir())
    for token in (made["owner"], made["spectator"], *made["seats"].values()):
        assert token.encode() not in content
    assert made["id"].encode() in content
    assert os.stat(file).st_mode & 0o077 == 0


def test_matches_leave_the_memory_and_come_back():
    with server(caps=Caps(matches_in_memory=3)) as client:
        matches = [Played.begin(client, "mnk", {"o": "random"}) for _ in range(9)]
        for match in matches:
            match.act("x", "mark(2,2)")
        assert [match.settled()["ply"] for match in matches] == [2] * 9
        assert len(client.app.state.service.matches.in_memory) <= 4


def test_old_matches_make_room_and_new_ones_do_not():
    with server(caps=Caps(matches=2)) as client:
        for _ in range(2):
            Played.begin(client, "mnk")
        answer = client.post(f"{API}/matches", json={"game": "mnk"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many_matches")
        assert int(answer.headers["retry-after"]) > 0
    with server(caps=Caps(matches=2, idle_seconds=0.05)) as client:
        for _ in range(5):
            Played.begin(client, "mnk")
            time.sleep(0.06)


def test_a_file_of_another_kind_is_refused(tmp_path):
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE games (id INTEGER)")
    text = tmp_path / "text"
    text.write_text("not a database" * 100)
    for file, why in ((other, "not a file of matches"), (text, "not a database"), (tmp_path, "cannot use")):
        with pytest.raises(bots.StoreError, match=why):
            MatchStore(str(file))


def test_two_servers_do_not_share_a_file(tmp_path):
    first = MatchStore(str(tmp_path / "matches.db"))
    with pytest.raises(bots.StoreError, match="another server uses it"):
        MatchStore(str(tmp_path / "matches.db"))
    first.close()
    MatchStore(str(tmp_path / "matches.db")).close()


def test_a_server_that_cannot_start_says_why_in_one_line(playout, tmp_path):
    text = tmp_path / "text"
    text.write_text("not a database" * 100)
    for options, why in (
        (["--matches", str(text)], "cannot use"),
        (["--game", "nowhere.Game"], "nowhere"),
        (["--db", str(tmp_path / "missing.db")], "missing.db"),
        (["--host", "256.1.1.1"], "cannot listen on 256.1.1.1"),
    ):
        done = playout("serve", "--port", "0", "--matches", str(tmp_path / "matches.db"), *options)
        assert (done.status, len(done.err.splitlines())) == (2, 1), done.err
        assert why in done.err
