"""Commands of the arena: tournaments with a file, lists of what is stored, and bad input."""

import csv
import json
import os
import re
import subprocess
import sys

import pytest
from rich.console import Console
from support import environment
from waiting import TickingClock

import mcts
from bots.arena.report.progress import Progress
from bots.arena.runner import run_tournament
from bots.arena.tournament.schedule import Tournament
from bots.game import Record, read_records, replayed
from bots.steps import apply_step
from bots.system.version import package_version

THREADS = ("--executor", "threads")
ARENA = ["arena", "points_ttt", "random", "greedy", "--games", "6", "--executor", "threads", "--opening-plies", "1"]


def test_the_same_command_again_shows_the_results_at_once(playout, tmp_path):
    first = playout(*ARENA, "-o", "one.json")
    assert "6 of 6 games" in first.err
    assert (tmp_path / "arena.db").exists()
    again = playout(*ARENA, "-o", "two.json")
    assert again.out == first.out
    assert "6 of 6 games (6 of them stored before)" in again.err
    assert (tmp_path / "one.json").read_text() == (tmp_path / "two.json").read_text()
    assert playout("ratings").out.startswith(first.out)
    shown = json.loads(playout("ratings", "arena.db", "--json").out)
    (source,) = shown.pop("sources")
    assert (source["file"], source["games"]) == ("arena.db", 6)
    assert shown.pop("not_pooled") == []
    assert shown == json.loads((tmp_path / "one.json").read_text())


def test_bots_that_mean_the_same_are_the_same_tournament(playout):
    playout("arena", "mnk", "mcts:simulations=9", "random", *THREADS, "--games", "2")
    again = playout("arena", "mnk", "mcts(simulations=9)", "random", *THREADS, "--games", "2")
    assert "(2 of them stored before)" in again.err


def test_no_db_keeps_nothing(playout, tmp_path):
    assert playout(*ARENA, "--no-db").status == 0
    assert list(tmp_path.iterdir()) == []


def test_games_are_listed_and_replayed(playout):
    playout(*ARENA, "--db", "x.db")
    listed = playout("records", "x.db").out
    names = [line.split()[0] for line in listed.splitlines() if "greedy" in line]
    assert len(names) == 6
    assert [name.split("-")[1] for name in names] == list("123456")
    shown = playout("replay", "x.db", names[3]).out
    assert playout("replay", "x.db", "4").out == shown
    assert f"points_ttt, game {names[3]}" in shown
    assert "opening: " in shown
    playout("records", "x.db", "-o", "games.jsonl")
    for wanted in (names[3], "4"):
        assert playout("replay", "games.jsonl", wanted).out == shown
    with open("games.jsonl") as lines:
        record = [Record.from_json(line) for line in lines][3]
    state = mcts.load_game("points_ttt").new_initial_state()
    for ply, (step,) in enumerate((ply.actions.values() for ply in record.plies), 1):
        apply_step(state, step)
        if ply > record.opening:
            assert f"\n{ply - record.opening}. {step}\n{state}" in shown
    assert f"\nresult: x {record.returns[0]:g}, o {record.returns[1]:g}\n" in shown


def test_exports_have_every_game(playout, tmp_path):
    playout(*ARENA, "--db", "x.db")
    result = playout("records", "x.db", "-o", "games.jsonl", "-o", "games.csv")
    assert (result.status, result.out) == (0, "")
    games = list(read_records(tmp_path / "games.jsonl"))
    with open(tmp_path / "games.csv", newline="") as lines:
        rows = list(csv.DictReader(lines))
    numbers = [int(game.game_id.partition("-")[2]) for game in games]
    assert numbers == list(range(1, 7)) == [int(row["number"]) for row in rows]
    game = mcts.load_game("points_ttt")
    for exported, row in zip(games, rows, strict=True):
        *_, course = replayed(exported, game)
        assert exported.ending == "finished"
        assert exported.returns == (float(row["return_1"]), float(row["return_2"]))
        assert [seat.bot for seat in exported.seats] == [row["bot_1"], row["bot_2"]]
        assert row["moves"].split() == course.moves[exported.opening :]
        assert row["opening"].split() == course.moves[: exported.opening]
        assert exported.library == package_version()
        assert all(seat.seconds >= 0 for seat in exported.seats)


