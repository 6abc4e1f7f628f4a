"""Matches in a file: they go on after the server was killed, and the file has no token."""

import json
import os
import shutil
import sqlite3
import sys
import threading
from contextlib import closing, suppress

import httpx
import pytest
from sampling import sweep
from support import environment
from waiting import HANG_SECONDS, Clock, until
from web_client import API, Forked, Played, forks, server, wait_for_search

import bots
import mcts
from bots.web.caps import Caps
from bots.web.matches.store import MatchStore
from bots.web.process import ServerProcess
from mcts.registry import native_games

LONG = 10 * HANG_SECONDS
"""Seconds of a decision that does not end while a test runs."""
STEPS = 4
"""Decisions of persons before the server is killed."""


def visible(match):
    """What must be the same after a restart. Times of decisions and who thinks may differ."""
    return {key: value for key, value in match.items() if key != "thinking"}


@forks
@sweep("games", [native_games()[number::4] for number in range(4)], 1)
def test_nothing_is_lost_when_the_server_is_killed(tmp_path, games):
    file = tmp_path / "matches.db"
    caps = Caps(seconds=LONG)
    with Forked(file, caps=caps) as process:
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
        thinking = Played.begin(client, "three_player_ttt", {"oplayer": "mcts"}, seconds=LONG)
        thinking.act("xplayer", "mark(3,3)")
        assert thinking.match()["thinking"] == ["oplayer"]
    with Forked(file, caps=caps) as process:
        for match in (*matches, sealed, undone, withdrawn, thinking):
            match.client = process.client
        assert [visible(match.settled()) for match in (*matches, sealed, undone, withdrawn)] == before
        assert thinking.match()["thinking"] == ["oplayer"]
        assert process.client.delete(thinking.path, headers=thinking.headers).status_code == 204  # it has no end
        assert sealed.seat("o").match()["chosen"] == ["x"]
        assert sealed.act("o", "bid(1)")["history"] == [{"x": "bid(2)", "o": "bid(1)"}]
        assert undone.post("/redo")["ply"] == 2
        assert withdrawn.post("/redo")["chosen"] == ["x"]
        for match in matches:
            while not (seen := match.settled())["is_over"]:
                match.act(seen["waits_for"][0], match.any_action(seen["waits_for"][0]))
            assert match.get("/record")["ending"] == "finished"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (shutil.which("false"), ""),
        pytest.param(sys.executable, "unable to open database file", marks=pytest.mark.long),
    ],
    ids=["no server", "no file"],
)
def test_a_server_that_cannot_start_is_an_error_in_words(tmp_path, capfd, monkeypatch, program, said):
    monkeypatch.setattr(sys, "executable", program)
    with pytest.raises(mcts.PlayoutError, match="has not started"):
        ServerProcess("--matches", str(tmp_path), environment=environment())
    assert said in capfd.readouterr().err


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


