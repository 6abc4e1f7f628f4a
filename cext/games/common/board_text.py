"""Boards, cells and numbers as text: helpers of games to read and write dicts, texts of actions and drawings.

In a dict a board is a string, row by row, with `.` for a blank cell. In memory it is one bit mask for each player.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from ...arguments import shown
from ...errors import StateError
from ...notation import NOTHING, shorten

BLANK = "."
ROW_END = "/"


class BoardField:
    """A board string as rows joined by `/`. `-` is a board that does not exist yet."""

    def __init__(self, key: str, rows: int, columns: int, symbols: str, *, optional: bool = False) -> None:
        self.key = key
        self.rows, self.columns, self.optional = rows, columns, optional
        self.symbols = BLANK + symbols

    def write(self, value: str | None) -> str:
        """Return the text of a board string."""
        if value is None:
            return NOTHING
        return ROW_END.join(value[at : at + self.columns] for at in range(0, len(value), self.columns))

    def read(self, text: str) -> str | None:
        """Return the board string. Raises StateError."""
        if self.optional and text == NOTHING:
            return None
        rows = text.split(ROW_END)
        if len(rows) != self.rows or any(len(row) != self.columns or set(row) - set(self.symbols) for row in rows):
            raise StateError(
                f"{self.key} is {shorten(text)}; valid: {self.rows} rows of {self.columns} characters of "
                f"{self.symbols}, joined by {ROW_END}{', or -' if self.optional else ''}"
            )
        return "".join(rows)


@cache
def mark_texts(rows: int, columns: int) -> tuple[str, ...]:
    """Return `mark(row,column)`, both counted from 1, of all cells, row by row."""
    return tuple(f"mark({row},{column})" for row in range(1, rows + 1) for column in range(1, columns + 1))


def board_text(masks: Sequence[int], symbols: str, cells: int) -> str:
    """Return the string of a board from one mask for each symbol."""
    text = [BLANK] * cells
    for mask, symbol in zip(masks, symbols, strict=True):
        for cell in range(cells):
            if mask >> cell & 1:
                text[cell] = symbol
    return "".join(text)


def read_board(given: dict[str, Any], key: str, symbols: str, cells: int) -> list[int]:
    """Return one mask for each symbol from the board string under `key`. Raises StateError."""
    text = require(given, key)
    if not isinstance(text, str) or len(text) != cells or set(text) - set(symbols + BLANK):
        raise StateError(f"{key!r} must be {cells} characters of {BLANK}{symbols}, not {shown(text)}")
    masks = dict.fromkeys(symbols + BLANK, 0)
    for cell, symbol in enumerate(text):
        masks[symbol] |= 1 << cell
    return [masks[symbol] for symbol in symbols]


def require(given: dict[str, Any], key: str) -> Any:
    """Return the value under a required key. Raises StateError."""
    try:
        return given[key]
    except KeyError:
        raise StateError(f"the state has no {key!r}; it has {', '.join(map(shown, given)) or 'nothing'}") from None


def read_choice(given: dict[str, Any], key: str, valid: Sequence[Any]) -> Any:
    """Return the value under `key`, one of `valid`. Raises StateError."""
    value = require(given, key)
    for choice in valid:
        if value == choice and type(value) is type(choice):
            return choice
    words = ", ".join("null" if choice is None else repr(choice) for choice in valid)
    raise StateError(f"{key!r} is {shown(value)}; valid: {words}")


def read_integers(given: dict[str, Any], key: str, count: int, low: int, high: int) -> list[int]:
    """Return the list of `count` whole numbers in [low, high] under `key`. Raises StateError."""
    values = require(given, key)
    if (
        not isinstance(values, (list, tuple))
        or len(values) != count
        or not all(isinstance(v, int) and not isinstance(v, bool) and low <= v <= high for v in values)
    ):
        raise StateError(f"{key!r} must be {count} whole numbers from {low} to {high}, not {shown(values)}")
    return list(values)


def draw_board(text: str, columns: int, indent: str = "") -> str:
    """Return the drawing of a board string, with numbered rows and columns."""
    width = len(str(max(columns, len(text) // columns)))
    lines = [indent + " " * (width + 1) + " ".join(str(c + 1).rjust(width) for c in range(columns))]
    for row in range(len(text) // columns):
        cells = text[row * columns : (row + 1) * columns]
        lines.append(indent + str(row + 1).rjust(width) + " " + " ".join(cell.rjust(width) for cell in cells))
    return "\n".join(lines)
