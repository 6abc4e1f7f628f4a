"""Measurement of workloads within a time limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

from .result_file import Result
from .workloads import Workload

LEAST_PASSES = 3
"""Passes that are measured even if they take longer than the limit."""


def measure_workloads(
    workloads: Sequence[Workload], seconds: float, on_pass: Callable[[float], object] = lambda share: None
) -> tuple[Result, ...]:
    """Measure workloads one round at a time, in passes over all of them, every second pass in the opposite order.

    A change of the machine's speed during the run then affects all workloads alike. A first pass warms up and is not
    counted.

    Args:
        workloads: what to measure.
        seconds: about how long. At least LEAST_PASSES passes are measured.
        on_pass: called after each pass with the share of the time that is over, 0 to 1.

    Returns:
        One result for each workload, in the same order.
    """
    begin = time.perf_counter()
    times: dict[str, list[float]] = {workload.name: [] for workload in workloads}
    for workload in workloads:
        workload.timed(workload.units)
    done = 0
    while True:
        before = time.perf_counter()
        for workload in workloads if done % 2 == 0 else reversed(workloads):
            times[workload.name].append(workload.timed(workload.units)[0])
        done += 1
        now = time.perf_counter()
        over = now - begin
        on_pass(min(1.0, over / seconds))
        if done >= LEAST_PASSES and over + (now - before) > seconds:
            break
    return tuple(
        Result(workload.name, workload.unit, workload.units, tuple((taken,) for taken in times[workload.name]))
        for workload in workloads
    )


def spread_of(result: Result) -> float:
    """Return the median absolute deviation of the times of a result, relative to their median."""
    middle = median(result.rounds)
    return median(abs(taken - middle) for taken in result.rounds) / middle
