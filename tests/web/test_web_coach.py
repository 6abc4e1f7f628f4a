"""The coach: what a decision of a person cost, and a better one, from what the person knows."""

import pytest
from web_client import Played, server

import mcts

LIMIT = {"simulations": 500}


@pytest.fixture(scope="module")
def client():
    with server() as client:
        yield client


def begin(client, game, *actions, **more):
    """A match of persons with help, after some actions."""
    match = Played.begin(client, game, **{"assist": True, **more})
    for action in actions:
        match.act(match.match()["waits_for"][0], action)
    return match


def test_a_blunder_has_its_cost_and_the_proven_win(client):
    match = begin(client, "connect_four", *(f"drop({column})" for column in (4, 1, 4, 1, 4, 2, 7, 1)))
    found = match.post("/coach", player="red", ply=6, **LIMIT)
    assert (found["action"], found["written"]["drop(4)"]) == ("drop(7)", "d")
    assert 10 < found["cost"] <= 100
    best = {"player": "red", "action": "drop(4)", "wins": True, "row": 4}
    assert best.items() <= found["best"].items()
    assert "4,4" in found["best"]["cells"]
    allowed = match.post("/coach", player="yellow", ply=5, **LIMIT)
    assert best.items() <= allowed["reply"].items()
    assert not allowed["best"]["wins"]


def test_a_solved_game_has_exact_costs_and_a_distant_win_names_no_row(client):
    match = begin(client, "mnk", "mark(2,2)", "mark(1,2)")
    found = match.post("/coach", player="o", ply=1)
    assert found["cost"] == 50.0
    assert (found["reply"]["wins"], found["reply"]["row"]) == (True, 0)
    assert match.post("/coach", player="x", ply=0)["cost"] == 0.0


@pytest.mark.parametrize(
    ("spec", "course", "other"),
    [
        ("kuhn_poker", ["deal(Q)", "deal(J)"], ["deal(Q)", "deal(K)"]),
        ("leduc_poker", ["deal(J)", "deal(K)"], ["deal(J)", "deal(Q)"]),
        ("dark_mnk", ["mark(1,1)", "mark(3,3)"], ["mark(1,1)", "mark(2,2)"]),
    ],
)
def test_another_secret_behind_the_same_view_is_judged_the_same(client, spec, course, other):
    found, views = [], []
    for actions in (course, other):
        state = mcts.load_game(spec).new_initial_state()
        for text in actions:
            player = mcts.CHANCE if state.is_chance() else state.acting_players()[0]
            state.apply_action(state.string_to_action(player, text))
        views.append(state.view(0).to_text())
        match = begin(client, spec, start=state.to_text())
        name = state.game.players[0]
        match.act(name, match.match()["legal"][name][-1])
        found.append(match.post("/coach", player=name, ply=0, **LIMIT))
    assert views[0] == views[1]
    assert found[0] == found[1]
    assert found[0]["reply"] is None


def test_the_coach_is_off_where_help_is_and_for_others(client):
    assert begin(client, "mnk", "mark(2,2)", assist=False).post("/coach", 403, ply=0)["error"]["code"] == "no_assist"
    match = begin(client, "mnk", "mark(2,2)")
    for other, status in ((match.spectator(), 409), (match.seat("o"), 409)):
        other.post("/coach", status, ply=0)
    match.post("/coach", 409, ply=1)
    match.post("/coach", 404, ply=2)
    match.post("/coach", 422, player="x", ply=0, seconds=1e5)
