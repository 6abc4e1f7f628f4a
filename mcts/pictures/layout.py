"""Lays out a picture: heading, boards, players. Units are pixels of a picture of about 400."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .boards import BoardLook, Heat, board_size, draw_board, grid_size
from .canvas import Canvas, check_look, fitting, shortened, width_of
from .marks import draw_mark
from .parts import Mark, Picture, display_name
from .seats import draw_cards, draw_small_seats

SMALL = 200
"""Pictures of at most this number of pixels have no heading, no words around the boards, and short lines of players."""
WIDTH = 360.0
"""Width of the content."""
_GAP = 0.62
"""Space between two boards, by the side of a cell."""
_MARGIN = 20.0
_LEAST_CELL, _LARGEST_CELL, _TALLEST = 26.0, 92.0, 460.0
_MOST_LINES, _MOST_LETTERS = 64, 160
_MONO_LETTER = 0.62
_LONGEST_NAME = 24


def draw(
    picture: Picture,
    *,
    title: str,
    description: str = "",
    size: float | None = 400,
    theme: str = "auto",
    heat: Mapping[str, Heat] | None = None,
    chosen: frozenset[str] = frozenset(),
    actions: frozenset[str] = frozenset(),
) -> str:
    """Return a picture as SVG.

    Args:
        picture: the boards and players.
        title: name of the picture for screen readers.
        description: what it shows, for screen readers.
        size: the longer side in pixels, 16 to 10,000; None: the picture fills the element that contains it.
        theme: `auto` (the reader's settings decide), `light` or `dark`.
        heat: name of a cell -> its heat.
        chosen: names of the cells to highlight.
        actions: texts of the legal actions; cells with such an action have it as `data-action`.

    Raises:
        ValueError, TypeError: the size or the theme is not valid.
    """
    check_look(size, theme)
    canvas = Canvas(title, description, theme)
    is_small = size is not None and size <= SMALL
    margin = 10.0 if is_small else _MARGIN
    cell = _cell_size(picture, is_small)
    look = BoardLook(cell, not is_small, heat or {}, chosen, actions)
    rows = [[board_size(board, look) for board in row] for row in picture.boards]
    gap = cell * _GAP if any(len(row) > 1 for row in picture.boards) else 0.0  # between two boards
    wide = max((sum(width for width, _ in row) + gap * (len(row) - 1) for row in rows), default=0.0)
    lines = () if is_small and picture.boards else picture.lines
    letters = max(map(len, lines[:_MOST_LINES]), default=0)
    letter_size = min(15.0, WIDTH / (min(letters, _MOST_LETTERS) * _MONO_LETTER)) if letters else 15.0
    letter_size = max(letter_size, 11.0)
    wide = max(wide, min(letters, _MOST_LETTERS) * letter_size * _MONO_LETTER, 0.0 if is_small else WIDTH)
    scale = max(1.0, wide / 520)
    margin *= scale
    y = margin
    if picture.heading and not is_small:
        y += 17 * scale
        words = fitting(picture.heading, wide, 17 * scale)
        canvas.text("ink", margin + wide / 2, y, words, 17 * scale, anchor="middle", bold=True)
        y += (22 if any(board.title for row in picture.boards[:1] for board in row) else 15) * scale
    for row, sizes in zip(picture.boards, rows, strict=True):
        x = margin + (wide - sum(width for width, _ in sizes) - gap * (len(row) - 1)) / 2
        low = max(height for _, height in sizes)
        for board, (width, height) in zip(row, sizes, strict=True):
            draw_board(canvas, board, look, x, y + (low - height) / 2)
            x += width + gap
        y += low + gap * 0.8
    if picture.boards:
        y -= gap * 0.8
    if picture.legend and not is_small:
        y = _draw_legend(canvas, picture, margin, y + 6 * scale, wide, scale)
    if lines:
        y += 6.0 if picture.boards else 0.0
        y = _draw_lines(canvas, lines, margin, y, letter_size)
    if picture.seats:
        y += (8 if is_small else 18) * scale
        if is_small:
            y = draw_small_seats(canvas, picture.seats, margin, y, wide)
        else:
            y = draw_cards(canvas, picture.seats, margin, y, wide, scale)
    return canvas.to_text(wide + 2 * margin, y + margin, size)


def draw_piece(mark: Mark) -> str:
    """Return a mark alone as SVG, in the classes of pictures and without their style sheet."""
    canvas = Canvas(mark.name, "", "auto")
    draw_mark(canvas, mark, 12, 12, 24)
    return canvas.to_text(24, 24, None, is_bare=True)


def _cell_size(picture: Picture, is_small: bool) -> float:
    """Return the side of a cell of scale 1, so that the boards fill the width and are not too tall."""
    sizes = [_LARGEST_CELL]
    for row in picture.boards:
        columns = sum(grid_size(board)[0] * board.scale for board in row)
        fixed = 0.0 if is_small else sum(22.0 for board in row if board.is_numbered)
        sizes.append((WIDTH - fixed) / (columns + _GAP * (len(row) - 1)))
    tall = sum(max((grid_size(board)[1] * board.scale for board in row), default=0.0) for row in picture.boards)
    if tall:
        sizes.append(_TALLEST / (tall + _GAP * (len(picture.boards) - 1)))
    return max(_LEAST_CELL, min(sizes))


def _draw_legend(canvas: Canvas, picture: Picture, x: float, y: float, wide: float, scale: float) -> float:
    """Draw marks with their names in lines. Return the lower end."""
    size, high = 12.5 * scale, 20.0 * scale
    left = 0.0
    for mark in picture.legend:
        words = shortened(display_name(mark.name), _LONGEST_NAME)
        needed = high * 1.1 + width_of(words, size) + size
        if left and left + needed > wide:
            left, y = 0.0, y + high
        draw_mark(canvas, mark, x + left + high / 2, y + high / 2, high * 1.1)
        canvas.text("muted", x + left + high * 1.1, y + high / 2 + size * 0.36, words, size)
        left += needed
    return y + high


def _draw_lines(canvas: Canvas, lines: Sequence[str], x: float, y: float, size: float) -> float:
    shown = list(lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES:
        shown[-1] = "\u2026"
    for line in shown:
        canvas.text("ink", x, y + size, shortened(line, _MOST_LETTERS), size, mono=True)
        y += size * 1.35
    return y
