"""Boards as lines of text, for terminals and for the text of a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from .parts import Board, Cell, Mark

_SHAPES = {"disc": "\u25cf", "diamond": "\u25c6", "crown": "\u25c9", "block": "\u25a0"}
"""Shapes that are no letters."""
_BLANK = "\u00b7"
_GAP = " " * 3
_LONGEST_NAME = 5


@dataclass(frozen=True)
class Span:
    """A part of a line that has one look."""

    text: str
    kind: str = ""
    """`dim`, `bold`, `mark`, `winning` or empty."""
    mark: Mark | None = None
    """The mark that the text stands for."""


Line = list[Span]


class BoardWriter:
    """Writes boards as lines.

    The last move is in brackets.

    Args:
        plain: returns a text on one line in characters that can be shown.
        labels: text of an action -> what a person types to choose its cell.
    """

    def __init__(self, plain: Callable[[str], str] = str, labels: Mapping[str, str] | None = None) -> None:
        self._plain = plain
        self._labels = labels or {}
        is_full = plain(_BLANK) == _BLANK
        self._shapes = _SHAPES if is_full else {}
        self._blank = _BLANK if is_full else "."

    def symbol(self, mark: Mark) -> str:
        """Return a mark as a short text; shapes as the first letter of their color where they cannot be written."""
        if mark.symbol:
            return self._plain(mark.symbol)
        return self._shapes.get(mark.shape) or (mark.color[0] if mark.shape in _SHAPES else self._plain(mark.shape))

    def beside(self, boards: Sequence[Board]) -> list[Line]:
        """Return the lines of boards side by side."""
        columns = [self._board(board) for board in boards]
        widths = [max((_length(line) for line in lines), default=0) for lines in columns]
        rows = []
        for lines in zip_longest(*columns):
            row: Line = []
            for place, (line, width) in enumerate(zip(lines, widths, strict=True)):
                found = line or []
                row += found
                if any(lines[place + 1 :]):
                    row.append(Span(" " * (width - _length(found)) + _GAP))
            rows.append(row)
        return rows

    def _board(self, board: Board) -> list[Line]:
        """Return the lines of a board: title, names of the columns, rows."""
        texts = [self._cell(cell) for cell in board.cells]
        width = max([len(span.text) for span in texts], default=1)
        columns, rows = ([], []) if not board.is_numbered else (
            board.column_labels, board.row_labels,
        )  # fmt: skip
        columns, rows = ([self._plain(name)[:_LONGEST_NAME] for name in names] for names in (columns, rows))
        width = max([width, *map(len, columns)])
        side = max(map(len, rows), default=0)
        lines = []
        if board.title:
            lines.append(self._title(board))
        first = max(0.0, -board.shift) * (board.rows - 1)

        def indent(shift: float) -> str:
            return " " * round(shift * (width + 2))

        if any(columns):
            names = "".join(f" {name:>{width}} " for name in columns)
            lines.append([Span(" " * (side + 1) * bool(side) + indent(first) + names, "dim")])
        for row in range(board.rows):
            start = row * board.columns
            line = [Span(indent(first + row * board.shift)), Span(f"{rows[row]:>{side}} " if side else "", "dim")]
            for cell, span in zip(
                board.cells[start : start + board.columns], texts[start : start + board.columns], strict=False
            ):
                left, right = ("[", "]") if cell.is_last else ("<", ">") if cell.is_offered and not cell.mark else "  "
                line += [Span(left, "bold"), Span(f"{span.text:>{width}}", span.kind, span.mark), Span(right, "bold")]
            lines.append(line)
        return lines

    def _title(self, board: Board) -> Line:
        line = [Span(self._plain(board.title), "bold")]
        for mark in board.owners:
            line += [Span(" "), Span(self.symbol(mark), "mark", mark)]
        return line

    def _cell(self, cell: Cell) -> Span:
        if cell.mark is not None:
            return Span(self.symbol(cell.mark), "winning" if cell.is_winning else "mark", cell.mark)
        if cell.is_hole:
            return Span("")
        label = self._labels.get(cell.action, "") or self._plain(cell.text)
        return Span(label or self._blank, "dim")


def board_lines(rows: Sequence[Sequence[Board]]) -> list[str]:
    """Return rows of boards as lines of plain text."""
    writer = BoardWriter()
    return ["".join(span.text for span in line).rstrip() for row in rows for line in writer.beside(row)]


def _length(line: Line) -> int:
    return sum(len(span.text) for span in line)
