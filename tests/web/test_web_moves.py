"""Moves in positions of any program, without a match."""

import pytest
from support import ROOT
from web_client import API, server

import mcts

RULES = (ROOT / "mcts/rulesheets/tic_tac_toe.kif").read_text()


@pytest.fixture(scope="module")
def client():
    with server(own_rules=True) as client:
        yield client


def asked(client, status=200, **body):
    answer = client.post(f"{API}/move", json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if status == 200 else answer.json()["error"]


def test_a_move_has_its_value_and_those_of_the_others(client):
    plies = ["drop(4)", "drop(1)", "drop(4)", "drop(1)", "drop(4)", "drop(2)"]
    found = asked(client, game="connect_four", plies=plies, simulations=300)
    assert (found["action"], found["value"]) == ("drop(4)", 100.0)
    assert len(found["values"]) == 7
    assert client.get(f"{API}/info").json()["matches"] == 0


def test_a_rulesheet_a_level_and_a_state(client):
    found = asked(client, game=RULES, plies=["mark(1,1)", "mark(2,2)", "mark(1,2)"], seconds=0.05)
    assert (found["player"], found["action"]) == ("o", "mark(1,3)")
    assert asked(client, game="mnk", bot="level(3)")["action"].startswith("mark(")
    position = client.post(f"{API}/positions", json={"game": "mnk", "plies": [{"x": "mark(1,1)"}]}).json()
    assert asked(client, game="mnk", state=position["state"], bot="random")["player"] == "o"


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ({"game": "mnk", "bot": "ugi(command=sh)"}, "unknown_bot", "ugi"),
        ({"game": "mnk", "bot": "mcts(net=/etc/passwd)"}, "refused_bot", "net"),
        ({"game": "mnk", "bot": "os.path"}, "unknown_bot", "os.path"),
        ({"game": "os.path"}, "unknown_game", "os.path"),
        ({"game": "mnk", "seconds": 1e5}, "above_cap", "above the cap"),
        ({"game": "mnk", "bot": "mcts(simulations=2000000000)"}, "above_cap", "above the cap"),
        ({"game": "mnk", "plies": ["mark(9,9)"]}, "illegal_action", "ply 1"),
        ({"game": "mnk", "state": "x"}, "bad_state", "cannot be read"),
        ({"game": "(role x) (role"}, "refused", "line 1"),
        ({"game": "mnk", "extra": 1}, "bad_request", "extra"),
        ({"game": "mnk", "simulations": "9"}, "bad_request", "simulations"),
        ({}, "bad_request", "game"),
    ],
)
def test_what_a_stranger_may_not_ask_is_refused_in_words(client, body, code, words):
    error = asked(client, 422, **body)
    assert error["code"] == code
    assert words in error["message"]


def test_rulesheets_need_a_server_that_takes_them():
    with server() as client:
        assert asked(client, 403, game=RULES)["code"] == "no_own_rules"


def test_the_view_of_the_mover_is_enough_in_games_with_secrets(client):
    game = mcts.load_game("kuhn_poker")
    state = game.new_initial_state()
    for text in ("deal(J)", "deal(Q)"):
        state.apply_action(state.string_to_action(mcts.CHANCE, text))
    view = state.view(0)
    assert "Q" not in view.to_text()
    for given in ({"state": view.to_text()}, {"plies": [{"chance": "deal(J)"}, "deal(Q)"]}):
        found = asked(client, game="kuhn_poker", simulations=50, **given)
        assert found["player"] == game.players[0]
        assert found["action"] in {view.action_to_string(action) for action in view.legal_actions()}
