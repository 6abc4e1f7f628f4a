"""Files of results of this folder: studies write theirs part by part; pytest-benchmark writes those of the suite."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterable
from pathlib import Path

from bots.benchmark.machine import describe_machine
from bots.benchmark.result_file import Result, ResultFile, ResultFileError, read_results, write_results

RESULTS = Path(__file__).parent / "results"


def add_out(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the option for the file of results."""
    target = RESULTS / f"{name}.json"
    parser.add_argument("--out", type=Path, default=target, metavar="FILE", help=f"file of results ({target.name})")


def store(path: Path, words: Iterable[str], results: Iterable[Result]) -> None:
    """Write results to a file. Results that are there and have other names stay.

    Args:
        path: file of results.
        words: the command, as a user types it.
        results: new results.
    """
    new = list(results)
    names = {result.name for result in new}
    old = [result for result in read_results(path).results if result.name not in names] if path.exists() else []
    write_results(path, ResultFile(shlex.join(words), describe_machine(), (*old, *new)))


def read_stored(path: Path | str) -> ResultFile:
    """Return the results in a file, which `pytest bench` or any other program has written. Raises ResultFileError."""
    try:
        given = json.loads(Path(path).read_bytes())
        benchmarks = given["benchmarks"]
    except (OSError, ValueError, KeyError, TypeError):
        return read_results(path)  # of another program, or it tells what is wrong
    try:
        commit = given["commit_info"]["id"] + ("+changes" if given["commit_info"]["dirty"] else "")
        machine = {**given["machine_info"], "load": given["load"], "commit": commit}
        return ResultFile("pytest bench", machine, tuple(map(_result, benchmarks)), given["datetime"])
    except (KeyError, TypeError) as error:
        what = "a file of pytest bench --benchmark-json, or of --benchmark-autosave with --benchmark-save-data"
        raise ResultFileError(f"{str(path)!r} lacks {error}; valid: {what}") from None


def _result(given: dict) -> Result:
    """Return the result of one benchmark, whose rounds follow each other pass by pass."""
    told, seconds = given["extra_info"], given["stats"]["data"]
    size = told["rounds_of_pass"]
    passes = tuple(tuple(seconds[start : start + size]) for start in range(0, len(seconds), size))
    name = given["params"]["workload"]
    return Result(name, told["unit"], told["units"], passes, told["values"], told.get("labels", {}))
