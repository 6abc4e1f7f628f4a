"""Counts of instructions: read from callgrind, compared with figures, and a regression that makes the check fail."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT

from cext import _variant

sys.path.append(str(ROOT))

from bench.instructions import callgrind, figures
from bench.instructions.__main__ import count
from bench.instructions.workloads import WORKLOADS

HERE = {"compiler": "GCC 12.2.0", "libc": "glibc 2.36", "python": "3.11.7, GCC 12.2.0", "cython": "3.2.1"}
QUICK = "steps from Python on points_ttt"


def stored(core=1000, every=2000, **changes):
    return {**HERE, **changes, "figures": {"baseline": {"a": {"core": core, "all": every}}}}


def counted(core=1000, every=2000):
    return {"baseline": {"a": {"core": core, "all": every}}}


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-P", "-m", "bench.instructions", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_counts_are_sums_over_the_files_that_the_code_is_in(tmp_path):
    core = callgrind.CORE_FOLDER
    (tmp_path / "out.1").write_text(
        "# callgrind format\n"
        "desc: Trigger: Client Request: ucb1 on a game\n"
        "positions: line\nevents: Ir\nsummary: 1171\n\n"
        f"ob={core}/x86_64_v3/search/search.cpython-311-x86_64-linux-gnu.so\nfl=a.c\nfn=search\n0 1000\n"
        "cob=/usr/lib/x86_64-linux-gnu/libm.so.6\ncfi=log.c\ncfn=log\ncalls=7 0\n0 70\n0 1\n\n"
        "ob=/usr/lib/x86_64-linux-gnu/libm.so.6\nfl=log.c\nfn=log\n0 70\n\n"
        "ob=/usr/bin/python3.11\nfl=ceval.c\nfn=eval\n0 100\n"
    )
    assert callgrind.read_counts(tmp_path / "out.1") == ("ucb1 on a game", {"core": 1071, "all": 1171})


@pytest.mark.parametrize(("count_now", "found"), [(1000, 0), (1030, 0), (1031, 1), (970, 0), (969, 1), (2000, 1)])
def test_a_count_beyond_three_percent_is_a_difference_in_both_directions(count_now, found):
    differences = figures.compare(stored(), counted(core=count_now), HERE)
    assert len(differences) == found
    assert all(difference.change == count_now / 1000 - 1 for difference in differences)


def test_instructions_of_the_interpreter_are_compared_for_the_same_interpreter_only():
    assert figures.compare(stored(), counted(every=3000), HERE)
    assert not figures.compare(stored(python="3.12.1, GCC 12.2.0"), counted(every=3000), HERE)


def test_a_workload_without_a_figure_is_an_error():
    with pytest.raises(KeyError, match="b"):
        figures.compare(stored(), {"baseline": {"b": {"core": 1, "all": 1}}}, HERE)


@pytest.mark.parametrize("key", ["compiler", "libc"])
def test_figures_of_another_compiler_or_c_library_are_not_compared_and_both_are_named(key):
    reason = figures.incomparable(stored(**{key: "other 1.0"}), HERE)
    assert "other 1.0" in reason
    assert HERE[key] in reason
    assert figures.incomparable(stored(), HERE) is None


def test_the_compiler_is_read_from_the_module(tmp_path):
    module = tmp_path / "module.so"
    module.write_bytes(b"\0ELF\0GCC: (Debian 12.2.0-14+deb12u1) 12.2.0\0")
    assert figures.compiler_of(module) == "GCC 12.2.0"
    module.write_bytes(b"\0clang version 17.0.6 (Fedora 17.0.6-2)\0")
    assert figures.compiler_of(module) == "clang 17.0.6"
    module.write_bytes(b"\0stripped\0")
    assert figures.compiler_of(module) == "unknown"
    assert figures.incomparable(stored(compiler="unknown"), {**HERE, "compiler": "unknown"})


def test_every_workload_has_a_figure_for_both_machine_codes():
    found = figures.read()["figures"]
    assert set(found) == {_variant.BASELINE, _variant.V3}
    for rows in found.values():
        assert list(rows) == list(WORKLOADS)
        assert all(0 < row["core"] <= row["all"] for row in rows.values())


def test_check_with_another_compiler_says_so_and_passes(tmp_path):
    path = tmp_path / "figures.json"
    path.write_text(json.dumps({**figures.read(), "compiler": "GCC 1.0.0"}))
    done = run("--check", "--figures", path)
    assert done.returncode == 0
    assert "GCC 1.0.0" in done.stdout
    assert figures.origin()["compiler"] in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], ["'nothing'", QUICK]),
        (["--variant", "sse9"], ["'sse9'", "baseline"]),
        (["--write", QUICK], ["--write", "all figures"]),
        (["--check", "--figures", "missing.json"], ["missing.json", "--write"]),
    ],
)
def test_bad_arguments_are_named(arguments, words):
    done = run(*arguments)
    assert done.returncode == 2
    assert all(word in done.stderr for word in words), done.stderr


@pytest.mark.long
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_the_check_fails_for_a_regression_and_for_figures_that_are_too_high(tmp_path):
    now = count([QUICK], [_variant.BASELINE])
    path = tmp_path / "figures.json"
    for factor, status, words in [(1.0, 0, "within 3%"), (1 / 1.05, 1, "+5.0%"), (1.05, 1, "-4.8%")]:
        row = {column: int(figure * factor) for column, figure in now[_variant.BASELINE][QUICK].items()}
        figures.write({_variant.BASELINE: {QUICK: row}}, figures.origin(), path)
        done = run(QUICK, "--variant", _variant.BASELINE, "--check", "--figures", path)
        assert done.returncode == status, done.stdout + done.stderr
        assert words in done.stdout
