"""A TOML file of engines: its sections as bots, their defaults, and errors that name the section and the key."""

import json
import sys

import pytest
from support import HELPERS

ARENA = (
    "arena",
    "chess",
    "--engines",
    "my.toml",
    "--games",
    "2",
    "--max-plies",
    "1",
    "--no-db",
    "--executor",
    "threads",
)
ENGINES = """
[each]
command = "./engine"
folder = "programs"
depth = 3
limit = "seconds=0.5"
options = { Hash = 16, "Own Book" = false }

["Engine 1"]
options = { Hash = 64 }

[other]
limit = "simulations=9,clock=60+1"
"""
HELLO = ["option name Hash type spin default 1 min 1 max 99", "option name Own Book type check default true", "uciok"]


@pytest.fixture
def arena(playout, tmp_path):
    """Runs a tournament with a text as the file of engines."""

    def run(text, *more):
        script = json.dumps({"uci": [HELLO], "go": [["bestmove e2e4"]]})
        engine = tmp_path / "programs" / "engine"
        engine.parent.mkdir(exist_ok=True)
        engine.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S '{HELPERS / 'line_engine.py'}' '{script}'\n")
        engine.chmod(0o755)
        (tmp_path / "my.toml").write_text(text)
        return playout(*ARENA, *more)

    return run


def test_all_engines_play_with_their_defaults(arena):
    done = arena(ENGINES, "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert [bot["bot"] for bot in found["bots"]] == ["Engine 1", "other"]
    assert found["limits"] == [
        {"seconds": 0.5},
        {"simulations": 9, "clock_seconds": 60.0, "increment_seconds": 1.0},
    ]
    specs = {bot["bot"]: bot["spec"] for bot in found["bots"]}
    common = "uci(command=./engine,folder=programs,depth=3,"
    assert specs["Engine 1"] == f"{common}option.hash=64,option.own_book=false)"
    assert specs["other"] == f"{common}option.hash=16,option.own_book=false)"


def test_engines_are_named_beside_other_bots(arena):
    done = arena(ENGINES, "random", "Engine 1", "--limit", "2:depth=2", "--name", "1=nobody", "--json")
    found = json.loads(done.out)
    assert {bot["bot"] for bot in found["bots"]} == {"nobody", "Engine 1"}
    assert found["limits"] == [{}, {"seconds": 0.5, "depth": 2}]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 3", ["x = 3", "valid: sections [NAME]"]),
        ("[each]\ndepth = 3", ["no engines", "valid: a section [NAME]"]),
        ("[a]\ncomand = 'x'", ["[a] has an unknown key 'comand'", "did you mean command"]),
        ("[each]\nx = 3\n[a]\ncommand = 'x'", ["[each] has an unknown key 'x'", "valid:", "protocol"]),
        ("[a]\ncommand = 'x'\nprotocol = 'xboard'", ["[a] has protocol = 'xboard'", "valid: uci, ugi, gtp"]),
        ("[a]\ncommand = 'x'\nprotocol = 3", ["[a] has protocol = 3"]),
        ("[a]\ncommand = 'x'\nprotocol = 'gtp'\ndepth = 3", ["[a] has an unknown key 'depth'"]),
        ("[a]\ndepth = 3", ["[a]: bot uci needs a command"]),
        ("[a]\ncommand = 'x'\ndepth = 0", ["[a]: ", "depth", "0", "1"]),
        ("[each]\nseconds = 'x'\n[a]\ncommand = 'x'", ["[each]: ", "seconds", "'x'"]),
        ("[a]\ncommand = 'x'\nlimit = 'depht=3'", ["[a]: 'depht=3'", "depth=N"]),
        ("[a]\ncommand = 'x'\nlimit = 3", ["[a] has limit = 3", "'clock=10+0.1'"]),
        ("[a]\ncommand = 'x'\noptions = 3", ["[a] has options = 3", "a table"]),
        ("[a]\ncommand = 'x'\n[a.options]\nHash = [1]", ["[a] has options.Hash = [1]", "a text, a number"]),
        ("[mcts]\ncommand = 'x'", ["[mcts] has the name of a bot"]),
        ("[a", ["cannot read engines from 'my.toml'"]),
    ],
)
def test_errors_name_file_section_key_and_value(arena, text, words):
    done = arena(text)
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert all(word in done.err for word in ["my.toml", *words]), done.err


def test_a_bot_without_a_depth(playout):
    done = playout("arena", "chess", "random", "mcts", "--depth", "3", "--no-db")
    assert done.status == 2
    assert "depth=3: bot random has no depth; valid: depth=N for uci" in done.err
