"""Progress of a tournament: lines in a log, the state of a test, and the advice after Ctrl-C."""

import io
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys

import pytest
import typer
from rich.console import Console
from sampling import sweep
from support import environment
from waiting import HANG_SECONDS, let_pass

from bots.arena.description import describe
from bots.arena.records import GameRecord
from bots.arena.report import progress
from bots.arena.report.progress import Progress
from bots.arena.report.progress_lines import game_line, pace_text, progress_line, time_text, title_line
from bots.arena.results.sequential import sequential_test
from bots.arena.results.tally import Tally
from bots.arena.runner import run_tournament
from bots.arena.tournament.schedule import Tournament
from bots.commands.common.interrupted import continuable
from bots.game.failures import NO_SEAT, Failure

THREADS = ("--executor", "threads")
TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
PACE = "(a second|an hour)"
TEST = ["arena", "mnk", "greedy", "random", "--sprt", "0,100", "--name", "1=new", "--name", "2=old"]
TEST += [*THREADS, "--no-db"]


def log_of(tournament, **options):
    """What is written without a terminal, with the games played."""
    stream = io.StringIO()
    with Progress(tournament, Console(file=stream, width=40), **options) as shown:
        outcome = run_tournament(tournament, 1, shown.add, executor="threads", on_tick=shown.tick)
    return stream.getvalue().splitlines(), outcome


def test_without_a_terminal_there_is_a_line_every_so_often(monkeypatch):
    monkeypatch.setattr(progress, "RATING_SHARE", math.inf)
    of = Tournament("mnk(m=3,n=3,k=3)", 2, ("mcts(simulations=20)", "troublesome_bots.Crasher(after=1)"), 4, 1)
    lines, _ = log_of(of, path="x.db", line_seconds=1e-9)
    assert lines[0].startswith("mnk(m=3,n=3,k=3): mcts(simulations=20), troublesome_bots.Crasher(after=1); round robin")
    assert lines[0].endswith("8 games, seed 1; stored in x.db")
    line = rf"{TIME} \d+ of 8 games \(\d+ %\), [\d,]+ {PACE}, .* left, .* leads with .*\d+ failed"
    assert re.fullmatch(line, lines[-2])
    assert re.fullmatch(rf"8 of 8 games, [\d,]+ {PACE}, 8 failed", lines[-1])
    assert len(lines) > 3


def test_a_line_a_game():
    of = Tournament("mnk", 2, ("greedy", "random"), 2, 1, names=("[a]", ""))
    lines, outcome = log_of(of, log_games=True)
    found = {int(re.match(rf"{TIME} game (\d+): ", line)[1]): line for line in lines[1:-1]}
    assert set(found) == {1, 2, 3, 4}
    for record in outcome.records:
        seats = [of.labels[bot] for bot in record.seats]
        results = ", ".join(f"{bot} {value:g}" for bot, value in zip(seats, record.returns, strict=True))
        assert found[record.number + 1].endswith(f": {results}; {record.plies} plies")


def test_the_line_of_a_game_says_why_it_ended():
    of = Tournament("mnk", 2, ("greedy", "random"), 2, 1)
    failed = GameRecord(0, 0, (1, 0), 1, (), (0.0, 100.0), 3, "", (Failure(0, "crash", "RuntimeError: no", 3),))
    assert game_line(of, failed).endswith("game 1: random 0, greedy 100; 3 plies; random: crash: RuntimeError: no")
    adjudicated = GameRecord(1, 0, (0, 1), 1, (), None, 9, "", ending="max plies")
    assert game_line(of, adjudicated).endswith("game 2: greedy -, random -; 9 plies; max plies")


