"""The mark `sample`: few cases of a parametrised test are short, and all cases run in the long suite."""

import os
import subprocess
import sys

import pytest
from support import HELPERS

TESTS = """
import pytest

@pytest.mark.sample(3)
@pytest.mark.parametrize("case", [*range(20), pytest.param(20, marks=pytest.mark.long)])
def test_sweep(case):
    assert case >= 0

def test_failing():
    assert False
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs the tests above with the settings of the suite."""
    (tmp_path / "test_sweep.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {HELPERS}\n")
    (tmp_path / "conftest.py").write_text((HELPERS.parent / "conftest.py").read_text())

    def by_mark(expression, seed):
        command = [sys.executable, "-m", "pytest", "-rA", "-m", expression, "-p", "no:cacheprovider", tmp_path]
        environment = {**os.environ, "PLAYOUT_SAMPLE": seed}
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        passed = {line.partition("test_sweep")[2] for line in done.stdout.splitlines() if line.startswith("PASSED")}
        return passed, done.stdout

    return by_mark


def test_the_day_draws_the_cases_of_the_short_suite(run):
    (first, _), (second, text) = run("not long", "2026-01-01"), run("not long", "2026-01-02")
    assert (len(first), len(second)) == (3, 3)
    assert first != second
    assert "PLAYOUT_SAMPLE=2026-01-02 draws the same cases" in text


def test_the_seed_all_draws_all_cases_that_are_not_long(run):
    passed, _ = run("not long", "all")
    assert len(passed) == 20


def test_the_long_suite_runs_all_cases(run):
    passed, text = run("long", "2026-01-01")
    assert len(passed) == 21
    assert "PLAYOUT_SAMPLE" not in text
