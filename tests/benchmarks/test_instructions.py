"""Counts of instructions: read from callgrind, compared with figures, and a regression that makes the check fail."""

import os
import shutil
import subprocess
import sys

import pytest
from support import ROOT
from waiting import HANG_SECONDS

from bench.instructions import callgrind, figures
from bench.instructions.__main__ import count
from bench.instructions.workloads import WORKLOADS
from bots.benchmark.result_file import ResultFile, ResultFileError, read_results
from cext import _variant

HERE = {
    "compiler": "GCC 12.2.0",
    "libc": "glibc 2.36",
    "python": "3.11.7",
    "implementation": "CPython",
    "python_build": "GCC 12.2.0",
}
QUICK = "steps from Python on points_ttt"


def stored(core=1000, every=2000, **changes):
    return ResultFile("command", {**HERE, **changes}, tuple(counted(core, every)))


def counted(core=1000, every=2000, name="a"):
    return figures.results_of({"baseline": {name: {"core": core, "all": every}}})


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-P", "-m", "bench.instructions", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HANG_SECONDS,
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
    assert not figures.compare(stored(python="3.12.1"), counted(every=3000), HERE)
    assert not figures.compare(stored(python_build="GCC 12.2.0, profile-guided"), counted(every=3000), HERE)


def test_a_workload_without_a_figure_is_an_error():
    with pytest.raises(ResultFileError, match="instructions/b, baseline"):
        figures.compare(stored(), counted(name="b"), HERE)


@pytest.mark.parametrize("key", ["compiler", "libc"])
def test_figures_of_another_compiler_or_c_library_are_not_compared_and_both_are_named(key):
    reason = figures.difference_of(figures.KEYS, {**HERE, key: "other 1.0"}, HERE)
    assert "other 1.0" in reason
    assert HERE[key] in reason
    assert figures.difference_of(figures.KEYS, HERE, HERE) is None
    assert figures.difference_of(figures.KEYS, {}, {}) is not None


def test_the_facts_of_this_build_are_known():
    assert figures.difference_of((*figures.KEYS, *figures.PYTHON_KEYS), *[figures.describe_build()] * 2) is None


def test_every_workload_has_a_figure_for_both_machine_codes():
    found = {result.name: result.values for result in read_results(figures.FILE).results}
    names = [figures.name_of(workload, variant) for variant in ("baseline", "x86_64_v3") for workload in WORKLOADS]
    assert list(found) == names
    assert all(0 < values["core"] <= values["all"] for values in found.values())


def test_check_with_another_compiler_says_so_and_passes(tmp_path):
    path = tmp_path / "figures.json"
    figures.write(counted(), {**figures.describe_build(), "compiler": "GCC 1.0.0"}, path)
    done = run("--check", "--figures", path)
    assert done.returncode == 0
    assert "GCC 1.0.0" in done.stdout
    assert figures.describe_build()["compiler"] in done.stdout


def test_check_without_figures_is_an_error():
    done = run("--check", "--figures", "missing.json")
    assert done.returncode == 1
    assert "missing.json" in done.stderr


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], ["'nothing'", QUICK]),
        (["--variant", "sse9"], ["'sse9'", "baseline"]),
        (["--write", QUICK], ["--write", "all figures"]),
    ],
)
def test_bad_arguments_are_named(arguments, words):
    done = run(*arguments)
    assert done.returncode == 2
    assert all(word in done.stderr for word in words), done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the script is for Linux")
def test_a_machine_without_valgrind_is_told_what_to_install(tmp_path):
    for program in ("bash", "dirname"):
        (tmp_path / program).symlink_to(shutil.which(program))
    for program, answer in (("uname", "Linux x86_64"), ("id", "1000")):  # no root, who could install it
        (tmp_path / program).write_text(f"#!{tmp_path}/bash\necho {answer}\n")
        (tmp_path / program).chmod(0o755)
    done = subprocess.run(
        [tmp_path / "bash", ROOT / ".ci" / "instructions"], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "valgrind is missing; on Debian: apt install valgrind" in done.stdout


@pytest.mark.long
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_the_check_fails_for_a_regression_and_for_figures_that_are_too_high(tmp_path):
    now = count([QUICK], [_variant.BASELINE])
    path = tmp_path / "figures.json"
    for factor, status, words in [(1.0, 0, "within 3%"), (1 / 1.05, 1, "+5.0%"), (1.05, 1, "-4.8%")]:
        row = {column: int(figure * factor) for column, figure in now[_variant.BASELINE][QUICK].items()}
        results = figures.results_of({_variant.BASELINE: {QUICK: row}})
        figures.write(results, figures.describe_build(), path)
        done = run(QUICK, "--variant", _variant.BASELINE, "--check", "--figures", path)
        assert done.returncode == status, done.stdout + done.stderr
        assert words in done.stdout
