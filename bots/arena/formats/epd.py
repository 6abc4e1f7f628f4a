"""Positions of chess in EPD: four fields of a FEN and operations, or all six fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from . import FormatError

_OPERATION = re.compile(r'\s*(?:([^\s;"]++)((?:[^;"]|"(?:[^"\\]|\\.)*+")*+)(?:;|$))?')
_COUNTERS = {"hmvc": "0", "fmvn": "1"}
"""Operations of the two counters -> their values where they are missing."""
_BOTH_COUNTERS = re.compile(r"(\d+)\s+(\d+)\s*(?:;|$|(?=\s\S))")


@dataclass
class EpdLine:
    """A position of a file."""

    line: int
    """Its line, from 1."""
    fen: str
    """Its six fields."""
    number: ClassVar[None] = None


def read_epd(text: str) -> Iterator[EpdLine]:
    """Yield the positions of a file.

    Empty lines and lines that begin with `#` are skipped.

    Raises:
        FormatError: a line has too few fields, or operations that cannot be read.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        fields = line.split(None, 4)
        if len(fields) < 4:
            raise FormatError(f"line {number}: it has {len(fields)} fields; valid: four of a FEN, then operations")
        rest = fields[4].strip() if len(fields) > 4 else ""
        counters = dict(_COUNTERS)
        if both := _BOTH_COUNTERS.match(rest):
            counters, rest = dict(zip(_COUNTERS, both.groups(), strict=True)), rest[both.end() :]
        at = 0
        while at < len(rest):
            found = _OPERATION.match(rest, at)
            if found is None or found.end() == at:
                raise FormatError(
                    f"line {number}: {rest[at:].strip()!r:.100} is not an operation; valid: as in hmvc 1;"
                )
            at = found.end()
            if found[1] in counters:
                counters[found[1]] = found[2].strip()
        yield EpdLine(number, " ".join([*fields[:4], *counters.values()]))
