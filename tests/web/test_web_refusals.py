"""Games and bots that clients may not name, requests from elsewhere, and requests that are too large."""

import json
import sqlite3

import pytest
from games_by_path import CountDown
from registries import forget_registered
from starlette.websockets import WebSocketDisconnect
from web_client import API, Forked, Played, forks, server

import mcts
from bots import Match
from bots.web.security.clients import client_of, is_within, network_of
from bots.web.security.guard import HEADERS


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
        "ggp(url=http://localhost:9147)",
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
    for game in (f"{secret}(max_steps=5)", f"{secret}:max_steps=5", str(secret), "secret.kif(sha256=0123456789abcdef)"):
        for answer in (
            client.post(f"{API}/matches", json={"game": game}),
            client.post(f"{API}/positions", json={"game": game}),
            client.get(f"{API}/bots", params={"game": game}),
        ):
            assert answer.status_code == 422, answer.text
            assert answer.json()["error"]["code"] in ("unknown_game", "bad_spec")
            assert "hidden" not in answer.text
    for game in (f"{secret}(max_steps=5)", str(secret), "missing.kif(max_steps=5)", "missing.kif"):
        record = Match("mnk").record().to_dict() | {"game": game}
        assert refusal(client, game="mnk", record=record) in ("unknown_game", "bad_spec", "bad_record")


@pytest.mark.parametrize("bot", ["level(table={})", "mcts(net={})", "level(3,table={})", "level:table={}"])
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
    named = {"game": "mnk", "seats": {"x": "mcts(net=auto)"}}  # a name for another bot, and a file for this one
    assert "refused_bot" in client.post(f"{API}/matches", json=named).text


def test_no_text_reaches_a_registered_game(client, monkeypatch):
    """A game of another package may take any text, such as the name of a file."""
    forget_registered(monkeypatch, "games")
    mcts.register_game(CountDown().info, CountDown)
    for text in ("/etc/passwd", "red"):
        assert refusal(client, game=f"count_down(heap=3,label={text})") == "refused_game"
    for game in ("count_down(heap=3)", "go(handicap=C3-G7)"):  # the rules of this package read no file
        answer = client.post(f"{API}/matches", json={"game": game})
        assert answer.status_code == 201, answer.text


@pytest.mark.parametrize(
    "bot", ["mcts(simulations=2000000000)", "mcts(threads=64)", "mcts(memory_mb=32000)", "mcts(seconds=100000)"]
)
def test_bots_keep_the_caps(client, bot):
    assert refusal(client, game="mnk", seats={"x": bot}) == "above_cap"


def test_one_of_several_persons_may_not_know_the_seed(client):
    assert refusal(client, game="mnk", seats={}, seed="1") == "bad_parameter"
    assert client.post(f"{API}/matches", json={"game": "mnk", "seats": {"x": "random"}, "seed": "1"}).status_code == 201


def test_positions_of_games_with_secrets_are_checked(client):
    """A mask of players who decide that no play leads to, such as that of chance where there is none."""
    right = mcts.load_game("secret_goofspiel").new_initial_state().to_dict()
    for mask in (-1, 0, 1, 4, 8, 256, 2**31):
        for seat in range(2):
            wrong = json.loads(json.dumps(right))
            wrong["seen"][seat][-1][2] = mask
            body = {"game": "secret_goofspiel", "start": json.dumps(wrong), "seats": {}}
            assert refusal(client, **body) == "bad_state"
    body = {"game": "secret_goofspiel", "start": json.dumps(right), "seats": {}}
    assert client.post(f"{API}/matches", json=body).status_code == 201


WRONG_HOSTS = (
    "evil@127.0.0.1", "127.0.0.1@evil", "localhost@evil.example", "[::1", "::1", "[localhost]", "[::1]evil", "",
    "127.0.0.1:x", "127.0.0.1/", "127.0.0.1?", "127.0.0.1#", "127.0.0.1:", "localhost evil",
)  # fmt: skip
WRONG_ORIGINS = (
    "http://[",
    "http://evil@localhost",
    "http://localhost:1",
    "ftp://localhost",
    "localhost",
    "//localhost",
)


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
    for host in WRONG_HOSTS:
        assert status("GET", "/info", host=host) == 403, host
    for origin in WRONG_ORIGINS:
        assert status("POST", "/matches", origin=origin) == 403, origin


