"""Other packages beside Playout: rules, adapters, interpreters of their own, failures, results."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import ROOT
from waiting import BUILD_SECONDS, HANG_SECONDS

import mcts
from bench.pages import sections
from bench.peers import environments, measure, ours, ttt_rules
from bench.peers.environments import NoPeerError
from bench.peers.peer import Peer, all_names, load_adapter
from bots.benchmark.result_file import parse_results

ADAPTER = """
REQUIREMENTS = ("other-package==1.0",)
CASES = {
    "quick case": {"ours": "search tic-tac-toe in Python", "count": 50, "same": "Nothing is equal."},
    "CASE": {"ours": "playouts mnk(m=3,n=3,k=3)", "count": 50, "same": "Nothing is equal."},
}


def prepare(rules):
    import time

    now = [0.0]
    setattr(time, "perf_counter", lambda: now[0])

    def work(seconds):
        now[0] += seconds

    assert rules.Board(0, 0, 0).blanks() == list(range(9))
    print("printed by a package")

    def begin(count, exploration):
        assert exploration == 0.7
        return lambda: work(count / 10_000)

    def bad(count, exploration):
        BODY

    return {"quick case": begin, "CASE": bad}
"""


def adapter_in(folder, body="return begin(count, exploration)", case="other case"):
    path = folder / "adapter.py"
    path.write_text(ADAPTER.replace("BODY", body).replace("CASE", case).replace(f"{case}S", "CASES"))
    scope = {}
    exec(path.read_text(), scope)
    return SimpleNamespace(REQUIREMENTS=scope["REQUIREMENTS"], CASES=scope["CASES"], __file__=str(path))


@pytest.fixture
def started(tmp_path, monkeypatch):
    monkeypatch.setattr(ours, "LEAST_SECONDS", 0.01)
    running = []

    def start(**changes):
        running.append(Peer(adapter_in(tmp_path, **changes), sys.executable))
        return running[-1]

    yield start
    for peer in running:
        peer.close()


def test_the_rules_in_python_are_those_of_the_games():
    game, python_game = mcts.load_game("mnk(m=3,n=3,k=3)"), ours.TicTacToe()
    for seed in range(200):
        board, state, other = ttt_rules.Board(0, 0, 0), game.new_initial_state(), python_game.new_initial_state()
        while not state.is_terminal():
            assert not board.is_over()
            assert board.blanks() == state.legal_actions() == other.legal_actions()
            assert board.mover == state.current_player() == other.current_player()
            action = state.sample_action(state.current_player(), seed + len(board.blanks()))
            board = board.mark(action)
            state.apply_action(action)
            other.apply_action(action)
        assert board.is_over()
        assert other.is_terminal()
        assert [50 + 50 * board.reward_of_first(), 50 - 50 * board.reward_of_first()] == list(state.returns())
        assert [100 * value for value in other.returns()] == list(state.returns())


def test_adapters_name_versions_and_works_of_playout_and_import_no_package():
    assert {"openspiel", "mcts", "multimcts"} <= set(all_names())
    for name in all_names():
        adapter = load_adapter(name)
        assert "==" in adapter.REQUIREMENTS[0]
        for facts in adapter.CASES.values():
            assert facts["ours"] in ours.WORKS
            assert facts["count"] >= 1000
            assert "uniform" in facts["same"]
    assert not {"multimcts", "mctspy", "fastmcts", "mcts_simple"} & sys.modules.keys()


def test_a_package_is_timed_in_its_own_interpreter_and_may_print(started):
    peer = started()
    assert peer.version == "of unknown version"
    assert peer.seconds("quick case", 50, 0.7) == pytest.approx(0.005)
    assert peer.seconds("quick case", 500, 0.7) == pytest.approx(0.05)


def test_both_sides_are_measured_in_every_pass_and_stored(started):
    told = []
    found = measure.compare([started()], 3, False, told.append)
    assert told == ["pass 1 of 3", "pass 2 of 3", "pass 3 of 3"]
    stored = parse_results(measure.result_file(found, "a command").to_json())
    assert [result.name for result in stored.results] == [
        f"{side}/other-package: {case}" for case in ("quick case", "other case") for side in ("peers", "beside")
    ]
    for theirs, mine in zip(stored.group("peers"), stored.group("beside"), strict=True):
        assert len(theirs.seconds) == len(mine.seconds) == 3
        assert theirs.units == 50
        assert mine.units % 50 == 0
        assert mine.rate > 0
        assert theirs.rate == pytest.approx(10_000)
    ratios = found[0].ratios()
    assert next(ratio for *_, ratio in sections.pairs_of_peers(stored)) == pytest.approx(ratios, rel=1e-3)
    text = sections.peers(stored)
    assert "| other-package of unknown version | quick case (1) |" in text
    assert "1. Nothing is equal." in text


@pytest.mark.sample(1)
@pytest.mark.parametrize("body", ["raise ValueError('broken package')", "return lambda: 1 / 0"])
def test_a_package_that_fails_is_left_out_and_told(started, body, capfd):
    told = []
    assert measure.compare([started(body=body)], 1, False, told.append) == []
    assert "other-package: other case is not measured" in told[0]
    assert "Error" in capfd.readouterr().err


def test_a_package_that_cannot_be_imported_is_left_out_and_told(monkeypatch, tmp_path, capfd):
    told = []
    monkeypatch.setattr(measure, "interpreter_with", lambda requirements, folder: sys.executable)
    assert measure.start(["multimcts"], tmp_path, told.append) == []
    assert "multimcts is not measured" in told[0]
    assert "No module named 'multimcts'" in capfd.readouterr().err


def test_a_package_that_cannot_be_installed_is_told_with_the_last_line_of_the_reason():
    with pytest.raises(NoPeerError, match="no such package"):
        environments.run_or_refuse([sys.executable, "-c", "raise SystemExit('first line\\nno such package')"])
    with pytest.raises(NoPeerError, match="missing_program"):
        environments.run_or_refuse(["missing_program"])


@pytest.fixture
def commands(monkeypatch):
    """The commands of installations, which make a folder and install nothing."""
    found = []

    def record(command):
        found.append(command[1:])
        if "venv" in command:
            python = Path(command[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.symlink_to(sys.executable)

    monkeypatch.setattr(environments, "run_or_refuse", record)
    return found


def test_an_environment_is_made_once(commands, tmp_path):
    python = environments.interpreter_with(("some-package==1", "other<2"), tmp_path / "new")
    assert python.exists()
    assert commands[0][:2] == ["-m", "venv"]
    assert commands[1][-2:] == ["some-package==1", "other<2"]
    assert environments.interpreter_with(("some-package==1", "other<2"), tmp_path / "new") == python
    assert len(commands) == 2
    assert environments.interpreter_with(("some-package==2",), tmp_path / "new") != python
    assert len(list((tmp_path / "new").iterdir())) == 2


def test_an_unfinished_environment_is_made_again(commands, tmp_path):
    python = environments.interpreter_with(("some-package==1",), tmp_path)
    (python.parent.parent / environments.DONE).unlink()
    assert environments.interpreter_with(("some-package==1",), tmp_path) == python
    assert len(commands) == 4


def test_an_interrupted_installation_leaves_nothing(commands, monkeypatch, tmp_path):
    record = environments.run_or_refuse

    def interrupted(command):
        record(command)
        if "pip" in command:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(environments, "run_or_refuse", interrupted)
        with pytest.raises(KeyboardInterrupt):
            environments.interpreter_with(("some-package==1",), tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert environments.interpreter_with(("some-package==1",), tmp_path).exists()


def test_two_processes_may_make_the_same_environment(commands, monkeypatch, tmp_path):
    record = environments.run_or_refuse

    def other_process_is_faster(command):
        record(command)
        if "pip" in command:
            with monkeypatch.context() as patch:
                patch.setattr(environments, "run_or_refuse", record)
                environments.interpreter_with(("some-package==1",), tmp_path)

    monkeypatch.setattr(environments, "run_or_refuse", other_process_is_faster)
    assert environments.interpreter_with(("some-package==1",), tmp_path).exists()
    assert len(list(tmp_path.iterdir())) == 1
    assert len(commands) == 4


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["chess"], "unknown package 'chess'; valid: fastmcts"), (["--passes", "0"], "--passes is 0")],
)
def test_bad_arguments_are_named(arguments, words):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bench.peers", *arguments],
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
    )
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.long
def test_packages_are_installed_measured_and_stored(tmp_path):
    path = tmp_path / "peers.json"
    done = subprocess.run(
        [sys.executable, "-P", "-m", "bench.peers", "openspiel", "mcts", "--short", "--results", str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
    )
    for name in ("openspiel", "mcts"):
        if f"{name} is not measured: -m" in done.stderr:
            pytest.skip(f"{name} cannot be installed here: {done.stderr}")
    assert done.returncode == 0, done.stderr
    stored = parse_results(path.read_text())
    cases = [f"open_spiel: {case}" for case in load_adapter("openspiel").CASES]
    cases += [f"mcts: {case}" for case in load_adapter("mcts").CASES]
    assert {result.name for result in stored.results} == {
        f"{side}/{case}" for side in ("peers", "beside") for case in cases
    }
    assert stored.results[0].labels["package"] == "open_spiel 2.0.2"
