"""Bots that whoever starts the server adds, such as a search with a net of one's own, and the policy of the net."""

import pytest
from nets import random_net
from web_client import API, Played, analyse, greet, server

import mcts
from bots import load_bot

GAME = mcts.load_game("mnk(m=4,n=4,k=3)")
BIDS = mcts.load_game("bidding_ttt")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nets")
    found = {game: str(folder / f"{game.name}.net") for game in (GAME, BIDS)}
    random_net(GAME, policies=1).save(found[GAME])
    random_net(BIDS, policies=2).save(found[BIDS])
    return found


@pytest.fixture(scope="module")
def specs(files):
    return {game: f"mcts(net={file},simulations=40)" for game, file in files.items()}


@pytest.fixture(scope="module")
def client(specs):
    with server(bots=[*specs.values(), "hostile_bots.Hostile"]) as client:
        yield client


def refusal(client, bot, game=GAME):
    answer = client.post(f"{API}/matches", json={"game": game.spec, "seats": {"o": bot}})
    assert answer.status_code == 422, answer.text
    return answer.json()["error"]


def analysis_of(match, **frame):
    with match.live() as socket:
        greet(socket, match)
        return analyse(socket, simulations=100, **frame)


def test_they_come_first_in_the_list_where_they_play(client, specs):
    listed = client.get(f"{API}/bots", params={"game": GAME.spec}).json()
    assert [bot["name"] for bot in listed if bot["is_further"]] == [*specs.values(), "hostile_bots.Hostile"]
    assert listed[0]["why_unsupported"] is None
    assert "not a net for mnk(m=4,n=4,k=3); valid: 'bidding_ttt" in listed[1]["why_unsupported"]
    with server() as plain:
        assert plain.get(f"{API}/bots", params={"game": GAME.spec}).json() == listed[3:]


@pytest.mark.parametrize(
    ("game", "bot"),
    [("mnk", "mcts"), ("bidding_3d_ttt", "double_oracle"), ("kuhn_poker", "cfr"), ("oh_hell", "ismcts")],
)
def test_one_bot_is_the_strongest_and_plays(client, game, bot):
    listed = client.get(f"{API}/bots", params={"game": game}).json()
    assert [(one["name"], one["why_unsupported"]) for one in listed if one["is_strongest"]] == [(bot, None)]


def test_they_play_and_no_other_file_is_read(client, specs, files):
    made = Played.begin(client, GAME.spec, {"o": specs[GAME]})
    canonical = made.match()["seats"][1]["bot"]
    assert canonical == load_bot(specs[GAME]).spec
    made.act("x", "mark(1,1)")
    assert made.settled()["ply"] == 2
    assert Played.begin(client, GAME.spec, {"o": canonical}).settled()["seats"][1]["bot"] == canonical
    asked = client.post(f"{API}/bots/check", json={"game": GAME.spec, "bot": specs[GAME]}).json()
    assert asked == {"spec": canonical}
    for other in (
        f"mcts(net={files[GAME]})",
        f"mcts(net={files[GAME]},simulations=41)",
        f"mcts(net={files[GAME]}x,simulations=40)",
        f"level(table={files[GAME]})",
    ):
        assert refusal(client, other)["code"] == "refused_bot"
    assert (
        "valid: 0123456789abcdef"
        in refusal(client, f'mcts(net="{files[GAME]}#0123456789abcdef",simulations=40)')["message"]
    )
    assert "not a net for mnk" in refusal(client, specs[BIDS])["message"]


def test_an_analysis_has_the_policy_of_the_net_of_a_bot(client, specs, files):
    match = Played.begin(client, GAME.spec, {"o": specs[GAME]})
    found = analysis_of(match)
    state = GAME.new_initial_state()
    net = mcts.ValueNet.load(GAME, files[GAME])
    assert found["net"] == {"bot": load_bot(specs[GAME]).spec}
    assert {arm["action"]: arm["prior"] for arm in found["arms"]["x"]} == {
        state.action_to_string(0, action): prior for action, prior in net.priors(state).items()
    }
    bids = analysis_of(Played.begin(client, BIDS.spec, {"o": specs[BIDS]}))
    assert set(bids["arms"]) == {"x", "o"}
    for arms in bids["arms"].values():
        assert sum(arm["prior"] for arm in arms) == pytest.approx(1)


def test_an_analysis_without_a_net_or_with_that_of_the_search(client):
    found = analysis_of(Played.begin(client, GAME.spec, {"o": "random"}))
    assert found["net"] is None
    assert {arm["prior"] for arm in found["arms"]["x"]} == {None}
    found = analysis_of(Played.begin(client, "three_player_ttt", {"zplayer": "random"}, assist=True))
    assert found["net"] == {"bot": None}
    assert analysis_of(Played.begin(client, "dark_mnk", {"o": "random"}))["net"] is None


def test_a_file_that_changes_is_another_bot(specs, files, tmp_path):
    file = str(tmp_path / "changing.net")
    spec = f"mcts(net={file},simulations=40)"
    random_net(GAME, policies=1).save(file)
    with server(bots=[spec]) as client:
        before = Played.begin(client, GAME.spec, {"o": spec})
        old = before.match()["seats"][1]["bot"]
        random_net(GAME, policies=1, seed=9).save(file)
        after = Played.begin(client, GAME.spec, {"o": spec})
        assert after.match()["seats"][1]["bot"] not in (old, spec)
        assert analysis_of(after)["net"] == {"bot": after.match()["seats"][1]["bot"]}
        assert analysis_of(before)["net"] is None
        assert "has the digest" in refusal(client, old)["message"]


@pytest.mark.parametrize("bot", ["mcts(net=missing.net)", "no_such_bot", "os.path", "mcts(simulations=0)"])
def test_a_server_with_a_wrong_bot_does_not_start(bot):
    with pytest.raises(mcts.PlayoutError), server(bots=[bot]):
        pass
