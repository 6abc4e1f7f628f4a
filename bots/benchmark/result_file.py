"""Files of results: JSON with the machine, and the times or other figures of named measurements.

`bench/results/README.md` describes the format. A file may come from anyone: reading checks every part of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

from mcts import PlayoutError
from mcts.primitives.failures import failures_named

from ..system.checked_json import CheckedObject, is_number, parse_json, read_file, shown
from ..system.untrusted import clean_line

SCHEMA = 1
MOST_BYTES = 16 << 20
"""Size of the largest file that is read."""
MOST_RESULTS = 10_000
MOST_COMMAND = 4000
"""Most characters of a command."""
_DIGITS = 5
"""Significant digits of stored times, whose noise is larger."""


class ResultFileError(PlayoutError, ValueError):
    """A file of results cannot be read or is not one."""


@dataclass(frozen=True)
class Result:
    """One measurement of a file."""

    name: str
    """`group/case`, the same in all files that may be compared."""
    unit: str = ""
    """The unit of a rate, in the plural; empty without times."""
    units: float = 0.0
    """Number of units of each time; 0 without times."""
    seconds: tuple[tuple[float, ...], ...] = ()
    """Time of each round, by pass. The rounds of a pass follow each other; its passes are spread over the run."""
    values: Mapping[str, float] = field(default_factory=dict)
    """Other figures by name, such as `bytes_per_simulation`, `elo` or `instructions`."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Texts by name, such as the version of another package."""

    @property
    def rounds(self) -> list[float]:
        """The times of all rounds in seconds."""
        return list(chain.from_iterable(self.seconds))

    @property
    def rate(self) -> float:
        """Units per second: of the median round.

        Raises:
            ResultFileError: the result has no times.
        """
        if not self.seconds:
            raise ResultFileError(f"result {self.name!r} has no times")
        return self.units / median(self.rounds)


@dataclass(frozen=True)
class ResultFile:
    """The results of one run."""

    command: str
    """The command that wrote them, as a user types it."""
    machine: Mapping[str, str | int | float]
    """See `machine.describe_machine`; `commit` in addition if it is known."""
    results: tuple[Result, ...]
    date: str = ""
    """Time of the end of the run, UTC, ISO 8601."""

    def find(self, name: str) -> Result:
        """Return the result of a name. Raises ResultFileError."""
        for result in self.results:
            if result.name == name:
                return result
        raise ResultFileError(f"no result {name!r}; valid: {', '.join(result.name for result in self.results)}")

    def group(self, name: str) -> tuple[Result, ...]:
        """Return the results whose name begins with `name/`."""
        return tuple(result for result in self.results if result.name.startswith(f"{name}/"))

    def to_json(self) -> str:
        """Return the text of the file, one line per result."""
        head = {
            "schema": SCHEMA,
            "command": self.command,
            "date": self.date or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "machine": dict(self.machine),
        }
        lines = [json.dumps(_result_dict(result), allow_nan=False) for result in self.results]
        text = json.dumps(head, indent=1, allow_nan=False)
        return text.removesuffix("\n}") + ',\n "results": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def _result_dict(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = {"name": result.name}
    if result.seconds:
        found["unit"], found["units"] = result.unit, result.units
        found["seconds"] = [[float(f"{time:.{_DIGITS}g}") for time in part] for part in result.seconds]
    if result.values:
        found["values"] = dict(result.values)
    if result.labels:
        found["labels"] = dict(result.labels)
    return found


def write_results(path: Path, results: ResultFile) -> None:
    """Write a file of results; `read_results` reads it.

    Raises:
        ResultFileError: `read_results` would refuse the file, as for a command that is too long. An old file stays.
    """
    text = results.to_json()
    parse_results(text)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def read_results(path: Path | str) -> ResultFile:
    """Read a file of results.

    Raises:
        ResultFileError: the file cannot be read, or something in it is missing or of another kind.
    """
    content = read_file(path, MOST_BYTES, "a file of results", ResultFileError)
    with failures_named(f"{clean_line(repr(str(path)))} is not a file of results", ResultFileError, ResultFileError):
        return parse_results(content)


def parse_results(content: bytes | str) -> ResultFile:
    """Return the results in the content of a file. Raises ResultFileError."""
    head = _object("the file", parse_json(content, ResultFileError))
    if (schema := head.get("schema")) != SCHEMA:
        raise ResultFileError(f"schema is {shown(schema)}; valid: {SCHEMA}")
    machine = _object("machine", head.get("machine"))
    listed = head.get("results")
    if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_RESULTS:
        raise ResultFileError(f"results is {shown(listed)}; valid: a list of 1 to {MOST_RESULTS} results")
    results = tuple(_read_result(f"result {number}", given) for number, given in enumerate(listed, 1))
    names = [result.name for result in results]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ResultFileError(f"two results are called {twice!r}; valid: different names")
    return ResultFile(
        command=head.text("command", MOST_COMMAND),
        machine={key: machine.plain(key) for key in machine.names()},
        results=results,
        date=head.text("date"),
    )


def _read_result(where: str, given: Any) -> Result:
    row = _object(where, given)
    name = row.text("name")
    row.where = f"result {name!r}"
    values = _object(f"values of {name!r}", row.get("values", {}))
    labels = _object(f"labels of {name!r}", row.get("labels", {}))
    found = Result(
        name,
        values={key: values.number(key) for key in values.names()},
        labels={key: labels.text(key) for key in labels.names()},
    )
    if "seconds" not in row.given:
        return found
    parts = row.get("seconds")
    if not isinstance(parts, list) or not parts or not all(isinstance(part, list) and part for part in parts):
        raise ResultFileError(f"seconds of {name!r} is {shown(parts)}; valid: a list of lists of times, none empty")
    seconds = tuple(tuple(_positive(f"a time of {name!r}", time) for time in part) for part in parts)
    units = _positive(f"units of {name!r}", row.get("units"))
    return Result(name, row.text("unit"), units, seconds, found.values, found.labels)


def _object(where: str, given: Any) -> CheckedObject:
    return CheckedObject(where, given, ResultFileError)


def _positive(what: str, number: Any) -> float:
    if not is_number(number) or number <= 0:
        raise ResultFileError(f"{what} is {shown(number)}; valid: a number above 0")
    return float(number)
