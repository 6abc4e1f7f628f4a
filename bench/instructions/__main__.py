"""Count the instructions of workloads with fixed seeds, and compare them with stored figures.

usage: python -m bench.instructions [NAME ...] [--check | --write] [--figures FILE] [--variant VARIANT]

Seconds depend on the machine and on its other load; the number of
instructions varies by less than 0.2 % between runs. A figure is the number of
instructions of one workload with one machine code, counted by callgrind in the measured region only.

`--check` fails if a count differs from its figure by more than 3 %. A smaller count fails too, so that the room above
the figure stays 3 %. `--write` renews the figures. They hold for one version of the compiler and of the C library. With
other versions `--check` names both and compares nothing.
"""

import argparse
import sys
import tempfile
from pathlib import Path

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


def print_counts(counts, stored):
    """Print the counts in millions, and the change of `core` from its figure if there is one."""
    width = max(len(name) for names in counts.values() for name in names)
    print(f"{'instructions in millions':{width}}  machine code      core   change       all")
    for variant, names in counts.items():
        for name, row in names.items():
            figure = ((stored or {}).get("figures", {}).get(variant, {}).get(name) or {}).get("core")
            change = "" if figure is None else f"{row['core'] / figure - 1:+.2%}"
            print(f"{name:{width}}  {variant:12}  {row['core'] / 1e6:8,.1f}  {change:>7}  {row['all'] / 1e6:8,.1f}")


def check(counts, stored, here):
    """Print the differences beyond the room and return the exit status."""
    found = figures.compare(stored, counts, here)
    if stored["python"] != here["python"]:
        print(f"Only core is compared: the figures are for Python {stored['python']}, this is Python {here['python']}.")
    for difference in found:
        print(
            f"{difference.name}, {difference.variant}: {difference.change:+.1%} instructions ({difference.column}), "
            f"figure {difference.figure:,}, now {difference.count:,}"
        )
    if not found:
        print(f"All counts are within {figures.ROOM:.0%} of their figures.")
        return 0
    print(
        f"The room is {figures.ROOM:.0%} in both directions. If the changes are intended, or for the better, renew the "
        "figures in the same commit: PYTHONPATH=. .venv/bin/python -P -m bench.instructions --write"
    )
    if stored["cython"] != here["cython"]:
        print(f"The figures were written with Cython {stored['cython']}; installed is {here['cython']}.")
    return 1


def main():
    """Count, print, and check or write."""
    arguments = argparse.ArgumentParser(description="Count the instructions of workloads with fixed seeds.")
    arguments.add_argument("name", nargs="*", help="workloads; default: all")
    action = arguments.add_mutually_exclusive_group()
    action.add_argument(
        "--check", action="store_true", help="fail if a count differs from its figure by more than 3 %%"
    )
    action.add_argument("--write", action="store_true", help="write new figures")
    arguments.add_argument("--figures", type=Path, default=figures.FILE, help="file of the figures")
    arguments.add_argument("--variant", action="append", help="machine code; default: all that run here")
    given = arguments.parse_args()
    for name in given.name:
        if name not in WORKLOADS:
            arguments.error(f"unknown workload {name!r}; valid: {', '.join(map(repr, WORKLOADS))}")
    for variant in given.variant or ():
        if variant not in _variant.available():
            arguments.error(f"unknown machine code {variant!r}; valid here: {', '.join(_variant.available())}")
    if given.write and (given.name or given.variant):
        arguments.error("--write renews all figures, so it takes no names and no --variant")
    here = figures.origin()
    stored = figures.read(given.figures) if given.figures.exists() else None
    if given.check:
        if stored is None:
            arguments.error(f"--figures {given.figures}: there is no such file; --write makes it")
        reason = figures.incomparable(stored, here)
        if reason:
            print(f"Not compared. {reason}.")
            return 0
    try:
        counts = count(given.name or list(WORKLOADS), given.variant or _variant.available())
    except callgrind.CountingError as error:
        sys.exit(f"Instructions cannot be counted: {error}")
    print_counts(counts, stored)
    if given.write:
        figures.write(counts, here, given.figures)
    return check(counts, stored, here) if given.check else 0


if __name__ == "__main__":
    sys.exit(main())
