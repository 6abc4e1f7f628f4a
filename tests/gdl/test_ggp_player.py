"""A player of general game playing: what it answers, and what hosts and strangers may send to it."""

import asyncio
from types import SimpleNamespace

import ggp_network
import pytest
from ggp_network import exchange, request, say, serving
from rulesheets import COMMON_NOOP, FOLDER
from sampling import sweep
from waiting import HANG_SECONDS, Clock, wait_until

import mcts
from bots.ggp import player
from bots.ggp.messages import Preview
from bots.system import deadlines
from mcts.gdl.parser import parse
from mcts.gdl.texts import kif_of_text, kif_text

TIC_TAC_TOE = " ".join(kif_text(each.expression) for each in parse((FOLDER / "tic_tac_toe.kif").read_text()))


@pytest.fixture(scope="module")
def port():
    with serving() as port:
        yield port


@pytest.fixture(scope="module")
def hasty():
    """The port of a player that waits for requests for a second only."""
    with serving(request_seconds=1.0) as port:
        yield port


@pytest.fixture(autouse=True)
def _no_match(request):
    yield
    if "port" in request.fixturenames:
        assert say(request.getfixturevalue("port"), "(ABORT m1)")[0] == 200


def start(port, rules=TIC_TAC_TOE, role="x", match="m1", play=HANG_SECONDS):
    return say(port, f"(START {match} {role} ({rules}) {HANG_SECONDS} {play})")


def test_terms_are_written_in_both_notations():
    assert kif_of_text("mark(2,f(3,a))") == "(mark 2 (f 3 a))"
    assert kif_of_text("noop()") == kif_of_text("noop") == "noop"


def test_a_match(port):
    assert say(port, "(INFO)") == (200, "( ( name Tester ) ( status available ) )")
    assert say(port, f"(PREVIEW ({TIC_TAC_TOE}) {HANG_SECONDS})") == (200, "ready")
    assert start(port) == (200, "ready")
    assert say(port, "( info )") == (200, "( ( name Tester ) ( status busy ) )")
    status, move = say(port, "(PLAY m1 NIL)")
    assert status == 200
    assert move.startswith("(mark ")
    assert say(port, f"(play m1 ({move} NOOP))") == (200, "noop")
    other = "(MARK 1 1)" if move != "(mark 1 1)" else "(mark 2 2)"
    assert say(port, f"(PLAY m1 (noop {other}))")[1].startswith("(mark ")
    assert say(port, "(STOP m1 (noop noop))") == (200, "done")
    assert say(port, "(PLAY m1 NIL)") == (200, "busy")


def test_one_match_at_a_time(port):
    assert start(port) == (200, "ready")
    for match in ("m1", "m2"):
        assert start(port, match=match) == (200, "busy")
    assert say(port, "(PREVIEW ((role a)) 5)") == (200, "busy")
    for message in ("(PLAY m2 NIL)", "(STOP m2 NIL)", "(ABORT m2)"):
        assert say(port, message) == (200, "busy")
    assert say(port, "(PLAY m1 NIL)")[1].startswith("(mark ")
    assert say(port, "(ABORT m1)") == (200, "aborted")
    assert start(port, COMMON_NOOP, "b", "m3") == (200, "ready")
    assert say(port, "(PLAY m3 NIL)") == (200, "noop")
    assert say(port, "(ABORT m3)") == (200, "aborted")


@pytest.mark.parametrize(
    ("rules", "role"),
    [(TIC_TAC_TOE, "z"), ("", "x"), ("(role x)", "x"), ("(role x) (() y)", "x"), ("(<= p (not (q ?x)))", "x")],
    ids=["role", "empty", "no moves", "empty list", "unsafe"],
)
def test_what_cannot_be_played_is_no_match(port, rules, role):
    assert start(port, rules, role) == (200, "busy")
    assert "available" in say(port, "(INFO)")[1]


