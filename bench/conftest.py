"""Run the benchmarks in passes, and write their results with the machine that they come from.

pytest-benchmark runs all rounds of a benchmark one after the other. If the machine becomes slower during the run, this
would look like a difference between benchmarks. Here every benchmark is collected once for each pass, and all
benchmarks of a pass run before the next pass; odd passes go backwards. So each is measured at several times of the run.
"""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # last: `bench` is found here, the packages where they are installed

from bench.interleaved import Interleaved  # noqa: E402
from bench.session import Measure, Session  # noqa: E402
from bots.benchmark.machine import describe_machine  # noqa: E402

SESSION = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("playout")
    group.addoption(
        "--results", type=Path, metavar="FILE", help="write the results to FILE; see bench/results/README.md"
    )
    group.addoption("--passes", type=int, default=10, help="number of passes over the suite; default 10")
    group.addoption("--short", action="store_true", help="one pass with tiny sizes, to test the suite itself")


def pytest_configure(config):
    passes = 1 if config.getoption("--short") else config.getoption("--passes")
    if passes < 1:
        raise pytest.UsageError(f"--passes is {passes}; valid: 1 and up")
    config.stash[SESSION] = Session(passes, config.getoption("--short"), describe_machine())
    # The table below shows rates over all passes. That of pytest-benchmark has a line for each pass.
    config.option.benchmark_quiet = True


def pytest_generate_tests(metafunc):
    if "pass_number" in metafunc.fixturenames:
        metafunc.parametrize(
            "pass_number", range(metafunc.config.stash[SESSION].passes), ids=lambda number: f"pass{number}"
        )


def pytest_collection_modifyitems(config, items):
    kept, dropped = [], []
    for item in items:
        mark = item.get_closest_marker("passes")
        (dropped if mark and pass_of(item) >= mark.args[0] else kept).append(item)
    places = {item: place if pass_of(item) % 2 == 0 else -place for place, item in enumerate(kept)}
    items[:] = sorted(kept, key=lambda item: (pass_of(item), places[item]))
    config.hook.pytest_deselected(items=dropped)


def pass_of(item):
    """Return the pass of a benchmark, 0 for tests that are run once."""
    return item.callspec.params.get("pass_number", 0) if hasattr(item, "callspec") else 0


@pytest.fixture
def measure(benchmark, request, pass_number):
    """Measure a workload: `measure(workload)`."""
    return Measure(benchmark, request.config.stash[SESSION], pass_number)


@pytest.fixture
def interleaved(request, pass_number):
    """Measure contestants whose rounds alternate: `interleaved([Contestant(...), ...])`."""
    return Interleaved(request.config.stash[SESSION], pass_number)


@pytest.fixture
def record(request):
    """Add a result that has no times: `record(name, values, labels)`."""
    return request.config.stash[SESSION].record


def pytest_benchmark_update_machine_info(config, machine_info):
    machine_info["playout"] = config.stash[SESSION].machine


def pytest_benchmark_update_commit_info(config, commit_info):
    if commit_info.get("id"):
        config.stash[SESSION].machine["commit"] = commit_info["id"] + ("+changes" if commit_info.get("dirty") else "")


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    lines = config.stash[SESSION].table()
    if lines:
        terminalreporter.section("rates (median round; spread: median absolute deviation)")
        for line in lines:
            terminalreporter.write_line(line)
    path = config.getoption("--results")
    if path is None or not lines:
        return
    if exitstatus:
        terminalreporter.write_line(f"{path} is not written: a benchmark failed, or the run was interrupted")
        return
    config.stash[SESSION].write(path)
    terminalreporter.write_line(f"results written to {path}")
