"""The runner: results that depend on the tournament alone, and workers that crash, hang or are killed."""

import json
import logging
import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from support import environment
from waiting import HANG_SECONDS, no_hang, wait_until

import bots
import mcts
from bots import errors
from bots.arena.description import check_tournament
from bots.arena.report.json_data import report_to_dict
from bots.arena.results.report import assemble_report
from bots.arena.results.tally import Tally
from bots.arena.runner import run_tournament
from bots.arena.tournament.limits import BotLimit
from bots.arena.tournament.schedule import Tournament
from mcts.registry import native_games

LIMIT = BotLimit(simulations=30)


def tournament(*names, game="mnk", rounds=3, seed=1, deadline=60.0):
    return Tournament(game, mcts.load_game(game).num_players, names, rounds, seed, (LIMIT,), deadline)


def failures_of(outcome):
    return {record.number: [(f.seat, f.kind) for f in record.failures] for record in outcome.records if record.failures}


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", native_games())
def test_results_do_not_depend_on_the_workers(game):
    loaded = mcts.load_game(game)
    search = ("ismcts" if loaded.is_enumerable else "double_oracle") if loaded.has_hidden_information else "mcts"
    of = tournament("random", "greedy", search, game=game)
    one = run_tournament(of, 1)
    assert len(one.records) == of.num_games
    assert [record.number for record in one.records] == list(range(of.num_games))
    assert run_tournament(of, 3).records == one.records


def test_many_short_games_in_batches():
    of = tournament("random", "random", rounds=300)
    seen = []
    outcome = run_tournament(of, 2, lambda records, tally: seen.extend(records))
    assert len(seen) == of.num_games
    assert sorted(seen, key=lambda record: record.number) == outcome.records


def test_ctrl_c_before_the_first_game_ends_the_tournament(monkeypatch):
    def stop(name, workers):
        raise KeyboardInterrupt

    monkeypatch.setattr("bots.arena.runner.open_executor", stop)
    outcome = run_tournament(tournament("random", "random"), 1)
    assert (outcome.interrupted, outcome.records) == (True, [])


def test_a_crash_forfeits_and_the_tournament_goes_on():
    of = tournament("random", "troublesome_bots.Crasher(after=1)", "troublesome_bots.Cheater")
    outcome = run_tournament(of, 2)
    assert len(outcome.records) == of.num_games
    for record in outcome.records:
        assert record.failures
        for failure in record.failures:
            assert record.seats[failure.seat] != 0
            assert record.returns[failure.seat] == 0.0


def test_a_bot_that_kills_its_process_is_tried_twice_and_forfeits():
    of = tournament("random", "troublesome_bots.Killer(after=1)", rounds=1)
    outcome = run_tournament(of, 2)
    assert len(outcome.records) == 2
    for record in outcome.records:
        (failure,) = record.failures
        assert failure.kind == errors.DEATH
        assert record.seats[failure.seat] == 1
        assert f"exit code {-signal.SIGKILL}" in failure.message
        assert record.returns[failure.seat] == 0.0


def test_a_worker_killed_once_changes_nothing(tmp_path, monkeypatch):
    of = tournament("random", "troublesome_bots.KillerOnce(after=1)", rounds=20)
    monkeypatch.setenv("TROUBLE_FILE", str(tmp_path / "killed"))
    once = run_tournament(of, 2)
    assert (tmp_path / "killed").exists()
    assert not failures_of(once)
    assert run_tournament(of, 1, executor="threads").records == once.records


def test_a_hanging_bot_is_ended_after_the_deadline():
    of = tournament("troublesome_bots.Hanger", "random", rounds=1, deadline=2.0)
    with no_hang():
        outcome = run_tournament(of, 2)
    assert failures_of(outcome) == {0: [(0, errors.STALL)], 1: [(1, errors.STALL)]}
    assert [record.returns for record in outcome.records] == [(0.0, 100.0), (100.0, 0.0)]


def test_a_bot_that_only_the_workers_cannot_make_forfeits():
    import troublesome_bots

    troublesome_bots.Unmakeable.made = 0
    outcome = run_tournament(tournament("troublesome_bots.Unmakeable", "random", rounds=1), 1)
    assert failures_of(outcome) == {0: [(0, errors.CRASH)], 1: [(1, errors.CRASH)]}


@pytest.mark.parametrize(
    ("of", "kind"),
    [
        (Tournament("chequers", 2, ("random", "random"), 1), mcts.errors.UnknownGameError),
        (Tournament("mnk", 2, ("random", "nobody"), 1), bots.UnknownBotError),
        (Tournament("bidding_3d_ttt", 2, ("random", "mcts"), 1), mcts.UnsupportedGameError),
    ],
)
def test_tournaments_that_cannot_be_played_are_refused_at_once(of, kind):
    with pytest.raises(kind):
        check_tournament(of)
    with pytest.raises(kind):
        run_tournament(of)


def test_workers_that_die_before_they_play_are_not_replaced_for_ever(monkeypatch):
    monkeypatch.setattr("bots.arena.play.worker_process.serve", lambda *arguments: os._exit(7))
    with pytest.raises(bots.BotError, match="exit code 7"):
        run_tournament(tournament("random", "random"), 2)