@forks
def test_only_a_trusted_proxy_names_the_client(tmp_path):
    """A client on loopback invents addresses: they count where the option says so, and nowhere else."""
    for proxies in ((), ("127.0.0.1",)):
        with Forked(tmp_path / f"{len(proxies)}.db", proxies=proxies) as process:
            for number in range(2):
                answer = process.client.post(
                    f"{API}/matches", json={"game": "mnk"}, headers={"X-Forwarded-For": f"203.0.113.{number}"}
                )
                assert answer.status_code == 201
            assert process.client.get(f"{API}/info").json()["is_local"] is not bool(proxies)
        with sqlite3.connect(tmp_path / f"{len(proxies)}.db") as connection:
            clients = {row[0] for row in connection.execute("SELECT client FROM matches")}
        assert clients == ({"203.0.113.0", "203.0.113.1"} if proxies else {"127.0.0.1"})


def test_a_proxy_is_named_by_its_address(playout, tmp_path):
    for wrong in ("*", "proxy.example", "127.0.0.1/33"):
        done = playout("serve", "--port", "0", "--matches", str(tmp_path / "matches.db"), "--trusted-proxy", wrong)
        assert (done.status, repr(wrong) in done.err) == (2, True), done.err


def test_clients_of_version_6_are_networks():
    assert client_of("2001:db8:1:2:3::4") == client_of("2001:db8:1:2::") == "2001:db8:1:2::/64"
    assert client_of("2001:db8:1:3::") != client_of("2001:db8:1:2::")
    assert client_of("::ffff:203.0.113.5") == client_of("203.0.113.5") == "203.0.113.5"
    assert is_within("::1", network_of("::/64"))
    assert is_within("::ffff:203.0.113.5", network_of("203.0.113.0/24"))
    assert not is_within("203.0.113.5", network_of("::/0"))
    assert not is_within("nowhere", network_of("::/0"))


def test_no_text_breaks_the_encoding_of_an_answer(client):
    match = Played.begin(client, "mnk", {"o": "random"})
    lone = "\ud800"
    bodies = [
        ("/matches", {"game": lone}), ("/matches", {"game": "mnk", "seats": {lone: None}}),
        ("/matches", {"game": "mnk", "seats": {"x": lone}}), ("/matches", {"game": "mnk", "record": {lone: lone}}),
        ("/matches", {"game": "mnk", "record": {"format": lone}}), ("/matches", {"game": "mnk", "start": lone}),
        ("/positions", {"game": "mnk", "plies": [{lone: lone}]}), ("/bots/check", {"game": "mnk", "bot": lone}),
        (f"/matches/{match.id}/actions", {"player": lone, "action": lone}),
        (f"/matches/{match.id}/check", {"player": "x", "action": lone}),
    ]  # fmt: skip
    for path, body in bodies:
        content = json.dumps(body)
        headers = {"content-type": "application/json", **match.headers}
        answer = client.post(API + path, content=content, headers=headers)
        assert answer.status_code in (200, 400, 403, 422), (path, body, answer.text)
    for token in (lone, "\udc80", "\x00"):
        with match.live() as socket:
            socket.send_text(json.dumps({"type": "hello", "token": token}))
            assert socket.receive_json()["error"]["code"] == "wrong_token"


def test_a_binary_frame_is_refused_in_words(client):
    match = Played.begin(client, "mnk")
    for hello in (None, {"type": "hello", "token": match.made["owner"]}):
        with match.live() as socket:
            if hello:
                socket.send_json(hello)
                socket.receive_json()
            socket.send_bytes(b"{}")
            assert socket.receive_json()["error"]["code"] == "bad_frame"


def test_a_game_is_loaded_by_its_name_and_its_parameters(client):
    """A text that ends in the suffix of a rulesheet names no file."""
    for game in ("mnk:m=3/../../x.kif", "mnk(m=3/../../x.kif)", "mnk:x.kif", "mnk(x.kif)", "mnk.kif"):
        answer = client.post(f"{API}/positions", json={"game": game})
        assert answer.status_code == 422, answer.text
        assert "cannot be read" not in answer.text
        assert "No such file" not in answer.text


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
