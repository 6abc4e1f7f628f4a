"""Specs, `name(key=value,...)`: the text form of a game, searcher or bot with its parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .errors import SpecError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_-]+)*")
_WORD = re.compile(r"[A-Za-z0-9_.+-]+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'', re.DOTALL)


def parse_spec(text: str) -> tuple[str, dict[str, str]]:
    """Split a spec into its name and parameters.

    Args:
        text: `name`, `name(key=value,...)` or `name:key=value,...`, which a shell needs no quotes for. A value may be a
            spec with parentheses. A value in single or double quotes may be any text, with a backslash before quotes
            and backslashes. The name may be the path of a class, `package.module.Class`. A key may contain dots. The
            first value may stand without its key, as in `level(4)`, if it is one word or quoted.

    Returns:
        The name, and key -> value, all as text; the key of a value without one is "".

    Raises:
        SpecError: the text has another form; the message shows the part that is wrong.

    Example:
        >>> from cext.spec import parse_spec
        >>> parse_spec("bidding_ttt:coins=5")
        ('bidding_ttt', {'coins': '5'})
    """
    if not isinstance(text, str):
        raise SpecError(f"a spec is a text such as name(key=value), not {text!r}")
    stripped = text.strip()
    match = _NAME.match(stripped)
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
    for number, part in enumerate(_split(inside, text)):
        word = part.strip()
        if number == 0 and (_WORD.fullmatch(word) or _QUOTED.fullmatch(word)):
            found[""] = _unquoted(word, text)
            continue
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not _KEY.fullmatch(key) or not value:
            raise SpecError(f"{part!r} in {text!r} is not of the form key=value")
        if key in found:
            raise SpecError(f"{key!r} is given twice in {text!r}")
        found[key] = _unquoted(value, text)
    return name, found


def format_spec(name: str, parameters: Mapping[str, Any]) -> str:
    """Return the spec of a name and parameters. Parameters with the value None are omitted.

    The value of the key "" comes first, without a key.

    Example:
        >>> from cext.spec import format_spec
        >>> format_spec("mnk", {"m": 5, "n": 5, "k": None})
        'mnk(m=5,n=5)'
    """
    given = {key: format_value(value) for key, value in parameters.items() if value is not None}
    first = given.pop("", None)
    parts = [f"{key}={value}" for key, value in given.items()]
    if first is not None:
        parts.insert(0, first if _WORD.fullmatch(first) or first.startswith('"') else _quoted(first))
    inside = ",".join(parts)
    return f"{name}({inside})" if inside else name


def format_value(value: Any) -> str:
    """Return the value of a parameter as it stands in a spec: in quotes, where it needs them."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    text = str(value)
    return text if _reads_back(text) else _quoted(text)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _reads_back(value: str) -> bool:
    """Return True if a value needs no quotes."""
    try:
        return parse_spec(f"x(x={value})") == ("x", {"x": value})
    except SpecError:
        return False


def _unquoted(value: str, text: str) -> str:
    """Return a value without its quotes and their backslashes."""
    if value[0] not in "\"'":
        return value
    match = _QUOTED.fullmatch(value)
    if match is None:
        raise SpecError(f"{value!r} in {text!r} does not end with the quote that it begins with")
    return re.sub(r"\\(.)", r"\1", match[1] if match[1] is not None else match[2], flags=re.DOTALL)


def _split(inside: str, text: str) -> list[str]:
    """Split at the commas outside parentheses and quotes."""
    parts: list[str] = []
    depth = begin = i = 0
    while i < len(inside) and depth >= 0:
        letter = inside[i]
        if letter in "\"'":
            quoted = _QUOTED.match(inside, i)
            if quoted is None:
                raise SpecError(f"the quotes of {text!r} do not match")
            i = quoted.end() - 1
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(inside[begin:i])
            begin = i + 1
        i += 1
    if depth != 0:
        raise SpecError(f"the parentheses of {text!r} do not match")
    return [*parts, inside[begin:]] if inside.strip() else []
