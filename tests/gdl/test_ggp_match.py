"""Matches of general game playing over HTTP: against itself, and against a player with every kind of misbehaviour."""

import threading

import pytest
from ggp_network import drip, scripted, serving
from rulesheets import COMMON_NOOP, path_of, written
from sampling import sweep
from typer.testing import CliRunner
from waiting import HANG_SECONDS

from bots.arena.store.store import Store
from bots.commands.application import app
from bots.game import Record, read_records
from bots.ggp import host as host_module
from bots.system.deadlines import Deadline

STICKS = """
(role a) (role b) (other a b) (other b a) (init (heap 4)) (init (control a))
(minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?h)) (minus ?h ?n ?left))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?left)) (does ?p (take ?n)) (true (heap ?h)) (minus ?h ?n ?left))
(<= (next (control ?o)) (true (control ?p)) (other ?p ?o))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (control ?o)) (other ?o ?p)) (<= (goal ?p 0) (true (control ?p)))
"""
"""Who takes the last stick wins."""


def host(*ports, rules, play=HANG_SECONDS, more=()):
    """Host matches on the command line, and return the result."""
    urls = [f"http://127.0.0.1:{port}" for port in ports]
    words = ["ggp-match", *urls, "--rules", rules, "--start", HANG_SECONDS, "--play", play, "--seed", 1, *more]
    return CliRunner().invoke(app, list(map(str, words)))


@sweep("name", ["tic_tac_toe", "bidding_ttt"], 1)
def test_a_match_against_itself(tmp_path, name):
    record, database = tmp_path / "game.json", tmp_path / "arena.db"
    with serving("mcts(simulations=20)") as one, serving("random") as two:
        more = ("-o", record, "--db", database, "--games", 2)
        result = host(one, two, rules=path_of(name), more=more)
    assert result.exit_code == 0, result.output
    assert "random move" not in result.output
    first, second = read_records(record)
    assert [seat.name for seat in first.seats] == [seat.name for seat in second.seats][::-1]
    assert all(not ply.replaced for game in (first, second) for ply in game.plies)
    for words in (["replay", record, first.game_id, "--trust"], ["replay", database, "1"], ["ratings", database]):
        if words[1] == record:
            record.write_text(first.to_json())
            words = ["replay", record, "--trust"]
        shown = CliRunner().invoke(app, list(map(str, words)))
        assert shown.exit_code == 0, shown.output
        assert "127.0.0.1" in shown.output
    with Store(str(database), read_only=True) as store:
        assert [game.record.returns for game in store.games(1)] == [first.returns, second.returns]


def test_roles_that_only_wait_are_asked_too(tmp_path):
    with serving() as one, serving() as two:
        result = host(one, two, rules=written(tmp_path, COMMON_NOOP))
    assert result.exit_code == 0, result.output
    assert "a noop() b noop()" in result.output


def late(message, connection):
    threading.Event().wait(HANG_SECONDS)


def huge(message, connection):
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
    for _ in range(1000):
        connection.sendall(b"(take 1) " * 1000)


def sends(data):
    return lambda message, connection: connection.sendall(data)


