"""Every workload of `bots/benchmark/workloads`, of which `playout bench` measures a part."""

import pytest

from bots.benchmark.workloads import all_workloads


@pytest.mark.parametrize(
    "workload", [pytest.param(each, id=each.name, marks=pytest.mark.passes(each.passes)) for each in all_workloads()]
)
def bench_workload(measure, workload):
    """Measure one workload in one pass."""
    measure(workload)
