"""Marks as shapes that differ without their color."""

from __future__ import annotations

from .canvas import Canvas, number
from .parts import Mark


def draw_mark(canvas: Canvas, mark: Mark, x: float, y: float, size: float) -> None:
    """Draw a mark with the center (x, y) in a square of a size."""
    radius, line = size * 0.27, size * 0.1
    stroke, fill = f"s-{mark.color}", f"f-{mark.color}"
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
        canvas.circle(fill, x, y, radius * 1.08)
    elif mark.shape == "diamond":
        r = radius * 1.3
        canvas.path(
            fill,
            f"M{number(x)} {number(y - r)}L{number(x + r)} {number(y)}L{number(x)} {number(y + r)}L{number(x - r)} "
            f"{number(y)}Z",
        )
    else:
        words = mark.shape[:3]
        height = size * (0.58, 0.42, 0.3)[max(len(words), 1) - 1]
        canvas.text(fill, x, y + height * 0.36, words, height, anchor="middle", bold=True)
