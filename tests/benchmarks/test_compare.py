"""Verdicts about two versions: with data of known truth, from files, and with two real interpreters."""

import json
import math
import os
import sys

import numpy as np
import pytest
from sampling import sweep
from support import ROOT

from bench.compare import __main__ as command
from bench.compare import intervals
from bench.compare.alternate import EnvironmentFailedError, Side, measure_pair
from bench.compare.intervals import LEAST_SAMPLES, ratio_of_groups, ratio_of_pairs, trimmed_mean
from bench.compare.verdicts import (
    FASTER,
    NO_DIFFERENCE,
    OVERALL,
    SLOWER,
    TOO_FEW,
    TOO_NOISY,
    Rule,
    Samples,
    judge,
    samples_of_files,
)
from bots.benchmark.result_file import Result, ResultFile, ResultFileError, write_results

STRICT = Rule(tolerance=0.0)
KINDS = ("normal", "tails", "skewed")


def noise(rng, kind, size):
    """Logarithms of times: normal, with one round in ten far slower, or skewed."""
    if kind == "normal":
        return rng.normal(0, 0.01, size)
    if kind == "tails":
        return rng.normal(0, 0.01, size) + np.where(rng.random(size) < 0.1, rng.exponential(0.5, size), 0)
    return 0.01 * rng.lognormal(0, 1, size)


@pytest.fixture
def fewer_resamples(monkeypatch):
    monkeypatch.setattr(intervals, "RESAMPLES", 1500)


@pytest.mark.sample(2)
@pytest.mark.parametrize("size", [8, 12, 30])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("paired", [True, False], ids=["pairs", "groups"])
def test_equal_versions_differ_in_one_interval_of_twenty_at_most(fewer_resamples, size, kind, paired):
    rng = np.random.default_rng(7)
    wrong, trials = 0, 300
    for _ in range(trials):
        one, other = noise(rng, kind, size), noise(rng, kind, size)
        found = ratio_of_pairs(other - one, 0.05, rng) if paired else ratio_of_groups(other, one, 0.05, rng)
        wrong += not found.low <= 1 <= found.high
    assert wrong / trials <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)


@sweep("kind", KINDS, 1)
def test_an_interval_contains_the_true_ratio(fewer_resamples, kind):
    rng = np.random.default_rng(8)
    hits = 0
    for _ in range(300):
        logs = noise(rng, kind, 20) - noise(rng, kind, 20) + math.log(1.1)
        found = ratio_of_pairs(logs, 0.05, rng)
        hits += found.low <= 1.1 <= found.high
        assert found.low <= found.estimate <= found.high
    assert hits / 300 >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / 300)


def many(rng, kind, size, count=20, factor=1.0):
    """Samples of benchmarks of which the first has times that are multiplied by a factor in B."""
    pairs = {f"a/{number}": noise(rng, kind, size) - noise(rng, kind, size) for number in range(count)}
    pairs["a/0"] = pairs["a/0"] + math.log(factor)
    return Samples(pairs={name: list(logs) for name, logs in pairs.items()})


@sweep("kind", KINDS, 1)
def test_a_table_of_equal_versions_has_rarely_a_wrong_verdict(fewer_resamples, kind):
    rng = np.random.default_rng(9)
    wrong = sum(
        any(each.verdict in (FASTER, SLOWER) for each in judge(many(rng, kind, 12, 5), STRICT)) for _ in range(40)
    )
    assert wrong <= 6  # three standard deviations above 2


