"""Games and bots that clients may not name, requests from elsewhere, and requests that are too large."""

import pytest
from starlette.websockets import WebSocketDisconnect
from web_client import API, Played, server

import mcts
from bots import Match
from bots.web.guard import HEADERS


@pytest.fixture(scope="module")
def client():
    with server() as client:
        yield client


def refusal(client, **body):
    answer = client.post(f"{API}/matches", json=body)
    assert answer.status_code == 422, answer.text
    return answer.json()["error"]["code"]


def test_no_program_is_started_and_nothing_is_imported(client, tmp_path):
    started = tmp_path / "started"
    command = f"touch {started}"
    for bot in (
        f"ugi(command='{command}')",
        f"ugi:command='{command}'",
        "ugi",
        "bots.players.mcts.MCTSBot",
        "os.system",
    ):
        assert refusal(client, game="mnk", seats={"x": bot}) in ("unknown_bot", "bad_spec")
    for game in ("os.path.X", "games_by_path.Nim", "cext.games.mnk.Mnk"):
        assert refusal(client, game=game) == "unknown_game"
        assert refusal(client, game="mnk", record=Match("mnk").record().to_dict() | {"game": game}) == "unknown_game"
    assert not started.exists()


def test_no_rulesheet_of_the_server_is_read(client, tmp_path):
    secret = tmp_path / "secret.kif"
    secret.write_text("(role hidden)")
    for game in (f"gdl(file={secret})", f"gdl:file={secret}", str(secret), "gdl"):
        for answer in (
            client.post(f"{API}/matches", json={"game": game}),
            client.post(f"{API}/positions", json={"game": game}),
            client.get(f"{API}/bots", params={"game": game}),
        ):
            assert answer.status_code == 422, answer.text
            assert answer.json()["error"]["code"] in ("unknown_game", "bad_spec")
            assert "hidden" not in answer.text
    for game in (f"gdl(file={secret})", str(secret), "gdl(file=missing.kif)", "missing.kif"):
        record = Match("mnk").record().to_dict() | {"game": game}
        assert refusal(client, game="mnk", record=record) in ("unknown_game", "bad_spec", "bad_record")


@pytest.mark.parametrize(
    "bot", ["level(table={})", "mcts(evaluator={})", "double_oracle(net={})", "level(3,table={})", "level:table={}"]
)
def test_no_file_of_the_server_is_read(client, tmp_path, bot):
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    missing = tmp_path / "missing"
    game = "bidding_3d_ttt" if bot.startswith("double") else "mnk"
    seat = mcts.load_game(game).players[0]
    answers = [
        client.post(f"{API}/matches", json={"game": game, "seats": {seat: bot.format(path)}}).text
        for path in (secret, missing)
    ]
    assert all("refused_bot" in answer for answer in answers)
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "bot", ["mcts(simulations=2000000000)", "mcts(threads=64)", "mcts(memory_mb=32000)", "mcts(seconds=100000)"]
)
def test_bots_keep_the_caps(client, bot):
    assert refusal(client, game="mnk", seats={"x": bot}) == "above_cap"


def test_other_hosts_and_origins_are_refused(client):
    def status(method, path, **headers):
        return client.request(method, API + path, headers=headers, json={"game": "mnk"}).status_code

    assert status("GET", "/info", host="evil.example") == 403
    assert status("GET", "/info", host="127.0.0.1:8080") == 200
    assert status("GET", "/info", host="[::1]:8080") == 200
    assert status("GET", "/info", host="127.0.0.1.evil.example") == 403
    assert status("POST", "/matches", origin="http://evil.example") == 403
    assert status("POST", "/matches", origin="null") == 403
    assert status("POST", "/matches", origin="http://localhost") == 201
    assert status("POST", "/matches", **{"sec-fetch-site": "cross-site"}) == 403


def test_sockets_of_other_pages_are_refused(client):
    match = Played.begin(client, "mnk")
    for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}, {"origin": "null"}):
        with pytest.raises(WebSocketDisconnect) as refused, match.live(**headers):
            pass
        assert refused.value.reason in ("wrong_origin", "wrong_host")


def test_large_requests_are_refused(client):
    answer = client.post(f"{API}/matches", content=b"[" * 2_000_000, headers={"content-type": "application/json"})
    assert answer.status_code == 413

    def parts():
        for _ in range(40):
            yield b"[" * 65536

    answer = client.post(f"{API}/matches", content=parts(), headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_every_answer_has_the_headers(client):
    for path in ("/", f"{API}/info", "/nothing", f"{API}/matches/1"):
        answer = client.get(path)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
