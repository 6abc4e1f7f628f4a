"""`pytest bench`: the order of its passes, its files, comparisons, and a run of all workloads with tiny sizes."""

import argparse
import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT
from waiting import BUILD_SECONDS

pytest.importorskip("pytest_benchmark")

from bench import conftest as settings
from bench import test_suite as suite
from bench.compare import __main__ as compare
from bench.stored import read_stored
from bots.benchmark.result_file import ResultFileError

CLONE, MEMORY = "states/clone, mnk(m=5,n=5,k=4)", "memory/mnk(m=3,n=3,k=3)"


def run(*command, status=0):
    """Run a command in this clone, without the settings of this run of pytest; return what it prints."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PY", "MAKE", "MFLAGS"))}
    done = subprocess.run(command, cwd=ROOT, env=inherited, capture_output=True, text=True, timeout=BUILD_SECONDS)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def run_bench(*arguments, status=0):
    """Run `pytest bench`; return what it prints."""
    command = [sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", "bench"]
    return run(*command, *map(str, arguments), status=status)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of the files of a short run of three passes."""
    path = tmp_path_factory.mktemp("run")
    stored = "--benchmark-json", path / "r.json", "--benchmark-storage", path / "kept", "--benchmark-autosave"
    run_bench("-k", "states/cl or memory/mnk", "--short", "--passes", 3, *stored)
    return path


def test_every_second_pass_goes_backwards_and_some_workloads_have_few():
    told = []
    config = argparse.Namespace(option=argparse.Namespace(passes=3))
    suite.pytest_generate_tests(
        argparse.Namespace(config=config, parametrize=lambda names, values, ids: told.append((list(values), list(ids))))
    )
    ((values, names),) = told
    passes = [[name for name in suite.WORKLOADS if suite.WORKLOADS[name].passes > number] for number in range(3)]
    last = [f"{name}, pass 3" for name in passes[2]]
    assert [f"{name}, pass {number + 1}" if number else name for name, number in values] == names
    assert names == [
        *passes[0], *(f"{name}, pass 2" for name in reversed(passes[1])), *last,
    ]  # fmt: skip
    assert 0 < len(last) < len(suite.WORKLOADS)


def test_the_rounds_of_all_passes_are_one_benchmark(folder):
    results = read_stored(folder / "r.json")
    once, often = results.find(MEMORY), results.find(CLONE)
    assert [len(found.rounds) for found in (once, often)] == [len(found.seconds) for found in (once, often)] == [1, 3]
    assert (often.unit, often.units) == ("calls", suite.WORKLOADS[CLONE].short_units)
    assert once.values["tree_bytes_per_simulation"] > 0
    known = {"processor", "compiler", "machine_code", "flags", "python", "numpy", "playout", "load", "commit"}
    assert known <= set(results.machine)


@pytest.mark.long
def test_a_run_is_compared_with_a_stored_one(folder, tmp_path):
    stored = "--benchmark-storage", folder / "kept", "--benchmark-json", tmp_path / "r.json"
    wanted = "--passes", 2, "--benchmark-compare", f"--benchmark-histogram={tmp_path}/plot"
    shown = run_bench("-k", "states/clone", *wanted, *stored)
    assert f"test_workload[{CLONE}] (NOW)" in shown
    assert f"test_workload[{CLONE}] (0001_" in shown
    assert "machine_info is different" not in shown
    assert (tmp_path / "plot-states.svg").exists()
    assert [len(part) for part in read_stored(tmp_path / "r.json").find(CLONE).seconds] == [2, 2]


def test_a_workload_that_needs_more_memory_is_left_out(monkeypatch):
    monkeypatch.setattr(suite, "free_mb", lambda: 1)
    short = argparse.Namespace(option=argparse.Namespace(short=False))
    with pytest.raises(pytest.skip.Exception, match=r"10000000 needs [\d,]+ MB of free memory; this machine has 1 MB"):
        suite.test_workload(None, short, "tree_size/10000000", 0)


def test_stored_passes_are_compared(capsys):
    path = str(ROOT / "bench" / "results" / "suite.json")
    assert compare.main([path, path]) in (compare.NONE_SLOWER, compare.NOT_SURE)
    assert capsys.readouterr().out.count(compare.TOO_FEW) < len(read_stored(path).results) / 2


@pytest.mark.long
def test_bad_arguments_and_a_missing_plugin_end_the_run():
    assert "--passes is 0; valid: 1 and up" in run_bench("--passes", 0, status=4)
    needed = "pytest bench needs pytest-benchmark: pip install 'pytest-benchmark[histogram]'"
    assert needed in run_bench("-p", "no:benchmark", "--benchmark-json", "r.json", status=4)


def test_bad_arguments_files_and_a_missing_plugin_are_refused(folder):
    with pytest.raises(pytest.UsageError, match="--passes is 0; valid: 1 and up"):
        settings.pytest_configure(argparse.Namespace(option=argparse.Namespace(passes=0)))
    with pytest.raises(pytest.UsageError, match=r"needs pytest-benchmark: pip install 'pytest-benchmark\[histogram\]'"):
        settings.pytest_addoption(None, argparse.Namespace(has_plugin=lambda name: False))
    (kept,) = folder.glob("kept/*/*.json")
    with pytest.raises(ResultFileError, match=r"lacks 'data'; valid: .* with --benchmark-save-data"):
        read_stored(kept)


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(("given", "ending"), [([], "--passes 10"), (["SHORT=1"], "--short")])
def test_make_bench_makes_ten_passes(given, ending):
    made = run("make", "-n", "-o", ".venv/installed", "-o", ".venv/bench", "bench", *given)
    assert f"pytest bench -rs --benchmark-json build/bench/suite.json {ending}\n" in made


@pytest.mark.long
def test_the_whole_suite_runs_with_tiny_sizes(tmp_path):
    run_bench("--short", "--benchmark-json", tmp_path / "r.json", "--benchmark-storage", tmp_path / "kept")
    names = {result.name for result in read_stored(tmp_path / "r.json").results}
    assert names == {name for name, workload in suite.WORKLOADS.items() if workload.short_units}
    assert sum(name.startswith("server/") for name in names) == 4
