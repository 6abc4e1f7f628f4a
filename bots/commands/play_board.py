"""A position as text in colors, for `playout play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich.console import Console
from rich.style import Style
from rich.text import Text

from mcts import State, View
from mcts.pictures import Board, Cell, Mark, Seat, picture_of

from ..untrusted import clean_line

_COLORS = {
    "blue": "bright_blue", "orange": "yellow", "green": "green",
    "purple": "magenta", "red": "bright_red", "gray": "white",
}  # fmt: skip
_DISCS = {"disc": "\u25cf", "diamond": "\u25c6"}
"""Shapes that are no letters."""
_BLANK = "\u00b7"
_MINUS = {0x2212: "-"}
"""A minus as it is typed."""
_GAP = " " * 3
_LONGEST = 200


def board_text(position: State | View, console: Console, labels: Mapping[str, str] | None = None) -> Text:
    """Return the boards and the players of a position, as its picture has them.

    The last move is in brackets. Winning lines are inverted.

    Args:
        position: a view, or a state that is not hidden from the reader.
        console: receives the text; its encoding decides which characters can be used.
        labels: text of an action -> what a person types to choose its cell.
    """
    picture = picture_of(position)
    if picture.lines:
        return Text("\n".join(picture.lines))
    writer = _Writer(console, labels or {})
    lines = [line for row in picture.boards for line in (*writer.beside(row), Text())]
    lines += [writer.seat(seat, picture.seats) for seat in picture.seats]
    return Text("\n").join([*lines, Text(writer.plain(picture.heading), style="bold")])


def actions_on_cells(position: State | View) -> frozenset[str]:
    """Return the texts of the actions that choose a cell of the boards."""
    boards = [board for row in picture_of(position).boards for board in row]
    return frozenset(cell.action for board in boards for cell in board.cells if cell.action)


class _Writer:
    """Writes the parts of a picture as lines."""

    def __init__(self, console: Console, labels: Mapping[str, str]) -> None:
        self._labels = labels
        self._encoding = console.encoding
        is_full = self.plain(_BLANK) == _BLANK
        self._discs = _DISCS if is_full else {}
        self._blank = _BLANK if is_full else "."

    def plain(self, text: str) -> str:
        """Return a text on one line in characters of the console."""
        text = clean_line(text, _LONGEST).translate(_MINUS)
        return text.encode(self._encoding, "replace").decode(self._encoding)

    def beside(self, boards: Sequence[Board]) -> list[Text]:
        """Return the lines of boards side by side."""
        columns = [self._board(board) for board in boards]
        widths = [max(len(line) for line in lines) for lines in columns]
        rows = []
        for lines in zip_longest(*columns):
            row = Text()
            for line, width in zip(lines, widths, strict=True):
                found = line or Text()
                row.append_text(found)
                row.append(" " * (width - len(found)) + _GAP)
            row.rstrip()
            rows.append(row)
        return rows

    def _board(self, board: Board) -> list[Text]:
        """Return the lines of a board: title, numbers of the columns, rows."""
        texts = [self._cell(cell) for cell in board.cells]
        width = max([len(text) for text, _ in texts], default=1)
        side = len(str(board.rows)) if board.is_numbered else 0
        lines = []
        if board.title:
            lines.append(self._title(board))
        if board.is_numbered:
            numbers = "".join(f" {column + 1:>{width}} " for column in range(board.columns))
            lines.append(Text(" " * (side + 1) + numbers, style="dim"))
        for row in range(board.rows):
            line = Text(f"{row + 1:>{side}} " if side else "", style="dim")
            start = row * board.columns
            for cell, (text, style) in zip(
                board.cells[start : start + board.columns], texts[start : start + board.columns], strict=True
            ):
                left, right = ("[", "]") if cell.is_last else ("<", ">") if cell.is_offered and not cell.mark else "  "
                line.append(left, style="bold")
                line.append(f"{text:>{width}}", style=style)
                line.append(right, style="bold")
            lines.append(line)
        return lines

    def _title(self, board: Board) -> Text:
        line = Text(self.plain(board.title), style="bold")
        for mark in board.owners:
            line.append(" ")
            line.append(self._symbol(mark), style=_style(mark))
        return line

    def _cell(self, cell: Cell) -> tuple[str, Style]:
        """Return the text of a cell and its style."""
        if cell.mark is not None:
            return self._symbol(cell.mark), _style(cell.mark) + Style(bold=True, reverse=cell.is_winning)
        label = self._labels.get(cell.action, "") or self.plain(cell.text)
        return label or self._blank, Style(dim=True)

    def seat(self, seat: Seat, seats: Sequence[Seat]) -> Text:
        """Return the line of a player."""
        line = Text("> " if seat.is_acting else "  ", style="bold")
        if seat.mark is not None:
            line.append(self._symbol(seat.mark), style=_style(seat.mark))
            line.append(" ")
        if seat.mark is None or seat.name != self._symbol(seat.mark):
            width = max(len(other.name) for other in seats)
            line.append(f"{self.plain(seat.name):{width}}", style="bold" if seat.is_acting else "")
            line.append(" ")
        more = [seat.detail, seat.badge, seat.note, seat.result]
        line.append("  ".join(self.plain(text) for text in more if text))
        if seat.is_winner:
            line.append("  wins", style="bold")
        line.rstrip()
        return line

    def _symbol(self, mark: Mark) -> str:
        """Return a mark as one character; discs as the first letter of their color where they cannot be written."""
        return self._discs.get(mark.shape) or (mark.color[0] if mark.shape in _DISCS else mark.shape)


def _style(mark: Mark) -> Style:
    return Style.parse(_COLORS[mark.color])
