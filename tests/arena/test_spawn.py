"""Executors whose processes are spawned: as on Windows and macOS, here with the real start method on any system."""

import os
import signal
import subprocess
import sys

import pytest
from support import environment
from waiting import HANG_SECONDS, let_pass, no_hang

import bots
from bots import errors
from bots.arena.play import heartbeat
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.schedule import Tournament
from bots.system.exit_status import INTERRUPTED
from bots.system.start_method import VARIABLE, can_fork_bots, start_method

METHODS = ["spawn", "forkserver"] if sys.platform != "win32" else ["spawn"]
HOSTILE = {
    "SoreLoser": errors.DEATH,
    "HangingAnswer": errors.STALL,
    "Deed(what=late_interrupt,when=attack)": errors.DEATH,
    "Deed(what=timer_death,when=attack)": errors.DEATH,
    "Killer": errors.DEATH,
    "Deed(what=close_files,when=attack)": errors.DEATH,
    "Deed(what=fork,when=attack)": None,
    "Printer": None,
    "Shouter": None,
}


@pytest.fixture(params=METHODS)
def method(request, monkeypatch):
    monkeypatch.setenv(VARIABLE, request.param)
    return request.param


def of_games(*bots, game="mnk", rounds=2, deadline=60.0, system="round_robin"):
    players = 3 if game.startswith("three") else 2
    return Tournament(game, players, bots, rounds, 1, (BotLimit(30),), deadline, system=system)


def test_the_variable_names_a_start_method(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    default = start_method()
    monkeypatch.setenv(VARIABLE, "spawn")
    assert start_method() == "spawn"
    assert not can_fork_bots()
    monkeypatch.setenv(VARIABLE, "")
    assert start_method() == default
    monkeypatch.setenv(VARIABLE, "clone")
    with pytest.raises(bots.BotError, match=r"PLAYOUT_START_METHOD='clone' cannot be used here; valid: .*spawn"):
        start_method()


def test_a_wrong_start_method_is_an_error_of_the_command(playout, monkeypatch):
    monkeypatch.setenv(VARIABLE, "clone")
    found = playout("arena", "mnk", "random", "greedy", "--games", "2", "--no-db")
    assert (found.status, found.out) == (2, "")
    assert found.err.splitlines()[-1].startswith("playout: PLAYOUT_START_METHOD='clone' cannot be used here; valid:")


@pytest.mark.long
@pytest.mark.parametrize("executor", ["processes", "isolated"])
def test_spawned_processes_play_the_same_games(method, executor, monkeypatch):
    of = of_games("random", "greedy", "mcts", game="bidding_ttt", rounds=1)
    found = run_tournament(of, 2, executor=executor).records
    monkeypatch.delenv(VARIABLE)
    assert found == run_tournament(of, 2, executor="threads").records


@pytest.mark.long
@pytest.mark.parametrize("executor", ["processes", "isolated"])
def test_games_and_bots_by_path_are_found_by_spawned_processes(method, executor):
    of = of_games("hostile_bots.Slow", "random", game="games_by_path.CountDown(heap=7)")
    outcome = run_tournament(of, 2, executor=executor)
    assert [record.failures for record in outcome.records] == [()] * of.num_games


def gauntlet(names, executor, deadline=5.0):
    """Play the hostile bots against an innocent one. Return failures by bot."""
    of = of_games("hostile_bots.Slow", *(f"hostile_bots.{name}" for name in names), game="mnk(m=4,n=4,k=4)", rounds=1,
                  deadline=deadline, system="gauntlet")  # fmt: skip
    with no_hang():
        records = run_tournament(of, 2, executor=executor).records
    assert len(records) == of.num_games
    found = {name: [] for name in names}
    for record in records:
        found[names[max(record.seats) - 1]].append([(record.seats[f.seat], f.kind) for f in record.failures])
    return found


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="these bots use names of POSIX")
def test_hostile_bots_in_spawned_processes_are_charged_with_what_they_do(monkeypatch, caplog):
    monkeypatch.setenv(VARIABLE, "spawn")
    monkeypatch.setattr(heartbeat, "GRACE_SECONDS", 0.3)
    found = gauntlet(list(HOSTILE), "processes")
    for number, (name, kind) in enumerate(HOSTILE.items(), 1):
        assert found[name] == [[] if kind is None else [(number, kind)]] * 2, name
    for way in ("print", "bytes", "write"):
        assert any(f"printed: by {way}" in text for text in caplog.messages)
    assert any(text.startswith("xxx") for text in caplog.messages)
    assert max(map(len, caplog.messages)) <= 2100


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="these bots use names of POSIX")
def test_hostile_bots_in_isolated_spawned_processes(monkeypatch, caplog):
    monkeypatch.setenv(VARIABLE, "spawn")
    names = ["SoreLoser", "HangingAnswer", "Printer"]
    found = gauntlet(names, "isolated")
    for number, name in enumerate(names, 1):
        assert found[name] == [[] if HOSTILE[name] is None else [(number, HOSTILE[name])]] * 2, name
    assert any("printed: by write" in text for text in caplog.messages)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows have no file descriptors")
def test_junk_in_the_pipe_of_logs_harms_the_logs_of_one_worker_only(monkeypatch, caplog):
    monkeypatch.setenv(VARIABLE, "spawn")
    outcome = run_tournament(of_games("hostile_bots.LogScribbler", "random", rounds=10), 2, executor="processes")
    assert [record.failures for record in outcome.records] == [()] * 20
    # Each worker logs one line before the junk, and the junk of one does not damage the pipe of the other.
    assert sum("decides" in text for text in caplog.messages) == 2


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C of a console cannot be sent to one process group")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seconds", [0.3, 1.2, 3.5])
def test_ctrl_c_ends_the_command_and_all_processes_with_one_line(method, seconds, tmp_path):
    program = "from bots.cli import main; print('begins', flush=True); main()"
    command = ["arena", "mnk", "mcts", "greedy", "--games", "100000", "--workers", "2", "--no-db"]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
        env={**environment(), VARIABLE: method},
    )
    assert process.stdout.readline() == "begins\n"
    let_pass(seconds)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode in (INTERRUPTED, 0), err
    assert "Traceback" not in err + out
    assert "KeyboardInterrupt" not in err + out