def test_failed_games_are_shown_with_what_failed(playout):
    playout("arena", "mnk", "random", "troublesome_bots.Crasher:after=1", *THREADS, "--games", "2")
    assert playout("records", "arena.db").out.count("crash") == 2
    shown = playout("replay", "arena.db", "1").out
    assert "o: crash, after 3 steps: RuntimeError: no idea what to do" in shown
    assert "forfeited: x 100, o 0" in shown


def test_of_several_tournaments_the_last_played_is_shown_and_named(playout, tmp_path):
    playout(*ARENA)
    playout(*ARENA, "--seed", "5")
    listed = playout("tournaments", "arena.db").out
    ids = [line.split()[1] for line in listed.splitlines() if "points_ttt" in line]
    assert [line.split()[0] for line in listed.splitlines() if "points_ttt" in line] == ["1", "2*"]
    for command in (
        ["ratings"], ["replay", "arena.db", "1"], ["records", "-o", "x.csv"], ["report", "-o", "x.html"],
        ["records", "arena.db"],
    ):  # fmt: skip
        result = playout(*command)
        assert result.status == 0
        assert f"arena.db: the last played of 2 tournaments, {ids[1]}" in result.err
    assert "seed 5" in playout("ratings").out
    assert "seed 5" in playout("ratings", "--tournament", ids[1]).out
    first = playout("ratings", "--tournament", ids[0])
    assert "seed 0" in first.out
    assert first.err == ""
    assert playout("ratings", "--tournament", "1").out == first.out
    assert f"game {ids[0]}-1" in playout("replay", "arena.db", f"{ids[0]}-1").out
    data = json.loads(playout("tournaments", "--json").out)["tournaments"]
    assert [found["id"][:8] for found in data] == ids
    assert [(found["games"], found["games_scheduled"]) for found in data] == [(6, 6), (6, 6)]


