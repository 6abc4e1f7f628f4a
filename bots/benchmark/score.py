"""The score of a machine: the geometric mean of its rates relative to those of the reference machine, times 100."""

from __future__ import annotations

import math
from importlib.resources import files

from .result_file import Result, ResultFile, ResultFileError, parse_results

REFERENCE = "reference"
"""Name of the stored machine whose score is 100."""


def stored_machines() -> dict[str, ResultFile]:
    """Return the results of the machines that the package contains, by name; the reference comes first."""
    folder = files(__package__) / "machines"
    found = {path.name.removesuffix(".json"): path for path in folder.iterdir() if path.name.endswith(".json")}
    names = sorted(found, key=lambda name: (name != REFERENCE, name))
    return {name: parse_results(found[name].read_text(encoding="utf-8")) for name in names}


def relative_rates(results: ResultFile, base: ResultFile) -> dict[str, float]:
    """Return name -> rate relative to `base`, of the workloads that both measured in the same size.

    Raises:
        ResultFileError: there is none.
    """
    known = {result.name: result for result in base.results if result.seconds}
    found = {
        result.name: result.rate / known[result.name].rate
        for result in results.results
        if result.seconds and result.name in known and _size(result) == _size(known[result.name])
    }
    if not found:
        raise ResultFileError("the files have no workload in common; valid: files of playout bench -o")
    return found


def score(results: ResultFile, base: ResultFile) -> float:
    """Return 100 times the geometric mean of the relative rates. Raises ResultFileError."""
    rates = relative_rates(results, base).values()
    return 100 * math.exp(sum(map(math.log, rates)) / len(rates))


def _size(result: Result) -> tuple[str, float]:
    return result.unit, result.units
