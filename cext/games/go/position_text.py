"""Points and positions of Go as text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...arguments import shown
from ...errors import ParameterError, StateError
from ..common.board_text import BLANK

COLUMNS = "ABCDEFGHJKLMNOPQRST"
STONES = "bw"
_KEY = re.compile("[0-9a-f]{16}")


def point_texts(size: int) -> tuple[str, ...]:
    """Return the texts of all points, row by row from the top: a letter without I, and the row from below."""
    return tuple(f"{column}{row}" for row in range(size, 0, -1) for column in COLUMNS[:size])


def owners_of(rows: Sequence[str]) -> dict[int, str]:
    """Return the blank points that are next to the stones of one player alone -> `b` or `w`, as the area counts them.

    Args:
        rows: of the board, from the top, as in a dict of a state. Points are counted row by row.
    """
    size, text, found = len(rows), "".join(rows), dict[int, str]()
    left = {at for at, stone in enumerate(text) if stone == BLANK}
    while left:
        region, around = [left.pop()], set()
        for at in region:
            near = [at - size, at + size, *([at - 1] if at % size else []), *([at + 1] if (at + 1) % size else [])]
            for other in near:
                if other in left:
                    left.remove(other)
                    region.append(other)
                elif 0 <= other < size * size and text[other] != BLANK:
                    around.add(text[other])
        if len(around) == 1:
            found.update(dict.fromkeys(region, around.pop()))
    return found


def read_handicap(spec: str, text: str, points: Sequence[str]) -> list[int]:
    """Return the numbers of the points of handicap stones, such as `C3-G7`. Raises ParameterError."""
    if text == "none":
        return []
    names = text.split("-")
    if len(set(names)) != len(names) or set(names) - set(points) or len(names) >= len(points):
        raise ParameterError(f"{spec}: handicap={shown(text)}; valid: none, or different points joined by -, from "
                             f"{points[-len(points)]} to {points[-1]}, with one point left over")  # fmt: skip
    return [points.index(name) for name in names]


def read_rows(value: Any, size: int) -> str:
    """Return the rows of a board as one text. Raises StateError."""
    if (
        not isinstance(value, (list, tuple))
        or len(value) != size
        or not all(isinstance(row, str) and len(row) == size and not set(row) - set(STONES + BLANK) for row in value)
    ):
        raise StateError(f"'board' is {shown(value)}; valid: {size} rows of {size} characters of {BLANK}{STONES}")
    return "".join(value)


def read_keys(value: Any, most: int) -> list[int]:
    """Return the keys of earlier boards as numbers. Raises StateError."""
    if (
        not isinstance(value, (list, tuple))
        or len(value) > most
        or not all(isinstance(key, str) and _KEY.fullmatch(key) and int(key, 16) for key in value)
        or list(value) != sorted(set(value))
    ):
        raise StateError(f"'earlier' is {shown(value)}; valid: up to {most} keys of boards, one for each move, each of "
                         "16 hexadecimal digits and not 0, ascending")  # fmt: skip
    return [int(key, 16) for key in value]