def test_moves_that_do_not_fit_are_refused_and_change_nothing(port):
    start(port)
    assert say(port, "(PLAY m1 NIL)")[0] == 200
    for moves, message in (
        ("((mark 9 9) noop)", "is not a move of x"),
        ("((mark 1 1))", "1 moves; valid: one for each of 2"),
        ("((mark 1 1) noop noop)", "3 moves"),
        ("(((mark) 1) noop)", "a move is not a term"),
        ("(() noop)", "a move is not a term"),
        ("what", "the moves are a word"),
    ):
        status, text = say(port, f"(PLAY m1 {moves})")
        assert status == 400
        assert message in text
    assert say(port, "(PLAY m1 ((mark 1 1) noop))") == (200, "noop")
    status, text = say(port, "(PLAY m1 NIL)")
    assert status == 400
    assert "only in the first PLAY" in text
    status, text = say(port, "(PLAY m1 (noop (mark 1 1)))")
    assert status == 400
    assert "not legal for o now" in text


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "0 expressions"),
        ("(INFO) (INFO)", "2 expressions"),
        ("((((", "never closed"),
        ("(" * 5000 + ")" * 5000, "nested too deeply"),
        ("(HELLO)", "unknown kind"),
        ("((a))", "unknown kind"),
        ("()", "unknown kind"),
        ("(PLAY m1)", "PLAY has 1 arguments; valid: 2"),
        ("(START m1 x ((role x)) 0 1)", "the start clock is 0; valid: 1 to 3600"),
        ("(START m1 x ((role x)) 1 99999999999)", "the play clock"),
        ("(START m1 x ((role x)) (1) 1)", "the start clock is a list"),
        ("(START m1 x rules 1 1)", "the rules are a word"),
        ("(START (m 1) x ((role x)) 1 1)", "the match id is a list"),
        ("(START m1 \x1b[31m ((role x)) 1 1)", "invalid word"),
    ],
)
def test_messages_that_are_refused(port, body, message):
    status, text = say(port, body)
    assert status == 400
    assert message in text
    assert text.isprintable()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\r\n\r\n", 400),
        (b"\x00\xff\xfe\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 405),
        (b"POST / HTTP/1.0\r\nno colon\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nA: " + b"a" * 40_000 + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.0\r\n" + b"A: 1\r\n" * 200 + b"\r\n", 431),
        (request("(INFO)", length=False), 411),
        (request("(INFO)", length="x"), 400),
        (request("(INFO)", length=-6), 400),
        (request("(INFO)", length=10**11), 413),
        (request("(INFO)", length="9" * 500), 413),
        (request("(INFO)", "Content-Length: 7"), 400),
        (request("(INFO)", "Transfer-Encoding: chunked"), 501),
        (request("(INFO)", "Origin: http://example.org"), 403),
        (request("(INFO)", length=5), 400),
        (request("(INFO)").replace(b"INFO", b"IN\xff\xff"), 400),
    ],
    ids=range(16),
)
def test_requests_that_are_refused(port, data, status):
    assert int(exchange(port, data).split()[1]) == status


def test_a_client_that_sends_slowly_is_cut_off_while_others_are_served(hasty):
    assert b" 408 " in exchange(hasty, request("(INFO)", length=700))
    assert b" 408 " in exchange(hasty, b"POST / HTTP/1.0\r\nContent-Length: 6", slowly=0.05)
    wait_until(lambda: say(hasty, "(INFO)")[0] == 200)


def test_a_client_that_goes_away_leaves_the_player_as_it_was(port):
    import socket

    for data in (b"", b"POST", request("(INFO)")):
        with socket.create_connection(("127.0.0.1", int(port))) as connection:
            connection.sendall(data)
    assert "available" in say(port, "(INFO)")[1]


@sweep("bot", ["ggp_network.Slow", "troublesome_bots.Crasher", "troublesome_bots.Cheater", "mcts"], 1)
def test_an_answer_comes_in_time_whatever_the_bot_does(bot):
    """A bot that decides only after the test does not delay it."""
    try:
        with serving(bot, margin=0.2) as port:
            assert start(port, play=1) == (200, "ready")
            status, move = say(port, "(PLAY m1 NIL)")
            assert status == 200
            assert move.startswith("(mark ")
            ggp_network.RELEASED.set()
    finally:
        ggp_network.RELEASED.set()


class NoSheets:
    """Refuses all rules at once."""

    async def load(self, rules, seconds):
        raise mcts.errors.GameLoadError("refused")


def test_the_margin_is_taken_from_the_clock_and_the_time_since_a_message_came(monkeypatch):
    clock = Clock()
    for module in (player, deadlines):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock))
    made = []

    def noted(seconds):
        made.append(deadlines.Deadline(seconds))
        return made[-1]

    monkeypatch.setattr(player, "Deadline", noted)
    monkeypatch.setattr(player, "Sheets", NoSheets)
    tester = player.GgpPlayer(lambda: None, "Tester", 0.5, 1)
    # The margin is at most a quarter of the clock.
    for ago, seconds, left in ((0.25, 10, 9.25), (0.25, 1, 0.5), (2, 1, 0)):
        assert asyncio.run(tester.answer(Preview("", seconds), clock.now - ago)) == player.READY
        assert made.pop().seconds_left == left
    assert not made
