"""A plugin of pytest: notes which lines each test runs, and for how long it runs. See `lines.py`."""

import json
import os
import time
from pathlib import Path

import coverage
import pytest

DURATIONS = "PLAYOUT_DURATIONS"
"""Environment variable with the folder to which durations are written, one file for each process."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    coverage.Coverage.current().switch_context(item.nodeid)
    began = time.process_time(), time.perf_counter()
    result = yield
    with open(Path(os.environ[DURATIONS]) / str(os.getpid()), "a", encoding="utf-8") as file:
        seconds = max(time.process_time() - began[0], time.perf_counter() - began[1])
        file.write(json.dumps([item.nodeid, seconds, item.path.name]) + "\n")
    coverage.Coverage.current().switch_context("")
    return result


@pytest.hookimpl
def pytest_runtest_logreport(report):
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(Path(os.environ[DURATIONS]) / "failed", "a", encoding="utf-8") as file:
            file.write(json.dumps(report.nodeid) + "\n")
