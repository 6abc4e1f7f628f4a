"""Pieces of chess as paths, drawn for this project: the symbols of fonts differ between machines."""

from __future__ import annotations

import re

from .canvas import number
from .parts import PIECES

_SIDE = 100.0
_PATHS = {
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
_BY_SYMBOL = {PIECES[name]: path for name, path in _PATHS.items()}
_POINT = re.compile(r"(\d+) (\d+)")


def piece_path(symbol: str, x: float, y: float, size: float) -> str:
    """Return the path of a piece with the center (x, y) in a square of a size; empty for another symbol."""
    scale = 0.92 * size / _SIDE

    def placed(point: re.Match[str]) -> str:
        across, down = (scale * (float(part) - _SIDE / 2) for part in point.groups())
        return f"{number(x + across)} {number(y + down)}"

    return _POINT.sub(placed, _BY_SYMBOL.get(symbol, ""))
