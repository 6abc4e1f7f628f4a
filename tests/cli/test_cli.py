"""The command line: output on the right stream, and bad input refused in one line."""

import json
import re
import tarfile

import pytest

import mcts
from bots import registered_bots
from bots.registry import find_bot
from bots.system.exit_status import GAMES_FAILED
from bots.system.version import package_version
from mcts.registry import find_searcher, native_games

THREADS = ("--executor", "threads")


def test_all_games_are_listed_and_none_is_compiled(playout, monkeypatch):
    monkeypatch.setattr("mcts.gdl.game.compile_network", None)
    listed = {game["name"]: game for game in json.loads(playout("games", "--json").out)}
    assert list(listed) == mcts.registered_games()
    assert set(listed) > {"mnk", "connect_four", "tron"}
    assert all(game["title"] and game["summary"] and game["size"] for game in listed.values())
    assert (listed["tron"]["kind"], listed["bidding_3d_ttt"]["kind"]) == ("simultaneous", "simultaneous, hidden")
    assert (listed["secret_goofspiel"]["kind"], listed["dice_race"]["kind"]) == (
        "simultaneous, hidden",
        "turns, chance",
    )
    table = playout("games").out
    assert all(name in table for name in listed)


@pytest.mark.parametrize("name", [*native_games(), "tic_tac_toe"])
def test_a_game_is_shown_with_its_parameters(playout, name):
    info = mcts.game_info(name)
    shown = playout("games", name).out
    assert name in shown
    assert all(word in shown for word in (*info.parameters, *info.players))


def test_bots_are_listed_with_their_parameters(playout):
    listed = playout("bots", "--all").out
    for name in registered_bots():
        kind = find_bot(name)
        assert name in listed
        assert all(parameter in listed for parameter in kind.PARAMETERS)
    common = playout("bots").out
    assert "grave_exploration" not in common
    assert "16 more with --all" in common


def test_searchers_are_listed_with_their_parameters(playout):
    listed = playout("searchers", "--all").out
    for name in mcts.registered_searchers():
        kind = find_searcher(name)
        assert name in listed
        assert kind.SUMMARY.split()[0] in listed
        assert all(parameter in listed for parameter in kind.PARAMETERS)


def test_the_version_is_printed(playout):
    assert re.match(r"playout \S+", playout("--version").out)


def test_arena_prints_a_table_on_stdout_and_progress_on_stderr(playout):
    result = playout("arena", "mnk", "random", "greedy", "mcts:simulations=20", "--games", "3", "--workers", "2")
    assert result.status == 0
    assert all(name in result.out for name in ("greedy", "random", "mcts(simulations=20)", "12 games"))
    assert "12 of 12 games" in result.err
    assert "4 games for 3" in result.err
    assert "\x1b" not in result.out + result.err


def test_arena_json_is_all_of_stdout_and_the_same_for_any_number_of_workers(playout):
    command = ["arena", "points_ttt", "random", "greedy", "--games", "10", "--seed", "4", "--json", "--workers"]
    one = playout(*command, "1")
    data = json.loads(one.out)
    assert data["game"] == "points_ttt"
    assert data["games"] == 10
    assert data["seed"] == 4
    assert {"bot", "elo", "elo_error", "mean_return", "games"} <= set(data["bots"][0])
    assert [bot["games"] for bot in data["bots"]] == [10, 10]
    assert playout(*command, "3").out == one.out
    other = playout(*(word if word != "4" else "5" for word in command), "1")
    assert json.loads(other.out)["bots"] != data["bots"]


def test_arena_writes_json_beside_the_table(playout, tmp_path):
    target = tmp_path / "result.json"
    result = playout("arena", "three_player_ttt", "random", "greedy", *THREADS, "--games", "2", "-o", str(target))
    assert "greedy" in result.out
    assert "zplayer" in result.out
    data = json.loads(target.read_text())
    assert (data["games"], data["block_size"], data["blocks"]) == (6, 3, 2)


