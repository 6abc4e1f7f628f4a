"""Caps: what one client can take, and the answers to those who want more."""

import threading

import pytest
from starlette.websockets import WebSocketDisconnect
from waiting import HANG_SECONDS, Clock, wait_until
from web_client import API, Played, greet, server

from bots.web.caps import Caps


def test_a_client_has_a_number_of_sockets():
    with server(caps=Caps(sockets_per_client=2)) as client:
        match = Played.begin(client, "mnk")

        def is_refused():
            with match.live() as socket:
                return socket.receive_json().get("error", {}).get("code") == "too_many_sockets"

        with match.live() as one:
            greet(one, match)
            for _ in range(2):  # a socket that was closed leaves its place, and one place alone
                with match.live() as two:
                    greet(two, match)
                    assert is_refused()
        with match.live() as again:
            greet(again, match)


@pytest.mark.parametrize(
    ("hello", "code"),
    [({"type": "hello"}, "no_token"), ({"type": "hello", "token": "x"}, "wrong_token"), ({"type": "stop"}, "no_token")],
)
def test_a_socket_begins_with_a_token(hello, code):
    with server() as client, Played.begin(client, "mnk").live() as socket:
        socket.send_json(hello)
        assert socket.receive_json()["error"]["code"] == code
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_a_flood_of_frames_ends_the_socket(monkeypatch):
    monkeypatch.setattr("bots.web.api.live.time", Clock().module)  # all frames come at one time
    with server(caps=Caps(frames_per_second=5)) as client:
        match = Played.begin(client, "mnk")
        with match.live() as socket:
            greet(socket, match)
            for _ in range(30):
                socket.send_json({"type": "pong"})
            assert socket.receive_json()["error"]["code"] == "too_many_frames"
        assert match.match()["ply"] == 0


def test_a_full_queue_refuses_hints_and_not_the_bots():
    with server(caps=Caps(workers=1, queue=0, seconds=10.0 * HANG_SECONDS)) as client:
        busy = Played.begin(client, "three_player_ttt", {"zplayer": "random"}, assist=True)
        other = Played.begin(client, "mnk", {"o": "random"})
        hint = threading.Thread(target=busy.post, args=("/hint",), kwargs={"seconds": 10 * HANG_SECONDS})
        hint.start()
        threads = client.app.state.service.threads
        wait_until(lambda: threads.decisions.running)
        answer = client.post(f"{other.path}/hint", headers=other.headers, json={})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "queue_full")
        assert int(answer.headers["retry-after"]) > 0
        other.act("x", "mark(2,2)")
        assert other.settled()["ply"] == 2
        threads.end()
        hint.join()


def test_limits_above_the_caps_are_refused():
    with server(caps=Caps(seconds=2.0, simulations=100)) as client:
        for limit in ({"seconds": 3}, {"simulations": 101}):
            answer = client.post(f"{API}/matches", json={"game": "mnk", **limit})
            assert answer.json()["error"]["code"] == "above_cap"
        match = Played.begin(client, "mnk", {"o": "mcts"}, simulations=100)
        assert match.post("/hint", 422, seconds=3)["error"]["code"] == "above_cap"
