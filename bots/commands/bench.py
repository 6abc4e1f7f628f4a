"""`playout bench`: the speed of this machine."""

from __future__ import annotations

import shlex
import sys
from itertools import groupby
from typing import Annotated

from rich import box
from rich.console import Console
from rich.table import Table

from cext.arguments import counted
from mcts import ParameterError

from ..benchmark.machine import describe_machine, usable_cores
from ..benchmark.measure import measure_workloads, spread_of
from ..benchmark.result_file import Result, ResultFile, read_results
from ..benchmark.score import REFERENCE, relative_rates, score, stored_machines
from ..benchmark.workloads import all_workloads
from ..system.untrusted import clean_line
from .common.consoles import print_line, stderr, stdout
from .common.files import json_files
from .common.options import JsonOption, option, output_option, repeatable
from .common.progress import progress_bar

LONGEST_SECONDS = 3600.0
NOISE = 0.05
"""Spread above which a note says that the machine was busy."""
BUSY_LOAD = 0.5
"""Load for each processor from which other programs are told of before the measurement."""


def command(
    seconds: Annotated[float, option("Duration of the measurement, about.", "S")] = 30.0,
    as_json: JsonOption = False,
    output: Annotated[str | None, output_option("Write the results as JSON to a file; - is stdout.")] = None,
    compare: Annotated[
        list[str] | None, option(repeatable("Show this machine beside one whose results are in a file."), "FILE")
    ] = None,
) -> None:
    """Measure the speed of this machine.

    One core runs random playouts, searches and calls from Python. The score is the geometric mean of all rates relative
    to the rates of the reference machine, whose score is 100. A rate is that of the median round; the spread is the
    median absolute deviation of the rounds.

    Close other programs first. A note before the measurement says whether others run, and the score of a busy machine
    is marked. Files of different days and versions show what differs only roughly.

    Examples:
        playout bench
        playout bench --seconds 5 -o here.json
        playout bench --seconds 5 --compare here.json
    """
    if not 0 < seconds <= LONGEST_SECONDS:
        raise ParameterError(f"--seconds {seconds:g}: out of range; valid: above 0, at most {LONGEST_SECONDS:g}")
    machines = stored_machines()
    others = [(path, read_results(path)) for path in compare or ()]
    for _, other in others:
        score(other, machines[REFERENCE])  # refuses a file without these workloads before the measurement
    targets = json_files(output, as_json)
    workloads = [workload for workload in all_workloads() if workload.quick]
    machine = describe_machine()
    load = float(machine.get("load", 0.0))
    is_busy = load >= BUSY_LOAD * usable_cores()
    if is_busy:
        text = f"This machine is busy: {load:.1f} programs ran in the last minute, on average. Rates will be too low."
        print_line(stderr(), text)
    with progress_bar(stderr(), is_counted=False) as progress:
        task = progress.add_task("measuring", total=1.0)
        measured = measure_workloads(workloads, seconds, lambda share: progress.update(task, completed=share))
    results = ResultFile(shlex.join(["playout", *sys.argv[1:]]), machine, measured)
    points = score(results, machines[REFERENCE])
    is_busy = is_busy or any(spread_of(result) > NOISE for result in measured)
    if not any(target.is_stdout for target in targets):
        _show(stdout(), results, machines, others, is_busy)
    total = Result(
        "score/all",
        values={"score": round(points, 2)},
        labels={"reference": _processor(machines[REFERENCE]), "machine": "busy" if is_busy else "quiet"},
    )
    for target in targets:
        target.write_text(ResultFile(results.command, machine, (*measured, total)).to_json())


def _show(
    console: Console,
    results: ResultFile,
    machines: dict[str, ResultFile],
    others: list[tuple[str, ResultFile]],
    is_busy: bool,
) -> None:
    """Print the table of rates, the scores, and notes. is_busy: other programs ran, so the score is too low."""
    reference = machines[REFERENCE]
    bases = [(REFERENCE, reference), *((f"[{number}]", base) for number, (_, base) in enumerate(others, 1))]
    relative = [relative_rates(results, base) for _, base in bases]
    table = Table(box=box.SIMPLE)
    table.add_column("workload", overflow="fold")
    for heading in ("rate", "spread", *(f"/ {name}" for name, _ in bases)):
        table.add_column(heading, justify="right", no_wrap=True)
    for group, rows in groupby(results.results, lambda result: result.name.partition("/")[0]):
        listed = list(rows)
        table.add_row(f"{group}, {listed[0].unit}/s", style="bold")
        for result in listed:
            cells = [f"{rates[result.name]:.2f}" if result.name in rates else "" for rates in relative]
            case = result.name.partition("/")[2]
            table.add_row(f"  {case}", _rate(result.rate), f"{spread_of(result):.1%}", *cells)
    console.print(table)
    mark = " on a busy machine: measure again" if is_busy else ""
    print_line(console, f"Score: {score(results, reference):.0f}{mark}")
    for name, base in machines.items():
        print_line(console, f"{name}: {score(base, reference):.0f}, {_processor(base)}")
    for number, (path, base) in enumerate(others, 1):
        print_line(console, f"[{number}] {clean_line(path)}: {score(base, reference):.0f}, {_processor(base)}")
    busy = sum(spread_of(result) > NOISE for result in results.results)
    if busy:
        many = counted(busy, "workload has", "workloads have")
        print_line(
            console, f"{many} a spread above {NOISE:.0%}, of {len(results.results)}: other programs may be running"
        )


def _processor(results: ResultFile) -> str:
    """Return the processor of a file and the version that was measured."""
    parts = [str(results.machine.get(key, "")) for key in ("processor", "machine_code")]
    return ", ".join(
        [part for part in parts if part] + [f"playout {results.machine.get('playout', 'of unknown version')}"]
    )


def _rate(number: float) -> str:
    """Return a rate with three significant digits: 24.8 M, 312 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
