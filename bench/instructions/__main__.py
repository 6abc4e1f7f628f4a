"""Count the instructions of workloads with fixed seeds, and compare them with stored figures.

usage: python -m bench.instructions [NAME ...] [--check | --write] [--figures FILE] [--variant VARIANT]

Seconds depend on the machine and on its other load; the number of instructions varies by less than 0.2 % between runs.
A figure is the number of instructions of one workload with one machine code, counted by callgrind in the measured
region only.

`--check` fails if a count differs from its figure by more than 3 %. A smaller count fails too: its figure would let a
later regression pass. `--write` renews the figures. They hold for one version of the compiler and of the C library.
With other versions `--check` names both and compares nothing.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from bots.benchmark.result_file import ResultFileError, read_results
from cext import _variant

from . import callgrind, figures
from .workloads import WORKLOADS


def count(names, variants):
    """Return machine code -> workload -> column -> instructions. The machine codes run at the same time.

    Raises:
        CountingError: instructions cannot be counted here.
    """
    with tempfile.TemporaryDirectory() as temporary:
        markers = callgrind.build_markers(temporary)
        running = {}
        try:
            for variant in variants:
                folder = Path(temporary) / variant
                folder.mkdir()
                running[variant] = callgrind.start(names, variant, markers, folder), folder
            return {variant: callgrind.finish(names, *pair) for variant, pair in running.items()}
        finally:
            for process, _ in running.values():
                process.kill()
                process.wait()


def print_counts(results, stored):
    """Print the counts in millions, and the change of `core` from its figure if there is one."""
    width = max(len(result.name) for result in results)
    figures = {} if stored is None else {result.name: result.values["core"] for result in stored.results}
    print(f"{'instructions in millions':{width}}      core   change       all")
    for result in results:
        core, every = result.values["core"], result.values["all"]
        change = f"{core / figures[result.name] - 1:+.2%}" if result.name in figures else ""
        print(f"{result.name:{width}}  {core / 1e6:8,.1f}  {change:>7}  {every / 1e6:8,.1f}")


def check(results, stored, here):
    """Print the differences beyond the tolerance and return the exit status."""
    found = figures.compare(stored, results, here)
    if reason := figures.difference_of(figures.PYTHON_KEYS, stored.machine, here):
        print(f"Only core is compared. {reason}.")
    for each in found:
        print(f"{each.name}: {each.change:+.1%} instructions ({each.column}), {each.figure:,.0f} to {each.count:,.0f}")
    if not found:
        print(f"All counts are within {figures.TOLERANCE:.0%} of their figures.")
        return 0
    print(
        f"The tolerance is {figures.TOLERANCE:.0%} in both directions. If the changes are intended, or for the better, "
        f"renew the figures in the same commit: {figures.COMMAND}"
    )
    if reason := figures.difference_of(["cython"], stored.machine, here):
        print(f"The builds differ. {reason}.")
    return 1


def main():
    """Count, print, and check or write."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.instructions", description="Count the instructions of workloads with fixed seeds."
    )
    parser.add_argument("name", nargs="*", help="workloads; default: all")
    action = parser.add_mutually_exclusive_group()
    action.add_argument(
        "--check", action="store_true", help="fail if a count differs from its figure by more than 3 %%"
    )
    action.add_argument("--write", action="store_true", help="write new figures")
    parser.add_argument("--figures", type=Path, default=figures.FILE, help="file of the figures")
    parser.add_argument("--variant", action="append", help="machine code; default: all that run here but x86_64_v4")
    given = parser.parse_args()
    for name in given.name:
        if name not in WORKLOADS:
            parser.error(f"unknown workload {name!r}; valid: {', '.join(map(repr, WORKLOADS))}")
    countable = [name for name in _variant.available() if name != _variant.V4]  # valgrind lacks AVX-512
    for variant in given.variant or ():
        if variant not in countable:
            parser.error(f"unknown machine code {variant!r}; valid here: {', '.join(countable)}")
    if given.write and (given.name or given.variant):
        parser.error("--write renews all figures, so it takes no names and no --variant")
    here = figures.describe_build()
    try:
        stored = read_results(given.figures) if given.check or given.figures.exists() else None
        if given.check and (reason := figures.difference_of(figures.KEYS, stored.machine, here)):
            print(f"Not compared. {reason}.")
            return 0
        results = figures.results_of(count(given.name or list(WORKLOADS), given.variant or countable))
        print_counts(results, stored)
        if given.write:
            figures.write(results, here, given.figures)
        return check(results, stored, here) if given.check else 0
    except (callgrind.CountingError, ResultFileError) as error:
        sys.exit(f"bench.instructions: {error}")


if __name__ == "__main__":
    sys.exit(main())
