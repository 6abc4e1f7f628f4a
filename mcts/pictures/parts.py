"""The parts of a picture as plain data: cells, boards, players. `layout` draws them.

A game describes its position with these parts and never writes SVG. So every text is escaped in one place, and all
games look alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase

COLORS = ("blue", "orange", "green", "purple", "red", "gray", "yellow", "white", "black")
"""Names of colors; each theme has its own shade of every color."""
SHAPES = ("x", "o", "z", "disc", "square", "diamond", "crown", "block")
"""Shapes of marks: a cross, a ring, a triangle, a solid disc, square or diamond, a disc with a ring, a full cell."""
PIECES = {
    "king": "\u265a", "queen": "\u265b", "rook": "\u265c", "bishop": "\u265d", "knight": "\u265e", "pawn": "\u265f",
}  # fmt: skip
"""Name of a piece -> its symbol, which a mark can have as its shape."""

Clicks = tuple[tuple[str, ...], ...]
"""The clicks by which an action is chosen, in order: for each the names of the cells any of which will do."""

_PLACE = re.compile(r"[a-z]{1,2} \d{1,3}")
_PLAYER_END = re.compile(r"(?<=.)[_-]?player$", re.IGNORECASE)


def display_name(player: str) -> str:
    """Return the name of a player for people, without `player` at its end: `x` for `xplayer`."""
    return _PLAYER_END.sub("", player).replace("_", " ")


def letters_of(column: int) -> str:
    """Return the letters of a column, counted from 0: `a` to `z`, then `aa`."""
    before, last = divmod(column, len(ascii_lowercase))
    return (ascii_lowercase[before - 1] if before else "") + ascii_lowercase[last]


@dataclass(frozen=True)
class Mark:
    """A mark of a player on a cell, beside a name, or at the title of a board."""

    shape: str
    """One of SHAPES, or a text of up to four letters, which is drawn as it is."""
    color: str
    """One of COLORS."""
    name: str = ""
    """The meaning of the mark, for the legend and for readers who do not see it."""
    symbol: str = ""
    """A short text in the place of the shape, where boards are written as text."""
    scale: float = 1.0
    """Size beside that of other marks, such as of a low piece."""
    is_hollow: bool = False
    """True for a disc or a square with a hole."""
    is_card: bool = False
    """True to draw the shape on a card; a card without a shape shows its back."""

    def __post_init__(self) -> None:
        if self.color not in COLORS:
            raise ValueError(f"no color {self.color!r}; valid: {', '.join(COLORS)}")


X, O, Z = Mark("x", "blue"), Mark("o", "orange"), Mark("z", "green")  # noqa: E741
RED, BLUE = Mark("disc", "red"), Mark("diamond", "blue")


@dataclass(frozen=True)
class Cell:
    """A cell of a board."""

    name: str
    """The name in the picture's `data-cell`, by which `highlight` and `last` find it, such as `2,3`."""
    mark: Mark | None = None
    """The mark on the cell."""
    text: str = ""
    """Text in the middle of a cell without a mark."""
    note: str = ""
    """Small text in a corner."""
    action: str = ""
    """Text of the action that chooses the cell. The picture has it as `data-action` where the action is legal."""
    is_last: bool = False
    """True if the last move changed the cell."""
    is_winning: bool = False
    """True if the cell is part of a line that counts."""
    is_closed: bool = False
    """True if nobody can use the cell any more."""
    is_offered: bool = False
    """True if the cell stands out from others that are blank, such as the row that a die has named."""
    is_threatened: bool = False
    """True if the piece on the cell is attacked and has to be saved, such as a king in check."""
    is_hole: bool = False
    """True for a place of the board without a cell. Nothing is drawn."""