def test_durations_and_rates_are_formatted():
    assert [time_text(s) for s in (0.2, 59, 61, 3600, 90000)] == ["1 s", "59 s", "1 min 1 s", "1 h 0 min", "1 d 1 h"]
    assert [pace_text(pace) for pace in (1234, 0.01)] == ["1,234 a second", "36 an hour"]
    of = Tournament("mnk", 2, ("random", "greedy"), 10)
    assert "0 of 20 games (0 %), 0 an hour, no failures" in progress_line(of, 0, 0.0, 0, "")
    assert "greedy and 2 more" in title_line(
        Tournament("mnk", 2, ("random",) * 3 + ("greedy",) + ("random",) * 2, 1), ""
    )
    assert title_line(Tournament("mnk", 2, ("random",) * 3 + ("greedy",), 1), "").count(", greedy; ") == 1


def test_lines_come_while_no_game_ends(playout, monkeypatch):
    monkeypatch.setenv("TROUBLE_SECONDS", "0.25")
    bot = "troublesome_bots.Dawdler"
    command = ["arena", "mnk:m=8,n=8,k=5", bot, bot, "--games", "2", "--workers", "1", "--max-plies", "4"]
    result = playout(*command, "--no-db", "--progress-every", "0.001")
    assert re.search(rf"{TIME} 0 of 2 games \(0 %\), 0 an hour, no failures", result.err)


@pytest.mark.parametrize("value", ["0", "-1", "nan"])
def test_the_time_between_lines_is_above_zero(playout, value):
    result = playout("arena", "mnk", "random", "greedy", "--no-db", "--progress-every", value)
    assert result.status == 2
    assert "--progress-every" in result.err


# A sequential test.


def test_the_exit_status_of_a_test_is_accepted_rejected_or_undecided(playout):
    accepted = playout(*TEST, "--games", "2000", "--json")
    rejected = playout(
        "arena", "mnk", "random", "greedy", "--sprt", "0,100", *THREADS, "--no-db", "--games", "2000", "--json"
    )
    undecided = playout(*TEST, "--games", "4", "--json")
    assert [r.status for r in (accepted, rejected, undecided)] == [0, 10, 11]
    found = [json.loads(r.out)["test"] for r in (accepted, rejected, undecided)]
    assert [test["decision"] for test in found] == ["accepted", "rejected", "undecided"]
    assert (found[0]["tested"], found[0]["against"]) == ("new", "old")
    assert (found[0]["elo0"], found[0]["elo1"], found[0]["model"]) == (0, 100, "normalized")
    assert found[0]["llr"] >= found[0]["upper"] > 0 > found[0]["lower"]
    assert found[1]["llr"] <= found[1]["lower"]
    assert sum(found[2]["pentanomial"]) == 2


def test_a_test_without_a_sequential_test_has_no_decision(playout):
    result = playout(
        "arena", "mnk", "random", "greedy", "--pairing", "test", *THREADS, "--games", "2", "--no-db", "--json"
    )
    assert (result.status, json.loads(result.out)["test"]) == (0, None)


def test_the_result_names_the_tested_bot_and_the_decision(playout):
    text = " ".join(playout(*TEST, "--games", "2000").out.split())
    assert "Test of new against old: H0 0, H1 100 normalized Elo, alpha 0.05, beta 0.05" in text
    assert re.search(
        r"LLR [\d.]+ \(-2.94 to 2.94\), pentanomial \[[\d, ]+\] \(blocks of .* points\): accepted \(H1\)", text
    )


def test_progress_of_a_test_shows_its_state_on_a_terminal_and_in_a_log():
    of = describe("mnk", {"new": "greedy", "old": "random"}, games=40, sprt=(-500, 500), seed=1)
    lines, _ = log_of(of, line_seconds=1e-9)
    assert lines[0].startswith("mnk(m=3,n=3,k=3): new against old; test, at most 40 games")
    assert re.search(r"at most .* left, LLR .* \(-2.94 to 2.94\), pentanomial \[", lines[-2])
    with open(os.devnull, "w") as nowhere:
        console = Console(force_terminal=True, width=100, record=True, file=nowhere)
        tally = Tally(of)
        with Progress(of, console) as shown:
            shown.add((), tally)
            shown.add([GameRecord(0, 0, (0, 1), 1, (), (100.0, 0.0), 5, "")], tally)
    assert "Test of new against old" in console.export_text(clear=False)
    assert "LLR" in console.export_text()


