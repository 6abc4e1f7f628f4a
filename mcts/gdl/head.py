"""The head of a rulesheet: lines `; key: value` before the first expression, which the rules do not need."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_CHARACTERS = 200
"""Characters of a value that are read; more are left out."""

_LINE = re.compile(r";+[ \t]*([a-z][a-z_]*):[ \t]+(\S[^\n]*)")


@dataclass(frozen=True)
class Head:
    """The comments at the head of a rulesheet, as data."""

    title: str = ""
    """The name of the game for people, as in `Connect four`; empty if the head has none."""
    summary: str = ""
    """One line about the game."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Key -> value, of all lines. A key consists of small letters and underscores."""


def read_head(text: str) -> Head:
    """Return the head of a rulesheet. Other comments are ignored.

    The first line with a key counts. Values have at most 200 characters, and none that cannot be printed.

    Args:
        text: the rulesheet. It may be invalid.

    Example:
        >>> from mcts.gdl.head import read_head
        >>> read_head("; title: Nim\\n; board: heap(number, sticks)\\n(role first)").fields["board"]
        'heap(number, sticks)'
    """
    fields: dict[str, str] = {}
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and not stripped.startswith(";"):
            break
        if found := _LINE.fullmatch(stripped):
            printable = "".join(letter for letter in found[2][:MOST_CHARACTERS] if letter.isprintable())
            fields.setdefault(found[1], printable.strip())
    return Head(fields.get("title", ""), fields.get("summary", ""), fields)
