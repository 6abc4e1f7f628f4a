"""One-line texts of states, similar to FEN of chess: fields joined by underscores, without spaces.

A game defines its notation as a list of fields, one for each key of its dict. `Notation` converts the dict of a state
to a text and back. It does not check that the dict is a possible state; the game does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

from .errors import StateError

SEPARATOR = "_"
NOTHING = "-"
"""Text of null for a key without a value."""
HIDDEN = "?"
"""Text of null for a value that a view does not show."""
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}")
_LONGEST_SHOWN = 80


class Field(Protocol):
    """A field of a text: the value of one key, without underscores and spaces."""

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
    """Whole numbers joined by commas. `-` is a missing list, `?` a hidden number."""

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
    """One of a few words or numbers. `-` is None."""

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


class ListField:
    """Words or letters, joined by a separator. `-` is an empty list, `?` one that a view does not show."""

    def __init__(self, key: str, separator: str = ",") -> None:
        self.key, self.separator = key, separator

    def write(self, value: Sequence[str] | None) -> str:
        """Return the text of a list."""
        return HIDDEN if value is None else self.separator.join(value) or NOTHING

    def read(self, text: str) -> list[str] | None:
        """Return the list, of any words: the game checks them."""
        if text in (HIDDEN, NOTHING):
            return None if text == HIDDEN else []
        return text.split(self.separator) if self.separator else list(text)


def told_by_text(position: Any) -> dict[str, Any]:
    """Return the dict of a state or view without what its text leaves out.

    A notation may have `leaves_out`, keys of the dict, such as the earlier positions in a FEN.
    """
    left_out = getattr(position.game.notation(), "leaves_out", ())
    return {key: value for key, value in position.to_dict().items() if key not in left_out}


class Notation:
    """A text with one field for each key, in order.

    Args:
        fields: one for each key that the text contains.
        derived: key -> function of the dict of the fields, for keys that follow from the others.

    Attributes:
        keys: the keys of the dict.
    """

    def __init__(self, *fields: Field, derived: Mapping[str, Callable[[dict[str, Any]], Any]] | None = None) -> None:
        self.fields = fields
        self.derived = derived or {}
        self.keys = (*(field.key for field in self.fields), *self.derived)

    @property
    def form(self) -> str:
        """The names of the fields, as in `<board>_<to_move>`."""
        return SEPARATOR.join(f"<{field.key}>" for field in self.fields)

    def write(self, shown: dict[str, Any]) -> str:
        """Return the text of a dict that `State.to_dict` or `View.to_dict` has made."""
        return SEPARATOR.join(field.write(shown[field.key]) for field in self.fields)

    def read(self, text: str) -> dict[str, Any]:
        """Return the dict of a text, without a check that the state is possible. Raises StateError."""
        parts = text.split(SEPARATOR)
        if len(parts) != len(self.fields):
            raise StateError(f"it has {count_fields(len(parts))}, not {len(self.fields)}")
        return self.read_fields(parts)

    def read_fields(self, parts: Sequence[str]) -> dict[str, Any]:
        """Return the dict of the texts of all fields. Raises StateError."""
        given = {field.key: field.read(part) for field, part in zip(self.fields, parts, strict=True)}
        for key, derive in self.derived.items():
            given[key] = derive(given)
        return given


class JsonNotation:
    """Compact JSON of the dict, for games without their own notation. Spaces are written as `\\u0020`."""

    form = "JSON of to_dict"
    keys = None
    """The game itself checks the keys."""

    def write(self, shown: dict[str, Any]) -> str:
        """Return the text of a dict. Raises StateError if the dict cannot be written as JSON."""
        try:
            text = json.dumps(shown, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as error:
            raise StateError(f"the state cannot be written as text: its dict is not JSON ({error})") from error
        return text.replace(" ", "\\u0020")

    def read(self, text: str) -> dict[str, Any]:
        """Return the dict of a JSON object. Raises StateError."""
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise StateError(f"it is not JSON ({error})") from None
        if not isinstance(given, dict):
            raise StateError("it is not a JSON object")
        return given


def read_text(notation: Notation | JsonNotation, text: Any, what: str, example: Callable[[], str]) -> dict[str, Any]:
    """Return the dict of a text in the notation of a game or in JSON.

    Args:
        notation: the notation of the game.
        text: a text of `State.to_text` or `View.to_text`, or a JSON object. Surrounding blanks are ignored.
        what: the expected object in messages, e.g. `a state of mnk(m=3,n=3,k=3)`.
        example: returns a valid text for messages.

    Raises:
        StateError: the text is malformed; the message has the field, the valid form and an example.
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


def agrees(given: Any, value: Any) -> bool:
    """Return True if an entry of a dict from outside is equal to the entry of a state. Tuples may stand for lists."""
    if isinstance(value, list):
        return isinstance(given, (list, tuple)) and len(given) == len(value) and all(map(agrees, given, value))
    if isinstance(value, dict):
        same_keys = isinstance(given, dict) and given.keys() == value.keys()
        return same_keys and all(agrees(given[k], value[k]) for k in value)
    return bool(given == value)


def ranges_text(words: Sequence[str]) -> str:
    """Return a list of action texts, with the first and the last one of each verb: `mark(1,1) to mark(3,3), pass`."""
    groups = [[*same] for _, same in groupby(words, lambda word: word.partition("(")[0])]
    return ", ".join(same[0] if len(same) == 1 else f"{same[0]} to {same[-1]}" for same in groups)


def count_fields(count: int) -> str:
    """Return `1 field`, `2 fields` and so on."""
    return "1 field" if count == 1 else f"{count} fields"


def shorten(text: str) -> str:
    """Return the repr of a text, shortened if it is long."""
    return repr(text) if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]!r}... ({len(text)} characters)"