BAD = {
    "late": (late, "late"),
    "slow drip": (drip, "late"),
    "illegal": (lambda *_: "(take 3)", "illegal move"),
    "no move of this game": (lambda *_: "(give 1)", "illegal move"),
    "noop": (lambda *_: "noop", "illegal move"),
    "empty": (lambda *_: "", "unreadable answer"),
    "garbage": (lambda *_: "\x1b[31m((((", "unreadable answer"),
    "nested": (lambda *_: "(" * 3000 + ")" * 3000, "unreadable answer"),
    "lists": (lambda *_: "(((take) 1))", "unreadable answer"),
    "huge": (huge, "crash"),
    "long head": (sends(b"HTTP/1.0 200 OK\r\nA: " + b"a" * 100_000), "crash"),
    "closes": (sends(b""), "crash"),
    "length too long": (sends(b"HTTP/1.0 200 OK\r\nContent-Length: 90\r\n\r\n(take 1)"), "crash"),
    "length too short": (sends(b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\n(take 1)"), "unreadable answer"),
    "length is no number": (sends(b"HTTP/1.0 200 OK\r\nContent-Length: many\r\n\r\n(take 1)"), "crash"),
    "an error": (sends(b"HTTP/1.0 500 Oh\r\nContent-Length: 8\r\n\r\n(take 1)"), "crash"),
    "no HTTP": (sends(b"(take 1)\r\n\r\n"), "crash"),
    "bytes": (sends(b"HTTP/1.0 200 OK\r\n\r\n\xff\xff"), "crash"),
}


@pytest.fixture
def _only_the_first_answer_may_be_late(monkeypatch):
    """Give all players time to answer, but for the first move of the first one."""
    post, asked = host_module.post, []

    async def patient(address, text, deadline, most):
        if text.startswith("( PLAY"):
            asked.append(address)
        is_first = len(asked) == 1 and text.startswith("( PLAY")
        return await post(address, text, deadline if is_first else Deadline(HANG_SECONDS), most)

    monkeypatch.setattr(host_module, "post", patient)


@pytest.mark.usefixtures("_only_the_first_answer_may_be_late")
@sweep("case", BAD, 4)
def test_a_random_move_replaces_what_a_player_fails_to_answer(tmp_path, case):
    misbehave, kind = BAD[case]
    play = 1 if kind == "late" else HANG_SECONDS
    heard = []

    def answer(message, connection):
        heard.append(message)
        if message.startswith("( PLAY") and sum("PLAY" in each for each in heard) == 1:
            return misbehave(message, connection)
        if message.startswith("( PLAY"):
            return "noop" if len([each for each in heard if "PLAY" in each]) % 2 == 0 else "(take 1)"
        return "READY" if "START" in message else "what?"

    record = tmp_path / "game.json"
    with scripted(answer) as bad, serving() as good:
        result = host(bad, good, rules=written(tmp_path, STICKS), play=play, more=("-o", record))
    assert result.exit_code == 0, result.output
    assert f"random move for a in step 1: {kind}" in result.output
    assert "\x1b" not in result.output
    game = Record.from_json(record.read_text())
    assert game.plies[0].replaced == {"a": kind}
    assert all(not ply.replaced for ply in game.plies[1:])
    assert [message.split()[1] for message in heard][-1] == "STOP"
    assert len({message.split()[2] for message in heard}) == 1
    shown = CliRunner().invoke(app, ["replay", str(record), "--trust"])
    assert f"random for a: {kind}" in shown.output


def test_players_that_cannot_begin_are_named_and_the_others_are_freed(tmp_path):
    rules = written(tmp_path, STICKS)
    heard = []

    def answer(message, connection):
        heard.append(message.split()[1])
        return "busy" if heard[-1] == "START" else "aborted"

    with serving() as good, scripted(answer) as busy:
        result = host(good, busy, rules=rules)
        assert "is busy" in str(result.exception)
        assert heard == ["START", "ABORT"]
        result = host(good, 1, rules=rules)  # nobody listens there; the good player is free again
        assert "http://127.0.0.1:1/: http://127.0.0.1:1/ cannot be reached" in str(result.exception)


@pytest.mark.parametrize(
    ("urls", "message"),
    [
        (["http://a"], "1 players; valid"),
        (["http://a", "http://a:9147"], "given twice"),
        (["http://a", "ftp://b"], "is not the URL of a player"),
        (["http://a", "http://b:99999"], "is not the URL of a player"),
        (["http://a", "http://b?\x1b"], "is not the URL of a player"),
        (["http://a", "b"], "is not the URL of a player"),
    ],
)
def test_wrong_players_are_refused(tmp_path, urls, message):
    result = CliRunner().invoke(app, ["ggp-match", *urls, "--rules", written(tmp_path, STICKS)])
    assert message in str(result.exception)


def test_the_command_of_a_player_serves_until_it_is_interrupted():
    import re
    import signal
    import subprocess
    import sys

    from ggp_network import say

    command = [sys.executable, "-P", "-m", "bots.cli", "ggp", "--port", "0", "--bot", "random", "--name", "Nobody"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(HANG_SECONDS, process.kill)
        watchdog.start()
        port = int(re.search(r":(\d+) ", process.stdout.readline())[1])
        assert say(port, "(INFO)") == (200, "( ( name Nobody ) ( status available ) )")
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG_SECONDS) == 0
        watchdog.cancel()
