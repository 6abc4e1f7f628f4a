"""Files of results that programs of this folder write, part by part."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable
from pathlib import Path

from bots.benchmark.machine import describe_machine
from bots.benchmark.result_file import Result, ResultFile, read_results, write_results

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
