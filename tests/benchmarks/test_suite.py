"""The suite in `bench`: the order of its passes, its results, and a run with tiny sizes."""

import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT

from bench import suite
from bots.benchmark.result_file import read_results
from bots.benchmark.workloads import Workload, all_workloads


def run_suite(*arguments, status=0):
    """Run the command as in a clone; return what it prints."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [sys.executable, "-m", "bench.suite", *arguments],
        cwd=ROOT,
        env=inherited,
        capture_output=True,
        text=True,
        timeout=540,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_every_second_pass_goes_backwards_and_some_workloads_have_few():
    workloads = all_workloads()
    assert suite.in_order(workloads, 0) == list(workloads)
    assert suite.in_order(workloads, 1) == [each for each in reversed(workloads) if each.passes > 1]
    assert suite.in_order(workloads, 2) == [each for each in workloads if each.passes > 2]
    assert len(suite.in_order(workloads, 2)) < len(workloads)


def workload(name, ran, **given):
    """Return a workload that notes its rounds."""

    def prepare(units):
        return lambda: ran.append((name, units)) or len(ran)

    return Workload(name, "calls", 100, prepare, values=lambda returned: {"last": returned}, **given)


def test_rounds_are_measured_pass_by_pass():
    ran, told = [], []
    one, two = workload("a/one", ran), workload("a/two", ran, rounds=1, passes=1, needs_mb=0)
    results = suite.measure([one, two, workload("a/large", ran, needs_mb=2**40)], 2, tell=told.append)
    assert ran == [("a/one", 100)] * 3 + [("a/two", 100)] * 2 + [("a/one", 100)] * 3
    assert [result.name for result in results] == ["a/one", "a/two"]
    assert [[len(part) for part in result.seconds] for result in results] == [[2, 2], [1]]
    assert [result.values for result in results] == [{"last": 8}, {"last": 5}]
    assert [result.units for result in results] == [100, 100]
    assert sum("a/large is left out: it needs" in line for line in told) == 2
    assert told[-1] == "pass 2 of 2"


def test_a_short_pass_has_one_round_of_tiny_size():
    ran, told = [], []
    one, two = workload("a/one", ran, short_units=3), workload("a/two", ran, short_units=0)
    (result,) = suite.measure([one, two], 1, short=True, tell=told.append)
    assert ran == [("a/one", 3)]
    assert (result.units, len(result.rounds)) == (3, 1)
    assert told[0] == "a/two is left out: it cannot be made short"


def test_a_line_has_the_rate_and_its_spread():
    result = suite.Result("a/timed", "calls", 1000, ((0.2,), (0.3, 0.1)), {"bytes": 57.25})
    assert suite.line_of(result, 8).split() == [
        "a/timed", "5,000", "calls/s", "±50.0%", "3", "rounds", "of", "0.2", "s", "bytes", "57.25",
    ]  # fmt: skip


def test_bad_arguments_are_refused():
    assert "--passes is 0; valid: 1 and up" in run_suite("--passes", "0", status=2)
    assert "no workload matches 'nosuch/*'" in run_suite("--only", "nosuch/*", status=2)


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_bench_runs_the_suite():
    done = subprocess.run(
        ["make", "-n", "--no-print-directory", "-o", ".venv/installed", "-o", ".venv/bench", "bench", "SHORT=1"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-5:] == ["-m", "bench.suite", "--results", "build/bench/suite.json", "--short"]


@pytest.mark.long
def test_the_whole_suite_runs_with_tiny_sizes(tmp_path):
    shown = run_suite("--short", "--results", str(tmp_path / "new" / "r.json"))
    found = read_results(tmp_path / "new" / "r.json")
    names = {result.name for result in found.results}
    assert {each.name for each in all_workloads() if each.short_units} < names
    assert sum(name.startswith("server/") for name in names) == 4
    assert all(f"{result.name} " in shown and result.seconds for result in found.results)
    assert {"processor", "compiler", "machine_code", "flags", "python", "numpy", "playout", "load"} <= set(
        found.machine
    )
    assert found.command == "make bench SHORT=1"