@dataclass(frozen=True)
class Board:
    """Cells in rows."""

    columns: int
    """Number of columns."""
    cells: tuple[Cell, ...]
    """All cells, row by row."""
    title: str = ""
    """A text above the board."""
    owners: tuple[Mark, ...] = ()
    """Marks of the players who control the board; they are drawn beside the title, and color the frame."""
    is_numbered: bool = True
    """True to name columns by letters and rows by numbers, which is the notation of the board."""
    scale: float = 1.0
    """Size of the cells beside that of other boards of the picture."""
    edges: tuple[str, str] = ("", "")
    """The colors of bars above and below the board, and left and right of it, to be connected; empty: no bars."""
    column_names: tuple[str, ...] = ()
    """Texts above the columns instead of letters."""
    row_names: tuple[str, ...] = ()
    """Texts beside the rows instead of numbers."""
    shift: float = 0.0
    """Columns by which each row stands to the right of the row above it; cells are then hexagons."""
    links: tuple[tuple[int, int, str], ...] = ()
    """Pairs of places in `cells` between which a line is drawn, with its color: empty for a plain one."""
    is_lattice: bool = False
    """True for dots with lines between them and boxes: odd rows and columns are narrow, and their holes are dots."""
    is_round: bool = False
    """True for round cells."""
    is_ruled: bool = False
    """True for points on lines in place of cells."""
    is_checkered: bool = False
    """True for cells that are light and dark by turns."""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return -(-len(self.cells) // self.columns)

    @property
    def column_labels(self) -> tuple[str, ...]:
        """The texts above the columns: their names, else letters."""
        return self.column_names or tuple(map(letters_of, range(self.columns)))

    @property
    def row_labels(self) -> tuple[str, ...]:
        """The texts beside the rows: their names, else numbers."""
        return self.row_names or tuple(str(row + 1) for row in range(self.rows))

    def place_name(self, number: int) -> str:
        """Return the notation of a cell, such as `c4`; empty on boards without letters and numbers."""
        column, row = self.column_labels[number % self.columns], self.row_labels[number // self.columns]
        is_named = self.is_numbered and not self.cells[number].is_hole
        return f"{column}{row}" if is_named and _PLACE.fullmatch(f"{column} {row}") else ""


@dataclass(frozen=True)
class Seat:
    """A player with everything that belongs to it."""

    name: str
    """The name of the player."""
    mark: Mark | None = None
    """The mark of the player."""
    detail: str = ""
    """A text below the name, such as `balance -2`."""
    number: str = ""
    """The detail as a number, which small pictures show alone."""
    coins: int = 0
    """Number of discs before the detail; they are left out where they do not fit."""
    note: str = ""
    """A muted text at the right of the detail, such as the last bid."""
    badge: str = ""
    """A word in a badge, such as `tiebreaker`."""
    is_acting: bool = False
    """True if the player decides now."""
    result: str = ""
    """The return of the player at the end of the game."""
    is_winner: bool = False
    """True if nobody has a higher return, and somebody a lower one."""


@dataclass(frozen=True)
class Amounts:
    """An action that puts amounts on places: coins of a bid, chips on cells, soldiers on fields."""

    action: str
    """The word at the start of its text, such as `bid`."""
    places: Mapping[str, tuple[int, int]] = field(hash=False)
    """Name of a place -> the least and the greatest amount. Places with the name of a cell are on the board."""
    total: tuple[int, int]
    """The least and the greatest sum."""
    words: tuple[str, ...] = ()
    """Words that may follow the amounts."""
    is_named: bool = False
    """True if the text names the places with an amount, as in `bid(A1:3,E5:2)`; else it has the amounts in order."""
    rule: str = ""
    """A sentence about the places that go together."""
    limits: tuple[tuple[int, Mapping[str, tuple[str, ...]]], ...] = field(default=(), hash=False)
    """Pairs of a number and of groups of places by name, of which at most this number may have an amount."""


@dataclass(frozen=True)
class Picture:
    """A position as boards and players.

    Example:
        >>> from mcts import pictures
        >>> row = [pictures.Cell(str(n), action=f"take({n})") for n in range(1, 4)]
        >>> heap = pictures.Picture(boards=((pictures.Board(3, tuple(row), is_numbered=False),),))
        >>> pictures.draw(heap, title="three sticks")[:4]
        '<svg'
    """

    boards: tuple[tuple[Board, ...], ...] = ()
    """Rows of boards."""
    lines: tuple[str, ...] = ()
    """Lines of text in letters of one width, for games without boards."""
    seats: tuple[Seat, ...] = ()
    """The players. `seats_of` makes them from a position."""
    heading: str = ""
    """A line above the boards; if it is empty, `to_svg` writes who is to move or who has won."""
    legend: tuple[Mark, ...] = ()
    """Marks that are explained below the boards by their names."""
    clicks: Mapping[str, Clicks] = field(default_factory=dict, hash=False)
    """Text of an action -> its clicks, beside those that `Cell.action` tells."""
    pieces: Mapping[str, Mark] = field(default_factory=dict, hash=False)
    """Text of an action -> the piece that tells it from others with the same clicks, such as that of a promotion."""
    amounts: Amounts | None = None
    """The amounts that the viewing player may put on places, where the legal actions cannot be listed."""
