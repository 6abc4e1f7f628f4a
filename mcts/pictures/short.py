"""The picture of a game in Python that describes its board by rows of pieces, in `PythonGame.board`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from cext.arguments import shown
from cext.game.game import State, View

from .facts import heading_of, last_steps, legal_texts, seats_of
from .parts import COLORS, Board, Cell, Clicks, Mark, O, Picture, X, Z, letters_of

_BLANKS = frozenset(["", ".", " "])
_PLACE = re.compile(r"([a-z]{1,2})(\d{1,3})")
_NOTATION = re.compile(rf"{_PLACE.pattern}(?:-{_PLACE.pattern})*")
_PLAYER_MARKS = (X, O, Z, Mark("disc", "purple"))


def short_picture(position: State | View) -> Picture | None:
    """Return the picture of a game that has a method `board`; None for others, and where something may be hidden.

    Raises:
        TypeError: the rows are no lists of texts.
    """
    board = getattr(position.game, "board", None)
    if board is None or (isinstance(position, View) and position.game.has_hidden_information):
        return None
    key: Any = (position.state() if isinstance(position, View) else position).key()
    state = key[1].state if position.game.has_hidden_information else key[1]
    rows = board(state)
    if rows is None:
        return None
    try:
        blocks = _split([[piece if piece is None else piece.strip() for piece in row] for row in rows])
    except (TypeError, AttributeError):
        raise TypeError(
            f"{type(position.game).__name__}.board returned {shown(rows)}; "
            "valid: rows of texts, of one length in a board, or None"
        ) from None
    marks = _marks(position)
    clicks = {text: found for text in legal_texts(position) if (found := _clicks(text))}
    steps = [_clicks(text) for step in last_steps(position, 1) for text in step.values()]
    last = {name for found in steps for options in found for name in options}
    boards: list[tuple[Board, ...]] = []
    down = 0
    for line in blocks:
        right = 0
        beside: list[Board] = []
        for block in line:
            names = tuple(letters_of(right + column) for column in range(len(block[0])))
            numbers = tuple(str(down + row + 1) for row in range(len(block)))
            cells = tuple(
                _cell(f"{column}{number}", piece, marks, last)
                for number, row in zip(numbers, block, strict=True)
                for column, piece in zip(names, row, strict=True)
            )
            beside.append(Board(len(names), cells, column_names=names, row_names=numbers))
            right += len(names)
        boards.append(tuple(beside))
        down += len(line[0])
    return Picture(
        tuple(boards), seats=seats_of(position, tuple(marks.values())), heading=heading_of(position), clicks=clicks
    )


def _split(rows: Sequence[Sequence[str | None]]) -> list[list[list[list[str]]]]:
    """Return rows of boards: an empty row ends boards below each other, a None in a row boards beside each other."""
    lines: list[list[Sequence[str | None]]] = [[]]
    for row in rows:
        if row:
            lines[-1].append(row)
        else:
            lines.append([])
    found = []
    for line in filter(None, lines):
        if len({tuple(piece is None for piece in row) for row in line}) > 1:
            raise TypeError("rows of one board have different lengths")
        ends = [-1, *(place for place, piece in enumerate(line[0]) if piece is None), len(line[0])]
        found.append(
            [[[piece or "" for piece in row[begin + 1 : end]] for row in line] for begin, end in pairwise(ends)]
        )
    return found


def _marks(position: State | View) -> dict[str, Mark]:
    """Return name of a player -> its mark: x, o and z as they are, the others by the order of the players."""
    own = {mark.shape: mark for mark in (X, O, Z)}
    return {
        name: own.get(name.lower(), _PLAYER_MARKS[number % len(_PLAYER_MARKS)])
        for number, name in enumerate(position.game.players)
    }


def _cell(name: str, piece: str, marks: dict[str, Mark], last: set[str]) -> Cell:
    """Return a cell with the mark of a player, a color with a disc, or a text of up to four letters."""
    if piece in _BLANKS:
        return Cell(name, action=name, is_last=name in last)
    mark = marks.get(piece) or (Mark("disc", piece, piece) if piece in COLORS else Mark(piece, "gray", piece))
    return Cell(name, mark, action=name, is_last=name in last)


def _clicks(text: str) -> Clicks:
    """Return the clicks of an action whose text is a notation, such as `c4` or `e2-e4`; none for others."""
    return tuple((place,) for place in text.split("-")) if _NOTATION.fullmatch(text) else ()
