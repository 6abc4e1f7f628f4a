"""Rulesheets that clients bring: they play, they are refused in words, and other matches go on meanwhile."""

import asyncio
from threading import Thread
from types import SimpleNamespace

import pytest
from rulesheets import load, path_of
from support import ROOT
from waiting import HANG_SECONDS
from web_client import API, Played, Process, server

from bots.web.caps import Caps
from bots.web.problems import Problem
from bots.web.security.own_rules import OwnGame, OwnRules

TEXT = (ROOT / "mcts/rulesheets/tic_tac_toe.kif").read_text()
NUMBERS = [f"(n {number})" for number in range(70_000)]
MANY, SOME, FEW = (" ".join(NUMBERS[:count]) for count in (70_000, 25_000, 1000))
REST = "(role a) (init (s 0)) (<= (next (s 1)) (true (s 0))) (<= terminal (true (s 1))) (goal a 100)"
HOSTILE = {
    "too many instances": (f"{MANY} {REST} (<= (legal a (m ?x ?y)) (n ?x) (n ?y))", "not grounded|10,000,000"),
    "too long": ("(p a)" * 800_001, "4,000,005 characters|4000000|at most 4000000"),
    "never ends": (f"{REST} (legal a m) (n 0) (<= (n (s ?x)) (n ?x)) (<= (legal a ?x) (n ?x))", "deep|terms|instances"),
    "too many moves": (f"{MANY} {REST} (<= (legal a (m ?x)) (n ?x))", "70,000 moves"),
    "many moves": (f"{SOME} {REST} (<= (legal a (m ?x)) (n ?x))", "valid: up to 20,000 on this server"),
    "too deep": ("(" * 100_000, "line 1, column 65: parentheses are nested too deeply"),
    "no text": ("", "no rule defines `role`"),
    "a wrong line": (f"{REST}\n(<= (legal a m) (not (q ?x)) (not (r ?x)))", "line 2, column 1"),
}


def bring(client, text, name="own.kif", status=201):
    answer = client.post(f"{API}/games", json={"text": text, "name": name})
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def client():
    with server(own_rules=True, caps=Caps(rules_seconds=HANG_SECONDS)) as client:
        yield client


def test_rules_of_a_client_are_played_and_recorded(client):
    game = bring(client, TEXT)
    assert (game["title"], game["players"], game["parameters"]) == ("Tic-tac-toe", ["x", "o"], [])
    assert game["key"].startswith("own.kif(sha256=")
    assert game["key"] not in {one["key"] for one in client.get(f"{API}/games").json()}
    assert client.get(f"{API}/games/{game['key']}").json() == game
    assert client.post(f"{API}/positions", json={"game": game["key"]}).json()["svg"].count("data-cell") == 9
    match = Played.begin(client, game["key"], {"o": "level(2)"}, seconds=0.05)
    assert match.match()["clicks"]["x"]["mark(2,3)"] == [["2,3"]]
    while not (seen := match.settled())["is_over"]:
        match.act("x", seen["legal"]["x"][0], version=seen["version"])
    record = match.get("/record")
    assert record["rules"]["text"] == TEXT
    assert match.get("/exact")["known"]
    assert Played.begin(client, game["key"], record=record).match()["returns"] == seen["returns"]
    with server(own_rules=True) as other:  # the record brings its rules
        assert Played.begin(other, game["key"], record=record).match()["returns"] == seen["returns"]


def test_the_same_text_is_the_same_game(client):
    assert bring(client, TEXT, "other name.kif") == bring(client, TEXT)


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.long if "many" in case else ()) for case in HOSTILE]
)
def test_hostile_rules_are_refused_in_words(client, case):
    text, words = HOSTILE[case]
    error = bring(client, text, status=422)["error"]
    assert any(word in error["message"] for word in words.split("|")), error
    assert bring(client, TEXT)["players"] == ["x", "o"]


@pytest.mark.long
def test_other_matches_go_on_while_rules_are_compiled(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        match = Played.begin(process.client, "mnk(m=8,n=8,k=5)", {"o": "random"})
        answers = []
        text = f"{FEW} {REST} (<= (legal a (m ?x ?y ?z)) (n ?x) (n ?y) (n ?z))"
        brought = Thread(target=lambda: answers.append(bring(process.client, text, status=422)))
        brought.start()
        played = 0
        while brought.is_alive():
            match.act("x", match.any_action("x"))
            assert not match.settled()["is_over"]
            match.post("/undo")
            played += 1
        assert "10,000,000" in answers[0]["error"]["message"] or "not grounded" in answers[0]["error"]["message"]
        assert played


@pytest.mark.long
def test_matches_go_on_after_a_restart(tmp_path):
    with Process(tmp_path / "matches.db") as process:
        match = Played.begin(process.client, bring(process.client, TEXT)["key"])
        match.act("x", "mark(2,2)")
        before = match.match()
    with Process(tmp_path / "matches.db") as process:
        match.client = process.client
        assert match.match() == before
    with Process(tmp_path / "matches.db", "--no-own-rules") as process:
        match.client = process.client
        assert "are not on this server" in match.get(status=422)["error"]["message"]


def test_rules_are_taken_only_where_that_is_allowed():
    with server() as client:
        assert client.get(f"{API}/info").json()["own_rules"] is False
        assert bring(client, TEXT, status=403)["error"]["code"] == "no_own_rules"
        gone = client.get(f"{API}/games/own.kif(sha256=0123456789abcdef)")
        assert (gone.status_code, gone.json()["error"]["code"]) == (422, "unknown_game")
        assert client.post(f"{API}/games", json={"text": "x" * (2 << 20)}).status_code == 413


def test_rules_that_were_used_least_lately_go(tmp_path):
    settings = {"own_rules": True, "caps": Caps(rules_per_client=2), "matches": str(tmp_path / "matches.db")}
    with server(**settings) as client:
        keys = [bring(client, f"{TEXT}; {number}")["key"] for number in range(3)]
    with server(**settings) as client:
        assert [client.get(f"{API}/games/{key}").status_code for key in keys] == [422, 200, 200]


def test_no_rules_are_made_while_those_in_use_take_all_memory():
    """Those of minichess take 0.19 MB."""
    network = load(path_of("minichess")).network

    class Stand:
        """Stands for the compiler and for the store."""

        def compile(self, text, seconds):
            return network

        async def save_rules(self, *given):
            pass

        def end(self):
            pass

    async def bring_seven():
        rules = OwnRules(Caps(rules_mb=1), Stand())
        rules.store = Stand()
        used = [await rules.add(f"{TEXT}; {number}", "own", "somebody") for number in range(6)]
        with pytest.raises(Problem, match="the rules of clients take all memory that they may; valid: wait"):
            await rules.add(TEXT, "own", "somebody")
        assert len(used) == 6
        await rules.close()

    asyncio.run(bring_seven())


def test_rules_with_few_gates_and_many_moves_are_not_small():
    def is_small(edges, moves):
        return OwnGame.is_small.fget(SimpleNamespace(network=SimpleNamespace(edges=range(edges), moves=[range(moves)])))

    assert is_small(10, 10)
    assert not is_small(10, 10**7)
    assert not is_small(10**7, 10)
