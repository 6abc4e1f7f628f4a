"""`playout train`: a net from the command line, and bad input."""

import json

import pytest

import mcts
from bots import load_bot
from bots.arena.store.lock import WriterLock
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


def test_a_net_of_games_has_a_card_and_a_page(playout, tmp_path):
    path = tmp_path / "a.net"
    options = ["--positions", "64", "--simulations", "20", "--match", "4", "--hidden", "8,8", "--out", str(path)]
    done = playout("train", "mnk", *options, "--generations", "2", "--minutes", "9", "--json")
    assert done.status == 0
    found = json.loads(done.out)
    game = mcts.load_game("mnk")
    assert mcts.ValueNet.load(game, path).digest == found["digest"]
    assert found["generations"][0]["kept"]
    assert "generation 2 of 2: test" in done.err
    page = path.with_suffix(".html").read_text()
    assert page.count("<section") == 3
    assert "<script" not in page
    done = playout("nets", str(path), "--json")
    (told,) = json.loads(done.out)
    assert (told["inputs"], told["hidden"], told["outputs"], told["actions"]) == (20, [8, 8], 1, 9)
    assert told["card"]["generations"] == found["generations"]
    assert told["card"]["recipe"]["simulations"] == 20
    text = playout("nets", str(path)).out
    assert f"{found['digest']}" in text
    assert "20-8-8-1, a policy of 9 actions" in text
    path.with_suffix(".json").write_text('{"digest": "another"}')
    assert json.loads(playout("nets", str(path), "--json").out)[0]["card"] is None
    path.with_suffix(".json").write_text("{")
    assert "not JSON" in playout("nets", str(path)).err
    path.write_bytes(b"PLAYONET")
    assert "is not a net" in playout("nets", str(path)).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["mnk", "--out", "a.net", "--leaves", "3"], "--leaves does not apply without sealed bids"),
        (["mnk", "tic_block", "--out", "a.net"], "valid: one game"),
        (["bidding_3d_ttt", "--out", "a.net", "--simulations", "9"], "--simulations does not apply"),
        (["mnk", "--out", "a.net", "--hidden", "8,x"], "--hidden 8,x: "),
        (["mnk", "--out", "a.net", "--hidden", "0,8"], "valid: a whole number from 1 to 1024"),
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


def test_two_runs_do_not_train_one_net(playout, tmp_path):
    path = tmp_path / "a.net"
    steps = tmp_path / "a.net.steps"
    steps.mkdir()
    lock = WriterLock(steps / "steps")
    try:
        done = playout("train", "mnk", "--out", str(path))
    finally:
        lock.release()
    assert done.status == 2
    assert "is being written to by" in done.err
    options = ["--positions", "10", "--simulations", "2", "--match", "4", "--hidden", "8", "--generations", "1"]
    assert playout("train", "mnk", *options, "--out", str(path)).status == 0
    assert not steps.exists()
