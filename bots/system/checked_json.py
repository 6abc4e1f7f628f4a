"""JSON from anywhere, whose parts are checked when they are read."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cext import arguments
from mcts import PlayoutError
from mcts.primitives.failures import failures_named

from .untrusted import MESSAGE_LENGTH, clean_line

_SHOWN = 80


def read_file(path: Path | str, most_bytes: int, what: str, error: type[PlayoutError]) -> bytes:
    """Return the content of a file.

    Args:
        path: the file.
        most_bytes: size of the largest file that is read.
        what: the expected content in messages, such as `a file of results`.
        error: raised if the file cannot be read or is too large.
    """
    named = clean_line(repr(str(path)))
    with (
        failures_named(f"cannot read {named}", error, OSError, ValueError),  # ValueError: a path with a null character
        open(os.fspath(path), "rb") as stream,  # a number would be an open file of this process
    ):
        content = stream.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise error(f"{named} has more than {most_bytes >> 20} MB; valid: {what}")
    return content


def parse_json(content: bytes | str, error: type[PlayoutError]) -> Any:
    """Return the value of a JSON text. NaN, infinities and objects with a key twice are refused."""

    def refuse_constant(text: str) -> Any:
        raise error(f"number {text}; valid: finite numbers")

    def refuse_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise error(f"key {shown(key)} is given twice in one object")
            found[key] = value
        return found

    try:
        return json.loads(content, parse_constant=refuse_constant, object_pairs_hook=refuse_twice)
    except PlayoutError:
        raise
    except (ValueError, RecursionError) as problem:
        raise error(f"it is not JSON: {clean_line(problem)}") from None


class CheckedObject:
    """An object of JSON.

    Args:
        where: its place in messages.
        given: the value, which may be anything.
        error: raised for whatever is missing or of another kind.
    """

    def __init__(self, where: str, given: Any, error: type[PlayoutError]) -> None:
        if not isinstance(given, dict):
            raise error(f"{where} is {shown(given)}; valid: an object")
        self.where = where
        self.given = given
        self._error = error

    def names(self) -> Iterable[str]:
        """Yield the keys, each one line of plain text."""
        for key in self.given:
            if clean_line(key) != key:
                raise self._error(f"key {shown(key)} in {self.where}; valid: one line of plain text")
            yield key

    def check_keys(self, known: Iterable[str]) -> None:
        """Refuse keys that are not known."""
        known = tuple(known)
        for key in self.given:
            if key not in known:
                raise self._error(f"{self.where} has the unknown key {shown(key)}; valid: {', '.join(known)}")

    def get(self, key: str, *default: Any) -> Any:
        """Return the value of a key, or the default, if one is given."""
        if key not in self.given and not default:
            raise self._error(f"{self.where} has no {key!r}")
        return self.given.get(key, *default)

    def text(self, key: str, length: int = MESSAGE_LENGTH) -> str:
        """Return one line of plain text."""
        text = self.get(key)
        if not isinstance(text, str) or not is_plain(text, length):
            raise self._wrong(key, text, "one line of plain text")
        return text

    def number(self, key: str) -> float:
        """Return a finite number."""
        number = self.get(key)
        if not is_number(number):
            raise self._wrong(key, number, "a number")
        return float(number)

    def whole(self, key: str, low: int, high: int) -> int:
        """Return a whole number in a range."""
        number = self.get(key)
        if type(number) is not int or not low <= number <= high:
            raise self._wrong(key, number, f"a whole number from {low} to {high}")
        return number

    def items(self, key: str) -> list[Any]:
        """Return a list."""
        found = self.get(key)
        if not isinstance(found, list):
            raise self._wrong(key, found, "a list")
        return found

    def object(self, key: str, *default: Any) -> CheckedObject:
        """Return an object inside this one."""
        return CheckedObject(f"{key} of {self.where}", self.get(key, *default), self._error)

    def plain(self, key: str) -> str | int | float:
        """Return a text or a number."""
        if is_number(found := self.get(key)):
            number: int | float = found
            return number
        return self.text(key)

    def _wrong(self, key: str, given: Any, valid: str) -> PlayoutError:
        return self._error(f"{clean_line(key)} of {self.where} is {shown(given)}; valid: {valid}")


def is_plain(text: str, length: int = MESSAGE_LENGTH) -> bool:
    """Return True for one line of plain text of at most this length."""
    return len(text) <= length and clean_line(text, length) == text


def is_number(given: Any) -> bool:
    """Return True for a finite number. An integer may be too large for a float."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        return False
    try:
        return math.isfinite(float(given))
    except OverflowError:
        return False


def shown(given: Any) -> str:
    """Return a bad value for a message."""
    return clean_line(arguments.shown(given), _SHOWN)
