"""`playout train`: a net from the command line, and bad input."""

import io
import json

import pytest
from page_reader import Page
from rich.console import Console

import mcts
from bots.arena.store.lock import WriterLock
from bots.commands.train import generations_table
from bots.studies.training.card import write_beside
from mcts.errors import NetFileError


def shown_table(generations):
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(generations_table(generations))
    return console.export_text().strip()


def test_a_net_of_games_has_a_card_and_a_page(playout, tmp_path):
    path = tmp_path / "a.net"
    options = ["--positions", "64", "--simulations", "20", "--match", "4", "--hidden", "8,8", "-o", str(path)]
    done = playout("train", "mnk", *options, "--generations", "2", "--minutes", "9", "--json")
    assert done.status == 0
    found = json.loads(done.out)
    rows = [line.split()[0] for line in shown_table(found["generations"]).splitlines()[2:] if line.strip()]
    assert rows == ["1", "2"]
    game = mcts.load_game("mnk")
    assert mcts.ValueNet.load(game, path).digest == found["digest"]
    assert found["generations"][0]["kept"]
    assert "generation 2 of 2: test" in done.err
    page = Page(path.with_suffix(".html").read_text()).data
    assert [chart["title"] for chart in page["charts"]] == ["Losses", "Strength"]
    assert [len(chart["series"][0]["points"]) for chart in page["charts"]] == [2, 1]
    assert [row[0] for row in page["rows"]] == ["1", "2"]
    done = playout("nets", str(path), "--json")
    (told,) = json.loads(done.out)
    assert told["game"] == told["card"]["game"] == found["game"] == game.spec
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


@pytest.mark.parametrize(("limit", "stays"), [(["--generations", "1"], False), (["--minutes", "0.01"], True)])
def test_the_folder_of_steps_stays_only_where_the_training_can_continue(playout, tmp_path, limit, stays):
    path = tmp_path / "a.net"
    options = ["--positions", "64", "--simulations", "20", "--match", "4", "--hidden", "8,8", "-o", str(path)]
    done = playout("train", "mnk", *options, *limit)
    assert done.status == 0
    assert ("is for the same command with more --minutes; else remove it" in done.out) == stays
    assert (tmp_path / "a.net.steps").exists() == stays


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bidding_3d_ttt", "-o", "a.net"], "no net can be trained for bidding_3d_ttt"),
        (["mnk", "-o", "a.net", "--hidden", "8,x"], "--hidden 8,x: "),
        (["mnk", "-o", "a.net", "--hidden", "0,8"], "valid: a whole number from 1 to 1024"),
        (["mnk", "-o", "a.txt"], "valid: a path that ends with .net"),
        (["mnk", "-o", "/nowhere/a.net"], "cannot write"),
        (["mnk", "-o", "a.net", "--positions", "3"], "10"),
        (["mnk", "-o", "a.net", "--executor", "nowhere"], "unknown executor 'nowhere'; valid: "),
        (["mnk"], "-o"),
        (["nosuch", "-o", "a.net"], "unknown game 'nosuch'"),
    ],
)
def test_bad_input_is_one_line(playout, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = playout("train", *arguments)
    assert done.status == 2
    assert message in done.err
    assert done.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_card_that_cannot_be_written_is_named_with_the_reason():
    with pytest.raises(NetFileError, match=r"^cannot write '/nowhere/a\.json': No such file or directory$"):
        write_beside("/nowhere/a.net", ".json", "{}")


def test_two_runs_do_not_train_one_net(playout, tmp_path):
    path = tmp_path / "a.net"
    steps = tmp_path / "a.net.steps"
    steps.mkdir()
    lock = WriterLock(steps / "steps")
    try:
        done = playout("train", "mnk", "-o", str(path))
    finally:
        lock.release()
    assert done.status == 2
    assert "is being written to by" in done.err
    options = ["--positions", "10", "--simulations", "2", "--match", "4", "--hidden", "8", "--generations", "1"]
    assert playout("train", "mnk", *options, "-o", str(path)).status == 0
    assert not steps.exists()
