"""`playout train`: a net from the command line, and bad input."""

import json

import pytest

import mcts
from bots import load_bot
from cext.spec import format_spec

SMALL = ["--generations", "2", "--positions", "12", "--leaves", "300", "--match", "4", "--seed", "5"]
SPECS = ["bidding_3d_ttt(chips=9)", "bidding_3d_ttt(chips=12)"]


def test_a_small_net_is_trained_and_played(playout, tmp_path):
    path = tmp_path / "small.net"
    done = playout("train", *SPECS, *SMALL, "--out", str(path), "--json")
    assert done.status == 0
    found = json.loads(done.out)
    net = mcts.ValueNet.load(mcts.load_game(SPECS[0]), path)
    game = mcts.load_game(SPECS[1])
    assert found["digest"] == net.digest
    assert found["games"] == list(net.specs)
    assert [one["generation"] for one in found["generations"]] == [1, 2]
    assert found["generations"][0]["points"] is None
    assert 0 <= found["generations"][1]["points"] <= 100
    assert "generation 2 of 2: round 3" in done.err
    bot = load_bot(format_spec("double_oracle", {"net": str(path), "simulations": 500}))
    bot.new_game(game, player=1, seed=1)
    assert game.new_initial_state().is_legal(1, bot.choose(game.new_initial_state().view(1)))
    again = tmp_path / "again.net"
    done = playout("train", SPECS[0], *SMALL, "--generations", "1", "--out", str(again), "--workers", "2")
    assert done.status == 0
    assert mcts.ValueNet.load(mcts.load_game(SPECS[0]), again).digest in done.out
    assert "generation" in done.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mnk", "--out", "a.net"], "no net can be trained for mnk"),
        (["bidding_3d_ttt", "--out", "a.txt"], "valid: a path that ends with .net"),
        (["bidding_3d_ttt", "--out", "/nowhere/a.net"], "cannot write"),
        (["bidding_3d_ttt", "--out", "a.net", "--positions", "3"], "10"),
        (["bidding_3d_ttt"], "--out"),
        (["nosuch", "--out", "a.net"], "unknown game 'nosuch'"),
    ],
)
def test_bad_input_is_one_line(playout, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = playout("train", *arguments)
    assert done.status == 2
    assert message in done.err
    assert done.out == ""
