"""Measure the workloads of `bots/benchmark/workloads` and calls of `playout serve`.

usage: python -m bench.suite [--only PATTERN] [--passes N] [--short] [--results FILE]

    python -m bench.suite --only 'server/*' --results bench/results/server.json

Each pass measures every workload for some rounds; every second pass has the opposite order. So a change of the
machine's speed affects all workloads alike.
"""

import argparse
import fnmatch
import shlex
import subprocess
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench.server import server_workloads
from bots.benchmark.machine import describe_machine, free_memory_mb
from bots.benchmark.measure import spread_of
from bots.benchmark.result_file import Result, ResultFile, write_results
from bots.benchmark.workloads import all_workloads

ROOT = Path(__file__).parent.parent


def in_order(workloads, number):
    """Return the workloads of a pass, counted from 0, in its order."""
    due = [workload for workload in workloads if number < workload.passes]
    return due if number % 2 == 0 else due[::-1]


def reason_against(workload, short):
    """Return the reason why a workload is not measured, or None."""
    if short:
        return None if workload.short_units else "it cannot be made short"
    free = free_memory_mb()
    if free is not None and free < workload.needs_mb:
        return f"it needs {workload.needs_mb:,} MB of free memory; this machine has {free:,} MB"
    return None


def measure(workloads, passes, short=False, tell=print):
    """Return one result for each workload that can be measured.

    Args:
        workloads: what to measure.
        passes: number of passes.
        short: measure one round of tiny size, without warming up.
        tell: called with a line about each pass and each workload that is left out.
    """
    seconds, values = {}, {}
    for number in range(passes):
        for workload in in_order(workloads, number):
            if reason := reason_against(workload, short):
                tell(f"{workload.name} is left out: {reason}")
                continue
            units = workload.short_units if short else workload.units
            rounds = [workload.timed(units) for _ in range(1 if short else workload.warmup_rounds + workload.rounds)]
            kept = rounds if short else rounds[workload.warmup_rounds :]
            seconds.setdefault(workload.name, []).append(tuple(taken for taken, _ in kept))
            values[workload.name] = dict(workload.values(kept[-1][1]))
        tell(f"pass {number + 1} of {passes}")
    return [
        Result(each.name, each.unit, each.short_units if short else each.units, tuple(seconds[each.name]),
               values[each.name])
        for each in workloads if each.name in seconds
    ]  # fmt: skip


def line_of(result, width):
    """Return the rate of a result, its spread and its other figures as a line of text."""
    rate = f"{result.rate:>14,.0f} {result.unit}/s  ±{spread_of(result):.1%}"
    parts = [f"{rate}  {len(result.rounds)} rounds of {median(result.rounds):.3g} s"]
    parts += [f"{name} {number:,.6g}" for name, number in result.values.items()]
    return f"{result.name:{width}}  {'  '.join(parts)}"


def commit():
    """Return the commit of this clone as an entry of a machine, with `+changes` if files differ from it."""

    def told(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return {"commit": told("rev-parse", "HEAD") + ("+changes" if told("status", "--porcelain", "-uno") else "")}
    except (OSError, subprocess.CalledProcessError):
        return {}


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.suite", description="Measure all workloads.")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="workloads to measure, as a pattern of shells")
    parser.add_argument("--passes", type=int, default=10, help="number of passes; default 10")
    parser.add_argument("--short", action="store_true", help="one pass with tiny sizes, to test the suite itself")
    parser.add_argument("--results", type=Path, metavar="FILE", help="write the results to FILE")
    given = parser.parse_args()
    if given.passes < 1:
        parser.error(f"--passes is {given.passes}; valid: 1 and up")
    with ExitStack() as stack:
        found = [each for each in all_workloads() if fnmatch.fnmatchcase(each.name, given.only)]
        if fnmatch.fnmatchcase("server/", f"{given.only.partition('/')[0]}/"):
            found += [each for each in stack.enter_context(server_workloads())
                      if fnmatch.fnmatchcase(each.name, given.only)]  # fmt: skip
        machine = {**describe_machine(), **commit()}
        results = measure(found, 1 if given.short else given.passes, given.short)
    if not results:
        parser.error(f"no workload matches {given.only!r}")
    width = max(len(result.name) for result in results)
    print(*(line_of(result, width) for result in results), sep="\n")
    if given.results:
        given.results.parent.mkdir(parents=True, exist_ok=True)
        command = shlex.join(["make", "bench", *(["SHORT=1"] if given.short else [])])
        write_results(given.results, ResultFile(command, machine, tuple(results)))
        print(f"results written to {given.results}")


if __name__ == "__main__":
    main()