def test_arena_takes_limits_of_bots_and_policies(playout):
    options = ["--clock", "9+0.5", "--bot-memory-mb", "64", "--limit", "2:simulations=9,clock=8", "--simulations", "4"]
    command = ["arena", "mnk", "random", "mcts", *THREADS, "--games", "2", "--on-failure", "crash=replay", *options]
    data = json.loads(playout(*command, "--json").out)
    assert data["policies"] == "crash=replay"
    common = {"simulations": 4, "clock_seconds": 9.0, "increment_seconds": 0.5, "memory_mb": 64}
    assert data["limits"] == [common, {"simulations": 9, "clock_seconds": 8.0, "memory_mb": 64}]


def test_arena_anchors(playout):
    command = ["arena", "mnk", "random", "greedy", *THREADS, "--games", "60", "--anchor", "random()=700"]
    data = json.loads(playout(*command, "--json").out)
    greedy, anchored = data["bots"]
    assert (anchored["bot"], anchored["elo"], anchored["elo_error"]) == ("random", 700.0, 0.0)
    assert greedy["elo"] > 900
    assert data["ratings"]["anchors"] == {"random": 700.0}
    assert "Anchors: random = 700" in " ".join(playout(*command).out.split())
    again = json.loads(playout("ratings", "--anchor", "greedy=0", "--json").out)
    assert (again["bots"][0]["elo"], again["bots"][1]["elo"] < -200) == (0, True)


def test_arena_reports_forfeits(playout):
    result = playout("arena", "mnk", "random", "troublesome_bots.Crasher:after=1", "--games", "20", "--workers", "2")
    assert result.status == GAMES_FAILED
    text = " ".join(result.out.split())
    assert (
        "troublesome_bots.Crasher(after=1): crash in 20 games, first in game 1: RuntimeError: no idea what to do"
        in text
    )
    assert "20 failed" in result.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["arena", "chequers", "random", "greedy"], ["'chequers'", "playout games", "NAME.kif"]),
        (["rules", "conect_four"], ["'conect_four'", "valid: connect_four,"]),
        (["arena", "mnk(k=9)", "random", "greedy"], ["k=9", "up to 3"]),
        (["arena", "mnk(x=1)", "random", "greedy"], ["'x'", "m, n, k"]),
        (["arena", "mnk", "random", "best"], ["'best'", "greedy", "mcts", "random"]),
        (["arena", "mnk", "mcts:simulations=none", "random"], ["simulations", "none"]),
        (["arena", "bidding_3d_ttt", "random", "mcts"], ["mcts", "bidding_3d_ttt", "use double_oracle"]),
        (["arena", "mnk", "random", "double_oracle"], ["double_oracle", "mnk", "use mcts"]),
        (["arena", "mnk", "random", "-o", "/no/such/folder/x.json"], ["/no/such/folder/x.json"]),
        (["arena", "mnk", "random", "--seconds", "-1"], ["seconds=-1"]),
        (["arena", "mnk", "random", "--margin", "1"], ["margin without seconds", "seconds=S,margin=S"]),
        (["arena", "mnk", "random", "--deadline", "0"], ["deadline=0", "above 0"]),
        (["arena", "mnk", "random", "--clock", "0"], ["clock", "above 0"]),
        (["arena", "mnk", "random", "--limit", "2:simulations=9"], ["2:simulations=9", "from 1 to 1"]),
        (["arena", "mnk", "random", "--limit", "1:depth=9"], ["depth=9", "simulations=N"]),
        (["arena", "mnk", "random", "--on-failure", "hang=abort"], ["hang=abort", "stall"]),
        (["arena", "mnk", "random", "--anchor", "greedy=5"], ["'greedy=5'", "does not play", "random"]),
        (["arena", "mnk", "random", "--anchor", "random"], ["'random'", "BOT=RATING"]),
        (["arena", "mnk", "random", "--anchor", "random=nan"], ["'random=nan'", "BOT=RATING"]),
        (["arena", "mnk", "random", "--anchor", "random=1", "--anchor", "random()=2"], ["'random()=2'", "already"]),
        (["arena", "mnk", "random", "--anchor", "nobody=5"], ["nobody", "greedy"]),
        (["play", "mnk", "--bot", "nobody"], ["nobody", "greedy"]),
        (["arena", "mnk", "mcts(c_puct=1)"], ["'c_puct'; did you mean exploration? valid: simulations, "]),
        (["arena", "mnk", "mcts(iterations=9)"], ["did you mean simulations?"]),
        (["arena", "mnk", "level(steps=1)"], ["'steps'; valid: "]),
        (["arena", "mnk", "gredy"], ["did you mean greedy? valid: "]),
        (["search", "mnk", "--searcher", "mcts(solvr=1)"], ["did you mean solver? valid: "]),
        (["arena", "mnk", "here.Bot"], ["here is in this folder", "valid: PYTHONPATH=. before the command"]),
        (["arena", "mnk", "here.py:Bot"], ["valid: here.CLASS, with the folder", "ugi:command=./here.py"]),
        (["arena", "mnk", "./here.py:Bot"], ["package.module.Class", "ugi:command=./here.py"]),
        (["arena", "mnk", "/opt/engine"], ["a program that speaks UGI, ugi:command=/opt/engine"]),
        (["play", "here.py:Game"], ["valid: here.CLASS, with the folder"]),
        (["play", "mnk", "--bot", "random", "--seat", "z"], ["'z'", "x, o, or 1 to 2"]),
        (["play", "mnk", "--bot", "random", "--bot", "random"], ["2 bots", "1"]),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_status_2(playout, tmp_path, arguments, words):
    (tmp_path / "here.py").write_text("")
    result = playout(*arguments)
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith("playout: ")
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words)


