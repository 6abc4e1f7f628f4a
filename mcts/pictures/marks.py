"""Marks as shapes that differ without their color."""

from __future__ import annotations

from .canvas import Canvas, number
from .parts import Mark
from .pieces import piece_path

PIECE_COLORS = frozenset(["yellow", "white", "black"])
_RIMMED = frozenset(["white", "black"])
_AS_TEXT = "\ufe0e"
"""A character behind a symbol that asks fonts for no colors of their own."""


def draw_mark(canvas: Canvas, mark: Mark, x: float, y: float, size: float) -> None:
    """Draw a mark with the center (x, y) in a square of a size."""
    size *= mark.scale
    radius, line = size * 0.27, size * 0.1
    stroke, fill = f"s-{mark.color}", f"f-{mark.color}"
    rim = size * 0.035 if mark.color in _RIMMED else 0.0
    if mark.color in PIECE_COLORS:
        canvas.use_pieces()
    if rim:
        fill += " rim"
    if mark.is_card:
        _draw_card(canvas, mark, x, y, size)
        size *= 0.92
    if mark.shape == "x":
        left, right, top, bottom = (number(value) for value in (x - radius, x + radius, y - radius, y + radius))
        canvas.path(stroke, f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}", line=line)
    elif mark.shape == "o":
        canvas.circle(stroke, x, y, radius * 1.07, line=line, solid=False)
    elif mark.shape == "z":
        wide, low, high = radius * 1.12, y + radius * 0.88, y - radius * 1.06
        canvas.path(
            stroke, f"M{number(x - wide)} {number(low)}H{number(x + wide)}L{number(x)} {number(high)}Z", line=line
        )
    elif mark.shape == "disc":
        canvas.circle(fill, x, y, radius * 1.08, line=rim)
    elif mark.shape == "square":
        canvas.rect(fill, x - radius, y - radius, 2 * radius, 2 * radius, corner=size * 0.04, line=rim)
    elif mark.shape == "crown":
        canvas.circle(fill, x, y, radius * 1.22, line=rim)
        canvas.circle("s-gray", x, y, radius * 0.7, line=size * 0.06, solid=False)
    elif mark.shape == "block":
        side = radius * 3.0
        canvas.rect(fill, x - side / 2, y - side / 2, side, side, corner=size * 0.1)
    elif path := piece_path(mark.shape, x, y, size):
        canvas.path(fill, path, line=rim, solid=True)
    elif mark.shape == "diamond":
        r = radius * 1.3
        canvas.path(
            fill,
            f"M{number(x)} {number(y - r)}L{number(x + r)} {number(y)}L{number(x)} {number(y + r)}L{number(x - r)} "
            f"{number(y)}Z",
        )
    else:
        words = mark.shape[:4]
        if not words:
            return
        height = size * (0.58, 0.42, 0.3, 0.25)[len(words) - 1]
        if not words.isascii():
            words += _AS_TEXT
        canvas.text(fill, x, y + height * 0.36, words, height, anchor="middle", bold=True, line=rim)
    if mark.is_hollow:
        canvas.circle("cell rim" if rim else "cell", x, y, radius * 0.5, line=rim)


def _draw_card(canvas: Canvas, mark: Mark, x: float, y: float, size: float) -> None:
    """Draw the ground of a card; of one without a shape, the pattern of its back."""
    canvas.use_pieces()
    wide, high, corner = size * 0.64, size * 0.88, size * 0.08
    canvas.rect("paper rim", x - wide / 2, y - high / 2, wide, high, corner=corner, line=size * 0.02)
    if not mark.shape:
        inset = size * 0.07
        wide, high = wide - 2 * inset, high - 2 * inset
        canvas.rect(f"f-{mark.color}", x - wide / 2, y - high / 2, wide, high, corner=corner * 0.6)
        r = size * 0.12
        canvas.path("paper", f"M{number(x)} {number(y - r)}L{number(x + r)} {number(y)}L{number(x)} {number(y + r)}"
                    f"L{number(x - r)} {number(y)}Z")  # fmt: skip