def test_old_matches_make_room_and_new_ones_do_not(monkeypatch):
    with server(caps=Caps(matches=2)) as client:
        for _ in range(2):
            Played.begin(client, "mnk")
        answer = client.post(f"{API}/matches", json={"game": "mnk"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many_matches")
        assert int(answer.headers["retry-after"]) > 0
    clock = Clock()
    for module in ("saved", "matches", "store"):
        monkeypatch.setattr(f"bots.web.matches.{module}.time", clock.module)
    with server(caps=Caps(matches=2, idle_seconds=60.0)) as client:
        for _ in range(5):
            Played.begin(client, "mnk")
            clock.now += 61


@forks
def test_a_server_that_ends_answers_those_who_wait(tmp_path, capfd):
    with Forked(tmp_path / "matches.db") as process:
        match = Played.begin(process.client, "three_player_ttt", {"zplayer": "random"}, assist=True)
        statuses = []

        def hint():
            url = f"{process.address.rstrip('/')}{match.path}/hint"
            with suppress(httpx.TransportError):  # the server may end before it takes the connection
                answer = httpx.post(url, headers=match.headers, json={"seconds": 20}, timeout=HANG_SECONDS)
                statuses.append(answer.status_code)

        threads = [threading.Thread(target=hint) for _ in range(8)]
        for thread in threads:
            thread.start()
        wait_for_search(process)
        process.end()
        for thread in threads:
            thread.join()
    assert statuses
    assert set(statuses) <= {200, 503}, statuses
    assert "Traceback" not in capfd.readouterr().err


@forks
def test_a_decision_that_the_end_of_the_server_cuts_short_is_not_played(tmp_path):
    file = tmp_path / "matches.db"
    with Forked(file) as process:
        seats = {"oplayer": "mcts", "zplayer": "random"}
        match = Played.begin(process.client, "three_player_ttt", seats, seconds=30)
        match.act("xplayer", "mark(3,3)")
        wait_for_search(process)
        process.end()
    with closing(sqlite3.connect(file)) as connection:
        (course,) = [json.loads(row[0]) for row in connection.execute("SELECT course FROM matches")]
    assert len(course["record"]["plies"]) == 1


def test_nobody_sees_a_change_before_it_is_stored(monkeypatch):
    saves, saving, goes_on = MatchStore.save, threading.Event(), threading.Event()

    async def slow(store, match):
        saving.set()
        await until(goes_on.is_set)
        await saves(store, match)

    with server() as client:
        match = Played.begin(client, "mnk")
        monkeypatch.setattr(MatchStore, "save", slow)
        act = threading.Thread(target=match.act, args=("x", "mark(2,2)"))
        act.start()
        assert saving.wait(HANG_SECONDS)
        assert [match.match()[key] for key in ("ply", "version")] == [0, 0]
        goes_on.set()
        act.join()
        assert [match.match()[key] for key in ("ply", "version")] == [1, 1]


def test_a_client_has_a_number_of_matches_and_unplayed_ones_go_first():
    caps = Caps(matches_per_client=2, unplayed_seconds=0.0)
    with server(caps=caps) as client:
        played = Played.begin(client, "mnk", {"o": "random"})
        played.act("x", "mark(2,2)")
        watched = Played.begin(client, "mnk")
        with watched.live() as socket:
            socket.send_json({"type": "hello", "token": watched.made["owner"]})
            socket.receive_json()
            answer = client.post(f"{API}/matches", json={"game": "mnk"})
            assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many_matches")
            assert "this client has 2 matches" in answer.json()["error"]["message"]
        for _ in range(3):
            last = Played.begin(client, "mnk", {"x": "random"})  # the first ply of a bot is none of a person
            last.settled()
        assert played.match()["ply"] == 2
        watched.get(status=404)


def test_the_owner_deletes_a_match(tmp_path):
    file = tmp_path / "matches.db"
    with server(matches=str(file)) as client:
        match, other = Played.begin(client, "bidding_ttt"), Played.begin(client, "mnk")
        for one in (match.seat("x"), match.spectator(), match.with_token(other.made["owner"])):
            assert client.delete(match.path, headers=one.headers).status_code == 403
        with match.live() as socket:
            socket.send_json({"type": "hello", "token": match.made["spectator"]})
            socket.receive_json()
            answer = client.delete(match.path, headers=match.headers)
            assert (answer.status_code, answer.content) == (204, b"")
            assert socket.receive_json()["error"]["code"] == "unknown_match"
        match.get(status=404)
        assert client.delete(match.path, headers=match.headers).status_code == 404
        assert client.get(f"{API}/info").json()["matches"] == 1
    with server(matches=str(file)) as client:
        match.client = client
        match.get(status=404)


def test_matches_of_a_file_of_version_2_go_on(tmp_path):
    file = tmp_path / "matches.db"
    with server(matches=str(file)) as client:
        match = Played.begin(client, "mnk")
        match.act("x", "mark(2,2)")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE rules")
        connection.execute("PRAGMA user_version = 2")
    with server(matches=str(file)) as client:
        match.client = client
        assert match.match()["ply"] == 1
        assert match.act("o", "mark(1,1)")["ply"] == 2


WRONG = (None, -1, 1.5, 10**30, "", "x", "\ud800", True, [], {}, [[]], {"x": 1}, [1, 2, 3], "9" * 400)


REQUESTS = (("GET", ""), ("GET", "/record"), ("POST", "/redo"), ("POST", "/undo"), ("GET", "/plies/0"))


def variants(data, path=()):
    """Copies of plain data, each with one part removed or replaced by something wrong."""
    items = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    for key, value in items:
        for wrong in WRONG:
            copy = data.copy()
            copy[key] = wrong
            yield (*path, key, wrong), copy
        copy = data.copy()
        del copy[key]
        yield (*path, key), copy
        for where, inner in variants(value, (*path, key)):
            copy = data.copy()
            copy[key] = inner
            yield where, copy


@pytest.mark.parametrize("step", [60, pytest.param(1, marks=pytest.mark.long)])
def test_damaged_rows_have_a_clear_answer(tmp_path, caplog, step):
    """Each part of a row is removed, or replaced by something of another kind: never an error of the server itself."""
    file = tmp_path / "matches.db"
    with server(matches=str(file)) as client:
        match = Played.begin(client, "bidding_ttt", assist=True)
        for choices in ({"x": "bid(1)", "o": "bid(2)"}, {"o": "mark(2,2)"}):
            for player, action in choices.items():
                match.act(player, action)
        match.post("/undo")
        match.post("/undo")
        match.act("x", "bid(1)")
        match.post("/undo")
    with closing(sqlite3.connect(file)) as connection, connection:
        row = connection.execute("SELECT id, changed, terms, course, client, is_played FROM matches").fetchone()
        terms, course = json.loads(row[2]), json.loads(row[3])
        rows = [(where, json.dumps(one), row[3]) for where, one in variants(terms)]
        rows += [(where, row[2], json.dumps(one)) for where, one in variants(course)]
        texts = ("", "{", "[]", "3", "null", b"\xff\xfe", '{"a": NaN}', "[" * 9999)
        rows += [("text", text, row[3]) for text in texts]
        rows = rows[::step]
        connection.executemany(
            "INSERT INTO matches VALUES (?, 0, ?, ?, '', 1)",
            [(f"row{number}", one, two) for number, (_, one, two) in enumerate(rows)],
        )
    answers = {}
    with server(matches=str(file)) as client:
        for number, (where, *_) in enumerate(rows):
            for method, path in REQUESTS:
                answer = client.request(method, f"{API}/matches/row{number}{path}", headers=match.headers)
                assert answer.status_code in (200, 401, 403, 404, 409, 422), (where, path, answer.text)
                assert str(tmp_path) not in answer.text
                answers[answer.status_code] = answers.get(answer.status_code, 0) + 1
    assert "Traceback" not in caplog.text
    print(len(rows), "damaged rows, statuses", answers)
    assert answers[409] > len(rows) / 2, answers


def test_a_file_of_another_kind_is_refused(tmp_path):
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE games (id INTEGER)")
    text = tmp_path / "text"
    text.write_text("not a database" * 100)
    damaged = tmp_path / "damaged.db"
    with server(matches=str(damaged)):
        pass
    with sqlite3.connect(damaged) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'matches', CAST(? AS TEXT))", (b"`\xef\n[",))
    connection.close()
    for file, why in (
        (other, "not a file of matches"),
        (text, "not a database"),
        (tmp_path, "cannot use"),
        (damaged, "cannot use .*can't decode byte 0xef"),
    ):
        with pytest.raises(bots.StoreError, match=why):
            MatchStore(str(file))


def test_two_servers_do_not_share_a_file(tmp_path):
    first = MatchStore(str(tmp_path / "matches.db"))
    with pytest.raises(bots.StoreError, match="another server uses it; valid: --matches FILE"):
        MatchStore(str(tmp_path / "matches.db"))
    first.close()
    MatchStore(str(tmp_path / "matches.db")).close()


@forks
def test_a_server_starts_again_on_its_port_at_once(tmp_path):
    with Forked(tmp_path / "matches.db") as first:
        first.client.get(f"{API}/games")
        first.end()  # closes a connection of a client, which keeps the port for a minute
        with Forked(tmp_path / "matches.db", port=httpx.URL(first.address).port) as second:
            assert second.address == first.address
            assert second.client.get(f"{API}/games").status_code == 200


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
