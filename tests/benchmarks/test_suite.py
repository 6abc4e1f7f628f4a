"""The suite in `bench`: the order of its passes, its results, and a run with tiny sizes."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT

pytest.importorskip("pytest_benchmark")

from bench.interleaved import Contestant, Interleaved
from bench.session import Session
from bots.benchmark.result_file import Result, read_results
from bots.benchmark.workloads import all_workloads
from cext import _variant

RUN = ["-m", "pytest", "-c", "bench/pytest.ini", "bench"]


def run_suite(*arguments, status=0, **environment):
    # pytest-benchmark measures nothing in a worker of pytest-xdist, and would take the child for one.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-P", *RUN, *arguments],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        timeout=540,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_passes_are_the_outermost_order_and_every_second_goes_backwards():
    lines = run_suite("--collect-only", "-q", "--passes", "3", "-k", "bench_workload").splitlines()
    names = [line.partition("[")[2].rstrip("]") for line in lines if "::bench_workload[" in line]
    passes = [[name.partition("-")[2] for name in names if name.startswith(f"pass{number}-")] for number in range(3)]
    assert [name.partition("-")[0] for name in names] == [
        f"pass{number}" for number, part in enumerate(passes) for _ in part
    ]
    assert passes[0] == [workload.name for workload in all_workloads()]
    assert passes[1] == [workload.name for workload in reversed(all_workloads()) if workload.passes > 1]
    assert passes[2] == [workload.name for workload in all_workloads() if workload.passes > 2]
    assert len(passes[2]) < len(passes[0])


def test_contestants_alternate_and_the_order_turns():
    session = Session(2, False, {})
    played = []

    def runs(name):
        def run():
            played.append(name)
            return float(len(played))

        return run

    for number in range(2):
        Interleaved(session, number)([Contestant("c/a", "calls", 7, runs("a"), {"version": "1"}),
                                      Contestant("c/b", "calls", 9, runs("b"))], rounds=2)  # fmt: skip
    assert "".join(played) == "abbaab" * 2
    assert session.results() == (
        Result("c/a", "calls", 7, ((4.0, 5.0), (10.0, 11.0)), {}, {"version": "1"}),
        Result("c/b", "calls", 9, ((3.0, 6.0), (9.0, 12.0)), {}, {}),
    )


def test_a_smoke_test_has_one_round():
    session = Session(1, True, {})
    Interleaved(session, 0)([Contestant("c/a", "calls", 7, lambda: 0.5)], rounds=5)
    assert session.results() == (Result("c/a", "calls", 7, ((0.5,),)),)


def test_results_are_shown_and_written(tmp_path):
    session = Session(2, False, {"processor": "some processor"})
    session.add_times("a/timed", "calls", 1000, 1, [0.3, 0.1])
    session.add_times("a/timed", "calls", 1000, 0, [0.2], {"bytes": 57.25})
    session.record("b/counted", {"elo": -12.5}, {"opponent": "other 1.0"})
    first, second = session.table()
    assert first.split() == ["a/timed", "5,000", "calls/s", "±50.0%", "3", "rounds", "of", "0.2", "s", "bytes", "57.25"]
    assert second.split() == ["b/counted", "elo", "-12.5"]
    session.write(tmp_path / "results.json")
    found = read_results(tmp_path / "results.json")
    assert found.results == session.results()
    assert found.find("a/timed").seconds == ((0.2,), (0.3, 0.1))
    assert found.command == "make bench"
    assert found.machine == {"processor": "some processor"}


def test_a_benchmark_counts_the_same_in_every_pass():
    session = Session(2, False, {})
    session.add_times("a/timed", "calls", 1000, 0, [0.3])
    with pytest.raises(ValueError, match="a/timed counts 10 calls in pass 1, 1000 calls before"):
        session.add_times("a/timed", "calls", 10, 1, [0.3])


@pytest.mark.skipif(_variant.V3 not in _variant.available(), reason="the C program is not compiled here")
def test_results_of_a_run_with_a_failure_are_not_written(tmp_path):
    arguments = ("--short", "-k", "plain_c or states", "--results", str(tmp_path / "r.json"))
    shown = run_suite(*arguments, status=1, CC=shutil.which("false"))
    assert "r.json is not written: a benchmark failed" in shown
    assert not (tmp_path / "r.json").exists()


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_bench_runs_the_suite():
    done = subprocess.run(
        ["make", "-n", "--no-print-directory", "-o", ".venv/installed", "-o", ".venv/bench", "bench", "SHORT=1"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
        env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    words = done.stdout.replace("\\\n", "").split()
    begin = words.index("-m")
    assert words[begin : begin + len(RUN)] == RUN
    assert words[begin + len(RUN) :] == [
        "--results", "build/bench/suite.json", "--benchmark-json", "build/bench/pytest-benchmark.json", "--short",
    ]  # fmt: skip


@pytest.mark.long
def test_the_whole_suite_runs_with_tiny_sizes(tmp_path):
    shown = run_suite("--short", "--results", str(tmp_path / "r.json"), "--benchmark-json", str(tmp_path / "b.json"))
    found = read_results(tmp_path / "r.json")
    names = {result.name for result in found.results}
    assert {workload.name for workload in all_workloads() if workload.short_units} <= names
    for result in found.results:
        assert f"{result.name} " in shown
        assert result.seconds or result.values
    assert {"processor", "compiler", "machine_code", "flags", "python", "numpy", "playout", "load"} <= set(
        found.machine
    )
    raw = json.loads((tmp_path / "b.json").read_text())
    assert raw["machine_info"]["playout"].items() <= found.machine.items()
    assert all({"unit", "units", "pass_number"} <= set(row["extra_info"]) for row in raw["benchmarks"])