@pytest.mark.sample(2)
@pytest.mark.parametrize(("factor", "expected"), [(1.05, SLOWER), (1 / 1.05, FASTER)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_difference_of_five_percent_is_found(fewer_resamples, kind, factor, expected):
    rng = np.random.default_rng(10)
    found = [judge(many(rng, kind, 40, 5, factor), Rule()) for _ in range(8)]
    assert sum(verdicts[0].verdict == expected for verdicts in found) >= 7
    assert all(each.verdict not in (FASTER, SLOWER) for verdicts in found for each in verdicts[1:5])
    assert all(each.verdict == NO_DIFFERENCE for verdicts in found for each in verdicts[1:5]) or kind == "tails"
    assert all(verdicts[-1].name == OVERALL for verdicts in found)


def test_a_difference_below_the_tolerance_does_not_count():
    rng = np.random.default_rng(11)
    samples = many(rng, "normal", 200, 2, factor=1.012)
    assert judge(samples, Rule(tolerance=0.0))[0].verdict == SLOWER
    assert judge(samples, Rule(tolerance=0.01))[0].verdict == NO_DIFFERENCE


def test_noise_is_not_called_equality():
    rng = np.random.default_rng(12)
    samples = Samples(pairs={"a/0": list(rng.normal(0, 0.3, 12)), "a/1": list(rng.normal(0, 0.001, 12))})
    assert [each.verdict for each in judge(samples, Rule())[:2]] == [TOO_NOISY, NO_DIFFERENCE]


def test_a_slower_machine_in_the_middle_of_a_run_does_not_matter_to_pairs():
    rng = np.random.default_rng(13)
    drift = np.where(np.arange(30) < 15, 0.0, 0.4)
    one, other = (noise(rng, "normal", 30) + drift for _ in range(2))
    paired = judge(Samples(pairs={"a/0": list(other - one)}), Rule())
    apart = judge(Samples(groups={"a/0": (list(one), list(other))}), Rule())
    assert [paired[0].verdict, apart[0].verdict] == [NO_DIFFERENCE, TOO_NOISY]


def test_few_and_equal_samples():
    assert judge(Samples(pairs={"a/0": [0.1] * (LEAST_SAMPLES - 1)}), Rule())[0].verdict == TOO_FEW
    assert judge(Samples(pairs={"a/0": [0.1] * LEAST_SAMPLES}), Rule())[0].verdict == SLOWER
    assert judge(Samples(pairs={"a/0": [0.0] * LEAST_SAMPLES}), Rule())[0].verdict == NO_DIFFERENCE
    with pytest.raises(ValueError, match=f"3 samples; valid: at least {LEAST_SAMPLES}"):
        ratio_of_pairs([0.1, 0.2, 0.3], 0.05, np.random.default_rng(1))


def test_the_trimmed_mean_and_its_error():
    """Values computed by hand: ten samples, of which two are cut off at either end."""
    mean, variance = trimmed_mean(np.array([9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 100.0]))
    assert mean == 5.5
    winsorised = [3, 3, 3, 4, 5, 6, 7, 8, 8, 8]
    assert variance == pytest.approx(np.var(winsorised, ddof=1) / (0.6**2 * 10))


def test_the_same_samples_give_the_same_verdict():
    samples = many(np.random.default_rng(14), "tails", 12, 3)
    assert judge(samples, Rule()) == judge(samples, Rule())


def file_of(times, **machine):
    results = tuple(Result(name, "calls", 10.0, tuple((time,) for time in seconds)) for name, seconds in times.items())
    return ResultFile("x", machine, results)


def test_files_of_one_run_are_paired_and_others_are_not():
    times = {"a/one": [1.0, 2.0, 4.0], "a/only in one": [1.0]}
    slower = {"a/one": [2.0, 4.0, 8.0]}
    paired = samples_of_files([(file_of(times, run="1"), file_of(slower, run="1"))])
    assert paired.pairs == {"a/one": pytest.approx([math.log(2)] * 3)}
    apart = samples_of_files([(file_of(times, run="1"), file_of(slower, run="2"))])
    assert apart.groups["a/one"] == (pytest.approx(np.log([1, 2, 4])), pytest.approx(np.log([2, 4, 8])))


def test_pairs_of_files_are_samples():
    pairs = [(file_of({"a/one": [1.0, 9.0, 1.0]}), file_of({"a/one": [3.0, 3.0, 27.0]})) for _ in range(LEAST_SAMPLES)]
    assert samples_of_files(pairs).pairs == {"a/one": pytest.approx([math.log(3)] * LEAST_SAMPLES)}
    with pytest.raises(ResultFileError, match=f"2 pairs of files; valid: one, or at least {LEAST_SAMPLES}"):
        samples_of_files(pairs[:2])
    with pytest.raises(ResultFileError, match="no benchmark is in all files"):
        samples_of_files([(file_of({"a/one": [1.0]}), file_of({"a/two": [1.0]}))])


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores files and returns the status of the command, which reads them."""

    def run(*files, arguments=()):
        paths = []
        for number, file in enumerate(files):
            paths.append(str(tmp_path / f"{number}.json"))
            write_results(tmp_path / f"{number}.json", file)
        return command.main([*paths, *arguments])

    return run


def steady(factor, spread=0.001, passes=20):
    rng = np.random.default_rng(round(1000 * factor))
    return {f"a/{name}": list(factor * np.exp(rng.normal(0, spread, passes))) for name in ("one", "two")}


def test_the_exit_status_and_the_table(stored, capsys):
    assert stored(file_of(steady(1.0), python="3.11"), file_of(steady(1.2), python="3.12")) == 1
    shown = capsys.readouterr().out
    assert shown.count(SLOWER) == 3
    assert OVERALL in shown
    assert "measured in different runs" in shown
    assert "python differs: 3.11 in A, 3.12 in B." in shown
    assert stored(file_of(steady(1.2), run="1"), file_of(steady(1.0), run="1")) == 0
    assert "different runs" not in capsys.readouterr().out
    assert stored(file_of(steady(1.0)), file_of(steady(1.001, 0.5))) == 3
    assert stored(file_of(steady(1.0, passes=3)), file_of(steady(1.2, passes=3))) == 3


def test_verdicts_as_json(stored, capsys):
    assert stored(file_of(steady(1.0)), file_of(steady(1.2)), arguments=["--json", "--each"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [row["verdict"] for row in found["verdicts"]] == [SLOWER] * 3
    for row in found["verdicts"]:
        assert row["interval"][0] < 1.2 < row["interval"][1] or abs(row["ratio"] - 1.2) < 0.01
        assert row["samples"] == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give files or --run"),
        (["a.json"], "1 files; valid: pairs"),
        (["a", "b", "--run", "c", "d"], "give files or --run"),
        (["--run", "a", "b", "--seconds", "nan"], "--seconds nan is out of range"),
        (["a", "b", "--tolerance", "-1"], "--tolerance -1 is out of range; valid: 0 to 100"),
        (["a", "b", "--workloads", "x"], "--save and --workloads go with --run"),
    ],
)
def test_bad_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit) as error:
        command.main(arguments)
    assert error.value.code == 2
    assert message in capsys.readouterr().err


def test_bad_files_and_interpreters(stored, capsys, tmp_path):
    assert command.main(["missing.json", "missing.json"]) == 2
    assert "cannot read 'missing.json'" in capsys.readouterr().err
    assert command.main(["--run", str(tmp_path / "python"), sys.executable]) == 2
    assert "No such file or directory; valid: a path of an interpreter" in capsys.readouterr().err


WORKLOADS = """
import os, time
from .workload import Workload

CLOCK = [0.0]
setattr(time, "perf_counter", lambda: CLOCK[0])  # other work on the machine does not change these times

def prepare(slow, units):
    def run():
        print("output of a workload")
        CLOCK[0] += units * (1.5 if slow else 1.0)
    return run

SLOW = "SLOW_SIDE" in os.environ
WORKLOADS = (
    Workload("test/same", "seconds", 2, lambda units: prepare(False, units), quick=True),
    Workload("test/slower", "seconds", 2, lambda units: prepare(SLOW, units), quick=True),
    Workload("test/other", "seconds", 2, lambda units: prepare(False, units)),
    Workload("test/fails", "seconds", 2, lambda units: 1 / 0),
)
"""


@pytest.fixture
def folder(tmp_path):
    """A folder of workloads: one is slower in one of the environments, one file cannot be imported."""
    (tmp_path / "workloads").mkdir()
    source = ROOT / "bots" / "benchmark" / "workloads" / "workload.py"
    (tmp_path / "workloads" / "__init__.py").write_text("")
    (tmp_path / "workloads" / "workload.py").write_text(source.read_text())
    (tmp_path / "workloads" / "waiting.py").write_text(WORKLOADS)
    (tmp_path / "workloads" / "newer.py").write_text("import no_such_module\n")
    return tmp_path / "workloads"


@pytest.fixture
def slow_python(tmp_path):
    """The path of an interpreter whose environment makes one workload slower."""
    path = tmp_path / "slow_python"
    path.write_text(f'#!/bin/sh\nSLOW_SIDE=1 exec "{sys.executable}" "$@"\n')
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_two_interpreters_take_turns(folder, slow_python, tmp_path):
    passes = []
    pair = measure_pair((sys.executable, slow_python), 0.1, on_pass=passes.append, workloads=folder)
    assert passes == list(range(1, LEAST_SAMPLES + 1))
    assert [[result.name for result in file.results] for file in pair] == [["test/same", "test/slower"]] * 2
    assert pair[0].machine["run"] == pair[1].machine["run"]
    same, slower, _ = judge(samples_of_files([pair]), Rule(shared_error=False))
    assert (same.verdict, same.ratio) == (NO_DIFFERENCE, 1.0)
    assert (slower.verdict, slower.ratio) == (SLOWER, pytest.approx(1.5))
    assert pair[1].find("test/slower").rate == pytest.approx(2 / 3)


@pytest.mark.long
def test_workloads_that_cannot_be_measured(folder):
    def measured(pattern):
        return measure_pair((sys.executable, sys.executable), 0.1, pattern, workloads=folder)

    with pytest.raises(EnvironmentFailedError, match="test/fails: ZeroDivisionError"):
        measured("test/fails")
    with pytest.raises(
        EnvironmentFailedError,
        match=r"no workload matches 'nothing'; valid: test/same, .*; newer: ModuleNotFoundError: No module named",
    ):
        measured("nothing")
    assert [result.name for result in measured("test/o*")[0].results] == ["test/other"]


@pytest.mark.long
def test_the_real_workloads_run_in_another_process():
    with Side(sys.executable) as side:
        assert not side.about["failed"]
        answer = side.time_of("states/clone, mnk(m=5,n=5,k=4)")
        assert (answer["unit"], answer["units"]) == ("calls", 20_000)
        assert 0 < answer["seconds"] < 10
