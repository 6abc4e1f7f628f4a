"""A position as text in colors, for `playout play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.style import Style
from rich.text import Text

from mcts import State, View
from mcts.pictures import Board, Mark, Seat, picture_of
from mcts.pictures.text import BoardWriter, Span

from ..system.untrusted import clean_line

_COLORS = {
    "blue": "bright_blue", "orange": "yellow", "green": "green",
    "purple": "magenta", "red": "bright_red", "gray": "white", "yellow": "bright_yellow", "white": "bright_white",
    "black": "bright_black",
}  # fmt: skip
_TYPED = str.maketrans("\N{MINUS SIGN}•", "-+")
"""A minus as it is typed, and a star point of Go that does not look like a stone."""
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
    if not picture.boards:
        return Text("\n".join(picture.lines))
    writer = _Writer(console, labels or {})
    lines = [line for row in picture.boards for line in (*writer.beside(row), Text())]
    lines += [*writer.legend(picture.legend), *(Text(writer.plain(line)) for line in picture.lines)]
    lines += [writer.seat(seat, picture.seats) for seat in picture.seats]
    return Text("\n").join([*lines, Text(writer.plain(picture.heading), style="bold")])


def actions_on_cells(position: State | View) -> frozenset[str]:
    """Return the texts of the actions that choose a cell of the boards on which its number is written."""
    boards = [board for row in picture_of(position).boards for board in row]
    return frozenset(cell.action for board in boards for cell in board.cells if cell.action and cell.mark is None)


class _Writer:
    """Writes the parts of a picture in colors."""

    def __init__(self, console: Console, labels: Mapping[str, str]) -> None:
        self._encoding = console.encoding
        self._boards = BoardWriter(self.plain, labels)

    def plain(self, text: str) -> str:
        """Return a text on one line in characters of the console."""
        text = clean_line(text, _LONGEST).translate(_TYPED)
        return text.encode(self._encoding, "replace").decode(self._encoding)

    def beside(self, boards: Sequence[Board]) -> list[Text]:
        """Return the lines of boards side by side."""
        lines = [
            Text.assemble(*((span.text, _style_of(span)) for span in line)) for line in self._boards.beside(boards)
        ]
        for line in lines:
            line.rstrip()
        return lines

    def seat(self, seat: Seat, seats: Sequence[Seat]) -> Text:
        """Return the line of a player."""
        line = Text("> " if seat.is_acting else "  ", style="bold")
        symbol = self._boards.symbol(seat.mark) if seat.mark else ""
        if seat.mark is not None:
            line.append(symbol, style=_style(seat.mark))
            line.append(" ")
        if seat.name != symbol:
            width = max(len(other.name) for other in seats)
            line.append(f"{self.plain(seat.name):{width}}", style="bold" if seat.is_acting else "")
            line.append(" ")
        more = [seat.detail, seat.badge, seat.note, seat.result]
        line.append("  ".join(self.plain(text) for text in more if text))
        if seat.is_winner:
            line.append("  wins", style="bold")
        line.rstrip()
        return line

    def legend(self, marks: Sequence[Mark]) -> list[Text]:
        """Return the line that explains marks, if one needs it."""
        symbols = {self._boards.symbol(mark): mark for mark in marks if mark.name != self._boards.symbol(mark)}
        if not symbols:
            return []
        return [Text(", ".join(f"{symbol} {self.plain(mark.name)}" for symbol, mark in symbols.items()), style="dim")]


def _style(mark: Mark) -> Style:
    return Style.parse(_COLORS[mark.color])


def _style_of(span: Span) -> Style:
    if span.mark is not None:
        return _style(span.mark) + Style(bold=True, reverse=span.kind == "winning")
    return Style(dim=span.kind == "dim", bold=span.kind == "bold")
