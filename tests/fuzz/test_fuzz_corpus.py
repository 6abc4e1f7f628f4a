"""The stored inputs of every target, each within its limits of time and memory."""

import subprocess
import sys

import pytest
from waiting import BUILD_SECONDS, HANG_SECONDS

from fuzz import registry
from fuzz.drivers import replay
from fuzz.drivers.environment import environment
from fuzz.registry import CORPUS, missing, store_inputs, stored_inputs, target_names

MOST_BYTES = 1_000_000


def run(*arguments):
    """Run the fuzzer's own command."""
    return subprocess.run(
        [sys.executable, "-m", "fuzz", *map(str, arguments)],
        env=environment(instrumented=False),
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
    )


@pytest.mark.parametrize("name", target_names())
def test_the_corpus_of_a_target_finds_nothing(name, monkeypatch, capsys):
    if missing(name):
        pytest.skip(f"{name} needs the instrumented build, which make fuzz makes")
    monkeypatch.setattr(sys, "argv", ["replay", name])
    monkeypatch.setattr(replay, "limit_memory", lambda megabytes: None)  # which would last
    monkeypatch.setattr(replay, "TIMEOUT_SECONDS", HANG_SECONDS)
    replay.main()
    assert capsys.readouterr().out.startswith(f"{name}: ")


@pytest.mark.long
def test_the_corpus_of_all_targets_is_run_within_its_limits():
    done = run("replay")
    assert done.returncode == 0, done.stderr
    assert [line.partition(": ")[0] for line in done.stdout.splitlines()] == target_names()


def test_a_finding_is_named_with_its_input(tmp_path):
    path = tmp_path / "input"
    path.write_bytes(b"x")
    done = subprocess.run(
        [sys.executable, "-c", f"""
import sys
from fuzz.drivers import replay
from fuzz.registry import Target
def fail(data):
    if data:
        raise RuntimeError("a finding")
replay.load_target = lambda name: Target(name, fail, "fails")
sys.argv = ["replay", "failing", {str(path)!r}]
replay.main()
"""],
        env=environment(instrumented=False), capture_output=True, text=True, timeout=HANG_SECONDS,
    )  # fmt: skip
    assert done.returncode == 1
    assert "a finding" in done.stderr
    assert f"target failing, {path}" in done.stderr


def test_unknown_targets_are_refused_with_the_valid_ones():
    done = run("replay", "nosuch")
    assert done.returncode == 2
    assert "unknown target 'nosuch'; valid: action_texts, games" in done.stderr


def test_every_target_is_listed_with_its_purpose():
    lines = run("list").stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == target_names()
    assert all(len(line.partition(": ")[2]) > 20 for line in lines)


def test_the_corpus_is_small_and_belongs_to_targets():
    assert {path.name for path in CORPUS.iterdir()} <= {f"{name}.zip" for name in target_names()}
    assert sum(path.stat().st_size for path in CORPUS.iterdir()) < MOST_BYTES


def test_equal_inputs_give_an_equal_archive(monkeypatch, tmp_path):
    monkeypatch.setattr(registry, "CORPUS", tmp_path)
    inputs = {"b": b"2", "a": b"1" * 100, "c": b""}
    contents = []
    for given in (inputs, dict(reversed(inputs.items()))):
        store_inputs("x", given)
        contents.append((tmp_path / "x.zip").read_bytes())
    assert contents[0] == contents[1]
    assert list(stored_inputs("x").items()) == sorted(inputs.items())
    assert stored_inputs("y") == {}
