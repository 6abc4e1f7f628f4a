"""`name(key=value,...)`: how games, searchers and bots are named everywhere, from the command line to the database."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .errors import SpecError

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """Take a spec apart.

    Args:
        text: `name`, `name(key=value,...)`, or, as a shell takes it without quotes, `name:key=value,...`. A value may
            itself be a spec with parentheses.

    Returns:
        The name, and key -> value, all as text.

    Raises:
        SpecError: the text reads otherwise; the message says where.
    """
    if not isinstance(text, str):
        raise SpecError(f"a spec is a text like name(key=value), not {text!r}")
    stripped = text.strip()
    match = _WORD.match(stripped)
    if match is None:
        raise SpecError(f"{text!r} does not begin with a name; valid: name or name(key=value,...)")
    name, rest = match[0], stripped[match.end() :]
    if not rest:
        return name, {}
    if rest[0] == ":":
        inside = rest[1:]
    elif rest[0] == "(" and rest[-1] == ")":
        inside = rest[1:-1]
    else:
        raise SpecError(f"{text!r} does not read name(key=value,...): {rest!r} follows the name")
    found: dict[str, str] = {}
    for part in _split(inside, text):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _WORD.fullmatch(key) or not value:
            raise SpecError(f"{part!r} in {text!r} does not read key=value")
        if key in found:
            raise SpecError(f"{key!r} stands twice in {text!r}")
        found[key] = value
    return name, found


def format_spec(name: str, parameters: Mapping[str, Any]) -> str:
    """The spec text of a name and its parameters; None values are left out."""
    inside = ",".join(f"{key}={_format(value)}" for key, value in parameters.items() if value is not None)
    return f"{name}({inside})" if inside else name


def _format(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def _split(inside: str, text: str) -> list[str]:
    """Split at the commas that stand outside parentheses."""
    parts: list[str] = []
    depth = begin = 0
    for i, letter in enumerate(inside):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(inside[begin:i])
            begin = i + 1
        if depth < 0:
            break
    if depth != 0:
        raise SpecError(f"the parentheses of {text!r} do not match")
    return [*parts, inside[begin:]] if inside.strip() else []
