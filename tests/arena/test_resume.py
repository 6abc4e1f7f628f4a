"""Interrupted tournaments: they continue without lost or repeated games and give the same results."""

import json
import math
import os
import random
import signal
import sqlite3
import sys
from dataclasses import replace

import pytest
from stored_games import rows
from waiting import let_pass, wait_until

import bots
import mcts
from bots.arena.report.json_data import report_to_dict
from bots.arena.results.queries import find_tournament, tournament_report
from bots.arena.results.report import assemble_report
from bots.arena.runner import run_tournament
from bots.arena.store.store import Store
from bots.arena.tournament.openings import Openings
from bots.arena.tournament.schedule import Tournament


def start(tournament, path, executor="processes"):
    """Play in a process group of its own, as a shell would start it; the group's id."""
    child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)
        with Store(str(path)) as store:
            run_tournament(tournament, 2, executor=executor, store=store)
    finally:
        sys.stdout.flush()
        os._exit(0)


def kill_group(group):
    """End a whole process tree at once, and wait until its head is gone."""

    def is_killed():
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:  # it has not got so far as to make its group
            return False
        return True

    wait_until(is_killed)
    os.waitpid(group, 0)


def played(tournament, path, **options):
    """Play to the end; the rows and the report."""
    with Store(str(path)) as store:
        outcome = run_tournament(tournament, 2, store=store, **options)
        assert not outcome.interrupted
        report = assemble_report(
            tournament, mcts.load_game(tournament.game), outcome.tally, outcome.failures, tournament.bots
        )
    return rows(path), report_to_dict(report)


def stored_numbers(path):
    """Numbers of the games in a file that may not be there yet."""
    if not path.exists() or not rows(path, "SELECT 1 FROM sqlite_schema WHERE name = 'games'"):
        return set()
    return {number for (number,) in rows(path, "SELECT number FROM games")}


PAIR = ("random", "troublesome_bots.Dawdler")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("tournament", "executor", "kills"),
    [
        (Tournament("points_ttt", 2, PAIR, 2000, 3, openings=Openings(2)), "processes", 30),
        (Tournament("mnk", 2, PAIR * 3, 4, 5, system="swiss", blocks=100), "processes", 16),
        (Tournament("three_player_ttt", 3, PAIR, 400, 7), "threads", 10),
    ],
    ids=["pair", "swiss", "threads"],
)
@pytest.mark.parametrize("share", [0.1, pytest.param(1, marks=pytest.mark.long)])
def test_a_tournament_killed_again_and_again_gives_the_same_results(
    tmp_path, monkeypatch, tournament, executor, kills, share
):
    path = tmp_path / "killed.db"
    tournament = replace(tournament, rounds=math.ceil(share * tournament.rounds))
    draws = random.Random(1)
    before = set()
    monkeypatch.setenv("TROUBLE_SECONDS", "0.001")
    last = round(share * kills) - 1
    for number in range(last + 1):
        group = start(tournament, path, executor)
        if number % 2 or number == last:
            wait_until(lambda known=before: known < stored_numbers(path), "no more games are stored")
        let_pass(draws.uniform(0.0, 0.15))
        kill_group(group)
        now = stored_numbers(path)
        assert before <= now
        before = now
    assert 0 < len(before) < tournament.num_games, "it was to be killed while it played"
    monkeypatch.delenv("TROUBLE_SECONDS")
    assert played(tournament, path) == played(tournament, tmp_path / "whole.db", executor="threads")


def test_stored_games_are_not_played_again(tmp_path):
    of = Tournament("mnk", 2, ("random", "greedy"), 20, 1)
    path = tmp_path / "games.db"
    found = played(of, path, executor="threads")
    seen = []
    with Store(str(path)) as store:
        outcome = run_tournament(of, 2, lambda records, tally: seen.append((len(records), tally.played)), store=store)
    assert seen == [(0, 40)]
    assert outcome.tally.played == 40
    rows_left = "DELETE FROM games WHERE number % 3 = 1"
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(rows_left)
    connection.close()
    again = []
    with Store(str(path)) as store:
        run_tournament(of, 2, lambda records, tally: again.extend(r.number for r in records), store=store)
    assert sorted(again) == list(range(1, 40, 3))
    assert rows(path) == found[0]


def test_another_schedule_is_another_tournament_of_the_same_file(tmp_path):
    path = tmp_path / "games.db"
    first = Tournament("mnk", 2, ("random", "greedy"), 3, 1)
    second = Tournament("mnk", 2, ("random", "greedy"), 3, 2)
    for tournament in (first, second):
        played(tournament, path, executor="threads")
    with Store(str(path), read_only=True) as store:
        assert [stored.tournament for stored in store.tournaments()] == [first, second]
        assert [stored.games for stored in store.tournaments()] == [6, 6]
        assert find_tournament(store, None).tournament == second
        assert find_tournament(store, "1").tournament == first
        with pytest.raises(bots.StoreError, match=f"no tournament 'x'.*1 to 2.*{first.digest[:8]}"):
            find_tournament(store, "x")
        assert find_tournament(store, second.digest[:6]).tournament == second
        report = report_to_dict(tournament_report(store, find_tournament(store, first.digest)))
    assert report["games"] == 6
    assert not report["interrupted"]
    assert json.loads(json.dumps(report))["blocks"] == 3


def test_ctrl_c_keeps_what_was_played(tmp_path):
    path = tmp_path / "games.db"
    of = Tournament("mnk", 2, ("random", "random"), 500_000, 1)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        finished = [0]

        def on_records(records, tally):
            finished[0] += len(records)
            if finished[0] > 300 and records:
                os.killpg(0, signal.SIGINT)

        try:
            with Store(str(path)) as store:
                outcome = run_tournament(of, 2, on_records, store=store)
            os.write(writer, f"{outcome.interrupted} {finished[0]}".encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    interrupted, number = os.read(reader, 100).decode().split()
    assert interrupted == "True"
    assert rows(path, "SELECT count(*) FROM games") == [(int(number),)]
    with pytest.raises(ProcessLookupError):
        os.killpg(child, 0)