@pytest.mark.parametrize("line", ["arena", "play", "dance", "arena mnk random --games 0"])
def test_usage_mistakes_are_one_line_and_status_2(playout, line):
    result = playout(*line.split())
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("playout: ")
    assert result.err.count("\n") == 1
    assert "--help" in result.err or "valid: " in result.err


def test_a_tournament_that_a_failure_stops_ends_with_one_line_and_status_2(playout):
    result = playout("arena", "mnk", "random", "troublesome_bots.Crasher", "--on-failure", "crash=abort")
    assert (result.status, result.out) == (2, "")
    assert result.err.splitlines()[-1].startswith("playout: ")
    assert "no idea what to do" in result.err.splitlines()[-1]


def test_a_site_is_the_page_with_the_npm_package_and_python_modules(playout, tmp_path):
    package, site = tmp_path / "playout-games", tmp_path / "site"
    package.mkdir()
    (package / "playout.data").write_bytes(b"data")
    for version in ("0.0.1", package_version()):
        (package / "package.json").write_text(json.dumps({"name": "playout-games", "version": version}))
        result = playout("export-site", str(site), "--package", str(package))
        assert result.status == (0 if version == package_version() else 2), result.err
    index = (site / "index.html").read_text()
    assert '<meta name="playout-transport" content="worker">' in index
    assert "frame-ancestors" not in index
    named = re.findall(r'(?:href|src)="([^"#]+)', index)
    assert len(named) > 40
    assert all((site / name).is_file() for name in named)
    assert "mnk" in [game["key"] for game in json.loads((site / "games.json").read_text())]
    with tarfile.open(tmp_path / "package.tgz", "w:gz") as archive:
        archive.add(package, "package")
    assert playout("export-site", str(site), "--package", str(tmp_path / "package.tgz")).status == 0
    assert "make wasm" in playout("export-site", str(site), "--package", str(site)).err
    assert "has other files" in playout("export-site", str(package), "--package", str(package)).err
