"""The suite: all workloads of `bench/workloads`, and calls of `playout serve`, measured by pytest-benchmark.

A pass measures every workload for some rounds; every second pass has the opposite order. So a change of the machine's
speed affects all workloads alike. The rounds of all passes are one benchmark.
"""

import re
from operator import call
from pathlib import Path

import pytest

from bench.server import SERVER_WORKLOADS
from bench.workloads import all_workloads

WORKLOADS = {workload.name: workload for workload in (*all_workloads(), *SERVER_WORKLOADS)}


def pytest_generate_tests(metafunc):
    cases = {
        f"{name}, pass {number + 1}" if number else name: (name, number)
        for number in range(metafunc.config.option.passes)
        for name in (reversed(WORKLOADS) if number % 2 else WORKLOADS)
        if number < WORKLOADS[name].passes
    }
    metafunc.parametrize(("workload", "number"), cases.values(), ids=cases)


def free_mb():
    """Return the memory that new processes can use without swapping, in MB; infinity if the system does not tell."""
    told = Path("/proc/meminfo")
    found = re.search(r"MemAvailable: +(\d+) kB", told.read_text() if told.exists() else "")
    return int(found[1]) // 1024 if found else float("inf")


def test_workload(benchmark, pytestconfig, workload, number):
    measured = WORKLOADS[workload]
    if pytestconfig.option.short:
        units, rounds, warmup_rounds = measured.short_units, 1, 0
        if not units:
            pytest.skip(f"{workload} cannot be made short")
    else:
        units, rounds, warmup_rounds = measured.units, measured.rounds, measured.warmup_rounds
        if (free := free_mb()) < measured.needs_mb:
            pytest.skip(f"{workload} needs {measured.needs_mb:,} MB of free memory; this machine has {free:,} MB")
    benchmark.group = measured.group
    returned = benchmark.pedantic(
        call, setup=lambda: ((measured.prepare(units),), {}), rounds=rounds, warmup_rounds=warmup_rounds
    )
    if benchmark.enabled:
        values = dict(measured.values(returned))
        first = first_of(pytestconfig._benchmarksession.benchmarks, workload)
        first.extra_info.update(unit=measured.unit, units=units, rounds_of_pass=rounds, values=values)


def first_of(benchmarks, workload):
    """Return the benchmark of the first pass, which gets the rounds of the last one; that one is taken out."""
    first = next(each for each in benchmarks if each.params["workload"] == workload)
    if first is not benchmarks[-1]:
        for seconds in benchmarks.pop().stats.data:
            first.update(seconds)
    return first
