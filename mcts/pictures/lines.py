"""Lines on boards that pictures highlight."""

from __future__ import annotations

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
BLANK = "."


def runs(text: str, columns: int, length: int, *, wraps: bool = False) -> frozenset[int]:
    """Return the cells of all rows, columns and diagonals of at least `length` equal marks.

    Args:
        text: a character for each cell, row by row; `.` is a blank one.
        columns: number of columns.
        length: least number of marks.
        wraps: True if lines go on over the edges.
    """
    rows = len(text) // columns
    found: set[int] = set()
    for start, symbol in enumerate(text):
        if symbol == BLANK:
            continue
        for down, right in _DIRECTIONS:
            line = []
            for step in range(length):
                row, column = start // columns + step * down, start % columns + step * right
                if wraps:
                    row, column = row % rows, column % columns
                if not (0 <= row < rows and 0 <= column < columns) or text[row * columns + column] != symbol:
                    break
                line.append(row * columns + column)
            if len(line) == length:
                found.update(line)
    return frozenset(found)


def bridge(text: str, columns: int, symbol: str) -> frozenset[int]:
    """Return the cells of a bridge: a mark in each row, each in the column of the one above or beside it."""
    rows = len(text) // columns
    paths = [[place] for place in range(columns) if text[place] == symbol]
    for row in range(1, rows):
        below = [place for place in range(row * columns, (row + 1) * columns) if text[place] == symbol]
        paths = [
            [*next(path for path in paths if abs(path[-1] % columns - place % columns) <= 1), place]
            for place in below
            if any(abs(path[-1] % columns - place % columns) <= 1 for path in paths)
        ]
    return frozenset(paths[0]) if paths else frozenset()
