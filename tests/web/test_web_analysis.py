"""Hints, analyses with their trees, exact values, evaluations, branches."""

import pytest
from sampling import sweep
from waiting import wait_until
from web_client import API, Played, analyse, greet, last_frame, server

import mcts
from bots.web.caps import Caps
from mcts.registry import native_games


@pytest.fixture(scope="module")
def client():
    with server(caps=Caps(analyses=1)) as client:
        yield client


def test_an_analysis_has_what_the_search_found(client):
    match = Played.begin(client, "three_player_ttt", {"zplayer": "random"}, assist=True)
    with match.live() as socket:
        greet(socket, match)
        found = analyse(socket, simulations=3000)
    game = mcts.load_game("three_player_ttt")
    result = mcts.MCTS(game, memory_mb=256).run(game.new_initial_state(), simulations=3000)
    assert found["simulations"] == 3000
    assert [player["value"] for player in found["players"]] == list(result.values)
    arms = found["arms"]["xplayer"]
    assert sum(arm["visits"] for arm in arms) == sum(result.visits.values())
    assert arms[0]["visits"] == max(result.visits.values())
    assert found["best"] == result.to_dict()["action"]


def test_an_analysis_of_simultaneous_choices_has_both_strategies(client):
    match = Played.begin(client, "bidding_ttt", assist=True)
    with match.live() as socket:
        greet(socket, match)
        found = analyse(socket, simulations=2000)
    for player in "xo":
        assert sum(chance for _, chance in found["strategies"][player]) == pytest.approx(1)


@pytest.mark.parametrize("seat", ["x", "o"])
def test_an_analysis_of_simultaneous_choices_is_of_the_person(client, seat):
    match = Played.begin(client, "bidding_ttt", {{"x": "o", "o": "x"}[seat]: "random"})
    with match.live() as socket:
        greet(socket, match)
        found = analyse(socket, simulations=200)
    assert found["player"] == seat
    match.act(seat, found["best"])


def test_nodes_of_the_tree_are_opened(client):
    match = Played.begin(client, "points_ttt", {"o": "random"})
    with match.live() as socket:
        greet(socket, match)
        best = analyse(socket, simulations=3000)["best"]
        socket.send_json({"type": "open", "path": [{"x": best}]})
        (found,) = last_frame(socket)["tree"]
        assert found["path"] == [{"x": best}]
        assert found["node"]["acting"] == ["o"]
        assert found["node"]["arms"]
        socket.send_json({"type": "open", "path": [{"x": "mark(9,9)"}]})
        assert last_frame(socket)["tree"][-1]["node"] is None
        socket.send_json({"type": "close", "path": [{"x": best}]})
        socket.send_json({"type": "open", "path": []})
        assert [node["path"] for node in last_frame(socket)["tree"]] == [[{"x": "mark(9,9)"}], []]


def test_the_tree_is_there_while_it_grows(client):
    match = Played.begin(client, "three_player_ttt", {"zplayer": "random"}, assist=True)
    with match.live() as socket:
        greet(socket, match)
        socket.send_json({"type": "analyse", "id": 1})
        socket.send_json({"type": "open", "path": []})
        visits = []
        while len(visits) < 2:
            frame = socket.receive_json()
            visits += [one["node"]["visits"] for one in frame.get("tree", ()) if one["node"]]
            assert not frame.get("done")
    assert visits[0] < visits[1]


def test_positions_after_some_plies(client):
    state = mcts.load_game("bidding_ttt").new_initial_state()
    plies = [{"x": "bid(1)", "o": "bid(2)"}, {"o": "mark(2,2)"}]
    found = client.post(f"{API}/positions", json={"game": "bidding_ttt", "plies": plies}).json()
    for choices in ({0: "bid(1)", 1: "bid(2)"}, {1: "mark(2,2)"}):
        state.apply_actions(state.joint_action(choices))
    assert found["state"] == state.to_text()
    for wrong in ({"x": "bid(1)"}, {"x": "bid(9)", "o": "bid(0)"}, {"x": "", "o": "bid(0)"}, {"q": "mark(1,1)"}, {}):
        answer = client.post(f"{API}/positions", json={"game": "bidding_ttt", "plies": [wrong]})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "illegal_action"), wrong