def test_logs_of_all_workers_reach_the_handlers_of_the_parent():
    class Keep(logging.Handler):
        def __init__(self):
            super().__init__()
            self.texts = []

        def emit(self, record):
            self.texts.append(record.getMessage())

    root = logging.getLogger()
    keep, before = Keep(), list(root.handlers)
    root.addHandler(keep)
    try:
        run_tournament(tournament("troublesome_bots.Shouter", "random", rounds=5), 2)
        assert root.handlers == [*before, keep]
    finally:
        root.removeHandler(keep)
    shouts = [text for text in keep.texts if text.startswith("shouting from")]
    assert len(shouts) == 10
    assert all(int(text.split()[-1]) != os.getpid() for text in shouts)


SPAWNED = """
import json, logging, multiprocessing, sys
import mcts
from bots.arena.runner import run_tournament
from bots.arena.tournament.schedule import Tournament

if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    logging.basicConfig(format="logged: %(message)s")
    of = Tournament("mnk", 2, ("troublesome_bots.Shouter", "random"), 5, 1)
    print(json.dumps([record.moves for record in run_tournament(of, 2).records]))
"""


@pytest.mark.long
def test_processes_that_are_spawned_play_and_log_the_same(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SPAWNED)
    found = {}
    for method in ("fork", "spawn"):
        done = subprocess.run(
            [sys.executable, str(script), method],
            capture_output=True,
            text=True,
            env=environment(),
            timeout=HANG_SECONDS,
            check=True,
        )
        found[method] = json.loads(done.stdout)
        assert done.stderr.count("logged: shouting from") == 10
    assert found["fork"] == found["spawn"]


INTERRUPTED = """
import os, signal, sys, threading
from bots.arena.runner import run_tournament
from bots.arena.tournament.schedule import Tournament

of = Tournament("mnk", 2, ("random", "random"), 1_000_000, 1)
finished = []

def on_records(records, tally):
    finished.extend(records)
    if len(finished) > 100:
        os.killpg(0, signal.SIGINT)

outcome = run_tournament(of, 2, on_records)
assert outcome.interrupted
assert [r.number for r in outcome.records] == sorted(r.number for r in finished)
print(len(outcome.records), os.getpid())
"""


def test_ctrl_c_ends_with_what_is_finished_and_leaves_no_process(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    child = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    out, err = child.communicate(timeout=HANG_SECONDS)
    assert (child.returncode, err) == (0, "")
    assert int(out.split()[0]) > 100
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)


def is_group(number):
    """True if a process group has processes."""
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_end_when_the_parent_is_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED.replace("os.killpg(0, signal.SIGINT)", "os.kill(os.getpid(), signal.SIGKILL)"))
    child = subprocess.Popen([sys.executable, str(script)], env=environment(), start_new_session=True)
    assert child.wait(timeout=HANG_SECONDS) == -signal.SIGKILL
    try:
        wait_until(lambda: not is_group(child.pid), "a worker lives on")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def test_the_report_of_a_tournament_with_failures():
    of = tournament("random", "random", "troublesome_bots.Crasher(after=1)", rounds=4)
    outcome = run_tournament(of, 2, executor="threads")
    names = [bots.load_bot(name).spec for name in of.bots]
    report = assemble_report(of, mcts.load_game("mnk"), outcome.tally, outcome.failures, names)
    data = json.loads(json.dumps(report_to_dict(report)))
    assert data["games"] == data["games_scheduled"] == 24
    assert {bot["bot"] for bot in data["bots"]} == {"random", "random#2", "troublesome_bots.Crasher(after=1)"}
    crasher = data["bots"][-1]
    assert crasher["failures"] == {"crash": 16}
    assert (crasher["wins"], crasher["losses"], crasher["mean_return"]) == (0, 16, 0.0)
    assert (crasher["elo_lower"], crasher["elo_error"]) == (None, None)
    assert crasher["elo"] < crasher["elo_upper"] < 0
    assert len(data["failures"]) == 16
    assert any("lost all its games to random, random#2: its rating is only a bound" in note for note in data["notes"])
    for bot in data["bots"]:
        assert bot["games"] == 16 == bot["wins"] + bot["draws"] + bot["losses"]
        assert [sum(seat[key] for key in ("wins", "draws", "losses")) for seat in bot["seats"]] == [8, 8]
    assert sum(bot["elo"] for bot in data["bots"][:2]) == pytest.approx(
        0, abs=1e-3
    )  # zero is where results go both ways


def test_an_incomplete_block_is_left_out_of_the_elo_and_reported():
    of = tournament("random", "greedy", rounds=4)
    tally = Tally(of)
    for record in run_tournament(of, 1, executor="threads").records[:-1]:
        tally.add(record)
    report = assemble_report(of, mcts.load_game("mnk"), tally, [], of.bots, interrupted=True)
    assert (report.games, report.blocks) == (7, 3)
    assert any("7 of 8" in note for note in report.notes)
    assert any("not in the ratings" in note for note in report.notes)
