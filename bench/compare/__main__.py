"""The command `python -m bench.compare`."""

import argparse
import json
import math
import sys
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from bench.stored import read_stored
from bots.benchmark.result_file import ResultFileError, write_results

from .alternate import EnvironmentFailedError, measure_pair
from .verdicts import SLOWER, TOO_FEW, TOO_NOISY, Rule, judge, samples_of_files

NONE_SLOWER, SOME_SLOWER, BAD_INPUT, NOT_SURE = 0, 1, 2, 3
INTERRUPTED = 130
"""Exit statuses."""
ABOUT = """Compare the times of two versions, A and B.

Two installations are best compared in one run, in which they alternate:
    python -m bench.compare --run old/bin/python new/bin/python

Two stored files are compared pass by pass if they come from one such run. Otherwise their passes are two groups of
measurements. What differed between the two runs, such as the clock rate, then counts as a difference of versions.
Eight and more pairs of files, A1 B1 A2 B2 ..., avoid this: each pair is one sample.

The ratio is the time of B divided by the time of A. Exit status: 0 if nothing is slower in B, 1 if something is, 3 if
nothing is slower but something is too noisy to tell, 2 for bad input.
"""


def parse(arguments):
    """Return the parsed arguments."""
    parser = argparse.ArgumentParser(
        prog="bench.compare", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="files of results: A B, or A1 B1 A2 B2 ...")
    parser.add_argument(
        "--run", nargs=2, metavar="PYTHON", help="measure the installations of two interpreters, A and B"
    )
    parser.add_argument(
        "--seconds", type=float, default=120.0, metavar="S", help="duration of --run, about; default 120"
    )
    parser.add_argument("--workloads", metavar="PATTERN", help="such as 'search/*'; default: those of playout bench")
    parser.add_argument("--save", nargs=2, type=Path, metavar="FILE", help="write the results of --run, of A and of B")
    parser.add_argument(
        "--tolerance", type=float, default=1.0, metavar="PERCENT", help="smaller differences do not count"
    )
    parser.add_argument("--precision", type=float, default=5.0, metavar="PERCENT", help="wider intervals are too noisy")
    parser.add_argument("--each", action="store_true", help="95 %% confidence for each interval, not for all together")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    given = parser.parse_args(arguments)
    if bool(given.run) == bool(given.files):
        parser.error("give files or --run, one of the two")
    if len(given.files) % 2:
        parser.error(f"{len(given.files)} files; valid: pairs, A B or A1 B1 A2 B2 ...")
    if not 0 < given.seconds <= 86_400:
        parser.error(f"--seconds {given.seconds:g} is out of range; valid: above 0, at most 86400")
    for name in ("tolerance", "precision"):
        if not 0 <= getattr(given, name) <= 100:
            parser.error(f"--{name} {getattr(given, name):g} is out of range; valid: 0 to 100")
    if not given.run and (given.save or given.workloads):
        parser.error("--save and --workloads go with --run")
    return given


def read_pairs(given, console):
    """Return pairs of files of results: measured now, or read. Raises ResultFileError and EnvironmentFailedError."""
    if not given.run:
        files = [read_stored(path) for path in given.files]
        return list(zip(files[::2], files[1::2], strict=True))
    with console.status("measuring") as status:
        pair = measure_pair(
            given.run, given.seconds, given.workloads, lambda passes: status.update(f"measuring: {passes} passes")
        )
    for path, results in zip(given.save or (), pair, strict=False):
        write_results(path, results)
    return [pair]


def warnings_of(pairs, samples):
    """Yield sentences that a reader of the verdicts must know."""
    if samples.is_paired:
        return
    ((first, second),) = pairs
    yield "A and B were measured in different runs: a change of the machine between them counts as a difference."
    for key in sorted({*first.machine, *second.machine} - {"commit", "load", "playout", "run"}):
        one, other = first.machine.get(key), second.machine.get(key)
        if one != other:
            yield f"{key} differs: {one} in A, {other} in B."


def show(verdicts, notes):
    """Print the verdicts as a table."""
    console = Console(highlight=False, markup=False)
    table = Table(box=box.SIMPLE)
    table.add_column("benchmark", overflow="fold")
    for heading in ("time of B / A", "interval", "samples"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("B is")
    for each in verdicts:
        interval = "" if each.interval is None else f"{each.interval.low:.3f} to {each.interval.high:.3f}"
        if each.interval is not None and math.isinf(each.interval.high):
            interval = "not bounded"
        table.add_row(each.name, f"{each.ratio:.3f}", interval, str(each.samples), each.verdict)
    console.print(table)
    for note in notes:
        console.print(note, soft_wrap=True)


def finite(number):
    """Return a number, or None instead of infinity, which JSON does not have."""
    return number if math.isfinite(number) else None


def plain(verdict):
    """Return a verdict as plain data."""
    return {
        "name": verdict.name,
        "verdict": verdict.verdict,
        "ratio": verdict.ratio,
        "interval": None if verdict.interval is None else list(map(finite, verdict.interval[1:])),
        "samples": verdict.samples,
    }


def main(arguments=None):
    """Compare and return the exit status."""
    given = parse(arguments)
    rule = Rule(given.tolerance / 100, given.precision / 100, shared_error=not given.each)
    try:
        pairs = read_pairs(given, Console(stderr=True))
        samples = samples_of_files(pairs)
    except (ResultFileError, EnvironmentFailedError, OSError) as error:
        print(f"bench.compare: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("bench.compare: interrupted", file=sys.stderr)
        return INTERRUPTED
    verdicts = judge(samples, rule)
    notes = list(warnings_of(pairs, samples))
    if given.json:
        print(json.dumps({"verdicts": [plain(each) for each in verdicts], "notes": notes}, indent=2))
    else:
        show(verdicts, notes)
    found = {each.verdict for each in verdicts}
    if SLOWER in found:
        return SOME_SLOWER
    return NOT_SURE if TOO_NOISY in found or found == {TOO_FEW} else NONE_SLOWER


if __name__ == "__main__":
    sys.exit(main())
