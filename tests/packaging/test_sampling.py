"""The mark `sample`: few cases of a parametrised test are short, and all cases run in the long suite."""

import os
import subprocess
import sys

import pytest
from sampling import mark_unsampled
from support import HELPERS
from waiting import HANG_SECONDS

TESTS = """
import pytest

@pytest.mark.sample(3)
@pytest.mark.parametrize("case", [*range(20), pytest.param(20, marks=pytest.mark.long)])
def test_sweep(case):
    assert case >= 0

def test_failing():
    assert False
"""


class Case:
    """What the draw reads of a collected case of a test with the mark `sample(3)`."""

    def __init__(self, number, marks):
        self.nodeid = f"test_x.py::test_sweep[{number}]"
        self.marks = dict.fromkeys(marks, pytest.mark.sample(3).mark)

    def get_closest_marker(self, name):
        return self.marks.get(name)

    def add_marker(self, mark):
        self.marks[mark.name] = mark


def short_cases(seed, is_long=False):
    """Return the cases that stay short: of twenty that are drawn from, and of one that is long anyway."""
    cases = [*(Case(number, ["sample"]) for number in range(20)), Case(20, ["sample", "long"])]
    mark_unsampled(cases, seed, is_long)
    return [case.nodeid for case in cases if "long" not in case.marks]


def test_the_seed_draws_the_cases_of_the_short_suite():
    first, second = short_cases("2026-01-01"), short_cases("2026-01-02")
    assert (len(first), len(second)) == (3, 3)
    assert first != second
    assert first == short_cases("2026-01-01")
    assert len(short_cases("all")) == 20
    assert short_cases("all", is_long=True) == short_cases("2026-01-01", is_long=True) == []


@pytest.mark.long
def test_the_suite_draws_by_a_variable_and_names_it_after_a_failure(tmp_path):
    (tmp_path / "test_sweep.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {HELPERS}\n")
    (tmp_path / "conftest.py").write_text((HELPERS.parent / "conftest.py").read_text())
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not long", "-p", "no:cacheprovider", tmp_path]
    environment = {**os.environ, "PLAYOUT_SAMPLE": "2026-01-02"}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_SECONDS)
    assert "1 failed, 3 passed, 18 deselected" in done.stdout
    assert "PLAYOUT_SAMPLE=2026-01-02 draws the same cases" in done.stdout
