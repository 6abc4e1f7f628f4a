"""One-line texts of states, in the spirit of chess's FEN: fields joined by underscores, without spaces.

A game describes its notation by a list of fields, one for each key of its dict. `Notation` turns the dict of a state
into a text and back; whether the dict is a possible state is for the game to check.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from .errors import StateError

SEPARATOR = "_"
NOTHING = "-"
"""Stands for null where a key has no value."""
HIDDEN = "?"
"""Stands for null where a view does not show a value."""
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_LONGEST_SHOWN = 80


class Field(Protocol):
    """One field of a text, which holds the value of one key; texts have no underscore and no space."""

    @property
    def key(self) -> str:
        """The key in the dict of a state."""
        ...

    def write(self, value: Any) -> str:
        """Return the text of a value."""
        ...

    def read(self, text: str) -> Any:
        """Return the value of a text. Raises StateError."""
        ...


class NumbersField:
    """Whole numbers joined by commas: `-` for a list that is not there, `?` for a number that is hidden."""

    def __init__(self, key: str, count: int, *, optional: bool = False, hideable: bool = False) -> None:
        self.key = key
        self.count, self.optional, self.hideable = count, optional, hideable

    def write(self, value: Sequence[int | None] | None) -> str:
        """Return the text of a list of numbers."""
        if value is None:
            return NOTHING
        return ",".join(HIDDEN if number is None else str(number) for number in value)

    def read(self, text: str) -> list[int | None] | None:
        """Return the list of numbers. Raises StateError."""
        if self.optional and text == NOTHING:
            return None
        parts = text.split(",")
        if len(parts) != self.count or not all(self._is_number(part) for part in parts):
            raise StateError(
                f"{self.key} is {shorten(text)}; valid: {self.count} whole numbers joined by commas"
                + (", ? for a hidden one" if self.hideable else "")
                + (", or -" if self.optional else "")
            )
        return [None if part == HIDDEN else int(part) for part in parts]

    def _is_number(self, part: str) -> bool:
        return (self.hideable and part == HIDDEN) or _NUMBER.fullmatch(part) is not None


class ChoiceField:
    """One of a few words or numbers; `-` for None."""

    def __init__(self, key: str, options: Sequence[str | int | None]) -> None:
        self.key = key
        self.options = {self.write(option): option for option in options}

    def write(self, value: str | int | None) -> str:
        """Return the text of an option."""
        return NOTHING if value is None else str(value)

    def read(self, text: str) -> str | int | None:
        """Return the option. Raises StateError."""
        try:
            return self.options[text]
        except KeyError:
            raise StateError(f"{self.key} is {shorten(text)}; valid: {', '.join(self.options)}") from None


class Notation:
    """The fields of a text in their order.

    Args:
        fields: one for each key that the text holds.
        derived: key -> function of the dict read so far, for keys that follow from the others.
    """

    def __init__(self, *fields: Field, derived: Mapping[str, Callable[[dict[str, Any]], Any]] | None = None) -> None:
        self.fields = fields
        self.derived = derived or {}

    @property
    def form(self) -> str:
        """The names of the fields, as in `<board>_<to_move>`."""
        return SEPARATOR.join(f"<{field.key}>" for field in self.fields)

    def write(self, shown: dict[str, Any]) -> str:
        """Return the text of a dict that `State.to_dict` or `View.to_dict` has made."""
        return SEPARATOR.join(field.write(shown[field.key]) for field in self.fields)

    def read(self, text: str) -> dict[str, Any]:
        """Return the dict of a text; whether it is a possible state is not checked. Raises StateError."""
        parts = text.split(SEPARATOR)
        if len(parts) != len(self.fields):
            raise StateError(f"it has {count_fields(len(parts))}, not {len(self.fields)}")
        return self.read_fields(parts)

    def read_fields(self, parts: Sequence[str]) -> dict[str, Any]:
        """Return the dict of as many texts as there are fields. Raises StateError."""
        given = {field.key: field.read(part) for field, part in zip(self.fields, parts, strict=True)}
        for key, derive in self.derived.items():
            given[key] = derive(given)
        return given


class JsonNotation:
    """Compact JSON of the dict, for games that define no notation of their own; spaces are escaped as `\\u0020`."""

    form = "JSON of to_dict"

    def write(self, shown: dict[str, Any]) -> str:
        """Return the text of a dict. Raises StateError where it holds what JSON cannot express."""
        try:
            text = json.dumps(shown, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as error:
            raise StateError(f"the state cannot be written as text: its dict is not JSON ({error})") from error
        return text.replace(" ", "\\u0020")

    def read(self, text: str) -> dict[str, Any]:
        """Return the dict of a text that must be a JSON object. Raises StateError."""
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StateError(f"it is not JSON ({error})") from None
        if not isinstance(given, dict):
            raise StateError("it is not a JSON object")
        return given


def read_text(notation: Notation | JsonNotation, text: Any, what: str, example: Callable[[], str]) -> dict[str, Any]:
    """Return the dict that a text describes, by a game's notation or as JSON.

    Args:
        notation: the notation of the game.
        text: what `State.to_text` or `View.to_text` has written, or a JSON object; blanks around it are ignored.
        what: what the text is read as, for messages, e.g. `a state of mnk(m=3,n=3,k=3)`.
        example: makes a valid text, for messages.

    Raises:
        StateError: it is neither; the message names the field, the valid form and an example.
    """
    if not isinstance(text, str):
        raise StateError(f"{what} is read from a text, not from {type(text).__name__}")
    stripped = text.strip()
    try:
        return (JsonNotation() if stripped.startswith("{") else notation).read(stripped)
    except StateError as error:
        raise StateError(
            f"{shorten(stripped)} is not {what}: {error}; valid: {notation.form}, as in {example()}"
        ) from None


def count_fields(count: int) -> str:
    """A number of fields in words."""
    return "1 field" if count == 1 else f"{count} fields"


def shorten(text: str) -> str:
    """The repr of a text, cut where it is long."""
    return repr(text) if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]!r}... ({len(text)} characters)"