def test_the_standings_on_a_terminal_count_the_failures_of_each_bot():
    of = Tournament("mnk", 2, ("greedy", "random"), 4, 1)
    failures = [(Failure(seat, "crash", "RuntimeError: no", 3),) for seat in (0, 0, NO_SEAT)]
    tally = Tally(of)
    with open(os.devnull, "w") as nowhere:
        console = Console(force_terminal=True, width=100, record=True, file=nowhere)
        with Progress(of, console) as shown:
            shown.add((), tally)
            for number, failed in enumerate(failures):
                tally.add(GameRecord(number, 0, (0, 1), 1, (), (0.0, 100.0), 3, "", failed))
            shown.add([GameRecord(3, 1, (1, 0), 1, (), (0.0, 100.0), 3, "")], tally)
            console.print(shown.table())
    rows = [line.split() for line in console.export_text().splitlines()]
    failed = {row[0]: row[5:] for row in rows if row[:1] in (["greedy"], ["random"])}
    assert failed == {"greedy": ["2"], "random": []}


def test_the_decision_of_a_test_is_that_of_its_ratio():
    of = describe("mnk", ["greedy", "random"], games=40, sprt=(0, 5))
    test = sequential_test(of, run_tournament(of, executor="threads").tally.blocks)
    assert test.decision == {None: "undecided", "H0": "rejected", "H1": "accepted"}[test.sprt.verdict(test.llr)]
    assert sum(test.pentanomial) == 20
    assert sequential_test(describe("mnk", ["greedy", "random"]), {}) is None


# Ctrl-C.


def interrupted(tmp_path, *arguments, times=1):
    """Status and messages of a command that gets Ctrl-C after its first games."""
    command = [sys.executable, "-P", "-m", "playout", "arena", "mnk", "mcts:simulations=300", "random", *arguments]
    command += ["--games", "100000", "--workers", "1", "--log-games"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment()
    )
    try:
        seen = []
        while not seen or " game " not in seen[-1]:
            seen.append(process.stderr.readline())
            assert seen[-1], seen
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            let_pass(0.05)
        _, rest = process.communicate(timeout=HANG_SECONDS)
    finally:
        process.kill()
    return process.returncode, rest, command


STORED = r"Interrupted: (1 game is|[\d,]+ games are) stored in my games\.db\. To continue:\n"
NOT_STORED = r"Interrupted: no games are stored\. To start again:\n"


@sweep(
    ("options", "times", "said"),
    [(["--db", "my games.db"], 1, STORED), (["--db", "my games.db"], 2, STORED), (["--no-db"], 1, NOT_STORED)],
    1,
)
def test_ctrl_c_prints_what_is_stored_and_the_command_to_continue(tmp_path, options, times, said):
    status, text, command = interrupted(tmp_path, *options, times=times)
    assert status == 130
    assert re.search(said, text)
    assert "Traceback" not in text
    # The command begins with python -P, which stands for the installed command; a path with a blank is quoted.
    assert shlex.split(text.splitlines()[-1])[1:] == command[2:]


@pytest.mark.parametrize(
    ("place", "words"), [("", "no games are stored. To start again"), ("x.db", "3 games are stored")]
)
def test_an_interruption_names_the_command_that_continues(place, words):
    console = Console(file=io.StringIO(), width=200)
    with pytest.raises(typer.Exit), continuable(console, place, lambda: 3):
        raise KeyboardInterrupt
    assert words in console.file.getvalue()


def test_the_display_ticks_while_games_are_played():
    ticks = []
    run_tournament(
        Tournament("mnk", 2, ("random", "random"), 10), 1, executor="threads", on_tick=lambda: ticks.append(1)
    )
    assert ticks