def test_the_page_of_a_report(playout, tmp_path):
    playout(*ARENA)
    assert playout("report", "-o", "page.html").status == 0
    page = (tmp_path / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "points_ttt" in page


def test_gauntlet_swiss_and_seat_orders(playout):
    def games_of(*arguments):
        result = playout("arena", *arguments, "--games", "2", "--executor", "threads", "--json", "--no-db")
        assert result.status == 0
        return json.loads(result.out)["games"]

    assert games_of("mnk", "greedy", "random", "random", "random", "--pairing", "gauntlet") == 6
    assert games_of("mnk", *["random"] * 5, "--pairing", "swiss") == 3 * 2 * 2
    assert games_of("mnk", *["random"] * 4, "--pairing", "swiss", "--rounds", "1") == 4
    assert games_of("three_player_ttt", *["random"] * 3, "--seat-orders", "all") == 6


def test_a_test_reports_its_decision(playout):
    command = ["arena", "mnk", "greedy", "random", "--pairing", "test", "--sprt", "0,100", *THREADS, "--games", "2000"]
    result = playout(*command)
    text = " ".join(result.out.split())
    assert "of at most 2,000 games: H1 is accepted (100 normalized Elo)" in text
    assert re.search(r"ended after (\d+) of .* It has \d+ blocks of 2 games; games that were still running then", text)
    assert " of at most 2,000 games, " in result.err
    assert playout(*command).out == result.out
    assert playout("ratings").out.startswith(result.out)
    command[command.index("0,100")] = "0,100,model=logistic,alpha=0.1,beta=0.1"
    assert "H1 is accepted (100 logistic Elo)" in " ".join(playout(*command, "--no-db").out.split())


def test_repeated_openings_are_reported(playout):
    result = playout("arena", "mnk", "random", "greedy", *THREADS, "--games", "40", "--opening-plies", "1")
    assert "9 openings for 20 blocks of each pairing" in " ".join(result.out.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["arena", "mnk", "random", "--pairing", "cup"], ["'cup'", "gauntlet, round_robin, swiss, test"]),
        (["arena", "three_player_ttt", *["random"] * 3, "--pairing", "swiss"], ["two players", "round_robin"]),
        (["arena", "mnk", "random", "greedy", "--pairing", "test", "--sprt", "5"], ["'5'", "ELO0,ELO1", "0,5"]),
        (["arena", "mnk", "random", "greedy", "--pairing", "test", "--sprt", "5,0"], ["elo0 below elo1"]),
        (["arena", "mnk", "random", "greedy", "--pairing", "test", "--sprt", "0,5,gamma=1"], ["gamma", "model="]),
        (["arena", "mnk", "random", "greedy", "--pairing", "test", "--sprt", "0,5,model=x"], ["'x'", "logistic"]),
        (["arena", "mnk", "random", "greedy", "--pairing", "test", "--sprt", "0,5,alpha=0.7"], ["alpha=0.7"]),
        (["arena", "mnk", "random", "greedy", "--sprt", "0,5", "--pairing", "round_robin"], ["pairing system test"]),
        (["arena", "mnk", "random", "greedy", "--rounds", "5"], ["--rounds", "swiss"]),
        (["arena", "dark_mnk", "cfr", "random"], ["dark_mnk", "too large for cfr", "ismcts"]),
        (["arena", "mnk", "random", "greedy", "--openings", "no.jsonl"], ["no.jsonl"]),
        (["arena", "mnk", "random", "greedy", "--openings", "x", "--opening-plies", "2"], ["together"]),
        (["arena", "mnk", "random", "greedy", "--opening-plies", "9"], ["9 random plies", "fewer plies"]),
        (
            ["arena", "mnk", "random", "greedy", "--executor", "cloud"],
            ["'cloud'", "dask://HOST:PORT, isolated, processes, threads"],
        ),
        (["arena", "mnk", "random", "greedy", "--db", "/no/such/folder/x.db"], ["/no/such/folder/x.db"]),
        (["ratings", "none.db"], ["none.db", "playout arena"]),
        (["records", "none.db"], ["none.db"]),
        (["tournaments", "none.db"], ["none.db"]),
        (["replay", "none.db", "3"], ["none.db"]),
        (["report", "none.db"], ["none.db"]),
    ],
)
def test_bad_input_is_one_line(playout, arguments, words):
    result = playout(*arguments)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("playout: ")
    assert result.err.count("\n") == 1
    assert all(word in result.err for word in words)


def test_unknown_games_are_refused(playout):
    playout("arena", "mnk", "random", "greedy", *THREADS, "--games", "2")
    for wanted, words in (
        ("7", "numbers are from 1 to 2"),
        ("0", "numbers are from 1 to 2"),
        ("x", "not the id of a game"),
        ("deadbeef-1", "no tournament 'deadbeef'"),
    ):
        result = playout("replay", "arena.db", wanted)
        assert result.status == 2
        assert words in result.err


@pytest.mark.long
def test_a_listing_into_a_closed_pipe_is_quiet(tmp_path, playout):
    playout(*ARENA)
    command = f"{sys.executable} -m bots.cli records arena.db | head -n 1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, env=environment(), cwd=tmp_path, check=True
    )
    assert done.stderr == ""


def test_the_live_table_has_ratings_with_errors(monkeypatch):
    monkeypatch.setattr("bots.arena.report.progress.time", TickingClock().module)
    of = Tournament("mnk", 2, ("random", "greedy", "troublesome_bots.Crasher(after=3)"), 6, 1)
    with open(os.devnull, "w") as nowhere:
        console = Console(force_terminal=True, width=100, record=True, file=nowhere)
        with Progress(of, console) as progress:
            run_tournament(of, 2, progress.add, executor="threads")
    text = console.export_text()
    assert "greedy" in text
    assert "± 95 %" in text
    assert "36/36" in text
    assert "/s" in text
    assert "failed" in text
