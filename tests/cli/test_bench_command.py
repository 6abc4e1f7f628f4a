"""`playout bench`: the table, the file of results, the comparison with a file, and bad input."""

import json
import re

import pytest

from bots.benchmark.machine import describe_machine, usable_cores
from bots.benchmark.result_file import parse_results
from bots.benchmark.score import score, stored_machines
from bots.commands import bench

SMALL = ("playouts/mnk(m=3,n=3,k=3)", "states/clone, mnk(m=5,n=5,k=4)")


@pytest.fixture(autouse=True)
def two_workloads(monkeypatch):
    """Measure two workloads instead of all."""
    found = [workload for workload in bench.all_workloads() if workload.name in SMALL]
    assert len(found) == len(SMALL)
    monkeypatch.setattr(bench, "all_workloads", lambda: found)
    monkeypatch.setattr(bench, "describe_machine", lambda: {**describe_machine(), "load": 0.0})
    monkeypatch.setattr(bench, "NOISE", 1e9)


def test_a_busy_machine_is_told_before_the_measurement_and_marks_the_score(playout, monkeypatch, capfd, tmp_path):
    load = 0.6 * usable_cores()
    monkeypatch.setattr(bench, "describe_machine", lambda: {**describe_machine(), "load": load})
    measure = bench.measure_workloads

    def measured(*given):
        told.append(capfd.readouterr().err)
        return measure(*given)

    told = []
    monkeypatch.setattr(bench, "measure_workloads", measured)
    path = tmp_path / "here.json"
    done = playout("bench", "--seconds", "0.1", "-o", str(path))
    assert f"This machine is busy: {load:.1f} programs ran" in told[0]
    assert re.search(r"^Score: \d+ on a busy machine: measure again$", done.out, re.M)
    assert json.loads(path.read_text())["results"][-1]["labels"]["machine"] == "busy"


def test_rates_and_score_are_shown(playout):
    done = playout("bench", "--seconds", "0.1", columns=80)
    assert (done.status, done.err) == (0, "")
    table, _, machines = done.out.partition("Score: ")  # the lines of machines are not wrapped
    assert max(map(len, table.splitlines())) <= 80
    others = [line.partition(": ")[0] for line in machines.splitlines()[1:]]
    assert [name for name in others if " " not in name] == [*stored_machines()]  # not the note that the machine is busy
    assert re.search(r"playouts, playouts/s *\n.*mnk\(m=3,n=3,k=3\) +[\d.]+ [kM] +[\d.]+% +[\d.]+ *\n", done.out)
    assert re.search(r"^Score: \d+$", done.out, re.MULTILINE)
    assert re.search(r"^reference: 100, .*, playout \d", done.out, re.MULTILINE)
    assert re.search(r"^intel_xeon: \d+, .*, playout \d", done.out, re.MULTILINE)


def test_workloads_whose_rates_differ_are_counted(playout, monkeypatch):
    monkeypatch.setattr(bench, "NOISE", -1.0)
    told = playout("bench", "--seconds", "0.1").out.splitlines()[-1]
    assert told == "2 workloads have a spread above -100%, of 2: other programs may be running"


def test_results_are_written_and_compared(playout, tmp_path):
    assert playout("bench", "--seconds", "0.1", "-o", "here.json").status == 0
    written = parse_results((tmp_path / "here.json").read_bytes())
    assert written.command == "playout bench --seconds 0.1 -o here.json"
    assert [result.name for result in written.results] == [*SMALL, "score/all"]
    found = score(written, stored_machines()["reference"])
    assert written.find("score/all").values["score"] == pytest.approx(found, rel=1e-3)
    again = playout("bench", "--seconds", "0.1", "--compare", "here.json", "--compare", "here.json")
    assert again.status == 0
    assert "/ [1]   / [2]" in again.out
    assert f"[2] here.json: {found:.0f}, " in again.out


def test_json_on_stdout_is_nothing_else(playout):
    done = playout("bench", "--seconds", "0.1", "--json")
    assert [row["name"] for row in json.loads(done.out)["results"]] == [*SMALL, "score/all"]


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "4000"])
def test_durations_out_of_range(playout, seconds):
    done = playout("bench", "--seconds", seconds)
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(r"playout: --seconds .*: out of range; valid: above 0, at most 3600\n", done.err)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no JSON", "is not JSON"),
        ('{"schema": 1}', "the file has no 'machine'"),
        (
            '{"schema": 1, "machine": {}, "command": "", "date": "", "results": [{"name": "a"}]}',
            "no workload in common",
        ),
    ],
)
def test_bad_files_are_refused(playout, tmp_path, content, message):
    (tmp_path / "bad.json").write_text(content)
    done = playout("bench", "--seconds", "0.1", "--compare", "bad.json")
    assert (done.status, done.out) == (2, "")
    assert re.fullmatch(rf"playout: .*{re.escape(message)}.*\n", done.err)


def test_a_file_that_cannot_be_written_is_refused_before_the_measurement(playout, monkeypatch):
    monkeypatch.setattr(bench, "measure_workloads", lambda *_: pytest.fail("measured"))
    assert "cannot write" in playout("bench", "-o", "missing/here.json").err
    assert "cannot read" in playout("bench", "--compare", "missing.json").err
