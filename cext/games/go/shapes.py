"""Shapes of nine points in which a stone in the middle is often good, for the playouts of Go.

The shapes are those of Gelly, Wang, Munos and Teytaud (2006): hane, cuts, and blocks at the edge.
"""

from functools import cache
from itertools import product

SHAPES = (
    ("XOX", "...", "???"),
    ("XO.", "...", "?.?"),
    ("XO?", "X..", "x.?"),
    (".O.", "X..", "..."),
    ("XO?", "O.o", "?o?"),
    ("XO?", "O.X", "???"),
    ("?X?", "O.O", "ooo"),
    ("OX?", "o.O", "???"),
    ("X.?", "O.?", "###"),
    ("OX?", "X.O", "###"),
    ("?X?", "x.O", "###"),
    ("?XO", "x.x", "###"),
    ("?OX", "X.O", "###"),
)
"""Rows of a shape. X and O: stones of two players, x and o: no stone of X, of O; ?: anything inside, #: the edge."""
_COLORS = {"X": (0,), "O": (1,), ".": (2,), "#": (3,), "x": (1, 2), "o": (0, 2), "?": (0, 1, 2, 3)}
_NEAR = ((1, 0), (0, 1), (1, 2), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2))
"""Row and column of the places around the middle: left, above, right, below, and the corners."""


def _turned(rows):
    return tuple("".join(row[column] for row in reversed(rows)) for column in range(3))


@cache
def matching_codes() -> bytes:
    """Return for each code of the eight points around one a 1 if a shape matches, else 0."""
    found = bytearray(1 << 16)
    for shape in SHAPES:
        for swap in (str.maketrans("", ""), str.maketrans("XOxo", "OXox")):
            rows = tuple(row.translate(swap) for row in shape)
            for flipped in (rows, rows[::-1]):
                for _ in range(4):
                    flipped = _turned(flipped)
                    options = [_COLORS[flipped[row][column]] for row, column in _NEAR]
                    for colors in product(*options):
                        code = sum(color << 2 * at for at, color in enumerate(colors))
                        found[code] = 1
    return bytes(found)