@pytest.mark.parametrize("end", ["stop", "leave", "cancelled"])
def test_an_analysis_ends_when_it_is_stopped_or_its_client_leaves(client, end):
    match = Played.begin(client, "three_player_ttt", {"zplayer": "random"}, assist=True)
    with match.live() as socket:
        greet(socket, match)
        socket.send_json({"type": "analyse", "id": 1})
        assert socket.receive_json()["type"] == "analysis"
        if end == "stop":
            socket.send_json({"type": "stop", "id": 1})
        elif end == "cancelled":  # the server ends without a word from the client
            socket.close = lambda *arguments: None
    pool = client.app.state.service.threads.analyses
    wait_until(lambda: pool.running == 0, "the analysis continues")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"type": "analyse", "ply": 9}, "no_such_ply"),
        ({"type": "analyse", "ply": "x"}, "bad_record"),
        ({"type": "nonsense"}, "bad_frame"),
        ({"type": "open", "path": []}, "not_now"),
        ({"type": "look", "player": "o"}, "not_your_seat"),
        ({"type": "analyse", "simulations": 0}, "bad_record"),
    ],
)
def test_wrong_frames_are_refused_and_the_socket_stays_open(client, frame, code):
    match = Played.begin(client, "mnk", {"o": "random"})
    with match.live() as socket:
        greet(socket, match)
        socket.send_json(frame)
        assert socket.receive_json()["error"]["code"] == code
        assert analyse(socket, simulations=100)["done"]


def test_two_persons_have_no_hints_before_the_end(client):
    match = Played.begin(client, "mnk")
    for path in ("/hint", "/undo", "/branch"):
        assert match.post(path, 403, **({"ply": 0} if path == "/branch" else {}))["error"]["code"] == "no_assist"
    match.get("/exact", 403)
    with match.live() as socket:
        greet(socket, match)
        assert analyse(socket)["error"]["code"] == "no_assist"
    match.post("/resign", player="x")
    assert match.get("/exact")["known"]


def test_exact_values_are_those_of_the_solution(client):
    match = Played.begin(client, "points_ttt", {"o": "random"})
    found = match.get("/exact", ply=0)
    solution = mcts.solve(mcts.load_game("points_ttt"), cache=False)
    state = solution.game.new_initial_state()
    assert list(found["values"].values()) == solution.value()
    best = {state.action_to_string(0, action) for action in solution.optimal_actions(state, 0)}
    most = max(entry["value"] for entry in found["actions"]["x"])
    assert most == pytest.approx(solution.value()[0])
    assert {entry["action"] for entry in found["actions"]["x"] if entry["value"] == pytest.approx(most)} == best
    assert Played.begin(client, "three_player_ttt", {"zplayer": "random"}, assist=True).get("/exact")["known"] is False


@sweep("game", native_games(), 1)
def test_finished_matches_are_evaluated(client, game):
    players = mcts.load_game(game).players
    match = Played.begin(client, game, dict.fromkeys(players, "random"))
    seen = match.settled()
    assert seen["is_over"]
    found = match.get("/evaluation")
    assert len(found["plies"]) == seen["ply"] + 1
    assert list(found["plies"][-1]["values"].values()) == seen["returns"]
    info = mcts.load_game(game)
    for entry in found["plies"]:
        assert all(info.min_utility <= value <= info.max_utility for value in (entry["values"] or {}).values())
        assert all(0 <= cost <= info.max_utility - info.min_utility for cost in entry["costs"].values())


def test_a_blunder_costs_the_game(client):
    match = Played.begin(client, "mnk", assist=True)
    for player, action in zip("xoxo", ("mark(2,2)", "mark(1,2)", "mark(1,1)", "mark(2,1)"), strict=True):
        match.act(player, action)
    match.act("x", "mark(3,3)")
    plies = match.get("/evaluation")["plies"]
    assert plies[1]["costs"]["o"] == 50.0
    assert [plies[number]["costs"]["x"] for number in (0, 2, 4)] == [0, 0, 0]


def test_a_branch_goes_on_from_a_ply(client):
    match = Played.begin(client, "mnk", {"o": "random"})
    match.act("x", "mark(2,2)")
    before = match.settled()
    made = match.post("/branch", 201, ply=1, seats={"o": None, "x": "random"})
    other = Played(client, made, made["owner"])
    assert other.settled()["history"] == before["history"][:1]
    other.act("o", "mark(1,1)")
    assert other.settled()["ply"] == 3
    assert match.match() == before
    match.post("/branch", 404, ply=99)


@pytest.mark.parametrize(
    ("game", "status"),
    [
        ("mnk", 201),
        ("mnk(m=5,n=5,k=4)", 422),
        ("bidding_3d_ttt(chips=2)", 422),
        pytest.param("bidding_ttt(coins=20)", 422, marks=pytest.mark.long),  # its estimated size is below the bound
    ],
)
def test_the_exact_bot_plays_small_games_alone(client, game, status):
    seat = mcts.load_game(game).players[0]
    answer = client.post(f"{API}/matches", json={"game": game, "seats": {seat: "exact"}})
    assert answer.status_code == status, answer.text
