"""Draws boards: cells, marks, numbers of rows and columns, highlights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .canvas import Canvas, fitting, number
from .marks import draw_mark
from .parts import Board

HEXAGON_ROW = 0.866
"""Height of a row of hexagons, in widths of a hexagon."""
_LABELS = 22.0
_LABEL_LETTER = 7.5
_LONGEST_LABEL = 8
_TITLE = 24.0
_NARROW = 0.3
"""Width of the lines of a lattice, in sides of a box."""
_EDGE = 8.0
"""Space for a bar at an edge."""
_LEAST_HEATED = 24.0
"""Least side of a square of heat in which its share is written."""


@dataclass(frozen=True)
class Heat:
    """The weight of a cell."""

    share: float
    """The area of the colored square in the cell, from 0 to 1."""
    text: str = ""
    """Text in large cells, such as `62 %`."""
    tip: str = ""
    """Text of a tooltip."""


NO_HEAT = Heat(0.0)


@dataclass(frozen=True)
class BoardLook:
    """The look of all boards of a picture."""

    cell: float
    """Side of a cell of scale 1."""
    has_words: bool
    """False in small pictures: without numbers of rows and columns, and without notes."""
    heat: Mapping[str, Heat]
    """Name of a cell -> its heat."""
    chosen: frozenset[str]
    """Names of highlighted cells."""
    actions: frozenset[str]
    """Texts of the legal actions."""


def board_size(board: Board, look: BoardLook) -> tuple[float, float]:
    """Return the width and the height of a board with its title and its numbers."""
    side, (left, top) = look.cell * board.scale, _head(board, look)
    wide, high = grid_size(board)
    return left + wide * side + _EDGE * bool(board.edges[1]), top + high * side + _EDGE * bool(board.edges[0])


def grid_size(board: Board) -> tuple[float, float]:
    """Return the width and the height of the cells of a board, in sides of a cell."""
    if board.is_lattice:
        return _start(board, board.columns), _start(board, board.rows)
    if not board.shift:
        return board.columns, board.rows
    return board.columns + (board.rows - 1) * abs(board.shift), 1 + (board.rows - 1) * HEXAGON_ROW


def _start(board: Board, number: int) -> float:
    """Return the place of a column or a row from the first one, in sides of a cell."""
    return number - (number + 1) // 2 * (1 - _NARROW) if board.is_lattice else number


def _head(board: Board, look: BoardLook) -> tuple[float, float]:
    """Return the space left of the first cell, and above it."""
    labels = _LABELS * _label_scale(board, look) if board.is_numbered and look.has_words else 0.0
    longest = max((len(name[:_LONGEST_LABEL]) for name in board.row_names), default=0)
    left = max(labels, longest * _LABEL_LETTER + 8.0) if labels else 0.0
    title = _title_height(look) if board.title and look.has_words else 0.0
    return left + _EDGE * bool(board.edges[1]), title + labels * 0.9 + _EDGE * bool(board.edges[0])


def _label_scale(board: Board, look: BoardLook) -> float:
    return max(1.0, board.columns * look.cell * board.scale / 620)


def _title_height(look: BoardLook) -> float:
    return min(_TITLE, max(16.0, look.cell * 0.62))


def draw_board(canvas: Canvas, board: Board, look: BoardLook, x: float, y: float) -> None:
    """Draw a board; (x, y) is the corner of its title."""
    side, (left, top) = look.cell * board.scale, _head(board, look)
    if board.title and look.has_words:
        _draw_title(canvas, board, look, x + left, y, side)
    x, y = x + left, y + top
    step, first = HEXAGON_ROW if board.shift else 1.0, max(0.0, -board.shift) * (board.rows - 1)
    if board.is_numbered and look.has_words:
        size = min(13.0 * _label_scale(board, look), side * 0.6)
        above = y - 11.0 * bool(board.edges[0])
        for column in range(board.columns):
            words = board.column_labels[column]
            fits = fitting(words, max(side, size), size)
            place_x = x + ((_start(board, column) + _start(board, column + 1)) / 2 + first) * side
            canvas.text("muted", place_x, above - size * 0.55, fits, size, anchor="middle")
        for row in range(board.rows):
            words = board.row_labels[row][:_LONGEST_LABEL]
            place_x = x + (first + row * board.shift) * side - _EDGE * bool(board.edges[1])
            middle = (_start(board, row) + _start(board, row + 1)) / 2
            place_y = y + (middle if step == 1 else row * step + 0.5) * side
            canvas.text("muted", place_x - size * 0.65, place_y + size * 0.35, words, size, anchor="end")
    for color, sides in zip(board.edges, _edges(board, side), strict=True):
        for points in sides if color else ():
            data = "L".join(f"{number(x + right)} {number(y + down)}" for right, down in points)
            canvas.path(f"s-{color}", f"M{data}", line=4)
    if board.owners:
        grow = max(3.0, side * 0.09)
        wide, high = board.columns * side + 2 * grow, board.rows * side + 2 * grow
        colors = list(dict.fromkeys(mark.color for mark in board.owners))
        for turn, color in enumerate(colors):
            # Two owners share the frame by dashes, one after the other.
            dashes = "" if len(colors) == 1 else f"{number(side * 0.35)} {number(side * 0.35 * (len(colors) - 1))}"
            shift, line = turn * side * 0.35, max(2.0, side * 0.075)
            with canvas.group():
                canvas.frame(
                    f"s-{color}",
                    x - grow,
                    y - grow,
                    wide,
                    high,
                    corner=side * 0.24,
                    line=line,
                    dashes=dashes,
                    shift=shift,
                )
    _draw_links(canvas, board, "", x, y, side)
    for place, cell in enumerate(board.cells):
        column, row = place % board.columns, place // board.columns
        if board.is_lattice and (column % 2 == 0 or row % 2 == 0):
            (left_side, right), (top, low) = (
                [_start(board, at) * side for at in (number, number + 1)] for number in (column, row)
            )
            _draw_line(canvas, board, place, look, x + left_side, y + top, right - left_side, low - top)
        elif board.is_lattice:
            _draw_cell(
                canvas, board, place, look, x + _start(board, column) * side, y + _start(board, row) * side, side
            )
        elif not cell.is_hole:
            left_side = x + (column + first + row * board.shift) * side
            _draw_cell(canvas, board, place, look, left_side, y + row * step * side, side)
    for color in dict.fromkeys(link[2] for link in board.links if link[2]):
        _draw_links(canvas, board, color, x, y, side)
    if len(board.owners) == 1 and not any(cell.mark for cell in board.cells):
        draw_mark(canvas, board.owners[0], x + board.columns * side / 2, y + board.rows * side / 2, side * 2.2)


def _edges(board: Board, side: float) -> list[list[list[tuple[float, float]]]]:
    """Return the lines above and below a board, and those left and right of it."""
    radius = side / 2 + 2
    if not board.shift:
        right, low = board.columns * side + 6, board.rows * side + 6
        return [
            [[(0, y), (right - 6, y)] for y in (-6, low)],
            [[(x, 0), (x, low - 6)] for x in (-6, right)],
        ]
    first = max(0.0, -board.shift) * (board.rows - 1)

    def corners(column: int, row: int, numbers: Sequence[int]) -> list[tuple[float, float]]:
        x = (column + first + row * board.shift + 0.5) * side
        around = _corners(x, (row * HEXAGON_ROW + 0.5) * side, radius)
        return [around[corner] for corner in numbers]

    columns, rows = range(board.columns), range(board.rows)
    return [
        [[at for column in columns for at in corners(column, 0, (5, 0, 1))],
         [at for column in columns for at in corners(column, rows[-1], (4, 3, 2))]],
        [[at for row in rows for at in corners(0, row, (5, 4))],
         [at for row in rows for at in corners(columns[-1], row, (1, 2))]],
    ]  # fmt: skip


def _draw_title(canvas: Canvas, board: Board, look: BoardLook, x: float, y: float, side: float) -> None:
    """Write the title of a board with the marks of its owners, in letters that fit above it."""
    height = _title_height(look)
    size = min(14.0, height * 0.78)
    wide = board.columns * side
    words = fitting(board.title, wide - len(board.owners) * size * 1.3, size)
    base = y + height * 0.56
    color = f"f-{board.owners[0].color}" if len(board.owners) == 1 else "muted"
    canvas.text(color, x, base, words, size, bold=True)
    for turn, mark in enumerate(reversed(board.owners)):
        draw_mark(canvas, mark, x + wide - size * (0.6 + 1.25 * turn), base - size * 0.36, size * 1.5)


def _draw_links(canvas: Canvas, board: Board, color: str, x: float, y: float, side: float) -> None:
    """Draw the links of a color: trails over the cells. Plain ones are lines, which are drawn before the cells."""
    for one, other, own in board.links:
        if own == color:
            ends = (one, other)
            places = ((x + (at % board.columns + 0.5) * side, y + (at // board.columns + 0.5) * side) for at in ends)
            data = "L".join(f"{number(right)} {number(down)}" for right, down in places)
            line = side * 0.55 if color else max(1.5, side * 0.05)
            canvas.path(f"s-{color}" if color else "offered", f"M{data}", line=line)


def _draw_line(
    canvas: Canvas, board: Board, number: int, look: BoardLook, x: float, y: float, wide: float, high: float
) -> None:
    """Draw a line of a lattice, or one of its dots."""
    cell, narrow = board.cells[number], min(wide, high)
    if cell.is_hole:
        canvas.circle("f-gray", x + wide / 2, y + high / 2, narrow * 0.42)
        return
    action = cell.action if cell.action in look.actions else ""
    with canvas.group(
        tip=look.heat.get(cell.name, NO_HEAT).tip, cell=cell.name, action=action, place=board.place_name(number)
    ):
        canvas.rect("cell", x, y, wide, high, corner=narrow * 0.2)
        if cell.mark:
            inset = narrow * 0.28
            thick = (wide - 2 * inset, high) if wide < high else (wide, high - 2 * inset)
            place = (x + inset, y) if wide < high else (x, y + inset)
            canvas.rect("f-gray", *place, *thick)
        for kind, holds in (("last", cell.is_last), ("chosen", cell.name in look.chosen)):
            if holds:
                canvas.frame(kind, x, y, wide, high, corner=narrow * 0.2, line=max(1.6, narrow * 0.12))


def _rules(board: Board, place: int, x: float, y: float, side: float) -> str:
    """Return the lines of a board through one of its points, as the data of a path."""
    column, row = place % board.columns, place // board.columns
    middle_x, middle_y = x + side / 2, y + side / 2
    left, right = (middle_x if column == end else to for end, to in ((0, x), (board.columns - 1, x + side)))
    top, low = (middle_y if row == end else to for end, to in ((0, y), (board.rows - 1, y + side)))
    return f"M{number(left)} {number(middle_y)}H{number(right)}M{number(middle_x)} {number(top)}V{number(low)}"


def _draw_cell(canvas: Canvas, board: Board, place: int, look: BoardLook, x: float, y: float, side: float) -> None:
    """Draw a cell as one group: background, heat, mark or text, note, frames."""
    cell, inset = board.cells[place], side * 0.03
    side_in = side - 2 * inset
    corner, is_hexagon = side_in / 2 if board.is_round else side * 0.13, bool(board.shift)
    x_in, y_in = x + inset, y + inset
    heat = look.heat.get(cell.name, NO_HEAT)
    action = cell.action if cell.action in look.actions else ""
    color = cell.mark.color if cell.mark else ""
    piece = cell.mark.name if cell.mark and cell.mark.scale != 1 else ""
    with canvas.group(tip=heat.tip, cell=cell.name, action=action, place=board.place_name(place), piece=piece):
        background = "closed" if cell.is_closed and not cell.mark else "cell"
        if board.is_checkered:
            background = ("closed", "t-gray")[(place // board.columns + place % board.columns) % 2]
        if cell.is_winning and cell.mark:
            background = f"t-{color}"
        elif cell.is_threatened:
            background = "t-red"
        elif cell.is_last:
            background = "lastfill"
        if board.is_ruled:
            canvas.rect(background, x, y, side, side)
            canvas.path("offered", _rules(board, place, x, y, side), line=max(1.0, side * 0.03))
        elif is_hexagon:
            canvas.path(background, _hexagon(x + side / 2, y + side / 2, side / 2 - inset))
        else:
            canvas.rect(background, x_in, y_in, side_in, side_in, corner=corner)
        if heat.share > 0:
            # Areas are in proportion to shares, which eyes compare better than shades of a color.
            inner = side_in * heat.share**0.5
            middle = (side_in - inner) / 2
            canvas.rect("heat", x_in + middle, y_in + middle, inner, inner, corner=corner * heat.share**0.5)
        centre_x, centre_y = x + side / 2, y + side / 2
        if cell.mark is not None:
            draw_mark(canvas, cell.mark, centre_x, centre_y, side)
        elif heat.text and look.has_words and side * heat.share**0.5 >= _LEAST_HEATED:
            size = min(side * 0.2, 15.0)
            canvas.text("ink", centre_x, centre_y + size * 0.36, heat.text, size, anchor="middle")
        elif cell.text and look.has_words:
            size = min(side * 0.38, 1.7 * side / max(len(cell.text), 1))
            canvas.text("muted", centre_x, centre_y + size * 0.36, cell.text, size, anchor="middle")
        if cell.note and look.has_words:
            size = max(side * 0.17, 8.0)
            note = fitting(cell.note, side_in, size)
            canvas.text("muted", x_in + side_in - size * 0.5, y_in + size * 1.15, note, size, anchor="end")
        line = max(1.6, side * 0.04)
        if is_hexagon:
            marks = (
                ("last", cell.is_last),
                (f"s-{color}", cell.is_winning and color),
                ("chosen", cell.name in look.chosen),
            )
            for kind, holds in marks:
                if holds:
                    canvas.path(kind, _hexagon(x + side / 2, y + side / 2, side / 2 - inset - line / 2), line=line)
            return
        if cell.is_offered:
            canvas.frame(
                "offered", x_in, y_in, side_in, side_in, corner=corner, line=line, dashes=f"{number(side * 0.1)}"
            )
        if cell.is_winning and color:
            canvas.frame(f"s-{color}", x_in, y_in, side_in, side_in, corner=corner, line=line * 1.5)
        elif cell.is_threatened:
            canvas.frame("s-red", x_in, y_in, side_in, side_in, corner=corner, line=line)
        elif cell.is_last and board.is_ruled and cell.mark:
            canvas.circle("last", centre_x, centre_y, side * 0.2, line=line * 1.5, solid=False)
        elif cell.is_last:
            canvas.frame("last", x_in, y_in, side_in, side_in, corner=corner, line=line)
        if cell.name in look.chosen:
            grow = side * 0.015
            canvas.frame(
                "chosen", x + grow, y + grow, side - 2 * grow, side - 2 * grow, corner=corner * 1.1, line=line * 1.5
            )


def _hexagon(x: float, y: float, radius: float) -> str:
    """Return the path of a hexagon with a corner at the top; `radius` is half of its width."""
    return "M" + "L".join(f"{number(right)} {number(down)}" for right, down in _corners(x, y, radius)) + "Z"


def _corners(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Return the corners of a hexagon, from the top to the right."""
    tall = radius / HEXAGON_ROW
    places = ((0, -tall), (radius, -tall / 2), (radius, tall / 2), (0, tall), (-radius, tall / 2), (-radius, -tall / 2))
    return [(x + right, y + down) for right, down in places]
