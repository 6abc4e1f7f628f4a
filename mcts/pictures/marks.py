"""Marks as shapes that differ without their color."""

from __future__ import annotations

import re

from .canvas import Canvas, number
from .parts import PIECES, Mark

PIECE_COLORS = frozenset(["yellow", "white", "black"])
_RIMMED = frozenset(["white", "black"])
_AS_TEXT = "\ufe0e"
"""A character behind a symbol that asks fonts for no colors of their own."""
_PIECE_SIDE = 100.0
_PIECES = {
    "pawn": "M28 86L72 86L72 78Q59 68 57 53L64 48Q60 44 57 43Q63 38 63 31Q63 19 50 19Q37 19 37 31Q37 38 43 43Q40 44"
    " 36 48L43 53Q41 68 28 78Z",
    "rook": "M24 86L76 86L76 78L67 71L67 43L74 38L74 19L63 19L63 27L56 27L56 19L44 19L44 27L37 27L37 19L26 19L26 38"
    "L33 43L33 71L24 78Z",
    "knight": "M26 86L76 86Q78 60 71 44Q64 29 49 25L47 13L39 23L32 17L32 29Q26 36 23 49Q19 56 21 62Q25 68 31 65L37 59"
    "Q45 58 51 52Q51 61 42 67Q29 75 26 86Z",
    "bishop": "M24 86L76 86L76 78Q61 76 57 69L61 66L59 60Q69 52 67 42Q64 30 54 23Q57 12 50 12Q43 12 46 23Q36 30 33 42"
    "Q31 52 41 60L39 66L43 69Q39 76 24 78Z",
    "queen": "M26 86L74 86L73 77Q68 67 75 57L86 29L70 45L67 20L57 43L50 13L43 43L33 20L30 45L14 29L25 57Q32 67 27 77Z",
    "king": "M26 86L74 86L73 75L80 61Q88 46 77 39Q66 34 56 43L53 33L53 23L61 23L61 17L53 17L53 9L47 9L47 17L39 17L39 23"
    "L47 23L47 33L44 43Q34 34 23 39Q12 46 20 61L27 75Z",
}
"""Outlines of pieces, drawn for this project: the symbols of fonts differ between machines."""
_PIECE_PATHS = {PIECES[name]: path for name, path in _PIECES.items()}
_POINT = re.compile(r"(\d+) (\d+)")


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
    elif path := _piece_path(mark.shape, x, y, size):
        canvas.path(fill, path, line=rim, solid=True)
    elif mark.shape == "diamond":
        canvas.path(fill, _diamond(x, y, radius * 1.3))
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
        canvas.path("paper", _diamond(x, y, size * 0.12))


def _diamond(x: float, y: float, r: float) -> str:
    left, right, top, low = (number(value) for value in (x - r, x + r, y - r, y + r))
    return f"M{number(x)} {top}L{right} {number(y)}L{number(x)} {low}L{left} {number(y)}Z"


def _piece_path(symbol: str, x: float, y: float, size: float) -> str:
    """Return the path of a piece with the center (x, y) in a square of a size; empty for another symbol."""
    scale = 0.92 * size / _PIECE_SIDE

    def placed(point: re.Match[str]) -> str:
        across, down = (scale * (float(part) - _PIECE_SIDE / 2) for part in point.groups())
        return f"{x + across:.1f} {y + down:.1f}"

    return _POINT.sub(placed, _PIECE_PATHS.get(symbol, ""))
